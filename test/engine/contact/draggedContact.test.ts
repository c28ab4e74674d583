import type { IDataObject } from 'n8n-workflow';
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

describe.each(['list', 'id', 'email', 'phone', 'customField'])('In mode %s', (mode) => {
	test.each<[string, object]>([
		['a contact', { id: '4711', ...person }],
		['a contact without an email', { id: '4711', fullName: null, email: null, phoneNumber: null }],
		['a contact whose ID is a number', { id: 4711, ...person }],
		['the output of an operation on a contact', { success: true, contactId: '4711' }],
		['a conversation', { id: '9', contactId: '4711' }],
		['a contact that has another ID in contactId', { id: '9', contactId: '4711', ...person }],
	])('the record of %s is its ID', async (_, contact) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(mode), [{ contact } as IDataObject]);
		expect((await received(workspace))[0].path).toBe('/api/v1/contacts/id%3A4711');
	});

	test.each<[string, object]>([
		['a message', { id: '4711', text: 'Hello', type: 'message' }],
		['a channel', { id: '4711', name: 'Web chat', type: 'webchat' }],
		['a conversation without its contact', { id: '4711', inCharge: 'bot', archived: false }],
		['an order', { id: '4711', fullName: 'Ann', email: 'ann@example.com' }],
		['a person of another app', { id: 'rec4711', ...person }],
		['a contact without an ID', person],
		['a record whose ID has lost its last digits', { id: 2 ** 60, ...person }],
		['a record with a list in place of an ID', { contactId: ['4711'], ...person }],
		['nobody', {}],
	])('the record of %s is refused, and nothing is sent', async (_, contact) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const result = await run(get(mode), [{ contact } as IDataObject]);
		expect(result.error?.message).toBe(`${refusal} [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});
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
