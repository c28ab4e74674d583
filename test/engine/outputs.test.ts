import { resources } from '../../nodes/WorkspaceMessaging/resources';
import { triggerOutputs } from '../../nodes/WorkspaceMessaging/trigger/outputs';
import { testWorkspace } from '../support/engine/workspace';
import { compiledNode } from '../support/engine/engine';
import type { INodePropertyOptions } from 'n8n-workflow';

const outputs = Object.fromEntries(
	resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, operation.output])),
	]),
);

test('every operation has an output schema, and there is none beyond', () => {
	const operations = compiledNode.description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(
				({ value }) => `${displayOptions?.show?.resource?.[0]}.${value}`,
			),
		);
	const described = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.keys(shapes).map((operation) => `${resource}.${operation}`),
	);
	expect(described.sort()).toEqual(operations.sort());
});

const id = (value: string) => ({ __rl: true, mode: 'id', value });
const ann = { __rl: true, mode: 'email', value: 'ann@example.com' };

test('what each operation returns has the fields that the editor shows before, and no others', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 3 });
	await workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
	const { tags, flows, members, sequences, broadcasts, channels, files, customFields } =
		await workspace.state();
	const mapped = {
		mappingMode: 'defineBelow',
		value: { [customFields.find(({ type }) => type === 'number')!.id]: 1 },
	};
	const inboxId = id(channels[0].id);
	const everything = {
		splitLongText: true,
		inboxId,
		files: '[{"url":"https://example.com/a.png"}]',
		flowId: id(flows[0].id),
		nodeId: '4711',
	};
	const calls: Array<[string, string, Record<string, unknown>]> = [
		['aiAgent', 'getAll', {}],
		['broadcast', 'get', { broadcastId: id(broadcasts[0].id) }],
		['broadcast', 'getAll', {}],
		['channel', 'getAll', {}],
		['contact', 'create', { phoneNumber: '+4915100000002', email: 'bob@example.com', gender: 'male' }],
		['contact', 'addTags', { identifier: ann, tagIds: [tags[0].id] }],
		['contact', 'removeTags', { identifier: ann, tagIds: [tags[0].id] }],
		['contact', 'addTags', { identifier: ann, tagsBy: 'names', tagNames: tags[0].name }],
		['contact', 'removeTags', { identifier: ann, tagsBy: 'names', tagNames: tags[0].name }],
		['contact', 'setCustomFields', { identifier: ann, customFields: mapped }],
		['contact', 'get', { identifier: ann }],
		['contact', 'getAll', {}],
		['contact', 'getCustomFields', { identifier: ann }],
		['contact', 'clearCustomField', { identifier: ann, customFieldId: id(customFields[0].id) }],
		['contact', 'import', { fileId: files[0].id, channel: 'whatsapp', inboxId: id(channels[0].id) }],
		['contact', 'sendMessage', { identifier: ann, text: 'Hello' }],
		['contact', 'sendMessage', { identifier: ann, text: 'word '.repeat(300), options: everything }],
		['contact', 'triggerFlow', { identifier: ann, flowId: id(flows[0].id), options: { inboxId } }],
		['contact', 'update', { identifier: ann, updateFields: { firstName: 'Ann' } }],
		['contact', 'update', { identifier: ann, withCustomFields: true, customFields: mapped }],
		['contact', 'upsert', { email: 'ann@example.com', phoneNumber: '' }],
		['contact', 'delete', { identifier: ann }],
		['customField', 'create', { name: 'New', type: 'date' }],
		['customField', 'update', { customFieldId: id(customFields[0].id), name: 'Renamed' }],
		['customField', 'getAll', {}],
		['customField', 'delete', { customFieldId: id(customFields[0].id) }],
		['flow', 'getAll', {}],
		['member', 'get', { memberId: id(members[0].id) }],
		['member', 'getAll', {}],
		['sequence', 'get', { sequenceId: id(sequences[0].id) }],
		['sequence', 'getAll', {}],
		['tag', 'create', { name: 'New' }],
		['tag', 'update', { tagId: id(tags[0].id), name: 'Renamed' }],
		['tag', 'getAll', {}],
		['tag', 'delete', { tagId: id(tags[0].id) }],
		['team', 'getAll', {}],
		['workspace', 'get', {}],
	];
	const called = new Set(calls.map(([resource, operation]) => `${resource}.${operation}`));
	expect([...called].sort()).toEqual(
		Object.entries(outputs)
			.flatMap(([resource, shapes]) => Object.keys(shapes).map((operation) => `${resource}.${operation}`))
			.sort(),
	);
	const offered = new Set<string>();
	for (const [resource, operation, parameters] of calls) {
		const { json, error } = await run({ resource, operation, ...parameters } as never);
		expect([resource, operation, error?.message]).toEqual([resource, operation, undefined]);
		expect(json.length).toBeGreaterThan(0);
		const shape = outputs[resource][operation];
		const isOpen = ['flow', 'aiAgent', 'workspace', 'getCustomFields'].some(
			(name) => name === resource || name === operation,
		);
		for (const item of json) {
			for (const field of Object.keys(item)) offered.add(`${resource}.${operation}.${field}`);
			const { error: mismatch } = (isOpen ? shape : shape.strict()).safeParse(item);
			expect([resource, operation, mismatch?.issues]).toEqual([resource, operation, undefined]);
		}
	}
	// Nor is anything shown that no call brings.
	const promised = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.entries(shapes).flatMap(([operation, shape]) =>
			Object.keys(shape.shape).map((field) => `${resource}.${operation}.${field}`),
		),
	);
	expect(promised.filter((field) => !offered.has(field))).toEqual([]);
});

test('a simplified contact has at most ten fields, whatever is added to it', () => {
	const { contact } = outputs;
	const simplified = [contact.get, contact.getAll, contact.create, contact.upsert];
	for (const shape of [...simplified, ...Object.values(triggerOutputs)]) {
		expect(Object.keys(shape.shape).length).toBeLessThanOrEqual(10);
	}
});
