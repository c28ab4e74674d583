import { findContactsInList } from '../../../nodes/WorkspaceMessaging/contacts/findByIdentifier';
import type { AnyItem } from '../../../nodes/WorkspaceMessaging/run/item';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';

const PER_PAGE = 100;
/** What the service could leave out of a record. */
const related = { tags: [], contactCustomFields: [], contactInboxes: [], conversation: null };

/**
 * An item of a workspace that lists contacts from ID 1 on, the pages that it requests, and its
 * hints.
 */
function itemOf(contacts: number, { deletes = 0, lastPage = Infinity } = {}) {
	const pages: number[] = [];
	const hints: string[] = [];
	let first = 1;
	const request = async (_: object, { query: { page } }: { query: { page: number } }) => {
		if (page > lastPage) throw new Error('The service does not answer');
		pages.push(page);
		const from = first + (page - 1) * PER_PAGE;
		const length = Math.max(0, Math.min(PER_PAGE, contacts + 1 - from));
		const data = Array.from({ length }, (__, n) => ({ id: String(from + n), ...related }));
		// The contacts behind move up.
		first += deletes;
		return await Promise.resolve({ data, pageCount: Math.ceil((contacts + 1 - first) / PER_PAGE) });
	};
	const item = { service: new Service(), request, hint: (text: string) => hints.push(text) };
	return { item: item as unknown as AnyItem, pages, hints };
}

const keysOf = (...ids: number[]) => new Set(ids.map((id) => `id:${id}`));

describe('findContactsInList', () => {
	test.each([
		[19, 100, []],
		[20, 1000, [1, 2]],
		[20, 1001, [1]],
	])(
		'instead of %d look-ups, with %d contacts, reads the pages %j',
		async (insteadOf, contacts, read) => {
			const { item, pages } = itemOf(contacts);
			const found = await findContactsInList(item, keysOf(7, 150), { insteadOf });
			expect(pages).toEqual(read);
			expect(found.contacts.map(({ id }) => id)).toEqual(read.length === 2 ? ['7', '150'] : []);
		},
	);

	test('reads the whole list for one who asks for it, and says that nobody else is in it', async () => {
		const { item, pages } = itemOf(150);
		const found = await findContactsInList(item, keysOf(7, 9999), { insteadOf: 20, isWhole: true });
		expect(found).toMatchObject({ contacts: [{ id: '7' }], isComplete: true });
		expect(new Set(pages)).toEqual(new Set([1, 2]));
	});

	test('shows no hint about a list that moves all the time', async () => {
		const { item, hints } = itemOf(900, { deletes: 1 });
		const { isComplete } = await findContactsInList(item, keysOf(9999), {
			insteadOf: 20,
			isWhole: true,
		});
		expect(isComplete).toBe(false);
		expect(hints).toEqual([]);
	});

	test('returns nobody if the list cannot be read', async () => {
		const { item } = itemOf(300, { lastPage: 2 });
		const found = await findContactsInList(item, keysOf(7, 9999), { insteadOf: 20 });
		expect(found).toEqual({ contacts: [], isComplete: false });
	});
});
