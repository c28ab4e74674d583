import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { additionalDataOf, compiledNode, NODE_NAME, workflowOf } from '../../support/engine/engine';
import { by, received, shownOf } from '../../support/engine/helpers';
import { compiledInstantTrigger } from '../../support/engine/instantHost';
import { called } from '../../support/engine/instantSupport';
import { compiledTrigger } from '../../support/engine/triggerHost';
import { watched } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';

/* The dropdowns of a node that has no credential yet: n8n asks for them before it has chosen one. */

const NOTE = 'To see the list, choose ⋮ → Refresh List';
const note = { name: NOTE, value: NOTE };
const WITHOUT_CREDENTIAL = { baseUrl: '', accessToken: '' };

const nodes = {
	action: compiledNode,
	'polling trigger': compiledTrigger,
	'instant trigger': compiledInstantTrigger,
};

/** A dropdown of a node: its method, and where its value is. */
type Dropdown = readonly [node: keyof typeof nodes, path: string, method: string, type: string];

/** Returns all dropdowns among fields, also those inside collections. */
function dropdownsOf(node: keyof typeof nodes, fields: INodeProperties[], at: string): Dropdown[] {
	return fields.flatMap((field) => {
		const { name, type, typeOptions, options = [] } = field;
		const path = `${at}.${name}`;
		if (typeOptions?.loadOptionsMethod)
			return [[node, path, typeOptions.loadOptionsMethod, type] as const];
		if (type === 'collection') return dropdownsOf(node, options as INodeProperties[], path);
		if (type !== 'fixedCollection') return [];
		return (options as Array<{ name: string; values: INodeProperties[] }>).flatMap((group) =>
			dropdownsOf(node, group.values, `${path}.${group.name}[0]`),
		);
	});
}

const dropdowns = Object.entries(nodes).flatMap(([name, { description }]) =>
	dropdownsOf(name as keyof typeof nodes, description.properties, 'parameters'),
);
const different = [...new Map(dropdowns.map((dropdown) => [dropdown.join(), dropdown])).values()];

/** Returns parameters with a value at a path, such as `parameters.filters.inboxIds`. */
function withValue(path: string, value: unknown): INodeParameters {
	const [, ...names] = path.split('.');
	return names.reduceRight<unknown>((inner, name) => {
		const [key, isList] = name.split('[');
		return { [key]: isList ? [inner] : inner };
	}, value) as INodeParameters;
}

/** Returns what a dropdown offers before the node has a credential. */
async function offered([name, path, method]: Dropdown, parameters: INodeParameters) {
	const type: INodeType = nodes[name];
	const workflow = workflowOf({ parameters: {} });
	const additionalData = {
		...additionalDataOf(WITHOUT_CREDENTIAL),
		currentNodeParameters: parameters,
	};
	const node = { ...workflow.getNode(NODE_NAME)!, credentials: undefined };
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	return await type.methods!.loadOptions![method].call(context);
}

test('All three nodes have dropdowns', () => {
	expect(new Set(different.map(([node]) => node)).size).toBe(3);
});

describe.each(different)('The dropdown of the %s at %s (%s, %s)', (...dropdown) => {
	const [, path, , type] = dropdown;

	test('says how to get its list', async () => {
		expect(await offered(dropdown, {})).toEqual([note]);
	});

	test('also offers the values that the field has', async () => {
		const value = type === 'multiOptions' ? ['11', '12'] : '11';
		const own = [value].flat().map((each) => ({ name: each, value: each }));
		expect(await offered(dropdown, withValue(path, value))).toEqual([note, ...own]);
		expect(await offered(dropdown, withValue(path, '={{ $json.id }}'))).toEqual([note]);
	});
});

const REFUSED = (label: string) =>
	`"${NOTE}" in ${label} is only a note. Remove it, refresh the list, and choose from it.`;

const contact = { resource: 'contact', identifier: by('id', '1') };
const list = { resource: 'contact', operation: 'getAll' };

const actions: Array<[label: string, parameters: INodeParameters]> = [
	['Tag Names or IDs', { ...contact, operation: 'addTags', tagIds: [NOTE] }],
	['Tag Names or IDs', { ...contact, operation: 'removeTags', tagIds: ['11', NOTE, '12'] }],
	['Tag Names or IDs', { ...contact, operation: 'addTags', tagIds: `={{ ["${NOTE}"] }}` }],
	['Sequence Names or IDs', { ...contact, operation: 'addToSequences', sequenceIds: [NOTE] }],
	['Channel Names or IDs', { ...list, filters: { inboxIds: ['11', NOTE] } }],
	['Conditions', { ...list, conditions: { tags: [{ listOperator: 'in', tagIds: [NOTE] }] } }],
	['Conditions', { ...list, conditions: { customFields: [{ customField: NOTE }] } }],
	[
		'Assigned To Name or ID',
		{ resource: 'conversation', operation: 'getAll', filters: { assignedId: NOTE } },
	],
	[
		'Custom Field Columns',
		{
			resource: 'contact',
			operation: 'import',
			inboxId: by('id', '1'),
			options: { fieldMapping: { columns: [{ column: 'City', customFieldId: NOTE }] } },
		},
	],
];

test.each(actions)('The action node refuses the note in %s: %j', async (label, parameters) => {
	const { workspace, run } = await testWorkspace();
	const result = await run(parameters);
	expect(shownOf(result)).toContain(REFUSED(label));
	expect(await received(workspace)).toEqual([]);
});

test('The action node ignores the note in a field that is not shown', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 1 });
	const [{ id }] = (await workspace.state()).contacts;
	const identifier = by('id', id);
	const hidden = { tagsBy: 'names', tagNames: 'VIP', tagIds: [NOTE] };
	const { error } = await run({ resource: 'contact', operation: 'addTags', identifier, ...hidden });
	expect(error).toBeUndefined();
});

test.each([
	['Channel Names or IDs', { event: 'messageReceived', inboxIds: [NOTE] }],
	['Tag Names or IDs', { event: 'tagAdded', tagIds: ['11', NOTE] }],
	['Conditions', { event: 'contactCreated', conditions: { assigned: [{ assigneeIds: [NOTE] }] } }],
])('The polling trigger refuses the note in %s', async (label, parameters) => {
	const { workspace, host } = await watched(parameters);
	await expect(host.activate()).rejects.toThrow(REFUSED(label));
	expect(await received(workspace)).toEqual([]);
});

test.each([
	['Channel Names or IDs', { inboxIds: ['11', NOTE] }],
	['Conditions', { conditions: { tags: [{ listOperator: 'in', tagIds: [NOTE] }] } }],
])('The instant trigger refuses the note in %s', async (label, parameters) => {
	const event = { event: 'messageReceivedAtOnce', eventName: 'contact_wrote' };
	const { workspace, host } = await called(event);
	host.parameters = { ...event, ...parameters };
	await workspace.clearJournal();
	await expect(host.publish()).rejects.toThrow(REFUSED(label));
	expect(await received(workspace)).toEqual([]);
});
