import { service } from './service';

/** A service of the reference, and a function that returns the status of its answer. */
async function reference() {
	const { client, workspace, state, contact } = await service('reference');
	const send = async (method: string, path: string, body?: unknown, token?: string) =>
		(await client.send(method, path, body, { token })).status;
	return { client, workspace, state, contact, send };
}

const newContact = { phoneNumber: '+4915112345678', email: 'new@example.com', gender: 'unknown' };

test('The sandbox accepts what the reference allows', async () => {
	const { contact, send, state } = await reference();
	const [tag] = state.tags;
	expect(await send('GET', 'contacts?page=1&perPage=2')).toBe(200);
	expect(await send('GET', `contacts/id:${contact.id}`)).toBe(200);
	expect(await send('POST', 'contacts', newContact)).toBe(200);
	expect(await send('PUT', `contacts/email:${contact.email}`, { firstName: 'x'.repeat(100) })).toBe(
		204,
	);
	expect(await send('POST', `contacts/id:${contact.id}/messages`, { text: 'x'.repeat(1000) })).toBe(
		204,
	);
	expect(await send('DELETE', `contacts/id:${contact.id}/tags`, { tagIds: [tag.id] })).toBe(204);
	expect(await send('POST', 'tags', { name: 'x'.repeat(255), folderId: null })).toBe(201);
});

test.each<[what: string, method: string, path: string, body: object]>([
	['a contact with an unknown field', 'POST', '', { ...newContact, nickname: 'Ann' }],
	['a contact of an unknown gender', 'POST', '', { ...newContact, gender: 'other' }],
	['a phone number of 9 digits', 'POST', '', { ...newContact, phoneNumber: '123456789' }],
	['a phone number of 21 digits', 'POST', '', { ...newContact, phoneNumber: '1'.repeat(21) }],
	['a contact without an email', 'POST', '', { phoneNumber: '+4915112345678', gender: 'male' }],
	['a name of 101 characters', 'PUT', '/{contact}', { firstName: 'x'.repeat(101) }],
	['a change of nothing', 'PUT', '/{contact}', {}],
	['an empty text', 'POST', '/{contact}/messages', { text: '' }],
	['a text of 1,001 characters', 'POST', '/{contact}/messages', { text: 'x'.repeat(1001) }],
	['a message without a text', 'POST', '/{contact}/messages', {}],
	['an empty list of tags', 'POST', '/{contact}/tags', { tagIds: [] }],
	['a list of 101 tags', 'POST', '/{contact}/tags', { tagIds: Array(101).fill('1') }],
])('The sandbox refuses %s (422), and changes no contact', async (_, method, path, body) => {
	const { contact, send, workspace } = await reference();
	const status = await send(
		method,
		`contacts${path.replace('{contact}', `id:${contact.id}`)}`,
		body,
	);
	expect(status).toBe(422);
	expect((await workspace.state()).contacts).toHaveLength(3);
	expect((await workspace.summary()).messages.delivered).toBe(0);
});

test.each<[what: string, path: string, body: object]>([
	['a tag without a name', 'tags', { name: '' }],
	['a tag with a name of 256 characters', 'tags', { name: 'x'.repeat(256) }],
	['a custom field of an unknown type', 'custom-fields', { name: 'Size', type: 'size' }],
])('The sandbox refuses %s (422)', async (_, path, body) => {
	const { send } = await reference();
	expect(await send('POST', path, body)).toBe(422);
});

test.each(['page=0', 'colour=blue'])('The sandbox refuses the query %s (422)', async (query) => {
	const { send } = await reference();
	expect(await send('GET', `contacts?${query}`)).toBe(422);
});

test('The sandbox accepts JSON bodies only and no forms, like the reference', async () => {
	const { client, contact, workspace } = await reference();
	const form = new FormData();
	form.append('text', 'Hello');
	form.append('files[0]', new File(['content'], 'a.pdf'));
	const { status, json } = await client.send('POST', `contacts/id:${contact.id}/messages`, form);
	expect([status, json.message]).toEqual([400, 'The Content-Type must be application/json']);
	expect((await workspace.summary()).messages.delivered).toBe(0);
});

test('The sandbox knows no other token and no other contact', async () => {
	const { send } = await reference();
	expect(await send('GET', 'contacts', undefined, 'somebody')).toBe(401);
	expect(await send('GET', 'contacts/id:4711')).toBe(404);
	expect(await send('GET', 'nothing')).toBe(404);
});
