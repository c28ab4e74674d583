import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import {
	by,
	pathOf,
	queryOf,
	received,
	text,
	writesOf,
	parametersFor,
} from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const person = { phoneNumber: '+4915112345678', email: 'nathan@example.com', gender: 'male' };
const contact = parametersFor('contact');
const message = parametersFor('message');
const nathan = { identifier: by('email', 'nathan@example.com') };
const pathOfNathan = '/api/v1/contacts/email%3Anathan%40example.com';
const doneToNathan = {
	success: true,
	contact: 'email:nathan@example.com',
	email: 'nathan@example.com',
};

/** The number that the node gives to a message on its own. */
const anyClientId = expect.stringMatching(/^\d{1,19}$/) as string;

async function workspaceWithNathan() {
	const test = await testWorkspace();
	const [added] = await test.workspace.addContacts([
		{ ...person, gender: 'male', firstName: 'Nathan' },
	]);
	return { ...test, nathanId: added.id, state: await test.workspace.state() };
}

describe('Create Contact', () => {
	test('sends the required fields and returns the new contact', async () => {
		const { workspace, run } = await testWorkspace({ empty: true });
		const { json } = await run(contact('create', { ...person, simplify: false }));
		const { requests } = await workspace.journal();
		expect(requests).toMatchObject([
			{ method: 'POST', path: '/api/v1/contacts', contentType: 'application/json' },
		]);
		expect(requests[0].body).toEqual(person);
		expect(json).toEqual([await workspace.contact('email:nathan@example.com')]);
	});

	test('returns the same fields as for an existing contact if Simplify is on', async () => {
		const { run } = await testWorkspace({ empty: true });
		const created = await run(contact('create', person));
		expect(created.json).toEqual((await run(contact('get', nathan))).json);
	});

	test('sends the first and last name if they are set', async () => {
		const { workspace, run } = await testWorkspace();
		const additionalFields = { firstName: 'Zoë', lastName: "O'Neil 李" };
		const { json } = await run(contact('create', { ...person, additionalFields }));
		expect(await received(workspace)).toEqual([
			{ method: 'POST', path: '/api/v1/contacts', body: { ...person, ...additionalFields } },
		]);
		expect(json).toMatchObject([{ fullName: "Zoë O'Neil 李" }]);
	});
});

describe('Get Contact', () => {
	test('returns the whole contact if Simplify is off', async () => {
		const { workspace, run } = await workspaceWithNathan();
		const { json } = await run(contact('get', { ...nathan, simplify: false }));
		expect(await received(workspace)).toEqual([{ method: 'GET', path: pathOfNathan }]);
		expect(json).toEqual([await workspace.contact('email:nathan@example.com')]);
	});

	test('returns the most used fields and the names of the tags if Simplify is on', async () => {
		const { workspace, run, state } = await workspaceWithNathan();
		const tagIds = state.tags.slice(0, 2).map(({ id }) => id);
		await workspace.changeContacts([
			{ identifier: 'email:nathan@example.com', changes: { tagIds } },
		]);
		const { json } = await run(contact('get', nathan));
		const { id, createdAt, updatedAt } = await workspace.contact('email:nathan@example.com');
		expect(json).toEqual([
			{
				id,
				fullName: 'Nathan',
				firstName: 'Nathan',
				lastName: null,
				email: person.email,
				phoneNumber: person.phoneNumber,
				tags: ['VIP', 'Newsletter'],
				customFields: {},
				createdAt,
				updatedAt,
			},
		]);
	});

	test('sends one request for each item', async () => {
		const { workspace, run } = await workspaceWithNathan();
		const { json } = await run(contact('get', nathan), [{}, {}]);
		expect(json).toHaveLength(2);
		expect((await received(workspace)).map(pathOf)).toEqual([pathOfNathan, pathOfNathan]);
	});
});

describe('Get Many Contacts', () => {
	test('requests no more than the limit and sends no empty option', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 30 });
		const { json } = await run(contact('getAll', { limit: 3, simplify: false }));
		const [request, ...others] = await received(workspace);
		expect(others).toEqual([]);
		expect(pathOf(request)).toBe('/api/v1/contacts');
		expect(queryOf(request)).toEqual([
			['page', '1'],
			['perPage', '3'],
		]);
		expect(json).toHaveLength(3);
	});

	test('sends every filter, the sorting and the page in bracket notation', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 60 });
		const { channels } = await workspace.state();
		await run(
			contact('getAll', {
				limit: 4,
				filters: {
					channels: ['whatsapp', 'smtp'],
					inboxIds: [channels[0].id, channels[1].id],
					contactFilter: '{ "tags": { "any": ["VIP", "Größe & XL"] }, "subscribed": true }',
					keyword: 'müller&co',
				},
				options: {
					perPage: 20,
					page: 2,
					sort: {
						fields: [
							{ field: 'createdAt', order: 'desc' },
							{ field: 'firstName', order: 'asc' },
						],
					},
				},
			}),
		);
		const requests = await received(workspace);
		const request = requests.find(({ path }) => path.includes('page=2'))!;
		expect(queryOf(request)).toEqual([
			['channels[0]', 'whatsapp'],
			['channels[1]', 'smtp'],
			['contactFilter[subscribed]', 'true'],
			['contactFilter[tags][any][0]', 'VIP'],
			['contactFilter[tags][any][1]', 'Größe & XL'],
			['inboxIds[0]', channels[0].id],
			['inboxIds[1]', channels[1].id],
			['keyword', 'müller&co'],
			['page', '2'],
			['perPage', '20'],
			['sort[0][field]', 'createdAt'],
			['sort[0][order]', 'desc'],
			['sort[1][field]', 'firstName'],
			['sort[1][order]', 'asc'],
		]);
	});

	test('returns the contacts in the requested order', async () => {
		const { run } = await testWorkspace({ contacts: 40 });
		const sort = { fields: [{ field: 'createdAt', order: 'asc' }] };
		const { json } = await run(contact('getAll', { returnAll: true, options: { sort } }));
		const times = json.map(({ createdAt }) => String(createdAt));
		expect(times).toHaveLength(40);
		expect(times).toEqual([...times].sort());
	});

	test('sends no filter that was added but is empty', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const { error } = await run(
			contact('getAll', {
				limit: 5,
				filters: { channels: [], inboxIds: [], contactFilter: '{}' },
				options: { sort: {} },
			}),
		);
		expect(error).toBeUndefined();
		const [request] = await received(workspace);
		expect(queryOf(request).map(([name]) => name)).toEqual(['page', 'perPage']);
	});

	test('returns simplified or whole contacts', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 2 });
		const whole = await run(contact('getAll', { returnAll: true, simplify: false }));
		const simple = await run(contact('getAll', { returnAll: true }));
		const state = await workspace.state();
		expect(whole.json).toEqual([...state.contacts].reverse());
		expect(simple.json.map(({ id }) => id)).toEqual(whole.json.map(({ id }) => id));
		for (const record of simple.json) expect(record).not.toHaveProperty('contactInboxes');
	});
});

describe('Update Contact', () => {
	test('sends the chosen fields only and returns their names', async () => {
		const { workspace, run, nathanId } = await workspaceWithNathan();
		const { json } = await run(
			contact('update', { ...nathan, updateFields: { lastName: 'Ångström' } }),
		);
		expect(await received(workspace)).toEqual([
			{ method: 'PUT', path: pathOfNathan, body: { lastName: 'Ångström' } },
		]);
		const reach = { contact: 'email:nathan@example.com', email: 'nathan@example.com' };
		expect(json).toEqual([{ success: true, ...reach, updated: ['lastName'] }]);
		expect(await workspace.contact(`id:${nathanId}`)).toMatchObject({
			...person,
			lastName: 'Ångström',
		});
	});

	test('can change every field', async () => {
		const { workspace, run, nathanId } = await workspaceWithNathan();
		const updateFields = {
			firstName: 'Søren',
			lastName: 'Ødegård',
			email: 'new@example.com',
			phoneNumber: '0123456789',
			avatar: 'https://example.com/ä.png',
			gender: 'unknown',
		};
		await run(contact('update', { ...nathan, updateFields }));
		expect(await received(workspace)).toEqual([
			{ method: 'PUT', path: pathOfNathan, body: updateFields },
		]);
		expect(await workspace.contact(`id:${nathanId}`)).toMatchObject(updateFields);
	});

	test('sends nothing if no field is chosen', async () => {
		const { workspace, run } = await workspaceWithNathan();
		const { error } = await run(contact('update', nathan));
		expect(error?.message).toBe('Fill in at least one field to update [item 0]');
		expect(await received(workspace)).toEqual([]);
	});
});

describe('The output names the contact in its own fields', () => {
	test.each([
		['send', 'id', 'contactId'],
		['send', 'email', 'email'],
		['send', 'phone', 'phoneNumber'],
		['update', 'id', 'contactId'],
		['update', 'email', 'email'],
		['update', 'phone', 'phoneNumber'],
	] as const)('that %s knows if it chooses the contact by %s', async (operation, mode, field) => {
		const { run, nathanId } = await workspaceWithNathan();
		const values = { id: nathanId, email: person.email, phone: person.phoneNumber };
		const identifier = by(mode, values[mode]);
		const none = { contactId: undefined, email: undefined, phoneNumber: undefined };
		const parameters = {
			send: message('send', { identifier, text: 'Hello' }),
			update: contact('update', { identifier, updateFields: { firstName: 'Ann' } }),
		};
		const { json } = await run(parameters[operation]);
		const { contactId, email, phoneNumber } = json[0];
		expect({ contactId, email, phoneNumber }).toEqual({ ...none, [field]: values[mode] });
	});

	test('with their values after an update', async () => {
		const { run, nathanId } = await workspaceWithNathan();
		const updateFields = { email: 'new@example.com', phoneNumber: '+49 151 99999999' };
		const changed = await run(contact('update', { ...nathan, updateFields }));
		const reach = { email: 'new@example.com', phoneNumber: '+4915199999999' };
		expect(changed.json).toMatchObject([{ contact: 'email:nathan@example.com', ...reach }]);
		const { json } = await run(
			contact('update', {
				identifier: by('id', nathanId),
				updateFields: { email: 'third@example.com' },
			}),
		);
		expect(json).toMatchObject([{ contactId: nathanId, email: 'third@example.com' }]);
	});
});

describe('Import Contacts', () => {
	const fromFile = (file: string, inboxId: string, options = {}) =>
		contact('import', {
			source: 'id',
			fileId: file,
			channel: 'whatsapp',
			inboxId: by('id', inboxId),
			options,
		});

	test('sends the required parameters', async () => {
		const { workspace, run } = await testWorkspace({ importMs: 0 });
		const { files, channels } = await workspace.state();
		const { json } = await run(fromFile(files[0].id, channels[0].id));
		expect(await received(workspace)).toEqual([
			{
				method: 'POST',
				path: '/api/v1/contacts/import',
				body: { fileId: files[0].id, channel: 'whatsapp', inboxId: channels[0].id },
			},
		]);
		expect(json).toEqual([{ success: true, started: true, fileId: files[0].id }]);
	});

	test('sends every option', async () => {
		const { workspace, run } = await testWorkspace();
		const { files, channels, tags, customFields } = await workspace.state();
		const columns = {
			phoneNumber: 'Phone',
			contactId: 'External ID',
			email: 'Email',
			firstName: 'First name',
			lastName: 'Last name',
		};
		const mapping = [
			{ column: 'Notes', customFieldId: customFields[0].id },
			{ column: 'Last name', customFieldId: customFields[1].id },
		];
		const { error } = await run(
			fromFile(files[0].id, channels[0].id, {
				...columns,
				countryCode: '+49',
				tagId: by('list', tags[0].id),
				fieldMapping: { columns: mapping },
			}),
		);
		expect(error).toBeUndefined();
		const [{ body }] = await received(workspace);
		expect(body).toEqual({
			fileId: files[0].id,
			channel: 'whatsapp',
			inboxId: channels[0].id,
			...columns,
			countryCode: '+49',
			tagId: tags[0].id,
			fieldMapping: mapping,
		});
		expect((await workspace.journal()).imports).toHaveLength(1);
	});
});

describe('Send', () => {
	test('sends the text only', async () => {
		const { workspace, run, nathanId } = await workspaceWithNathan();
		const { json } = await run(message('send', { ...nathan, text: 'Grüße\n"Zoë" 👋' }));
		const body = { text: 'Grüße\n"Zoë" 👋', clientId: anyClientId };
		expect(await received(workspace)).toEqual([
			{ method: 'POST', path: `${pathOfNathan}/messages`, body },
		]);
		expect((await workspace.journal()).messages).toMatchObject([{ contactId: nathanId, ...body }]);
		const reach = { contact: 'email:nathan@example.com', email: 'nathan@example.com' };
		expect(json).toEqual([{ success: true, ...reach, queued: true, ...body }]);
	});

	test('sends every option', async () => {
		const { workspace, run, state } = await workspaceWithNathan();
		const files = [{ url: 'https://example.com/a.png', nested: { deep: [1, 'zwei'] } }, 'b.pdf'];
		await run(
			message('send', {
				...nathan,
				text: 'Hello',
				inboxId: by('id', state.channels[0].id),
				options: {
					files: JSON.stringify(files),
					flowId: by('list', state.flows[0].id),
					nodeId: '7301444403311000099',
					clientId: '9223372036854775807',
				},
			}),
		);
		const inboxId = state.channels[0].id;
		const bodies = (await writesOf(workspace)).map(({ body }) => body as IDataObject);
		expect(bodies).toMatchObject([
			{ text: 'Hello', inboxId },
			{ files, inboxId },
			{ flowId: state.flows[0].id, nodeId: '7301444403311000099', inboxId },
		]);
		const clientIds = bodies.map(({ clientId }) => clientId);
		expect(clientIds[0]).toBe('9223372036854775807');
		expect(new Set(clientIds).size).toBe(3);
	});

	test.each([
		['files', () => ({ files: [{ id: '1' }] })],
		['a flow', (flowId: string) => ({ flowId: by('id', flowId) })],
	])('needs no text with %s', async (_, options) => {
		const { workspace, run, state } = await workspaceWithNathan();
		const { error } = await run(
			message('send', { ...nathan, text: '', options: options(state.flows[0].id) }),
		);
		expect(error).toBeUndefined();
		const [{ body }] = await writesOf(workspace);
		expect(body).not.toHaveProperty('text');
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('sends no option that was added but is empty', async () => {
		const { workspace, run } = await workspaceWithNathan();
		const options = { flowId: by('list', ''), nodeId: '', clientId: '' };
		await run(message('send', { ...nathan, text: 'Hello', inboxId: by('id', ''), options }));
		const [{ body }] = await received(workspace);
		expect(body).toEqual({ text: 'Hello', clientId: anyClientId });
	});
});

test('Split Long Text is on once it is added', () => {
	const options = compiledNode.description.properties.filter(({ name }) => name === 'options');
	const [split] = options.flatMap(({ options: inner }) =>
		(inner as INodeProperties[]).filter(({ name }) => name === 'splitLongText'),
	);
	expect(split.default).toBe(true);
});

// Saved workflows keep what they have.
test.each([{}, { splitLongText: false }])(
	'Send refuses a long text if its options are %j',
	async (options) => {
		const { run } = await workspaceWithNathan();
		const { error } = await run(message('send', { ...nathan, text: text(1001), options }));
		expect(error?.message).toContain('Message must be 1 to 1,000 characters long');
	},
);

describe('Trigger Flow', () => {
	test.each([
		['on the last active channel', false],
		['on a channel', true],
	])('starts the flow %s', async (_, withChannel) => {
		const { workspace, run, state, nathanId } = await workspaceWithNathan();
		const flowId = state.flows[0].id;
		const inboxId = state.channels[1].id;
		const { json } = await run(
			contact('triggerFlow', {
				...nathan,
				flowId: by('list', flowId),
				...(withChannel && { options: { inboxId: by('list', inboxId) } }),
			}),
		);
		const body = withChannel ? { flowId, inboxId } : { flowId };
		expect(await writesOf(workspace)).toEqual([
			{ method: 'POST', path: `${pathOfNathan}/flows`, body },
		]);
		expect((await workspace.journal()).flowRuns).toMatchObject([{ contactId: nathanId, ...body }]);
		expect(json).toEqual([{ ...doneToNathan, triggered: true, ...body }]);
	});
});

describe('The tags of a contact', () => {
	test('Add Tags sends the tag IDs', async () => {
		const { workspace, run, state } = await workspaceWithNathan();
		const tagIds = state.tags.slice(0, 3).map(({ id }) => id);
		const { json } = await run(contact('addTags', { ...nathan, tagIds }));
		const writes = (await received(workspace)).filter(({ method }) => method !== 'GET');
		expect(writes).toEqual([{ method: 'POST', path: `${pathOfNathan}/tags`, body: { tagIds } }]);
		const addedTagNames = state.tags.slice(0, 3).map(({ name }) => name);
		expect(json).toEqual([{ ...doneToNathan, addedTagIds: tagIds, addedTagNames }]);
		const { tags } = await workspace.contact('email:nathan@example.com');
		expect(tags.map(({ id }) => id)).toEqual(tagIds);
	});

	test('Remove Tags sends a DELETE with a body', async () => {
		const { workspace, run, state } = await workspaceWithNathan();
		const tagIds = state.tags.slice(0, 3).map(({ id }) => id);
		await workspace.changeContacts([
			{ identifier: 'email:nathan@example.com', changes: { tagIds } },
		]);
		const { json } = await run(contact('removeTags', { ...nathan, tagIds: tagIds.slice(1) }));
		const { requests } = await workspace.journal();
		expect(requests.filter(({ method }) => method !== 'GET')).toMatchObject([
			{ method: 'DELETE', path: `${pathOfNathan}/tags`, contentType: 'application/json' },
		]);
		expect(requests[0].body).toEqual({ tagIds: tagIds.slice(1) });
		const removedTagNames = state.tags.slice(1, 3).map(({ name }) => name);
		expect(json).toEqual([{ ...doneToNathan, removedTagIds: tagIds.slice(1), removedTagNames }]);
		const { tags } = await workspace.contact('email:nathan@example.com');
		expect(tags.map(({ id }) => id)).toEqual(tagIds.slice(0, 1));
	});
});
