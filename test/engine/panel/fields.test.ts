import { NodeHelpers } from 'n8n-workflow';
import type {
	INode,
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodeTypeDescription,
} from 'n8n-workflow';
import { compiledNode, compiledResources } from '../../support/engine/engine';
import { namesOf, shownFields, shownInTool, shownRequestOptions } from '../../support/engine/panel';
import { parametersFor } from '../../support/engine/helpers';
import { compiledTrigger } from '../../support/engine/triggerHost';
import { compiledInstantTrigger } from '../../support/engine/instantHost';

const contact = parametersFor('contact');
const message = parametersFor('message');

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
		expect(namesOf(fields).slice(-4)).toEqual([
			'attachments',
			'inboxId',
			'options',
			'requestOptions',
		]);
		const attachments = fields.find(({ name }) => name === 'attachments');
		expect(attachments).toMatchObject({ default: '', typeOptions: { binaryDataProperty: true } });
	});

	test('says below Attachments and Channel what they do when empty', () => {
		const hintOf = (name: string) =>
			shownFields(parameters).find((field) => field.name === name)?.hint;
		expect(hintOf('attachments')).toMatch(/Leave empty to send no files\.$/);
		expect(hintOf('inboxId')).toMatch(
			/If empty, the service usually takes the last active channel\.$/,
		);
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

describe('The panel of Send and Wait', () => {
	const fieldOf = (name: string) =>
		shownFields({ resource: 'message', operation: 'sendAndWait', responseType: 'choices' }).find(
			(field) => field.name === name,
		);

	test('begins with one empty choice, which is no problem for n8n', () => {
		expect(fieldOf('choices')?.default).toEqual(['']);
		const parameters = { resource: 'message', operation: 'sendAndWait', responseType: 'choices' };
		expect(problemsWith(parameters, 'choices')).toEqual([]);
		expect(problemsWith({ ...parameters, choices: ['Yes', ''] }, 'choices')).toEqual([]);
	});

	test('of a tool asks by link or in the chat', () => {
		const parameters = { resource: 'message', operation: 'sendAndWait' };
		const shown = shownInTool(parameters);
		expect(namesOf(shown)).toEqual(expect.arrayContaining(['responseType', 'answer']));
		expect(namesOf(shown)).not.toContain('expectedAnswer');
		const inChat = { ...parameters, responseType: 'freeText', answer: 'chat' };
		expect(namesOf(shownInTool(inChat))).toContain('expectedAnswer');
	});

	test.each([false, true])('limits the wait under Options (of a tool: %s)', (isTool) => {
		const parameters = { resource: 'message', operation: 'sendAndWait' };
		const shown = isTool ? shownInTool(parameters) : shownFields(parameters);
		const options = shown.find(({ name }) => name === 'options')!.options as INodeProperties[];
		const limit = options.find(({ name }) => name === 'limitWaitTime');
		expect(limit?.description).toContain('the node returns its input');
		expect(limit?.description).toContain('after a human review, the tool does not run');
	});
});

describe('The panel of Import', () => {
	const importWith = (mode: string) =>
		contact('import', { inboxId: { __rl: true, mode, value: '7' } });

	test('opens on From Input', () => {
		expect(shownFields(contact('import')).find(({ name }) => name === 'source')?.default).toBe(
			'input',
		);
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

describe('The panels of the two triggers', () => {
	const instant = compiledInstantTrigger.description;
	const polling = compiledTrigger.description;
	/** The name of a trigger in the list of nodes. */
	const listed = ({ displayName }: INodeTypeDescription) => displayName.replace(/ Trigger$/, '');
	const eventFieldOf = ({ properties }: INodeTypeDescription) => properties[0];

	test('say how they find events, and name the other one as the list of nodes does', () => {
		expect(eventFieldOf(polling).hint).toMatch(/^Finds all changes, by polling\./);
		expect(eventFieldOf(polling).hint).toContain(`use ${listed(instant)}.`);
		expect(eventFieldOf(instant).hint).toMatch(/^At once, from flows and channels\./);
		expect(eventFieldOf(instant).hint).toContain(`use ${listed(polling)}.`);
	});

	test('says above the empty event name that it must be entered', () => {
		const shown = (eventName: string) =>
			shownFields({ event: 'flowSendsData', eventName }, instant);
		const fields = shown('');
		const above = fields[namesOf(fields).indexOf('eventName') - 1];
		expect(above).toMatchObject({
			type: 'notice',
			displayName: expect.stringContaining('Enter an event name'),
		});
		expect(fields.find(({ name }) => name === 'eventName')?.default).toBe('');
		expect(namesOf(shown('order_paid'))).not.toContain(above.name);
	});

	test.each(['flowSendsData', 'tagApplied'])(
		'says that nobody copies the address (%s)',
		(event) => {
			const notices = shownFields({ event }, instant).filter(({ type }) => type === 'notice');
			expect(JSON.stringify(notices)).toContain("You don't have to copy the address");
		},
	);
});

test('Options stand last in the panel of Message Received, below the filters', () => {
	const shown = shownFields({ event: 'messageReceived' }, compiledTrigger.description);
	const fields = namesOf(shown.filter(({ isNodeSetting }) => !isNodeSetting));
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
			fields.filter(
				({ name, type }) => ['identifier', 'contact'].includes(name) && type !== 'hidden',
			);
		expect(named(shownFields({ resource, operation }))).toMatchObject([
			{ name: 'identifier', type: 'resourceLocator', required: true },
		]);
		expect(named(shownInTool({ resource, operation }))).toMatchObject([
			{ name: 'contact', type: 'string' },
		]);
	});
});

describe('The panel of an operation', () => {
	const operations = compiledResources.flatMap(({ value, operations }) =>
		operations.map((operation) => [value, operation.value] as const),
	);
	const collectionsOf = (resource: string, operation: string) =>
		shownFields({ resource, operation }).filter(({ type }) => type === 'collection');

	test.each(operations)(
		'%s %s has no collection that holds only a country code',
		(resource, operation) => {
			for (const { options } of collectionsOf(resource, operation))
				expect(namesOf(options)).not.toEqual([expect.stringMatching(/countryCode$/i)]);
		},
	);

	test('has one name for the country code, and only where whole rows have phone numbers', () => {
		const found = operations.flatMap(([resource, operation]) =>
			collectionsOf(resource, operation)
				.flatMap(({ options }) => options as INodeProperties[])
				.filter(({ name }) => /countryCode$/i.test(name))
				.map(({ displayName }) => [operation, displayName]),
		);
		expect(found).toEqual([
			['upsert', 'Default Country Code'],
			['import', 'Default Country Code'],
		]);
	});

	test('has Start Page and Page Size only for contacts, and nowhere a field that nobody can fill in', () => {
		const paged = operations.filter(([resource, operation]) =>
			collectionsOf(resource, operation).some(({ options }) =>
				namesOf(options).includes('perPage'),
			),
		);
		expect(paged).toEqual([['contact', 'getAll']]);
		expect(JSON.stringify(compiledNode.description.properties)).not.toContain('"includes"');
	});
});

/** What n8n has against a value of a picker. */
function problemsWith(parameters: INodeParameters, name: string): string[] {
	const { description } = compiledNode;
	const node = { name: 'Node', type: description.name, typeVersion: 1, position: [0, 0], id: '1' };
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		{ ...node, parameters } as INode,
		description,
	);
	const all = NodeHelpers.getNodeParametersIssues(
		description.properties,
		{ ...node, parameters: values } as INode,
		description,
	);
	return all?.parameters?.[name] ?? [];
}

describe('The problem of a picker set to By ID', () => {
	const byId = (value: string) => ({ __rl: true, mode: 'id', value });

	test.each([
		['contact', 'get', 'identifier', /^Enter an ID \(digits only\)/],
		['contact', 'triggerFlow', 'flowId', /^Enter an ID/],
		['contact', 'import', 'inboxId', /^Enter an ID/],
		['member', 'get', 'memberId', /^Enter an ID/],
	])('of %s %s is shown once (%s)', (resource, operation, name, problem) => {
		const problemOf = (value: string) =>
			problemsWith({ resource, operation, [name]: byId(value) } as INodeParameters, name);
		expect(problemOf('not an ID')).toEqual([expect.stringMatching(problem)]);
		expect(problemOf('')).toEqual([expect.stringMatching(/is required\.$/)]);
		expect(problemOf('4711')).toEqual([]);
	});
});

test('Tags can be selected from the list or by name, with the fields of n8n below', () => {
	const labels = (tagsBy: string) =>
		shownFields(contact('addTags', { tagsBy })).map(({ displayName }) => displayName);
	const [select] = shownFields(contact('addTags')).filter(({ name }) => name === 'tagsBy');
	expect(select.displayName).toBe('Select Tags By');
	expect((select.options as INodeProperties[]).map(({ name }) => name)).toEqual([
		'From List',
		'By Name',
	]);
	expect(labels('ids')).toEqual(expect.arrayContaining(['Tag Names or IDs']));
	expect(labels('names')).toEqual(expect.arrayContaining(['Tag Names']));
});

test('The labels of conditions and of who answers a conversation say what they are for', () => {
	const labelled = (fields: INodeProperties[], label: string) =>
		fields
			.filter(({ displayName }) => displayName === label)
			.flatMap(({ options }) => (options as INodeProperties[]).map(({ name }) => name));
	const ofTrigger = shownFields({ event: 'messageReceived' }, compiledTrigger.description);
	const conditions = { booleans: [{ field: 'subscribed', isTrue: 'true' }] };
	for (const fields of [
		shownFields({ ...contact('getAll'), conditions }),
		shownFields({ event: 'messageReceived', conditions }, compiledTrigger.description),
	])
		expect(labelled(fields, 'Contacts Must Meet')).toEqual(['All Conditions', 'Any Condition']);
	// Without conditions, there is nothing to meet.
	for (const fields of [shownFields({ ...contact('getAll'), conditions: {} }), ofTrigger])
		expect(labelled(fields, 'Contacts Must Meet')).toEqual([]);
	const filters = shownFields({ resource: 'conversation', operation: 'getAll' }).flatMap(
		({ options = [] }) => options as INodeProperties[],
	);
	for (const fields of [ofTrigger, filters])
		expect(labelled(fields, 'Answered By')).toEqual(['Anyone', 'Bot', 'Person']);
});

test('The fields of a contact have the same order in Sort and in Conditions, and Contact Filter (JSON) stands last', () => {
	const fields = shownFields(contact('getAll'));
	const optionsOf = (field?: INodeProperties) => (field?.options ?? []) as INodeProperties[];
	const names = (field?: INodeProperties) =>
		optionsOf(field).map(({ displayName, name }) => displayName ?? name);
	expect(names(fields.find(({ name }) => name === 'filters')).at(-1)).toBe('Contact Filter (JSON)');

	const groups = fields.find(({ name }) => name === 'conditions')
		?.options as INodePropertyCollection[];
	expect(groups.map(({ displayName }) => displayName)).toEqual(
		expect.arrayContaining(['Text (email, name, country…)', 'Date (created, last read…)']),
	);
	for (const { values } of groups.filter(({ name }) =>
		['texts', 'dates', 'booleans'].includes(name),
	)) {
		const options = names(values.find(({ name }) => name === 'field'));
		expect(options).toEqual([...options].sort((a, b) => a.localeCompare(b)));
	}
	const texts = groups.find(({ name }) => name === 'texts');
	expect(texts?.values[0].default).toBe('email');
});

test('The canvas cuts no line below a node', () => {
	const [table] = /\{"[^}]*\}/.exec(String(compiledNode.description.subtitle))!;
	const lines = Object.values(JSON.parse(table) as Record<string, string>);
	expect(lines).toContain('Send message');
	// As many letters as n8n 2.41 shows of "Send message and wait for response", and one.
	expect(lines.filter((line) => line.length > 29)).toEqual([]);
});

test('Resources stand in the order of their use', () => {
	expect(compiledResources.map(({ name }) => name)).toEqual([
		...[
			'Message',
			'Conversation',
			'Contact',
			'Template',
			'Tag',
			'Custom Field',
			'Flow',
			'Sequence',
			'Broadcast',
		],
		...['Channel', 'Member', 'Team', 'Workspace', 'AI Agent'],
	]);
});

test.each(compiledResources)(
	'The operations of $name stand in the order of their names',
	({ operations }) => {
		const names = operations.map(({ name }) => name);
		expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
	},
);

// n8n cuts the label of an option at about 32 characters if the panel is narrow, and lint only sees literal hints.
test('Labels of options have at most 32 characters, and hints of fields at most 120', () => {
	const found: Array<{ displayName?: string; hint?: string }> = [];
	const visit = (fields: INodeProperties[], isInside: boolean) => {
		for (const { displayName, hint, type, options = [], ...field } of fields) {
			found.push({ displayName: isInside ? displayName : undefined, hint });
			const { values = [] } = field as unknown as { values?: INodeProperties[] };
			visit([...(options as INodeProperties[]), ...values], isInside || type !== undefined);
		}
	};
	for (const node of [compiledNode, compiledTrigger, compiledInstantTrigger])
		visit(node.description.properties, false);
	expect(found.length).toBeGreaterThan(200);
	const tooLong = found.filter(
		({ displayName = '', hint = '' }) => displayName.length > 32 || hint.length > 120,
	);
	expect(tooLong).toEqual([]);
});
