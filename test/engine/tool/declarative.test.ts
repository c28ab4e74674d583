import type { IDataObject, INodeType } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * Where n8n runs the node by its own declarative loop (as a tool of an agent), the same description
 * has to do the same.
 */
const declarative = Object.create(compiledNode, {
	customOperations: { value: undefined },
	// An agent's call does not pass the engine, which gives no input to a node that has a webhook and
	// nothing else.
	webhook: { value: undefined },
}) as INodeType;
const node = { name: 'n8n-nodes-workspace-messaging.workspaceMessaging', type: declarative };

const people = [1, 2, 3].map((n) => ({
	email: `p${n}@example.com`,
	phone: `+4915100000${n + 100}`,
	n,
}));
const identifier = { __rl: true, mode: 'email', value: '={{ $json.email }}' };

test('The node creates, reads, messages and tags contacts, and links each output to its input', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const steps = [
		{
			operation: 'create',
			email: '={{ $json.email }}',
			phoneNumber: '={{ $json.phone }}',
			gender: 'unknown',
			additionalFields: { firstName: '=N{{ $json.n }}' },
		},
		{ operation: 'get', identifier },
		{
			resource: 'message',
			operation: 'send',
			identifier,
			text: '=Hello {{ $json.n }}',
			options: { clientId: '={{ $json.n }}' },
		},
		{
			operation: 'addTags',
			identifier,
			tagsBy: 'names',
			tagNames: 'Declared',
			createMissing: true,
		},
		{
			operation: 'upsert',
			email: '={{ $json.email }}',
			phoneNumber: '',
			additionalFields: { lastName: 'Changed' },
		},
	];
	for (const step of steps) {
		const { outputs, error } = await run({ resource: 'contact', ...step }, people, { node });
		expect([step.operation, error?.message]).toEqual([step.operation, undefined]);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	}
	const { messages } = await workspace.journal();
	expect(messages.map(({ text, clientId }) => [text, clientId]).sort()).toEqual(
		[1, 2, 3].map((n) => [`Hello ${n}`, `${n}`]),
	);
	expect(await workspace.contact('email:p3@example.com')).toMatchObject({
		firstName: 'N3',
		lastName: 'Changed',
		tags: [{ name: 'Declared' }],
	});
});

test('An invalid item is not sent, and its error names the item', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const items = people.map((person, n) => (n === 1 ? { ...person, phone: '12ab' } : person));
	const create = {
		resource: 'contact',
		operation: 'create',
		email: '={{ $json.email }}',
		phoneNumber: '={{ $json.phone }}',
		gender: 'male',
	};
	const { error } = await run(create, items.slice(1), { node });
	expect(error?.headline).toBe(
		'Phone Number must be 10 to 20 digits, with an optional leading +, but is "12ab" [item 0]',
	);
	const sent = (await workspace.journal()).requests.map(
		({ body }) => (body as IDataObject).phoneNumber,
	);
	expect(sent).not.toContain('12ab');

	const others = items.map((item, n) => ({
		...item,
		email: `q${n}@example.com`,
		phone: item.phone.replace('5', '6'),
	}));
	const { outputs } = await run(create, others, { node, onError: 'continueRegularOutput' });
	expect(outputs[0].map(({ json, pairedItem }) => [json.error !== undefined, pairedItem])).toEqual([
		[false, { item: 0 }],
		[true, { item: 1 }],
		[false, { item: 2 }],
	]);
});

test('The node reads lists to their end', async () => {
	const { run } = await testWorkspace({ contacts: 130, faults: { maxPerPage: 20 } });
	const { json } = await run({ resource: 'contact', operation: 'getAll', returnAll: true }, [{}], {
		node,
	});
	expect(new Set(json.map(({ id }) => id)).size).toBe(130);
	const limited = await run(
		{ resource: 'contact', operation: 'getAll', returnAll: false, limit: 7 },
		[{}],
		{
			node,
		},
	);
	expect(limited.json).toHaveLength(7);
});
