import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { compiledNode, compiledResources } from '../../support/engine/engine';
import { namesOf, shownFields, shownInTool, shownRequestOptions } from '../../support/engine/panel';
import { compiledTrigger } from '../../support/engine/triggerHost';

const contact = (operation: string, parameters = {}) => ({ resource: 'contact', operation, ...parameters });
const message = (operation: string, parameters = {}) => ({ resource: 'message', operation, ...parameters });

test('No field of the node depends on a part of another field, except from the root, because n8n 1 stops there', () => {
	const rules = compiledNode.description.properties.flatMap(({ displayOptions }) =>
		Object.values(displayOptions ?? {}).flatMap((rule) => Object.keys(rule as object)),
	);
	expect(rules.length).toBeGreaterThan(0);
	expect(rules.filter((name) => name.includes('.') && !name.startsWith('/'))).toEqual([]);
});

describe('The panel of Send Message', () => {
	const parameters = message('send');

	test('shows Attachments, which is empty, and Channel below the text', () => {
		const fields = shownFields(parameters);
		expect(namesOf(fields).slice(-4)).toEqual(['attachments', 'inboxId', 'options', 'requestOptions']);
		const attachments = fields.find(({ name }) => name === 'attachments');
		expect(attachments).toMatchObject({ default: '', typeOptions: { binaryDataProperty: true } });
	});

	test('has the options that hardly anybody needs at the end', () => {
		const options = shownFields(parameters).find(({ name }) => name === 'options')?.options;
		expect(namesOf(options).slice(-3)).toEqual(['files', 'nodeId', 'clientId']);
	});

	test('of a tool shows Channel, too, but not Attachments', () => {
		const names = namesOf(shownInTool(parameters));
		expect(names).toContain('inboxId');
		expect(names).not.toContain('attachments');
	});
});

describe('The panel of Import', () => {
	const importWith = (mode: string) => contact('import', { inboxId: { __rl: true, mode, value: '7' } });

	test('opens on From Input', () => {
		expect(shownFields(contact('import')).find(({ name }) => name === 'source')?.default).toBe('input');
	});

	test('shows Channel Type only if the channel is entered by its ID', () => {
		expect(namesOf(shownFields(contact('import')))).not.toContain('channel');
		expect(namesOf(shownFields(importWith('list')))).not.toContain('channel');
		expect(namesOf(shownFields(importWith('id')))).toContain('channel');
		expect(namesOf(shownInTool(importWith('list')))).not.toContain('channel');
		expect(namesOf(shownInTool(importWith('id')))).toContain('channel');
	});
});

describe('Request Options in the Settings tab', () => {
	const own = ['Give Up After (Seconds)', 'Max Retries', 'Retry When Outcome Is Unknown'];
	const ownOfN8n = ['Batching', 'Ignore SSL Issues (Insecure)', 'Proxy', 'Timeout'];
	const all = [...own, ...ownOfN8n];
	const sorted = (labels: string[]) => [...labels].sort((a, b) => a.localeCompare(b));

	test('are what n8n has for all nodes that send requests, and our own, in the order of their names', () => {
		expect(shownRequestOptions(contact('getAll'), 'workspaceMessaging')).toEqual(sorted(all));
	});

	test('have Max Answer Length in a tool', () => {
		expect(shownRequestOptions(contact('getAll'), 'workspaceMessagingTool')).toEqual(
			sorted([...all, 'Max Answer Length']),
		);
	});

	test.each(['workspaceMessaging', 'workspaceMessagingTool', 'workspaceMessagingHitlTool'])(
		'have no Max Answer Length where a contact answers (%s)',
		(type) => {
			expect(shownRequestOptions(message('sendAndWait'), type)).toEqual(sorted(all));
		},
	);
});

test('Options stand last in the panel of Message Received, below the filters', () => {
	const fields = namesOf(shownFields({ event: 'messageReceived' }, compiledTrigger.description));
	expect(fields).toEqual(
		expect.arrayContaining(['event', 'inCharge', 'inboxIds', 'conditions', 'simplify', 'options']),
	);
	expect(fields.at(-1)).toBe('options');
});

test('The ID of a contact on its channel has the same label in all operations', () => {
	const fields = ['create', 'upsert', 'import'].flatMap((operation) =>
		shownFields(contact(operation, { source: 'items' })),
	);
	const inner = fields.flatMap(({ options = [] }) => options as typeof fields);
	const labels = [...fields, ...inner]
		.filter(({ name }) => name === 'contactId')
		.map((field) => field.displayName);
	expect(labels).toEqual(expect.arrayContaining(['ID on the Channel']));
	expect(new Set(labels)).toEqual(new Set(['ID on the Channel', 'ID on the Channel Column']));
});

describe('The contact of an operation', () => {
	const operations = compiledResources.flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ fields }) => fields.some(({ name }) => name === 'identifier'))
			.map(({ value }) => [resource, value]),
	);

	test.each(operations)('%s.%s: a picker in the node, a text in a tool', (resource, operation) => {
		const named = (fields: INodeProperties[]) =>
			fields.filter(({ name, type }) => ['identifier', 'contact'].includes(name) && type !== 'hidden');
		expect(named(shownFields({ resource, operation }))).toMatchObject([
			{ name: 'identifier', type: 'resourceLocator', required: true },
		]);
		expect(named(shownInTool({ resource, operation }))).toMatchObject([{ name: 'contact', type: 'string' }]);
	});
});

test('The fields of a contact have the same order in Sort and in Conditions, and Contact Filter (JSON) stands last', () => {
	const fields = shownFields(contact('getAll'));
	const optionsOf = (field?: INodeProperties) => (field?.options ?? []) as INodeProperties[];
	const names = (field?: INodeProperties) =>
		optionsOf(field).map(({ displayName, name }) => displayName ?? name);
	expect(names(fields.find(({ name }) => name === 'filters')).at(-1)).toBe('Contact Filter (JSON)');

	const groups = fields.find(({ name }) => name === 'conditions')?.options as INodePropertyCollection[];
	expect(groups.map(({ displayName }) => displayName)).toEqual(
		expect.arrayContaining(['Text (email, name, country…)', 'Date (created, last interaction…)']),
	);
	for (const { values } of groups.filter(({ name }) => ['texts', 'dates', 'booleans'].includes(name))) {
		const options = names(values.find(({ name }) => name === 'field'));
		expect(options).toEqual([...options].sort((a, b) => a.localeCompare(b)));
	}
	const texts = groups.find(({ name }) => name === 'texts');
	expect(texts?.values[0].default).toBe('email');
});

test('Resources stand in the order of their use, and the operations of each in the order of their names', () => {
	expect(compiledResources.map(({ name }) => name)).toEqual([
		...['Message', 'Contact', 'Tag', 'Custom Field', 'Flow', 'Sequence', 'Broadcast', 'Channel'],
		...['Member', 'Team', 'Workspace', 'AI Agent'],
	]);
	for (const { operations } of compiledResources) {
		const names = operations.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	}
});
