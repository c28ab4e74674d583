import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { by, fromItem, received, shownOf } from '../../support/engine/helpers';
import { archivedCall, called } from '../../support/engine/instantSupport';
import { runNode } from '../../support/engine/engine';
import { toolOf } from '../../support/engine/tool';
import { active, identifier } from '../../support/engine/triggerSupport';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';

const get = (mode = 'id') => ({
	resource: 'contact',
	operation: 'get',
	identifier: by(mode, fromItem('contact')),
});
const person = { fullName: 'Ann', email: 'ann@example.com', phoneNumber: null };
const refusal = 'Contact is a record, but not of a contact. Drag "contact"';

const modes = ['list', 'id', 'email', 'phone', 'customField'];

/** Returns records, each with its name, with some of the modes of Contact. */
const inModes = (records: Array<[name: string, record: object]>) =>
	pairs(records, modes).map(([[name, record], mode]) => [name, mode, record] as const);

describe('A record in Contact', () => {
	const accepted: Array<[string, object]> = [
		['a contact', { id: '4711', ...person }],
		['a contact without an email', { id: '4711', fullName: null, email: null, phoneNumber: null }],
		['a contact whose ID is a number', { id: 4711, ...person }],
		['the output of an operation on a contact', { success: true, contactId: '4711' }],
		['a conversation', { id: '9', contactId: '4711' }],
		['a contact that has another ID in contactId', { id: '9', contactId: '4711', ...person }],
	];

	test.each(inModes(accepted))('of %s is its ID in the mode %s', async (_, mode, contact) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(mode), [{ contact } as IDataObject]);
		expect((await received(workspace))[0].path).toBe('/api/v1/contacts/id%3A4711');
	});

	const refused: Array<[string, object]> = [
		['a message', { id: '4711', text: 'Hello', type: 'message' }],
		['a channel', { id: '4711', name: 'Web chat', type: 'webchat' }],
		['a conversation without its contact', { id: '4711', answeredBy: 'bot', archived: false }],
		['an order', { id: '4711', fullName: 'Ann', email: 'ann@example.com' }],
		['a person of another app', { id: 'rec4711', ...person }],
		['a contact without an ID', person],
		['a record whose ID has lost its last digits', { id: 2 ** 60, ...person }],
		['a record with a list in place of an ID', { contactId: ['4711'], ...person }],
		['nobody', {}],
	];

	test.each(inModes(refused))(
		'of %s is refused in the mode %s, and nothing is sent',
		async (_, mode, contact) => {
			const { workspace, run } = await testWorkspace({ contacts: 0 });
			const result = await run(get(mode), [{ contact } as IDataObject]);
			expect(result.error?.message).toBe(`${refusal} [item 0]`);
			expect(await received(workspace)).toEqual([]);
		},
	);
});

test.each<[string, unknown[]]>([
	['messages', [{ id: '1', text: 'Hello' }]],
	['contacts', [{ id: '4711', ...person }]],
	['IDs', [4711]],
])('a list of %s is refused, and nothing is sent', async (_, contact) => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	const result = await run(get(), [{ contact } as IDataObject]);
	expect(result.error?.message).toBe(
		'Contact is a list, but must be one contact. Drag "contact" [item 0]',
	);
	expect(await received(workspace)).toEqual([]);
});

test('A tool takes the record of a contact, too', async () => {
	const { workspace } = await testWorkspace({ contacts: 2 });
	const [, contact] = (await workspace.state()).contacts;
	const call = toolOf(workspace, {
		resource: 'contact',
		operation: 'get',
		contact: '={{ $json.contact }}',
	});
	const record = { id: contact.id, ...person } as unknown as string;
	expect(await call({ contact: record })).toMatchObject([{ id: contact.id }]);
});

/** Sends a message to the contact of an item, as a user does who drags it. */
async function answer(item: IDataObject, credential: { baseUrl: string; accessToken: string }) {
	return await runNode({
		parameters: {
			resource: 'message',
			operation: 'send',
			identifier: by('id', fromItem('contact')),
			text: 'Hi',
		},
		items: [item],
		credential,
	});
}

describe.each([true, false])('With Simplify set to %p', (simplify) => {
	test('the contact of Message Received can be dragged', async () => {
		const { workspace, host } = await active(
			{ event: 'messageReceived', simplify },
			{ contacts: 2, service: 'newer' },
		);
		const [, ann] = (await workspace.state()).contacts;
		await workspace.write(identifier(ann), 'Hello');
		const [item] = await host.poll();
		const { json, error } = await answer(item, {
			baseUrl: workspace.url,
			accessToken: workspace.token,
		});
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ contactId: ann.id, fullName: ann.fullName }]);
		expect((await workspace.journal()).messages.at(-1)).toMatchObject({
			contactId: ann.id,
			text: 'Hi',
		});
	});

	test.each([true, false])(
		'the contact of the instant trigger can be dragged (Read the Contact: %p)',
		async (readContact) => {
			const { host, id, query, workspace } = await called({
				event: 'archived',
				simplify,
				readContact,
			});
			await host.call(query, archivedCall(id));
			const { json } = await answer(host.items[0], {
				baseUrl: workspace.url,
				accessToken: workspace.token,
			});
			expect(json).toMatchObject([{ contactId: id }]);
			expect((await workspace.journal()).messages).toMatchObject([{ contactId: id, text: 'Hi' }]);
		},
	);
});

describe.each(['contact', 'conversation'])('Of Message Received, %s', (dragged) => {
	test.each([true, false])('finds the contact (Simplify: %p)', async (simplify) => {
		const { workspace, host } = await active(
			{ event: 'messageReceived', simplify },
			{ contacts: 2, service: 'newer' },
		);
		const [, ann] = (await workspace.state()).contacts;
		await workspace.write(identifier(ann), 'Hello');
		const [item] = await host.poll();
		const { json } = await runNode({
			parameters: { ...get(), identifier: by('id', fromItem(dragged)) },
			items: [item],
			credential: { baseUrl: workspace.url, accessToken: workspace.token },
		});
		expect(json).toMatchObject([{ id: ann.id }]);
	});
});

describe('Items about a contact that operations return', () => {
	/** The items of an operation about Ann, who has written and has a note. */
	async function itemsAboutAnn(parameters: INodeParameters) {
		const test = await workspaceWithAnn({ service: 'newer' });
		const { workspace, run, ann } = test;
		await workspace.write(`id:${ann.id}`, 'Hello');
		await workspace.changeContacts([
			{ identifier: `id:${ann.id}`, changes: { firstName: 'Ann', lastName: 'Lind' } },
		]);
		const contact = by('id', ann.id);
		await run({
			resource: 'contact',
			operation: 'addNote',
			identifier: contact,
			text: 'Likes blue',
		});
		const { json } = await run({ identifier: contact, ...parameters });
		return { ...test, json };
	}

	test.each([
		[{ resource: 'conversation', operation: 'get' }],
		[{ resource: 'conversation', operation: 'get', simplify: false }],
		[{ resource: 'conversation', operation: 'getAll' }],
		[{ resource: 'conversation', operation: 'getAll', simplify: false }],
		[{ resource: 'conversation', operation: 'getMessages' }],
		[{ resource: 'conversation', operation: 'getMessages', simplify: false }],
		[{ resource: 'conversation', operation: 'getMessages', messageFormat: 'transcript' }],
		[{ resource: 'conversation', operation: 'changeState', change: 'archive' }],
		[{ resource: 'contact', operation: 'getNotes' }],
	])('%j: contact comes first, and finds the contact', async (parameters) => {
		const { run, ann, json } = await itemsAboutAnn(parameters);
		expect(Object.keys(json[0]).filter((key) => key !== 'success')[0]).toBe('contact');
		const dragged = await run(get(), json.slice(0, 1));
		expect(dragged.json).toMatchObject([{ id: ann.id }]);
	});

	test.each([
		[{ resource: 'conversation', operation: 'get' }],
		[{ resource: 'conversation', operation: 'getAll', simplify: false }],
		[{ resource: 'conversation', operation: 'getMessages' }],
		[{ resource: 'contact', operation: 'getNotes' }],
	])('%j: the error about the ID in "id" names contact', async (parameters) => {
		const { run, json } = await itemsAboutAnn(parameters);
		const wrong = await run({ ...get(), identifier: by('id', fromItem('id')) }, json.slice(0, 1));
		expect(shownOf(wrong)).toBe(
			`No contact has the ID ${String(json[0].id)}. It is the ID in "id" of this item. Drag "contact" instead. [item 0]`,
		);
	});

	test('a conversation keeps the name of its contact when it is assigned', async () => {
		const { run, json, workspace } = await itemsAboutAnn({
			resource: 'conversation',
			operation: 'getAll',
		});
		const { members } = await workspace.state();
		const assigned = await run(
			{
				resource: 'conversation',
				operation: 'assign',
				identifier: by('id', fromItem('contact')),
				memberId: by('id', members[0].user.id),
			},
			json,
		);
		expect(assigned.json).toMatchObject([{ contactName: 'Ann Lind' }]);
	});
});

test.each([
	['={{ $json.contact }}{{ $json.contact }}'],
	['={{ $json.contact }} {{ $json.contactId }}'],
	['= {{ $json.id }}\n{{ $json.id }} '],
])('Two values in Contact are refused: %j', async (value) => {
	const { workspace, run } = await workspaceWithAnn();
	await workspace.clearJournal();
	const parameters = { ...get(), identifier: by('id', value) };
	const shown = shownOf(await run(parameters, [{ contact: 'id:1', contactId: '1', id: '1' }]));
	expect(shown).toBe(
		'Contact has two values. Keep one. To join them, use one expression. [item 0]',
	);
	expect(await received(workspace)).toEqual([]);
});

test('Two values in a picker under Options are refused', async () => {
	const { run } = await workspaceWithAnn();
	const flowId = by('id', '={{ $json.id }}{{ $json.id }}');
	const send = { resource: 'message', operation: 'send', text: 'Hi', options: { flowId } };
	const shown = shownOf(await run({ ...send, identifier: by('id', '1') }, [{ id: '1' }]));
	expect(shown).toBe('Flow has two values. Keep one. To join them, use one expression. [item 0]');
});

test.each(['=id:{{ $json.id }}', '={{ $json.kind }}:{{ $json.id }}'])(
	'One value made of parts is taken: %j',
	async (value) => {
		const { run, ann } = await workspaceWithAnn();
		const parameters = { ...get(), identifier: by('id', value) };
		const { json } = await run(parameters, [{ kind: 'id', id: ann.id }]);
		expect(json).toMatchObject([{ id: ann.id }]);
	},
);

test.each(['Nathan', 'Nathan Smith', "Zoë O'Neill-Öz"])(
	'The name %s in the mode ID is refused, and the error says where names are found',
	async (name) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const shown = shownOf(await run({ ...get(), identifier: by('id', `={{ "${name}" }}`) }));
		expect(shown).toBe(
			`Contact must be an ID made of digits, an email address, or a phone number with its leading +, but is "${name}". To find a contact by name, choose From list. [item 0]`,
		);
		expect(await received(workspace)).toEqual([]);
	},
);

describe('The error about an ID that nobody has', () => {
	const item = {
		contact: { id: '5', ...person },
		messageId: '4711',
		text: '4713',
		conversation: { id: '4712', assignedTo: null },
	};
	const shownFor = async (value: string) => {
		const { run } = await workspaceWithAnn();
		const parameters = { ...get(), identifier: by('id', value) };
		return shownOf(await run(parameters, [item as IDataObject]));
	};

	test.each([
		['4711', 'messageId'],
		['4712', 'conversation.id'],
	])('%s says that it is in %s', async (id, field) => {
		expect(await shownFor(id)).toBe(
			`No contact has the ID ${id}. It is the ID in "${field}" of this item. Drag "contact" instead. [item 0]`,
		);
	});

	test('names the ID of a conversation also in an item with the fields of a contact', async () => {
		const { run } = await workspaceWithAnn();
		const handedOver = { contact: { id: '5', ...person }, conversationId: '4711', ...person };
		const parameters = { ...get(), identifier: by('id', fromItem('conversationId')) };
		expect(shownOf(await run(parameters, [handedOver as IDataObject]))).toBe(
			'No contact has the ID 4711. It is the ID in "conversationId" of this item. Drag "contact" instead. [item 0]',
		);
	});

	test('says no more if the item has no contact to drag', async () => {
		const { run } = await workspaceWithAnn();
		const shown = shownOf(await run({ ...get(), identifier: by('id', '4711') }, [{ id: '4711' }]));
		expect(shown).toBe('No contact has the ID 4711. [item 0]');
	});

	test.each(['5', '4713', '99'])(
		'%s says no more, as no other ID of the item is the same',
		async (id) => {
			expect(await shownFor(id)).toBe(`No contact has the ID ${id}. [item 0]`);
		},
	);
});
