import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { archivedCall, called } from '../support/engine/instantSupport';

/*
 * Anybody who knows the address of a webhook can call it, and services sign nothing. What n8n
 * itself refuses (broken JSON, bodies above 16 MB, other methods) is in
 * test/e2e/instant-trigger.e2e.ts.
 */

const archived: INodeParameters = { event: 'archived' };
const flow: INodeParameters = { event: 'flowSendsData', eventName: 'order_paid' };
const message: INodeParameters = { event: 'messageReceivedAtOnce', eventName: 'contact_wrote' };

/** A kind of event: what its call says, and about whom. */
interface Kind {
	parameters: INodeParameters;
	event: string;
	about: (id: unknown) => object;
}

const kinds: Array<[string, Kind]> = [
	[
		'an event of the service',
		{
			parameters: archived,
			event: 'conversation_archived',
			about: (id) => ({ contact_id: id }),
		},
	],
	[
		'a message that a flow reports',
		{ parameters: message, event: 'contact_wrote', about: (id) => ({ contact: { id } }) },
	],
];

const grouped: [string, Kind] = [
	'a message that waits for others',
	{ ...kinds[1][1], parameters: { ...message, options: { groupMessages: 30 } } },
];

const callOf = ({ event, about }: Kind, id: unknown) => ({ event, ...about(id) });

const refused = (status: number) => ({
	status,
	body: expect.stringMatching(/^\{"message":"[^"]+"\}$/) as string,
});

describe.each([...kinds, grouped])('A forged call for %s', (_, kind) => {
	const { parameters, event, about } = kind;
	const other = kinds.find(([, each]) => each !== kind)![1];

	test.each<[string, (key: string) => IDataObject]>([
		['no key', () => ({})],
		['an empty key', () => ({ key: '' })],
		['another key', (key) => ({ key: key.replace(/^./, 'f') })],
		['a shorter key', (key) => ({ key: key.slice(0, -1) })],
		['a longer key', (key) => ({ key: `${key}0` })],
		['a very long key', (key) => ({ key: key.repeat(100_000) })],
		['the key in a list', (key) => ({ key: [key] })],
		['the key in an object', (key) => ({ key: { key } })],
		['the key under another name', (key) => ({ Key: key })],
	])('with %s starts nothing and asks the service nothing', async (__, queryOf) => {
		const { host, id, query, workspace } = await called(parameters);
		expect(await host.call(queryOf(query.key), callOf(kind, id))).toEqual(refused(401));
		expect(host.executions).toEqual([]);
		expect((await workspace.summary()).requests).toBe(0);
	});

	test('is refused even if n8n has lost the key and the service cannot be asked', async () => {
		const { host, id, query, workspace } = await called(parameters);
		host.database.staticData = {};
		await workspace.faults({ dropBefore: {} });
		expect(await host.call(query, callOf(kind, id))).toEqual(refused(401));
		expect(host.executions).toEqual([]);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a text', event],
		['a number', 1],
		['a list', [callOf(kind, '1')]],
		['an empty object', {}],
		['no event', about('1')],
		['another event', { event: 'tag_applied', ...about('1'), tag: 'VIP' }],
		['the name of the event in n8n', { event: parameters.event, ...about('1') }],
		['a list of events', { event: [event], ...about('1') }],
		['no contact', { event }],
		['a contact of another form', { event, ...other.about('1') }],
		['a contact without digits', callOf(kind, '1/messages')],
		['a contact by its email', callOf(kind, 'email:ann@example.com')],
		['a number that has lost its digits', callOf(kind, 7311111111111111000)],
		['an ID of 100,000 digits', callOf(kind, '1'.repeat(100_000))],
		['an event in the prototype', JSON.parse(`{"__proto__":${JSON.stringify(callOf(kind, '1'))}}`)],
	])(
		'with the right key and %s as its body starts nothing and asks the service nothing',
		async (__, body) => {
			const { host, query, workspace } = await called(parameters);
			expect(await host.call(query, body)).toEqual(refused(400));
			expect(host.executions).toEqual([]);
			expect((await workspace.summary()).requests).toBe(0);
		},
	);

	test('about a contact that does not exist starts nothing', async () => {
		const { host, query } = await called(parameters);
		expect(await host.call(query, callOf(kind, '99999999999999999999'))).toEqual(refused(404));
		expect(host.executions).toEqual([]);
	});
});

describe('A forged call of a flow', () => {
	test.each(['Order_paid', ' order_paid', 'order_paid2', '', 'toString'])(
		'for the event "%s" starts nothing',
		async (event) => {
			const { host, id, query } = await called(flow);
			expect(await host.call(query, { event, contact: { id } })).toEqual(refused(400));
			expect(host.executions).toEqual([]);
		},
	);
});

describe('A call with the right key', () => {
	test('twice starts the workflow twice: services may repeat a call, and two events can look the same', async () => {
		const { host, id, query } = await called(archived);
		await Promise.all([host.call(query, archivedCall(id)), host.call(query, archivedCall(id))]);
		expect(host.executions).toHaveLength(2);
	});

	test('brings nothing that changes the prototype of an object', async () => {
		const { host, id, query } = await called({ ...flow, readContact: false });
		const body = JSON.parse(
			`{"event":"order_paid","__proto__":{"polluted":1},"contact":{"id":"${id}","__proto__":{"polluted":1},"fullName":{"__proto__":{"polluted":1}}},` +
				'"custom_fields":[{"name":"__proto__","value":{"polluted":1}},{"name":"constructor","value":{"prototype":{"polluted":1}}},{"name":"x","value":{"__proto__":{"polluted":1}}}]}',
		) as unknown;
		expect((await host.call(query, body)).status).toBe(200);
		expect(({} as IDataObject).polluted).toBeUndefined();
		expect(JSON.stringify(host.items)).not.toContain('__proto__');
		expect(host.items).toMatchObject([{ customFields: { x: {} } }]);
	});

	test('brings no keys that the node does not know', async () => {
		const { host, id, query } = await called({ ...archived, readContact: false });
		await host.call(query, {
			...archivedCall(id),
			extra: 1,
			key: 'x',
			contact: { email: 'forged@example.com' },
		});
		expect(Object.keys(host.items[0]).sort()).toEqual(
			['archivedBy', 'contact', 'contactRead', 'conversationId', 'event', 'receivedAt'].sort(),
		);
		expect(host.items[0].contact).toEqual({ id, fullName: null, email: null, phoneNumber: null });
	});

	test('with values of other types brings null in their place', async () => {
		const { host, id, query } = await called({ ...archived, readContact: false });
		await host.call(query, { ...archivedCall(id), conversation_id: { a: 1 }, archived_by: 7 });
		expect(host.items).toMatchObject([{ conversationId: null, archivedBy: null }]);
	});

	test('with 100,000 nested lists as a value starts nothing, and n8n goes on', async () => {
		const { host, id, query } = await called({ ...flow, readContact: false });
		const depth = 100_000;
		const value = JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
		const body = { event: 'order_paid', contact: { id }, custom_fields: [{ name: 'x', value }] };
		expect(await host.call(query, body)).toEqual(refused(400));
		expect(host.executions).toEqual([]);
	});
});

describe.each(kinds)(
	'For %s, the trigger reads for some seconds at most, because the service waits for the answer to its call',
	(_, kind) => {
		test.each<[string, Parameters<Awaited<ReturnType<typeof called>>['workspace']['faults']>[0]]>([
			['answers late', { latencyMs: 30_000 }],
			['begins an answer and never ends it', { hostile: [{ mode: 'slow' }] }],
			['closes each connection', { dropBefore: {} }],
			['fails', { fail: [{ status: 500 }] }],
			['asks to wait', { fail: [{ status: 429, headers: { 'retry-after': '60' } }] }],
			['answers without end', { hostile: [{ mode: 'endless' }] }],
			['answers with something else', { hostile: [{ mode: 'wrongShape', shape: 'listOfNulls' }] }],
		])('if the service %s', async (__, faults) => {
			const { host, id, query, workspace } = await called(kind.parameters);
			await workspace.faults(faults);
			const startedAt = performance.now();
			expect((await host.call(query, callOf(kind, id))).status).toBe(200);
			expect(performance.now() - startedAt).toBeLessThan(15_000);
			expect(host.items).toMatchObject([{ contact: { id }, contactRead: false }]);
		});
	},
);
