import { conversationApi } from '../../../nodes/WorkspaceMessaging/contract/conversation';
import { readFilteredConversations } from '../../../nodes/WorkspaceMessaging/conversations/filter';
import { getActivity } from '../../../nodes/WorkspaceMessaging/conversations/conversation';
import { readMessages } from '../../../nodes/WorkspaceMessaging/conversations/messages';
import { readRecords } from '../../../nodes/WorkspaceMessaging/service/lists/records';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';
import { chatTraitsOf, MovingConversations } from '../../support/fakes/movingConversations';

/* Lists of conversations and messages that change between the requests for their pages. */

const numbers = Array.from({ length: caseCount({ few: 40, many: 300 }) }, (_, number) => number);

/**
 * A service on which people write between requests; none of its conversations moves into the
 * archive.
 */
function movingService(number: number) {
	const random = sequenceOf(number * 4001 + 3);
	const service = new MovingConversations(random, { ...chatTraitsOf(random), fails: 0, lateMs: 0 });
	for (let times = 0; times < 30; times++) service.change();
	return service;
}

test('A list of conversations lacks none that was there before, has none twice, and is in order', async () => {
	for (const number of numbers) {
		const service = movingService(number);
		const { client } = service;
		const page = { query: { perPage: 1000 } };
		const before = new Set<unknown>();
		for (let cursor: unknown; cursor !== null; ) {
			const query = { ...page.query, ...(cursor !== undefined && { cursor: String(cursor) }) };
			const body = await client.request(conversationApi.listConversations, { query });
			for (const { id } of readRecords(body)) before.add(id);
			cursor = (body as { nextCursor: unknown }).nextCursor;
		}
		service.changesFor = 20;
		const found = await readFilteredConversations(client, {});
		const ids = found.map(({ id }) => id);
		expect([number, [...ids].sort()]).toEqual([number, [...before].sort()]);
		const times = found.map(getActivity);
		expect([number, times]).toEqual([number, [...times].sort((a, b) => b - a)]);
		service.changesFor = 20;
		expect(await readFilteredConversations(client, {}, 3)).toHaveLength(Math.min(3, before.size));
	}
});

test('Messages that were there before come once and in order, oldest first', async () => {
	for (const number of numbers) {
		const service = movingService(number);
		const idsOf = (rows: Array<{ contactId: string; id: string }>) =>
			rows.filter(({ contactId }) => contactId === '10').map(({ id }) => id);
		const before = idsOf(service.messages).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
		service.changesFor = 20;
		const found = (await readMessages(service.client, 'id:10', {})).map(({ id }) => String(id));
		expect([number, found.slice(0, before.length)]).toEqual([number, before]);
		expect(new Set(found).size).toBe(found.length);
		const newest = await readMessages(service.client, 'id:10', { limit: 2, pages: 1 });
		expect(newest.length).toBeGreaterThanOrEqual(Math.min(2, before.length));
	}
});
