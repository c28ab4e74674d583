import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import { executeFilter, Expression, NodeHelpers } from 'n8n-workflow';
import type {
	FilterValue,
	IDataObject,
	INode,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { exampleFiles, nodeOf, readExample } from '../../scripts/examples';
import { compiledNode } from '../support/engine/engine';
import { toolNode, toolOf } from '../support/engine/tool';
import { by } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { withBroadcasts } from './broadcast/helpers';

const STICKY = 'n8n-nodes-base.stickyNote';

const { properties } = compiledNode.description;

/** Fields that an example leaves to the user, who picks something of his own workspace. */
const isToBePicked = (value: unknown) =>
	[{ __rl: true, mode: 'list', value: '' }, []].some((empty) => isDeepStrictEqual(value, empty));

/** What n8n knows of the node of an example, which can be the node as a tool. */
const descriptionOf = ({ type }: INode) =>
	type.endsWith('Tool') ? toolNode.description : compiledNode.description;

/**
 * Names of given fields that the node does not show for this operation, also inside of collections.
 */
function unknownFields(given: object, fields: INodeProperties[], node: INode): string[] {
	return Object.entries(given).flatMap(([name, value]) => {
		const field = fields.find(
			(candidate) =>
				candidate.name === name &&
				NodeHelpers.displayParameter(node.parameters, candidate, node, descriptionOf(node)),
		);
		if (!field) return [name];
		return field.type === 'collection'
			? unknownFields(value as object, field.options as INodeProperties[], node)
			: [];
	});
}

const nodes = exampleFiles().flatMap((file) =>
	readExample(file)
		.nodes.filter(({ type }) =>
			/^n8n-nodes-workspace-messaging\.workspaceMessaging(Tool)?$/.test(type),
		)
		.map((node) => [file, node.name, node] as const),
);

test.each(nodes)(
	'%s: "%s" has only fields that the node has, and all that it needs',
	(_, __, node) => {
		const { descriptionType, toolDescription, ...parameters } = node.parameters;
		expect(descriptionType === undefined).toBe(toolDescription === undefined);
		const withDefaults = NodeHelpers.getNodeParameters(
			properties,
			parameters,
			true,
			false,
			node,
			descriptionOf(node),
		);
		const shown = { ...node, parameters: withDefaults ?? {} };
		expect(unknownFields(parameters, properties, shown)).toEqual([]);
		const picked = Object.keys(parameters).filter((name) => isToBePicked(parameters[name]));
		const issues = NodeHelpers.getNodeParametersIssues(
			properties,
			{ ...node, parameters },
			descriptionOf(node),
		);
		expect(Object.keys(issues?.parameters ?? {}).filter((name) => !picked.includes(name))).toEqual(
			[],
		);
	},
);

/** The space on the canvas: of a note, or of a node with its name, which is below. */
function boxOf({ type, position, parameters }: INode) {
	const isNote = type === STICKY;
	const width = isNote ? Number(parameters.width) : 96;
	const height = isNote ? Number(parameters.height) : 150;
	return {
		left: position[0],
		top: position[1],
		right: position[0] + width,
		bottom: position[1] + height,
	};
}

const overlap = (a: INode, b: INode) => {
	const [one, other] = [boxOf(a), boxOf(b)];
	const isBeside = one.right <= other.left || other.right <= one.left;
	const isAbove = one.bottom <= other.top || other.bottom <= one.top;
	return !isBeside && !isAbove;
};

test.each(exampleFiles())('%s: notes cover nothing and have one style', (file) => {
	const { nodes } = readExample(file);
	const notes = nodes.filter(({ type }) => type === STICKY);
	const covered = notes.flatMap((note) =>
		nodes
			.filter((other) => other !== note && overlap(note, other))
			.map(({ name }) => [note.name, name]),
	);
	expect(covered).toEqual([]);
	const [first, ...others] = notes.map(({ parameters }) => parameters);
	expect(first).toMatchObject({ content: expect.stringMatching(/^## /) });
	expect(first.color).toBeUndefined();
	for (const note of others)
		expect(note).toMatchObject({ content: expect.stringMatching(/^### /), color: 7 });
	const [tops, bottoms] = [
		nodes.map((node) => boxOf(node).top),
		nodes.map((node) => boxOf(node).bottom),
	];
	const canvas = Math.max(...bottoms) - Math.min(...tops);
	expect(Math.max(...notes.map(({ parameters }) => Number(parameters.height)))).toBeLessThan(
		canvas / 2,
	);
});

test('the sign-up form fills the custom field that has the name of an answer', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const { id } = await workspace.add('customFields', { name: 'Company', type: 'shortText' });
	const workflow = readExample('welcome-pipeline.json');
	const { values } = nodeOf(workflow, 'Sign-up Form').parameters.formFields as {
		values: Array<{ fieldLabel: string }>;
	};
	const answers = ['Nora', 'Lind', 'nora@example.com', '+4915112345678', 'Lind & Co'];
	const item = Object.fromEntries(values.map(({ fieldLabel }, at) => [fieldLabel, answers[at]]));
	const { parameters } = nodeOf(workflow, 'Create or Update Contact');
	const { error, json } = await run(parameters, [item]);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ firstName: 'Nora', customFields: { Company: 'Lind & Co' } }]);
	const contact = await workspace.contact('email:nora@example.com');
	expect(contact.contactCustomFields).toMatchObject([{ customFieldId: id, value: 'Lind & Co' }]);
});

describe('the tool that creates or updates a contact', () => {
	const { parameters } = nodeOf(readExample('ai-support-agent.json'), 'Create or update a contact');
	const person = { firstName: 'Nora', email: 'nora@example.com', phoneNumber: '+4915112345678' };

	test('changes a contact by its ID and what is new', async () => {
		const { workspace } = await testWorkspace({ contacts: 0 });
		const [{ id }] = await workspace.addContacts([person]);
		const json = await toolOf(workspace, parameters)({ Contact: id, Last_Name: 'Lind' });
		expect(json).toMatchObject([{ id, ...person, lastName: 'Lind', outcome: 'updated' }]);
	});

	test('creates one with an email address and a phone number', async () => {
		const { workspace } = await testWorkspace({ contacts: 0 });
		const given = { Email: person.email, Phone_Number: person.phoneNumber };
		expect(await toolOf(workspace, parameters)(given)).toMatchObject([
			{ email: person.email, outcome: 'created' },
		]);
	});
});

test('the support agent calls Sales for WhatsApp, and Support for any other channel or none', () => {
	const { assignments } = nodeOf(readExample('support-agent.json'), 'Choose the Team').parameters
		.assignments as {
		assignments: Array<{ value: string }>;
	};
	const teamOf = (channel: object | null) => valueOf(assignments[0].value, { $json: { channel } });
	expect(teamOf({ id: '1', type: 'whatsapp' })).toBe('Sales');
	expect([{ id: '2', type: 'webchat' }, { id: '3' }, null].map(teamOf)).toEqual(
		Array.from({ length: 3 }, () => 'Support'),
	);
});

test('the support agent lets the service choose the channel of an answer if the message has none', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 1, service: 'newer' });
	const { contacts, channels } = await workspace.state();
	const { parameters } = nodeOf(readExample('support-agent.json'), 'Send Message');
	const ofItem = JSON.parse(
		JSON.stringify(parameters).replaceAll("$('Choose the Team').item.json", '$json'),
	) as typeof parameters;
	const item = { contact: contacts[0], output: 'Hello' };
	const { error } = await run(ofItem, [
		{ ...item, channel: null },
		{ ...item, channel: { id: channels[0].id, name: null, type: channels[0].channel } },
	]);
	expect(error).toBeUndefined();
	const { requests } = await workspace.journal();
	const bodies = requests.flatMap(({ operation, body }) =>
		operation === 'sendMessage' ? [body] : [],
	);
	expect(bodies).toEqual([
		{ text: 'Hello', clientId: expect.any(String) },
		{ text: 'Hello', clientId: expect.any(String), inboxId: channels[0].id },
	]);
});

test('the broadcast monitor leaves out what is scheduled, and what is of more than a day ago', () => {
	const { conditions } = nodeOf(readExample('broadcast-monitor.json'), 'Going Out').parameters;
	const goesOut = (status: string, hoursAgo: number) => {
		const $json = {
			status,
			schedulesAt: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
		};
		const $now = {
			minus: ({ days }: { days: number }) => new Date(Date.now() - days * 86_400_000),
		};
		const value = structuredClone(conditions) as unknown as FilterValue;
		for (const condition of value.conditions) {
			condition.leftValue = valueOf(condition.leftValue, { $json, $now }) as string;
			condition.rightValue = valueOf(condition.rightValue, { $json, $now }) as string;
		}
		return executeFilter(value);
	};
	expect([goesOut('sent', 23), goesOut('sending', 1)]).toEqual([true, true]);
	expect([goesOut('sent', 25), goesOut('scheduled', -1)]).toEqual([false, false]);
});

test('the monthly broadcast goes to as many as were approved, and lists who did not get it', async () => {
	const { run, workspace, create, people, vip } = await withBroadcasts();
	const workflow = readExample('monthly-broadcast.json');
	const parametersOf = (name: string) => nodeOf(workflow, name).parameters;
	const { templateId, templateParams } = create();
	const own = { templateId, templateParams, tagId: by('id', vip.id) };
	const { json: drafts } = await run({ ...parametersOf('Create Draft'), ...own });
	const [made] = drafts;
	expect(made).toMatchObject({
		name: expect.stringMatching(/^Newsletter \w+ \d{4}$/),
		status: 'draft',
	});
	const [{ id }] = drafts;
	const ofDraft = JSON.parse(
		JSON.stringify(parametersOf('Schedule Broadcast')).replaceAll(
			"$('Create Draft').item.json",
			'$json',
		),
	) as INodeParameters;
	const { json: scheduled, error } = await run(ofDraft, drafts);
	expect(error).toBeUndefined();
	expect(scheduled).toMatchObject([{ id, status: 'scheduled', recipientsAtMost: 1 }]);
	const until = valueOf(parametersOf('Three Hours Later').dateTime, {
		$json: scheduled[0],
		DateTime,
	});
	expect(new Date(String(until)).getTime() - Date.parse(String(scheduled[0].schedulesAt))).toBe(
		3 * 3_600_000,
	);
	await workspace.faults({
		broadcastRefusals: { [people[0].id]: '(#131026) Message undeliverable' },
	});
	await workspace.letBroadcastsRun(48 * 60);
	const ofBroadcast = JSON.parse(
		JSON.stringify(parametersOf('Get Failed Recipients')).replaceAll(
			"$('Schedule Broadcast').item.json",
			'$json',
		),
	) as INodeParameters;
	const { json: failed } = await run(ofBroadcast, scheduled);
	const { columns } = parametersOf('Add Row') as { columns: { value: IDataObject } };
	const { contactId, name, reason } = columns.value;
	const row = [contactId, name, reason].map((text) => valueOf(text, { $json: failed[0] }));
	expect(row).toEqual([people[0].id, 'Ann', '(#131026) Message undeliverable']);
});

/** What an expression of an example is for such data. */
function valueOf(text: unknown, data: IDataObject | object): unknown {
	return typeof text === 'string' && text.startsWith('=')
		? Expression.resolveWithoutWorkflow(text.slice(1), data as never)
		: text;
}
