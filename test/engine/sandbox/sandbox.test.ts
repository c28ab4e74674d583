import { testWorkspace } from '../../support/engine/workspace';

/**
 * Sends a request of our own making, so that the sandbox is not only tested by a node that follows
 * the same contract.
 */
async function service() {
	const { workspace } = await testWorkspace({ contacts: 3 });
	const [contact] = (await workspace.state()).contacts;
	const send = async (method: string, path: string, body?: unknown, token = workspace.token) => {
		const response = await fetch(`${workspace.url}/api/v1/${path}`, {
			method,
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		return response.status;
	};
	return { workspace, contact, send };
}

const newContact = { phoneNumber: '+4915112345678', email: 'new@example.com', gender: 'unknown' };

test('The sandbox accepts what the reference allows', async () => {
	const { contact, send, workspace } = await service();
	const [tag] = (await workspace.state()).tags;
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

test('The sandbox refuses what the reference forbids', async () => {
	const { contact, send, workspace } = await service();
	const id = `id:${contact.id}`;
	const refused: Array<[string, string, unknown?]> = [
		['POST', 'contacts', { ...newContact, nickname: 'Ann' }],
		['POST', 'contacts', { ...newContact, gender: 'other' }],
		['POST', 'contacts', { ...newContact, phoneNumber: '123456789' }],
		['POST', 'contacts', { ...newContact, phoneNumber: '1'.repeat(21) }],
		['POST', 'contacts', { phoneNumber: '+4915112345678', gender: 'male' }],
		['PUT', `contacts/${id}`, { firstName: 'x'.repeat(101) }],
		['PUT', `contacts/${id}`, {}],
		['POST', `contacts/${id}/messages`, { text: '' }],
		['POST', `contacts/${id}/messages`, { text: 'x'.repeat(1001) }],
		['POST', `contacts/${id}/messages`, {}],
		['POST', `contacts/${id}/tags`, { tagIds: [] }],
		['POST', `contacts/${id}/tags`, { tagIds: Array.from({ length: 101 }, () => '1') }],
		['POST', 'tags', { name: '' }],
		['POST', 'tags', { name: 'x'.repeat(256) }],
		['POST', 'custom-fields', { name: 'Size', type: 'size' }],
		['GET', 'contacts?page=0'],
		['GET', 'contacts?colour=blue'],
	];
	for (const [method, path, body] of refused) {
		expect([method, path, body, await send(method, path, body)]).toEqual([method, path, body, 422]);
	}
	expect((await workspace.state()).contacts).toHaveLength(3);
	expect((await workspace.summary()).messages.delivered).toBe(0);
});

test('The sandbox accepts JSON bodies only and no forms, like the reference', async () => {
	const { contact, workspace } = await service();
	const form = new FormData();
	form.append('text', 'Hello');
	form.append('files[0]', new File(['content'], 'a.pdf'));
	const response = await fetch(`${workspace.url}/api/v1/contacts/id:${contact.id}/messages`, {
		method: 'POST',
		headers: { authorization: `Bearer ${workspace.token}` },
		body: form,
	});
	expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
		400,
		'The Content-Type must be application/json',
	]);
	expect((await workspace.summary()).messages.delivered).toBe(0);
});

test('The sandbox knows no other token and no other contact', async () => {
	const { send } = await service();
	expect(await send('GET', 'contacts', undefined, 'somebody')).toBe(401);
	expect(await send('GET', 'contacts/id:4711')).toBe(404);
	expect(await send('GET', 'nothing')).toBe(404);
});
