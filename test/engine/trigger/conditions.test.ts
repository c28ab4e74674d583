import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { received } from '../../support/engine/helpers';
import { active, identifier, idsOf, watched } from '../../support/engine/triggerSupport';
import type { WorkspaceOptions } from '../../../sandbox/options';

/*
 * Conditions decide whether an event starts the workflow. They never decide what the trigger
 * remembers.
 */

const day = 86_400_000;
const minute = 60_000;
const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
const inLastWeek = (field: string): INodeParameters => ({
	dates: [{ field, dateOperator: 'inLast', amount: 7, unit: 'days' }],
});
const fromBerlin: INodeParameters = {
	texts: [{ field: 'city', textOperator: 'eq', text: 'berlin' }],
};

/** Lets time pass for the trigger. */
function letPass(ms: number) {
	const later = Date.now() + ms;
	jest.spyOn(Date, 'now').mockReturnValue(later);
}

afterEach(() => jest.restoreAllMocks());

describe.each(['reference', 'newer'] as const)('on a %s service', (service) => {
	/** Makes an active workflow with a condition on the workspace's tags and custom fields. */
	async function activeWith(
		event: string,
		conditionsOf: (ids: { tags: string[]; plan: string }) => INodeParameters,
		more: INodeParameters = {},
		options: WorkspaceOptions = {},
	) {
		const parameters: INodeParameters = { event, ...more };
		const set = await watched(parameters, { contacts: 20, service, ...options });
		const { tags, customFields } = await set.workspace.state();
		const ids = {
			tags: tags.map(({ id }) => id),
			plan: customFields.find(({ type }) => type === 'shortText')!.id,
		};
		parameters.conditions = conditionsOf(ids);
		await set.host.activate();
		return { ...set, ...ids };
	}

	test('Contact Created finds contacts that meet all conditions', async () => {
		const { workspace, host, tags } = await activeWith('contactCreated', ({ tags: [vip] }) => ({
			...fromBerlin,
			tags: [{ listOperator: 'in', tagIds: [vip] }],
		}));
		const [, , ann] = await workspace.addContacts([
			{ firstName: 'Bob', city: 'Berlin' },
			{ firstName: 'Cid', city: 'Rome', tagIds: [tags[0]] },
			{ firstName: 'Ann', city: 'Berlin', tagIds: [tags[0]] },
		]);
		expect(idsOf(await host.poll())).toEqual([ann.id]);
		expect(await host.poll()).toEqual([]);
	});

	test('Contact Created finds contacts that meet any condition', async () => {
		const { workspace, host, tags } = await activeWith(
			'contactCreated',
			({ tags: [vip] }) => ({ ...fromBerlin, tags: [{ listOperator: 'in', tagIds: [vip] }] }),
			{ match: 'any' },
		);
		const [bob, cid] = await workspace.addContacts([
			{ firstName: 'Bob', city: 'Berlin' },
			{ firstName: 'Cid', city: 'Rome', tagIds: [tags[0]] },
			{ firstName: 'Dora', city: 'Rome' },
		]);
		expect(idsOf(await host.poll())).toEqual(idsOf([bob, cid]));
	});

	test('Contact Updated compares custom fields', async () => {
		const { workspace, host, plan } = await activeWith('contactUpdated', (ids) => ({
			customFields: [{ customField: `${ids.plan}:text`, textOperator: 'isNotEmpty' }],
		}));
		const { contacts } = await workspace.state();
		const hasPlan = ({ contactCustomFields }: (typeof contacts)[number]) =>
			contactCustomFields.some(({ customFieldId }) => customFieldId === plan);
		const withPlan = contacts.find(hasPlan)!;
		const withoutPlan = contacts.find((contact) => !hasPlan(contact))!;
		await workspace.changeContacts(
			[withPlan, withoutPlan].map((contact) => ({
				identifier: identifier(contact),
				changes: { city: 'Oslo' },
			})),
		);
		await workspace.clearJournal();
		expect(idsOf(await host.poll())).toEqual([withPlan.id]);
		// Once for the condition and the output; n8n requests two pages at once.
		expect((await workspace.summary()).byOperation.listCustomFields).toBe(2);
	});

	test.each(['tagAdded', 'tagRemoved'])(
		'%s finds tags of contacts that meet the conditions',
		async (event) => {
			const { workspace, host, tags } = await activeWith(event, () => fromBerlin);
			const [ann, bob] = await workspace.addContacts(
				['Berlin', 'Rome'].map((city) => ({
					city,
					tagIds: event === 'tagRemoved' ? [tags[0]] : [],
				})),
			);
			await host.poll();
			const tagIds = event === 'tagRemoved' ? [] : [tags[0]];
			await workspace.changeContacts(
				[ann, bob].map((contact) => ({ identifier: identifier(contact), changes: { tagIds } })),
			);
			const found = host.items.length;
			await host.poll();
			expect(host.items.slice(found)).toMatchObject([{ id: ann.id, tag: { id: tags[0] } }]);
			expect(await host.poll()).toEqual([]);
		},
	);

	test('Contact Created skips an event for good if its contact meets the conditions only later', async () => {
		const { workspace, host } = await activeWith('contactCreated', () => fromBerlin);
		const [ann] = await workspace.addContacts([{ firstName: 'Ann', city: 'Rome' }]);
		expect(await host.poll()).toEqual([]);
		await workspace.changeContacts([{ identifier: identifier(ann), changes: { city: 'Berlin' } }]);
		expect(await host.poll()).toEqual([]);
		await host.restart();
		expect(await host.poll()).toEqual([]);
		expect(host.items).toEqual([]);
	});

	test.each(['contactUpdated', 'tagAdded'])(
		'%s skips an event for good if its contact meets the conditions after a restart',
		async (event) => {
			const { workspace, host, tags } = await activeWith(event, () => ({
				dates: [{ field: 'lastReadAt', dateOperator: 'notInLast', amount: 7, unit: 'days' }],
			}));
			const [ann] = await workspace.addContacts([{ firstName: 'Ann', lastReadAt: ago(1) }]);
			await host.poll();
			const lastReadAt = new Date(Date.now() - 7 * day + minute).toISOString();
			await workspace.changeContacts([
				{ identifier: identifier(ann), changes: { lastReadAt, tagIds: [tags[0]] } },
			]);
			expect(await host.poll()).toEqual([]);
			letPass(2 * minute);
			await host.restart();
			await host.poll();
			expect(host.items).toEqual([]);
		},
	);

	test('Contact Updated finds nothing if only time passes', async () => {
		const { workspace, host } = await activeWith('contactUpdated', () => inLastWeek('lastReadAt'));
		const [almost, { updatedAt }] = [
			new Date(Date.now() - 7 * day + minute).toISOString(),
			(await workspace.state()).contacts[0],
		];
		const [ann, bob] = await workspace.addContacts([
			{ firstName: 'Ann', lastReadAt: almost, createdAt: updatedAt, updatedAt },
			{ firstName: 'Bob', lastReadAt: ago(8), createdAt: updatedAt, updatedAt },
		]);
		await host.poll();
		const before = host.items.length;
		letPass(2 * minute);
		await host.poll();
		expect(host.items).toHaveLength(before);
		const touch = { city: 'Oslo' };
		await workspace.changeContacts([
			{ identifier: identifier(ann), changes: touch },
			{ identifier: identifier(bob), changes: { ...touch, lastReadAt: ago(1) } },
		]);
		expect(idsOf(await host.poll())).toEqual([bob.id]);
	});

	test('Contact Created keeps its memory with other conditions', async () => {
		const { workspace, host } = await activeWith('contactCreated', () => fromBerlin);
		const [, bob] = await workspace.addContacts([{ city: 'Rome' }, { city: 'Berlin' }]);
		expect(idsOf(await host.poll())).toEqual([bob.id]);
		await host.republish({ event: 'contactCreated', conditions: inLastWeek('createdAt') });
		const [cid] = await workspace.addContacts([{ city: 'Rome' }]);
		expect(idsOf(await host.poll())).toEqual([cid.id]);
	});

	test('Fetch Test Event shows a contact that meets the conditions', async () => {
		const conditions = { texts: [{ field: 'firstName', textOperator: 'eq', text: 'Rare' }] };
		const { workspace, host } = await watched(
			{ event: 'contactCreated', conditions },
			{ contacts: 0, service },
		);
		const [rare] = await workspace.addContacts([
			{ firstName: 'Rare', createdAt: ago(9) },
			...Array.from({ length: 90 }, () => ({ firstName: 'Usual' })),
		]);
		expect((await host.fetchTestEvent()).items).toMatchObject([{ id: rare.id }]);
	});

	test('an invalid condition is an error when watching begins', async () => {
		const conditions = { dates: [{ field: 'createdAt', dateOperator: 'gt', date: 'soon' }] };
		const { host } = await watched({ event: 'contactCreated', conditions }, { service });
		await expect(host.activate()).rejects.toThrow(
			'The condition on Created has the value "soon". Enter a date',
		);
	});

	test.each<[INodeParameters, string]>([
		[{ dateOperator: 'inLast', amount: '={{ undefined }}' }, 'has no value. Enter a whole number'],
		[{ dateOperator: '={{ null }}' }, 'must be one of eq, lt,'],
	])(
		'a condition with the empty expression %j is an error when watching begins',
		async (row, message) => {
			const conditions = { dates: [{ field: 'createdAt', ...row }] };
			const { host } = await watched({ event: 'contactCreated', conditions }, { service });
			await expect(host.activate()).rejects.toThrow(message);
		},
	);
});

describe('a condition that only the service can compare', () => {
	const conditions: INodeParameters = {
		sequences: [{ listOperator: 'notIn', sequenceIds: ['71'] }],
	};

	test('is checked by the service if there is an event', async () => {
		const { workspace, host, requestsOfPoll } = await active(
			{ event: 'contactCreated', conditions },
			{ contacts: 20, service: 'newer' },
		);
		expect(await requestsOfPoll()).toBeLessThanOrEqual(3);
		const [, bob] = await workspace.addContacts([{ sequenceIds: ['71'] }, { firstName: 'Bob' }]);
		expect(idsOf(await host.poll())).toEqual([bob.id]);
	});

	test('is an error when watching begins on a service that cannot filter by it', async () => {
		const { host } = await watched(
			{ event: 'contactCreated', conditions },
			{ service: 'reference' },
		);
		await expect(host.activate()).rejects.toThrow("This service can't filter contacts by Sequence");
	});
});

test('the trigger checks again only with an event whether the service applies the contact filter', async () => {
	const filter = { operator: 'and', conditions: [{ field: 'email', operator: 'isNotEmpty' }] };
	const { workspace, host, requestsOfPoll } = await active(
		{ event: 'contactCreated', filters: { contactFilter: JSON.stringify(filter) } },
		{ contacts: 10, service: 'newer' },
	);
	const checks = async () =>
		(await received(workspace)).filter(({ path }) => path.includes('Nobody')).length;
	await requestsOfPoll();
	expect(await checks()).toBe(0);
	const [ann] = await workspace.addContacts([
		{ email: 'ann@example.com' },
		{ firstName: 'Bob' },
	] as IDataObject[]);
	expect(idsOf(await host.poll())).toEqual([ann.id]);
	expect(await checks()).toBe(1);
});
