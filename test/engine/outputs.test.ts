import { outputs } from '../../nodes/WorkspaceMessaging/contract/outputs';
import { testWorkspace } from './workspace';
import { compiledNode } from './engine';
import type { INodePropertyOptions } from 'n8n-workflow';

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
	const calls: Array<[string, string, Record<string, unknown>]> = [
		['aiAgent', 'getAll', {}],
		['broadcast', 'get', { broadcastId: id(broadcasts[0].id) }],
		['broadcast', 'getAll', {}],
		['channel', 'getAll', {}],
		['contact', 'create', { phoneNumber: '+4915100000002', email: 'bob@example.com', gender: 'male' }],
		['contact', 'addTags', { identifier: ann, tagIds: [tags[0].id] }],
		['contact', 'removeTags', { identifier: ann, tagIds: [tags[0].id] }],
		['contact', 'setCustomFields', { identifier: ann, customFields: mapped }],
		['contact', 'get', { identifier: ann }],
		['contact', 'getAll', {}],
		['contact', 'getCustomFields', { identifier: ann }],
		['contact', 'clearCustomField', { identifier: ann, customFieldId: id(customFields[0].id) }],
		['contact', 'import', { fileId: files[0].id, channel: 'whatsapp', inboxId: id(channels[0].id) }],
		['contact', 'sendMessage', { identifier: ann, text: 'Hello' }],
		['contact', 'triggerFlow', { identifier: ann, flowId: id(flows[0].id) }],
		['contact', 'update', { identifier: ann, updateFields: { firstName: 'Ann' } }],
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
	expect(calls.map(([resource, operation]) => `${resource}.${operation}`).sort()).toEqual(
		Object.entries(outputs)
			.flatMap(([resource, shapes]) => Object.keys(shapes).map((operation) => `${resource}.${operation}`))
			.sort(),
	);
	for (const [resource, operation, parameters] of calls) {
		const { json, error } = await run({ resource, operation, ...parameters } as never);
		expect([resource, operation, error?.message]).toEqual([resource, operation, undefined]);
		expect(json.length).toBeGreaterThan(0);
		const shape = outputs[resource][operation];
		const isOpen = ['flow', 'aiAgent', 'workspace', 'getCustomFields'].some(
			(name) => name === resource || name === operation,
		);
		for (const item of json) {
			const { error: mismatch } = (isOpen ? shape : shape.strict()).safeParse(item);
			expect([resource, operation, mismatch?.issues]).toEqual([resource, operation, undefined]);
		}
	}
});
