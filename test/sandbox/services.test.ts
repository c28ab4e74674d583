import { randomUUID } from 'node:crypto';
import type { ServiceName } from '../../sandbox/services/names';
import { sandbox } from '../support/sandbox';
import { both, Client, inQuery, service, type Extra } from './service';

/*
 * Requests of our own making to the newer and the older service of the sandbox: one for every rule
 * that the nodes build on, so that these services are not only tested by what is written to fit
 * them.
 */

describe('The routes of a service', () => {
	test.each(
		both.flatMap((name) => [
			[name, 'GET', 'nothing'] as const,
			[name, 'PUT', 'tags'] as const,
			[name, 'GET', 'ai-agents'] as const,
			[name, 'POST', 'contacts/{contact}/nothing'] as const,
		]),
	)('of the kind %s answer the unknown %s /%s with plain text', async (name, method, path) => {
		const { client, contact } = await service(name);
		const { status, text, headers } = await client.send(
			method,
			path.replace('{contact}', `id:${contact.id}`),
		);
		expect([status, text]).toEqual([404, 'Not found']);
		expect(headers.get('content-type')).toContain('text/plain');
	});

	test('answer an unknown path before they check the token', async () => {
		const { client } = await service('newer', { token: { refused: true } });
		expect((await client.get('nothing')).text).toBe('Not found');
		expect((await client.get('tags')).status).toBe(401);
	});

	test.each([
		['newer', 'token', 200],
		['older', 'token', 404],
		['newer', 'workspaces', 404],
		['older', 'workspaces', 200],
		['newer', 'inboxes', 200],
		['older', 'inboxes', 404],
		['newer', 'teams', 200],
		['older', 'teams', 404],
		['newer', 'contacts/count', 200],
		['newer', 'contacts/filter-fields', 200],
		['newer', 'contacts/imports', 200],
	] as const)('of the kind %s answer GET /%s with %i', async (name, path, status) => {
		const { client } = await service(name);
		const reply = await client.get(path);
		expect(reply.status).toBe(status);
		if (status === 404) expect(reply.text).toBe('Not found');
	});

	test.each(['count', 'filter-fields', 'imports', 'import-template'])(
		'of the older kind read contacts/%s as an identifier',
		async (path) => {
			const { client } = await service('older');
			const { status, json } = await client.get(`contacts/${path}`);
			expect([status, json.code, json.message]).toEqual([
				404,
				'notFound',
				'Invalid identifier format. Use id:, email:, or phone: prefix',
			]);
		},
	);

	test.each(['channels', 'sequences', 'sequences/{sequence}'])(
		'of the older kind refuse a token for %s, which needs a logged-in user',
		async (path) => {
			const { client, state } = await service('older');
			const { status, json } = await client.get(path.replace('{sequence}', state.sequences[0].id));
			expect([status, json.code, json.message]).toEqual([
				400,
				'systemError',
				'User is not associated with this workspace',
			]);
		},
	);

	test('can include what other builds of the kind lack', async () => {
		const { client } = await service('newer', { additionalOperations: ['getWorkspace'] });
		expect((await client.get('workspaces')).json.id).toMatch(/^\d+$/);
	});

	test('answer with plain text if the fault "missing" removes an operation', async () => {
		const { client, workspace } = await service('newer');
		await workspace.faults({ missing: { listInboxes: 404 } });
		expect((await client.get('inboxes')).text).toBe('Not found');
	});
});

describe('Reading requests', () => {
	test.each(both)(
		'of the %s kind reads numbered keys as a list, and one bare key as a single value',
		async (name) => {
			const { client } = await service(name);
			expect((await client.get('contacts?include=tags')).status).toBe(name === 'newer' ? 422 : 400);
			expect((await client.get('contacts?include[0]=tags')).status).toBe(200);
		},
	);

	test.each(both)(
		'of the %s kind converts text to a number, and no number to an ID',
		async (name) => {
			const { client, contact } = await service(name);
			expect((await client.get('contacts?page=1&perPage=2')).json.data).toHaveLength(2);
			const reply = await client.send('POST', `contacts/id:${contact.id}/tags`, { tagIds: [1] });
			expect(reply.status).toBe(name === 'newer' ? 422 : 400);
		},
	);

	test.each(both)('of the %s kind reads the body of a DELETE and not its query', async (name) => {
		const { client, state, contact } = await service(name);
		const path = `contacts/id:${contact.id}/tags`;
		const tagId = state.tags[0].id;
		expect((await client.send('DELETE', `${path}?tagIds[0]=${tagId}`)).status).not.toBe(204);
		expect((await client.send('DELETE', path, { tagIds: [tagId] })).status).toBe(204);
	});

	test.each(both)('of the %s kind prefers a key of the body to the path', async (name) => {
		const { client, state } = await service(name);
		const [one, other] = state.contacts;
		await client.send('PUT', `contacts/id:${one.id}`, {
			firstName: 'Zed',
			identifier: `id:${other.id}`,
		});
		expect((await client.get(`contacts/id:${other.id}`)).json.firstName).toBe('Zed');
	});

	test.each(both)('of the %s kind drops unknown keys', async (name) => {
		const { client } = await service(name);
		expect((await client.send('POST', 'tags', { name: 'New', colour: 'red' })).status).toBe(201);
		expect((await client.get('contacts?colour=red')).status).toBe(200);
	});

	test.each(both)('of the %s kind refuses a body that is not JSON', async (name) => {
		const { workspace } = await service(name);
		const response = await fetch(`${workspace.url}/api/v1/tags`, {
			method: 'POST',
			headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
			body: '{',
		});
		const { code, message } = (await response.json()) as { code: string; message: string };
		expect([response.status, code]).toEqual([400, 'BAD_REQUEST']);
		expect(message).toMatch(/^Malformed request\./);
	});

	test.each(both)('of the %s kind accepts the old form of the token', async (name) => {
		const { workspace } = await service(name);
		const url = `${workspace.url}/api/v1/contacts?perPage=2&token=${workspace.token}`;
		expect((await fetch(url)).status).toBe(200);
	});
});

describe('Errors of a service', () => {
	test('of the newer kind are a 422 with issues for bad input', async () => {
		const { client } = await service('newer');
		const { status, json } = await client.send('POST', 'tags', {});
		expect(status).toBe(422);
		expect(json).toMatchObject({
			defined: false,
			code: 'invalidRequestData',
			status: 422,
			message: 'Input validation failed',
			data: { issues: [{ path: ['name'] }] },
		});
	});

	test('of the older kind are a 400 with issues for bad input', async () => {
		const { client } = await service('older');
		const { status, json } = await client.send('POST', 'tags', {});
		expect(status).toBe(400);
		expect(json).toMatchObject({ code: 'BAD_REQUEST', data: { issues: [{ path: ['name'] }] } });
	});

	test('of the newer kind hold the useful text deeper if one of several shapes is allowed', async () => {
		const { client, contact } = await service('newer');
		const { json } = await client.send('POST', `contacts/id:${contact.id}/messages`, { text: '' });
		const [issue] = json.data.issues;
		expect(issue).toMatchObject({ code: 'invalid_union', message: 'Invalid input' });
		expect(JSON.stringify(issue.errors)).toContain('Too small');
	});

	test.each([
		['newer', 401, 'Invalid or missing workspace API token'],
		['older', 500, 'INVALID_CHATBOT_TOKEN'],
	] as const)(
		'of the %s kind have their own status for a refused token',
		async (name, status, message) => {
			const { client, workspace } = await service(name, { token: { refused: true } });
			const reply = await client.get('contacts');
			expect(reply.status).toBe(status);
			expect(reply.json).toMatchObject({ code: 'INVALID_CHATBOT_TOKEN', status, message });
			expect((await workspace.summary()).requests).toBe(1);
		},
	);

	test('of the newer kind name the missing scope', async () => {
		const { client, contact } = await service('newer', { token: { scopes: ['contacts'] } });
		expect((await client.get('contacts')).status).toBe(200);
		const { status, json } = await client.send('POST', `contacts/id:${contact.id}/messages`, {
			text: 'Hi',
		});
		expect([status, json.code, json.message]).toEqual([
			403,
			'FORBIDDEN',
			"Token is not authorized for the 'inbox' scope",
		]);
		expect((await client.get('token')).json).toMatchObject({
			permission: 'full',
			scopes: ['contacts'],
		});
	});

	test('of the newer kind require the scope of contacts for the token itself', async () => {
		const { client } = await service('newer', { token: { scopes: ['inbox'] } });
		expect((await client.get('token')).json.message).toBe(
			"Token is not authorized for the 'contacts' scope",
		);
	});

	test('of the newer kind refuse writes for a read-only token', async () => {
		const { client } = await service('newer', { token: { readOnly: true } });
		expect((await client.get('contacts')).status).toBe(200);
		const { status, json } = await client.send('POST', 'tags', { name: 'New' });
		expect([status, json.message]).toEqual([403, 'Read-only token cannot perform this operation']);
	});

	test.each([
		['trialExpired', 'trialExpired', 'Trial expired'],
		['macLimitReached', 'macLimitReached', 'Monthly active contact limit reached'],
	] as const)(
		'of the newer kind forbid writing, but not reading and deleting, for the plan %s',
		async (plan, code, message) => {
			const { client, contact } = await service('newer', { plan });
			const { status, json } = await client.send('POST', 'tags', { name: 'New' });
			expect([status, json.code, json.message]).toEqual([403, code, message]);
			expect((await client.get('contacts')).status).toBe(200);
			expect((await client.send('DELETE', `contacts/id:${contact.id}`)).status).toBe(204);
		},
	);

	test('of the newer kind report one request too many in words only', async () => {
		const { client, workspace } = await service('newer');
		await workspace.faults({
			rateLimit: { requests: 1, windowMs: 5000, kind: 'fixed', tell: 'words' },
		});
		expect((await client.get('tags')).status).toBe(200);
		const { status, json, headers } = await client.get('tags');
		expect([status, json.code]).toEqual([429, 'tooManyRequests']);
		expect(json.message).toMatch(/^Too many requests\. Retry after [1-5]s\.$/);
		expect(headers.get('retry-after')).toBeNull();
	});

	test('do not limit the rate by default', async () => {
		const { client } = await service('newer');
		const replies = await Promise.all(Array.from({ length: 130 }, () => client.get('token')));
		expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
	});
});

describe('Lists of a service', () => {
	const paths = ['tags', 'custom-fields', 'flows', 'sequences', 'broadcasts'];

	test.each(paths)('of the newer kind hold 50 entries of %s a page and refuse 51', async (path) => {
		const { client } = await service('newer', {
			counts: { tags: 60, customFields: 60, flows: 80, sequences: 60, broadcasts: 60 },
		});
		const { json } = await client.get(path);
		expect(json.data).toHaveLength(50);
		// Of the flows, every fourth is not active.
		expect(json.pageCount).toBe(2);
		expect((await client.get(`${path}?perPage=50&page=2`)).json.data).toHaveLength(10);
		expect((await client.get(`${path}?perPage=51`)).status).toBe(422);
	});

	test('of the newer kind are searched by name, not by keyword', async () => {
		const { client } = await service('newer');
		expect((await client.get('tags?name=vip')).json.data).toHaveLength(1);
		expect((await client.get('tags?keyword=vip')).json.data).toHaveLength(8);
	});

	test('of the newer kind count the contacts of each tag', async () => {
		const { client } = await service('newer', { contacts: 1 });
		const { json } = await client.get('tags?sort=[{"id":"name","desc":false}]&perPage=50');
		const names = json.data.map(({ name }: { name: string }) => name);
		expect(names).toEqual([...names].sort());
		expect(json.data.find(({ name }: { name: string }) => name === 'VIP')).toEqual({
			id: expect.stringMatching(/^\d+$/),
			name: 'VIP',
			folderId: '4001',
			contactsCount: 1,
		});
	});

	test.each(['tags', 'customFields'] as const)(
		'of the older kind end at the 50 newest %s, whatever page the query names',
		async (kind) => {
			const { client, state } = await service('older', { counts: { [kind]: 60 } });
			const path = kind === 'tags' ? 'tags' : 'custom-fields';
			const { json } = await client.get(`${path}?page=2&perPage=10`);
			expect(Object.keys(json)).toEqual(['data']);
			expect(json.data).toHaveLength(50);
			expect((await client.get(path)).json.data[0].id).toBe(state[kind][59].id);
		},
	);

	test.each(both)('of the %s kind hold only the parts that the query names', async (name) => {
		const { client } = await service(name);
		const [bare] = (await client.get('contacts')).json.data;
		const parts = ['tags', 'contactCustomFields', 'contactInboxes', 'conversation'];
		expect(parts.filter((part) => part in bare)).toEqual([]);
		const query = ['tags', 'customFields', 'inboxes', 'conversation']
			.map((what, index) => `include[${index}]=${what}`)
			.join('&');
		const { data } = (await client.get(`contacts?${query}`)).json;
		const row = data.at(-1);
		expect(row.tags).toHaveLength(1);
		expect(row.contactCustomFields).toHaveLength(1);
		expect(row.contactInboxes[0]).toMatchObject({ contactId: row.id, channel: 'whatsapp' });
		expect(row.conversation.id).toMatch(/^\d+$/);
	});

	/** Returns a function that reads the IDs of contacts with a query. */
	async function twentyContacts(name: ServiceName) {
		const { client } = await service(name, { contacts: 20 });
		return async (query: string): Promise<string[]> =>
			(await client.get(`contacts?${query}`)).json.data.map(({ id }: { id: string }) => id);
	}

	const kindsWith = (queries: string[]) =>
		both.flatMap((name) => queries.map((query) => [name, query] as const));

	test.each(
		kindsWith([
			`sort=${inQuery([{ id: 'createdAt', desc: false }])}`,
			'sort[0][id]=createdAt&sort[0][desc]=false',
		]),
	)('of the %s kind sort by %s', async (name, query) => {
		const idsOf = await twentyContacts(name);
		expect(await idsOf(query)).toEqual((await idsOf('')).reverse());
	});

	test.each(
		kindsWith([
			'sort=createdAt',
			`sort=${inQuery([{ id: 'shoeSize', desc: false }])}`,
			'sort[0][field]=createdAt&sort[0][order]=asc',
		]),
	)('of the %s kind ignore %s, which they cannot read', async (name, query) => {
		const idsOf = await twentyContacts(name);
		expect(await idsOf(query)).toEqual(await idsOf(''));
	});

	test.each(both)('of the %s kind filter by keyword', async (name) => {
		const { client, workspace } = await service(name, { contacts: 0 });
		await workspace.addContacts([
			{
				firstName: 'Ann',
				lastName: 'Lee',
				email: 'ann@example.com',
				phoneNumber: '+4915112345678',
			},
		]);
		const found = async (keyword: string) =>
			(await client.get(`contacts?keyword=${encodeURIComponent(keyword)}`)).json.data.length;
		expect(await found('ann')).toBe(1);
		expect(await found('Lee')).toBe(1);
		expect(await found('Ann Lee')).toBe(0);
		expect(await found('ann@example')).toBe(1);
		expect(await found('151123')).toBe(1);
		expect(await found('+4915112')).toBe(1);
	});

	test.each(both)('of the %s kind accept channels and inboxes and ignore them', async (name) => {
		const { client, inbox } = await service(name);
		const { json } = await client.get(
			`contacts?channels[0]=telegram&inboxIds[0]=${inbox('telegram')}`,
		);
		expect(json.data).toHaveLength(3);
	});

	test('of the newer kind shift while a client reads them, with the fault for it', async () => {
		const { client } = await service('newer', { contacts: 60, faults: { growWhilePaging: true } });
		const first = (await client.get('contacts')).json.data;
		const second = (await client.get('contacts?page=2')).json.data;
		expect(second[0].id).toBe(first[49].id);
	});

	test.each(both)('of the %s kind filter contacts by the value of a custom field', async (name) => {
		const { client, state, contact } = await service(name);
		const { id } = state.customFields[0];
		const path = `contacts/find-by-custom-field?customFieldId=${id}&value=`;
		expect((await client.get(`${path}${encodeURIComponent('Größe 0')}`)).json.data).toMatchObject([
			{ id: contact.id },
		]);
		expect((await client.get(`${path}${encodeURIComponent('größe 0')}`)).json.data).toEqual([]);
		const byEmail = `contacts/find-by-custom-field?customFieldId=email&value=${encodeURIComponent(contact.email ?? '')}`;
		expect((await client.get(byEmail)).json.data).toHaveLength(1);
	});
});

describe('Channels of a service', () => {
	test('of the newer kind are the connected inboxes', async () => {
		const { client, state } = await service('newer');
		const { json } = await client.get('inboxes?perPage=50');
		const connected = state.channels.filter(({ status }) => status === 'connected');
		expect(json.data.map(({ id }: { id: string }) => id)).toEqual(connected.map(({ id }) => id));
		expect(json.data[0]).toMatchObject({ channel: 'whatsapp', status: 'connected' });
		expect(json.data[0].sourceId).not.toBe(json.data[0].id);
		expect(json.pageCount).toBe(1);
	});

	test('of the newer kind have IDs of the platform that no endpoint accepts', async () => {
		const { client, state } = await service('newer');
		const [inbox] = (await client.get('inboxes')).json.data;
		const [channel] = (await client.get('channels')).json.data;
		expect(channel).toEqual({
			id: inbox.sourceId,
			name: inbox.name,
			channel: inbox.channel,
			status: inbox.status,
		});
		const [contact] = state.contacts;
		const path = `contacts/id:${contact.id}/messages`;
		expect(
			(await client.send('POST', path, { text: 'Hi', inboxId: channel.id })).json.message,
		).toBe('Conversation not found');
		expect((await client.send('POST', path, { text: 'Hi', inboxId: inbox.id })).status).toBe(204);
	});

	test('of the newer kind have a correct page count only up to 50 a page', async () => {
		const { client, workspace } = await service('newer', { empty: true, contacts: 0 });
		for (let index = 0; index < 60; index++) {
			await workspace.add('channels', {
				name: `${index}`,
				channel: 'webchat',
				status: 'connected',
			});
		}
		const read = async (query: string) => {
			const { json } = await client.get(`inboxes${query}`);
			return [json.data.length, json.pageCount];
		};
		expect(await read('')).toEqual([20, 6]);
		expect(await read('?perPage=50')).toEqual([50, 2]);
		expect(await read('?perPage=60')).toEqual([50, 1]);
	});
});

describe('One contact of a service', () => {
	test.each(both)('of the %s kind needs an exact identifier', async (name) => {
		const { client, workspace } = await service(name, { contacts: 0 });
		await workspace.addContacts([{ email: 'Ann@example.com', phoneNumber: '+4915112345678' }]);
		const status = async (identifier: string) =>
			(await client.get(`contacts/${encodeURIComponent(identifier)}`)).status;
		expect(await status('email:Ann@example.com')).toBe(200);
		expect(await status('email:ann@example.com')).toBe(404);
		expect(await status('phone:+4915112345678')).toBe(200);
		expect(await status('phone:4915112345678')).toBe(404);
		const { json } = await client.get('contacts/id:abc');
		expect(json).toMatchObject({ code: 'notFound', message: 'Contact not found' });
	});

	const ann = { email: 'ann@example.com', gender: 'unknown', firstName: 'Ann' };

	test.each(
		both.flatMap((name) => [
			[name, 'whatsapp', {}, 'Phone number is required for WhatsApp'] as const,
			[name, 'smtp', { email: '' }, 'Email is required for the Email channel'] as const,
			[name, 'telegram', {}, 'User ID is required for this channel'] as const,
		]),
	)(
		'of the %s kind needs on the channel %s more than %j: %s',
		async (name, channel, more, message) => {
			const { client, inbox } = await service(name);
			const { status, json } = await client.send('POST', 'contacts', {
				...ann,
				channel,
				inboxId: inbox(channel),
				...more,
			});
			expect([status, json.data.issues[0].message]).toEqual([
				name === 'newer' ? 422 : 400,
				message,
			]);
		},
	);

	test.each(both)('of the %s kind needs a channel when it is created', async (name) => {
		const { client, inbox } = await service(name);
		const bad = name === 'newer' ? 422 : 400;
		const create = (more: object) => client.send('POST', 'contacts', { ...ann, ...more });
		expect(
			(await create({})).json.data.issues.map(({ path }: { path: string[] }) => path[0]),
		).toEqual(['channel', 'inboxId']);
		const telegram = { channel: 'telegram', inboxId: inbox('telegram') };
		const created = await create({ ...telegram, contactId: '4711' });
		expect(created.status).toBe(200);
		expect(created.json).toMatchObject({
			...ann,
			contactInboxes: [{ inboxId: telegram.inboxId, sourceId: '4711' }],
			tags: [],
		});
		expect(created.json.conversation).not.toBeNull();
		expect((await create({ channel: 'telegram', inboxId: '4711' })).status).toBe(bad);
		const unknown = await create({ channel: 'webchat', inboxId: '4711' });
		expect([unknown.status, unknown.json.message]).toEqual([404, 'Inbox not found']);
	});

	test('of the newer kind needs the right form when it is created', async () => {
		const { client, inbox } = await service('newer');
		const webchat = { ...ann, channel: 'webchat', inboxId: inbox('webchat') };
		const status = async (more: object) =>
			(await client.send('POST', 'contacts', { ...webchat, ...more })).status;
		expect(await status({ email: '' })).toBe(200);
		expect(await status({ email: undefined })).toBe(422);
		expect(await status({ email: 'ann' })).toBe(422);
		expect(await status({ gender: 'other' })).toBe(422);
		expect(await status({ phoneNumber: '+49 151 2345678' })).toBe(422);
		expect(await status({ phoneNumber: '' })).toBe(200);
		expect(await status({ firstName: 'x'.repeat(100) })).toBe(200);
		expect(await status({ firstName: 'x'.repeat(101) })).toBe(422);
		expect(await status({ contactId: 'x'.repeat(256) })).toBe(422);
		// Two contacts may share an email address.
		expect(await status({})).toBe(200);
		expect(await status({})).toBe(200);
	});

	test.each<[channel: string, phoneNumber: string, message: string]>([
		['webchat', '+4915112345678', 'Phone number is exists'],
		['webchat', '015112345679', 'Please include the country code (e.g. +84)'],
		['whatsapp', '+4915112345670', 'Selected inbox does not match the selected source'],
	])(
		'of the newer kind is refused in the web chat as a contact of %s with the number %s: %s',
		async (channel, phoneNumber, message) => {
			const { client, inbox } = await service('newer');
			const create = (more: object) =>
				client.send('POST', 'contacts', { ...ann, inboxId: inbox('webchat'), ...more });
			const first = await create({ channel: 'webchat', phoneNumber: '+4915112345678' });
			expect(first.status).toBe(200);
			const { status, json } = await create({ channel, phoneNumber });
			expect([status, json.code, json.message]).toEqual([422, 'validation', message]);
		},
	);

	test('of the newer kind is refused a second time with the same ID on the same channel', async () => {
		const { client, inbox } = await service('newer');
		const telegram = { channel: 'telegram', inboxId: inbox('telegram'), contactId: '4711' };
		const create = async () => await client.send('POST', 'contacts', { ...ann, ...telegram });
		expect((await create()).status).toBe(200);
		expect((await create()).json.message).toBe('This contact already exists on the selected inbox');
	});

	test.each([
		['hidden', 500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal server error' }],
		[
			'underscoreErrors',
			422,
			{
				code: 'invalidRequestData',
				data: { phoneNumber: { _errors: ['Phone number is exists'] } },
			},
		],
		['validation400', 400, { code: 'validation', message: 'Phone number is exists' }],
		['validation422', 422, { code: 'validation', message: 'Phone number is exists' }],
	] as const)('that is a duplicate causes the error %s', async (businessErrors, status, body) => {
		const { client, inbox, workspace } = await service('newer', { businessErrors });
		const contact = {
			...ann,
			channel: 'webchat',
			inboxId: inbox('webchat'),
			phoneNumber: '+4915112345678',
		};
		expect((await client.send('POST', 'contacts', contact)).status).toBe(200);
		const again = await client.send('POST', 'contacts', contact);
		expect(again.status).toBe(status);
		expect(again.json).toMatchObject(body);
		expect((await workspace.counts()).contacts).toBe(4);
	});

	test('of the older kind that is a duplicate causes a 500', async () => {
		const { client, inbox, state } = await service('older');
		const reply = await client.send('POST', 'contacts', {
			...ann,
			channel: 'webchat',
			inboxId: inbox('webchat'),
			phoneNumber: state.contacts[0].phoneNumber,
		});
		expect([reply.status, reply.json.message]).toEqual([500, 'Internal server error']);
		const tag = await client.send('POST', 'tags', { name: 'VIP' });
		expect([tag.status, tag.json.code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
	});

	test('gets its new phone number in one form', async () => {
		const { client, inbox } = await service('newer', { defaultCountryCode: '+49' });
		const whatsapp = { ...ann, channel: 'whatsapp', inboxId: inbox('whatsapp') };
		const { json } = await client.send('POST', 'contacts', {
			...whatsapp,
			phoneNumber: '015112345678',
		});
		expect(json.phoneNumber).toBe('+4915112345678');
		expect(json.contactInboxes[0].sourceId).toBe('4915112345678');
		const again = await client.send('POST', 'contacts', {
			...whatsapp,
			phoneNumber: '004915112345678',
		});
		expect(again.json.message).toBe('Phone number is exists');
	});

	test.each(both)('of the %s kind can be upserted', async (name) => {
		const { client, workspace, contact } = await service(name);
		const upsert = (identifier: string, body: object) =>
			client.send('POST', `contacts/${encodeURIComponent(identifier)}/upsert`, body);
		const changed = await upsert(`id:${contact.id}`, { firstName: 'Zed' });
		expect([changed.status, changed.json.id, changed.json.firstName]).toEqual([
			200,
			contact.id,
			'Zed',
		]);
		expect((await upsert('id:4711', {})).json.message).toBe('Contact not found');
		expect((await upsert('4711', {})).json.message).toMatch(/^Invalid identifier format/);
		const created = await upsert('email:new@example.com', { firstName: 'New' });
		expect(created.json).toMatchObject({
			email: 'new@example.com',
			contactInboxes: [{ channel: 'webchat' }],
		});
		// Not brought into one form here.
		const byPhone = await upsert('phone:015112345678', {});
		expect(byPhone.json.phoneNumber).toBe('015112345678');
		const taken = await upsert(`id:${contact.id}`, { phoneNumber: '015112345678' });
		expect([taken.status, taken.json.code]).toEqual([422, 'phoneExists']);
		expect((await upsert(`id:${contact.id}`, { phoneNumber: '' })).status).toBe(
			name === 'newer' ? 422 : 400,
		);
		expect((await workspace.counts()).contacts).toBe(5);
	});

	test('of the newer kind is not created by an upsert if there is no web chat', async () => {
		const { client } = await service('newer', { empty: true, contacts: 0 });
		const { status, json } = await client.send('POST', 'contacts/email:a@example.com/upsert', {});
		expect([status, json.message]).toEqual([404, 'Inbox not found']);
	});

	test.each([
		['newer', 'PATCH'],
		['newer', 'PUT'],
		['older', 'PUT'],
	] as const)(
		'of the %s kind changes standard fields and custom fields by ID, as text, by %s',
		async (name, method) => {
			const { client, state, contact } = await service(name);
			const number = state.customFields.find(({ type }) => type === 'number')?.id ?? '';
			const path = `contacts/id:${contact.id}`;
			expect(
				(await client.send(method, path, { firstName: 'Zed', [number]: '7', shoeSize: '9' }))
					.status,
			).toBe(204);
			const { json } = await client.get(path);
			expect(json.firstName).toBe('Zed');
			expect(json.contactCustomFields).toContainEqual(
				expect.objectContaining({ customFieldId: number, value: '7' }),
			);
			expect((await client.send(method, path, { [number]: 7 })).status).toBe(
				name === 'newer' ? 422 : 400,
			);
			expect((await client.send(method, path, { [number]: 'x' })).json.code).toBe(
				'invalidCustomFieldValue',
			);
		},
	);

	test('of the older kind has no PATCH', async () => {
		const { client, contact } = await service('older');
		expect((await client.send('PATCH', `contacts/id:${contact.id}`, { firstName: 'A' })).text).toBe(
			'Not found',
		);
	});

	test.each(both)('of the %s kind can be blocked', async (name) => {
		const { client, contact } = await service(name);
		const path = `contacts/id:${contact.id}`;
		expect((await client.send('POST', `${path}/block`)).status).toBe(204);
		expect((await client.get(path)).json.blockedAt).not.toBeNull();
		expect((await client.send('POST', `${path}/messages`, { text: 'Hi' })).status).toBe(204);
		expect((await client.get(path)).json.blockedAt).toBeNull();
	});
});

describe('Messages of a service', () => {
	const fileOf = (bytes: number, name = 'ü.pdf') =>
		new File([new Uint8Array(bytes)], name, { type: 'application/pdf' });

	function form(parts: Record<string, string | File | File[]>) {
		const data = new FormData();
		for (const [name, value] of Object.entries(parts)) {
			for (const each of [value].flat()) {
				if (typeof each === 'string') data.append(name, each);
				else data.append(name, each);
			}
		}
		return data;
	}

	/** What came of a message: the status, and what the contact got. */
	async function outcome(name: ServiceName, body: unknown) {
		const { client, workspace, contact } = await service(name);
		const { status } = await client.send('POST', `contacts/id:${contact.id}/messages`, body);
		const [message] = (await workspace.journal()).messages;
		const files = message?.files as Array<{ size: number }> | undefined;
		return [status, message?.text ?? null, files?.map(({ size }) => size) ?? null];
	}

	const long = 'x'.repeat(1001);

	test.each([
		['text', { text: ' Hi ' }, [204, 'Hi', null]],
		['the longest text', { text: 'x'.repeat(1000) }, [204, 'x'.repeat(1000), null]],
		['text and a flow', { text: 'Hi', flowId: '1' }, [204, 'Hi', null]],
		[
			'text and eleven media files',
			{ text: 'Hi', mediaFileIds: Array(11).fill('1') },
			[204, 'Hi', null],
		],
		['text and a file', () => form({ text: 'Hi', 'files[0]': fileOf(3) }), [204, 'Hi', [3]]],
		[
			'files alone',
			() => form({ 'files[0]': fileOf(3), 'files[1]': fileOf(4) }),
			[204, null, [3, 4]],
		],
		['the empty brackets', () => form({ text: 'Hi', 'files[]': fileOf(3) }), [204, 'Hi', [3]]],
		['a bare part is no list', () => form({ text: 'Hi', files: fileOf(3) }), [204, 'Hi', null]],
		[
			'two bare parts are',
			() => form({ text: 'Hi', files: [fileOf(3), fileOf(4)] }),
			[204, 'Hi', [3, 4]],
		],
		[
			'the largest file',
			() => form({ text: 'Hi', 'files[0]': fileOf(5_000_000) }),
			[204, 'Hi', [5_000_000]],
		],
		[
			'a larger file is lost',
			() => form({ text: 'Hi', 'files[0]': fileOf(5_000_001) }),
			[204, 'Hi', null],
		],
		['a longer text is lost', () => form({ text: long, 'files[0]': fileOf(3) }), [204, null, [3]]],
		['a longer text alone', { text: long }, [422, null, null]],
		['no text', { text: ' ' }, [422, null, null]],
		['nothing', {}, [422, null, null]],
		['one bare part alone', () => form({ files: fileOf(3) }), [422, null, null]],
	] as Array<[string, unknown, unknown[]]>)('of the newer kind: %s', async (_, body, expected) => {
		expect(await outcome('newer', typeof body === 'function' ? body() : body)).toEqual(expected);
	});

	test.each([
		['media files beside a text are lost', { text: 'Hi', mediaFileIds: ['1'] }, [204, 'Hi', null]],
		['media files alone', { mediaFileIds: ['1'] }, [400, null, null]],
		['text and a file', () => form({ text: 'Hi', 'files[0]': fileOf(3) }), [204, 'Hi', [3]]],
	] as Array<[string, unknown, unknown[]]>)('of the older kind: %s', async (_, body, expected) => {
		expect(await outcome('older', typeof body === 'function' ? body() : body)).toEqual(expected);
	});

	test('of the newer kind refuse a media file that does not exist', async () => {
		const { client, contact } = await service('newer');
		const { status, json } = await client.send('POST', `contacts/id:${contact.id}/messages`, {
			mediaFileId: '1',
		});
		expect([status, json.code, json.message]).toEqual([
			400,
			'systemError',
			'Media library file not found',
		]);
	});

	test.each(both)('of the %s kind reach no contact on an inbox of others', async (name) => {
		const { client, inbox, contact, workspace } = await service(name);
		const path = `contacts/id:${contact.id}/messages`;
		const other = await client.send('POST', path, { text: 'Hi', inboxId: inbox('telegram') });
		expect([other.status, other.json.message]).toEqual([404, 'Conversation not found']);
		const [stranger] = await workspace.addContacts([{ firstName: 'Nobody', inboxIds: [] }]);
		const none = await client.send('POST', `contacts/id:${stranger.id}/messages`, { text: 'Hi' });
		expect([none.status, none.json.message]).toEqual([404, 'Conversation not found']);
		// Whoever is added without saying where can be written to.
		const [reachable] = await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(
			(await client.send('POST', `contacts/id:${reachable.id}/messages`, { text: 'Hi' })).status,
		).toBe(204);
	});

	test.each(both)('of the %s kind ignore the clientId as an idempotency key', async (name) => {
		const { client, contact, workspace } = await service(name);
		const path = `contacts/id:${contact.id}/messages`;
		for (let times = 0; times < 2; times++) {
			await client.send('POST', path, { text: 'Hi', clientId: '7' });
		}
		expect((await workspace.summary()).messages.delivered).toBe(2);
	});

	test.each([
		['newer', 404, 0],
		['older', 204, 0],
	] as const)(
		'of the %s kind with a flow that does not exist get their own status',
		async (name, status, runs) => {
			const { client, state, contact, workspace } = await service(name);
			const path = `contacts/id:${contact.id}/flows`;
			expect((await client.send('POST', path, { flowId: '4711' })).status).toBe(status);
			expect((await workspace.summary()).flowRuns.run).toBe(runs);
			expect((await client.send('POST', path, { flowId: state.flows[0].id })).status).toBe(204);
			expect((await workspace.summary()).flowRuns.run).toBe(1);
		},
	);

	test.each(both)('of the %s kind can get automatic replies', async (name) => {
		const { client, contact } = await service(name);
		const path = `contacts/id:${contact.id}/auto-replies`;
		expect((await client.send('POST', path, { keyword: 'Welcome' })).status).toBe(204);
		const { status, json } = await client.send('POST', path, { keyword: 'nothing' });
		expect([status, json.message]).toEqual([404, 'No automated response found for this keyword']);
	});

	test('appear in the journal with the parts of their form', async () => {
		const { client, contact, workspace } = await service('newer');
		const body = form({
			text: 'Hi',
			'files[0]': new File(['abc'], 'ü.txt', { type: 'text/plain' }),
		});
		await client.send('POST', `contacts/id:${contact.id}/messages`, body, {
			headers: { 'idempotency-key': 'k1' },
		});
		const { requests } = await workspace.journal();
		expect(requests[0]).toMatchObject({
			operation: 'sendMessage',
			idempotencyKey: 'k1',
			parts: [
				{ name: 'text', text: 'Hi' },
				{
					name: 'files[0]',
					file: {
						fileName: 'ü.txt',
						contentType: 'text/plain',
						size: 3,
						sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
					},
				},
			],
		});
	});
});

describe('Tags and custom fields of a contact', () => {
	test.each(both)(
		'of the %s kind accept tag IDs and ignore those that do not exist',
		async (name) => {
			const { client, state, contact } = await service(name);
			const path = `contacts/id:${contact.id}/tags`;
			const [first, second] = state.tags;
			expect((await client.send('POST', path, { tagIds: [second.id, '4711'] })).status).toBe(204);
			expect((await client.get(path)).json.data).toEqual([
				{ id: first.id, name: first.name },
				{ id: second.id, name: second.name },
			]);
			expect((await client.send('DELETE', path, { tagIds: [first.id] })).status).toBe(204);
			expect((await client.get(path)).json.data).toHaveLength(1);
			const bad = name === 'newer' ? 422 : 400;
			expect((await client.send('POST', path, { tagIds: [] })).status).toBe(bad);
			expect((await client.send('POST', path, { tagIds: Array(101).fill('1') })).status).toBe(bad);
		},
	);

	test('of the newer kind accept tag names and create missing tags', async () => {
		const { client, contact, workspace } = await service('newer');
		const path = `contacts/id:${contact.id}/tags`;
		expect(
			(await client.send('POST', `${path}/by-name`, { tags: ['Fresh', 'Newsletter'] })).status,
		).toBe(204);
		expect((await workspace.counts()).tags).toBe(9);
		expect((await client.send('PUT', path, { tags: ['Fresh'] })).status).toBe(204);
		expect((await client.get(path)).json.data).toMatchObject([{ name: 'Fresh' }]);
		expect((await client.send('PUT', path, { tags: [] })).status).toBe(204);
		expect((await client.get(path)).json.data).toEqual([]);
	});

	test('of the older kind accept no tag names', async () => {
		const { client, contact } = await service('older');
		const path = `contacts/id:${contact.id}/tags`;
		expect((await client.send('PUT', path, { tags: [] })).text).toBe('Not found');
		expect((await client.send('POST', `${path}/by-name`, { tags: ['A'] })).text).toBe('Not found');
	});

	test('of the newer kind accept 1 to 20 operations on values', async () => {
		const { client, state, contact } = await service('newer');
		const idOf = (type: string) =>
			state.customFields.find((field) => field.type === type)?.id ?? '';
		const path = `contacts/id:${contact.id}/custom-fields`;
		const number = idOf('number');
		const change = (operation: string, value: string, customFieldId = number) =>
			client.send('PATCH', path, { operations: [{ customFieldId, operation, value }] });
		const held = async (id = number) => (await client.get(`${path}/${id}`)).json.value;
		expect((await client.get(`${path}/${number}`)).json.code).toBe('notFound');
		// On an empty field every operation sets the value.
		expect((await change('decrease', '3')).status).toBe(204);
		expect(await held()).toBe('3');
		await change('increase', '4');
		expect(await held()).toBe('7');
		expect((await change('decrease', 'many')).status).toBe(204);
		expect(await held()).toBe('7');
		await change('append', ' blue', 'My shortText');
		expect(await held('My shortText')).toBe('Größe 0 blue');
		expect((await change('set', 'x')).json.code).toBe('invalidCustomFieldValue');
		expect((await change('set', '1', '4711')).status).toBe(404);
		const many = (count: number) =>
			client.send('PATCH', path, {
				operations: Array(count).fill({ customFieldId: number, operation: 'set', value: '1' }),
			});
		expect((await many(20)).status).toBe(204);
		expect((await many(21)).status).toBe(422);
		expect((await many(0)).status).toBe(422);
	});

	test('of the newer kind set one value by PUT or by the old POST', async () => {
		const { client, contact } = await service('newer');
		const path = `contacts/id:${contact.id}/custom-fields/My%20number`;
		expect((await client.send('PUT', path, { value: '5' })).status).toBe(204);
		const old = await client.send('POST', path, { value: '6' });
		expect([old.status, old.text]).toEqual([200, '']);
		expect((await client.get(path)).json.value).toBe('6');
		expect((await client.send('DELETE', path)).status).toBe(204);
		expect((await client.get(path)).status).toBe(404);
		const many = `contacts/id:${contact.id}/custom-fields`;
		expect((await client.send('PUT', many, { fields: [] })).text).toBe('Not found');
	});

	test('of the older kind set one value by POST and several by PUT', async () => {
		const { client, state, contact } = await service('older');
		const path = `contacts/id:${contact.id}/custom-fields`;
		const { id } = state.customFields[0];
		const posted = await client.send('POST', `${path}/${id}`, { value: 'a' });
		expect([posted.status, posted.text, posted.headers.get('content-type')]).toEqual([
			200,
			'',
			null,
		]);
		expect(
			(await client.send('PUT', path, { fields: [{ customFieldId: id, value: 'b' }] })).status,
		).toBe(204);
		expect((await client.get(`${path}/${id}`)).json.value).toBe('b');
		expect((await client.send('PATCH', path, { operations: [] })).text).toBe('Not found');
		expect((await client.send('PUT', `${path}/${id}`, { value: 'c' })).text).toBe('Not found');
	});
});

describe('Filters of contacts', () => {
	const filter = (operator: string, ...conditions: object[]) => ({ operator, conditions });

	async function filtered() {
		const made = await service('newer', { contacts: 0 });
		const { state, workspace, inbox } = made;
		const [vip, newsletter] = state.tags;
		await workspace.addContacts([
			{
				firstName: 'Ann',
				email: 'ann@example.com',
				tagIds: [vip.id],
				country: 'Germany',
				gender: 'female',
				emailOptIn: true,
				createdAt: '2024-01-01T12:00:00.000Z',
				sequenceIds: [state.sequences[0].id],
			},
			{
				firstName: 'Bob',
				phoneNumber: '+4915112345678',
				tagIds: [newsletter.id],
				blockedAt: '2024-05-01T00:00:00.000Z',
				inboxIds: [inbox('telegram')],
				createdAt: '2024-06-01T12:00:00.000Z',
				lastReadAt: '2024-07-01T12:00:00.000Z',
				conversation: { id: '1', assignedUserId: '51' },
			},
			{ firstName: 'Cem', createdAt: '2024-12-01T12:00:00.000Z', conversation: { id: '2' } },
		]);
		const names = async (conditions: object) => {
			const { json } = await made.client.get(
				`contacts?contactFilter=${inQuery(conditions)}&sort=${inQuery([{ id: 'firstName', desc: false }])}`,
			);
			return json.data?.map(({ firstName }: { firstName: string }) => firstName) ?? json;
		};
		return { ...made, names, vip, newsletter };
	}

	test('of the newer kind compare the fields of a contact', async () => {
		const { names, vip, state, inbox } = await filtered();
		const by = (field: string, operator: string, value?: unknown) =>
			names(filter('and', { field, operator, value }));
		expect(await by('tags', 'in', [vip.id])).toEqual(['Ann']);
		expect(await by('tags', 'notIn', [vip.id])).toEqual(['Bob', 'Cem']);
		expect(await by('tags', 'isEmpty')).toEqual(['Cem']);
		expect(await by('inbox', 'eq', inbox('telegram'))).toEqual(['Bob']);
		expect(await by('currentChannel', 'eq', 'webchat')).toEqual(['Ann', 'Cem']);
		expect(await by('subscribedToDripCampaign', 'in', [state.sequences[0].id])).toEqual(['Ann']);
		expect(await by('conversationAssigned', 'in', ['u_51'])).toEqual(['Bob']);
		expect(await by('conversationAssigned', 'in', ['unassigned'])).toEqual(['Ann', 'Cem']);
		expect(await by('country', 'eq', 'Germany')).toEqual(['Ann']);
		expect(await by('gender', 'isEmpty')).toEqual(['Bob', 'Cem']);
		expect(await by('email', 'eq', 'ANN@example.com')).toEqual(['Ann']);
		expect(await by('phone', 'startsWith', '+49')).toEqual(['Bob']);
		expect(await by('fullName', 'contains', 'E')).toEqual(['Cem']);
		expect(await by('blocked', 'eq', 'true')).toEqual(['Bob']);
		expect(await by('optedInForEmail', 'eq', 'true')).toEqual(['Ann']);
		expect(await by('emailWasVerified', 'eq', 'true')).toEqual([]);
		expect(await by('contactCreatedAt', 'gte', '2024-06-01T12:00:00Z')).toEqual(['Bob', 'Cem']);
		expect(await by('contactCreatedAt', 'isBetween', ['2024-01-01', '2024-06-02'])).toEqual([
			'Ann',
			'Bob',
		]);
		expect(await by('lastSeen', 'lt', '2024-07-02')).toEqual(['Bob']);
		expect(await by('contactCreatedDateMinutesAgo', 'gt', '60')).toEqual(['Ann', 'Bob', 'Cem']);
	});

	test('of the newer kind read dates without an offset in the time zone of the filter', async () => {
		const { names } = await filtered();
		const conditions = [{ field: 'contactCreatedAt', operator: 'lt', value: '2024-01-01 12:30' }];
		expect(await names({ operator: 'and', conditions })).toEqual(['Ann']);
		expect(await names({ operator: 'and', conditions, timezone: 'Europe/Berlin' })).toEqual([]);
	});

	test('of the newer kind combine conditions by any and in groups', async () => {
		const { names, vip, newsletter } = await filtered();
		const has = (id: string) => ({ field: 'tags', operator: 'in', value: [id] });
		expect(await names(filter('or', has(vip.id), has(newsletter.id)))).toEqual(['Ann', 'Bob']);
		const group = { type: 'group', operator: 'or', conditions: [has(vip.id), has(newsletter.id)] };
		expect(
			await names(filter('and', group, { field: 'blocked', operator: 'eq', value: 'false' })),
		).toEqual(['Ann']);
	});

	test('of the newer kind compare custom fields', async () => {
		const { client, names, state } = await filtered();
		const idOf = (type: string) =>
			state.customFields.find((field) => field.type === type)?.id ?? '';
		const path = 'contacts/email:ann@example.com/custom-fields/';
		await client.send('PUT', `${path}${idOf('shortText')}`, { value: 'Pro' });
		await client.send('PUT', `${path}${idOf('number')}`, { value: '10' });
		const by = (type: string, valueType: string, operator: string, value?: string) =>
			names(
				filter('and', {
					field: 'customField',
					customFieldId: idOf(type),
					valueType,
					operator,
					value,
				}),
			);
		expect(await by('shortText', 'text', 'eq', 'Pro')).toEqual(['Ann']);
		expect(await by('shortText', 'text', 'eq', 'pro')).toEqual([]);
		expect(await by('shortText', 'text', 'contains', 'pr')).toEqual(['Ann']);
		expect(await by('number', 'number', 'gt', '9')).toEqual(['Ann']);
		expect(await by('number', 'number', 'isEmpty')).toEqual(['Bob', 'Cem']);
	});

	test.each([
		[
			{ field: 'tags', operator: 'contains', value: 'x' },
			'Operator is not supported for this field',
		],
		[
			{
				field: 'customField',
				customFieldId: '1',
				valueType: 'boolean',
				operator: 'gt',
				value: 'x',
			},
			'Operator is not supported for this custom field',
		],
		[
			{ field: 'contactCreatedAt', operator: 'isBetween', value: ['2024-01-01'] },
			'Interval operators require two values',
		],
		[{ field: 'fullName', operator: 'eq' }, 'Operator requires a value'],
		[{ field: 'shoeSize', operator: 'eq', value: '9' }, 'Invalid input'],
		[{ field: 'fullName', operator: 'eq', value: 7 }, 'Invalid input'],
	])('of the newer kind refuse %j', async (condition, message) => {
		const { client } = await service('newer');
		const { status, json } = await client.get(
			`contacts?contactFilter=${inQuery(filter('and', condition))}`,
		);
		expect([status, json.code]).toEqual([422, 'invalidRequestData']);
		expect(JSON.stringify(json.data.issues)).toContain(message);
		expect(json.data.issues[0].path[0]).toBe('contactFilter');
	});

	test('of the newer kind refuse a value that is not a filter', async () => {
		const { client } = await service('newer');
		expect((await client.get('contacts?contactFilter=vip')).status).toBe(422);
		expect((await client.get('contacts?contactFilter[operator]=and')).status).toBe(422);
	});

	test('of the newer kind drop a condition with an unreadable number or date', async () => {
		const { names } = await filtered();
		const dropped = { field: 'contactCreatedAt', operator: 'gt', value: '2024-13-45' };
		expect(await names(filter('and', dropped))).toEqual(['Ann', 'Bob', 'Cem']);
		expect(await names(filter('or', dropped))).toEqual(['Ann', 'Bob', 'Cem']);
		const blocked = { field: 'blocked', operator: 'eq', value: 'true' };
		expect(await names(filter('and', dropped, blocked))).toEqual(['Bob']);
		expect(
			await names(filter('and', { field: 'lastSeenMinutesAgo', operator: 'gt', value: 'soon' })),
		).toEqual(['Ann', 'Bob', 'Cem']);
	});

	test('of the older kind have no effect', async () => {
		const { client } = await service('older');
		const nobody = filter('and', { field: 'fullName', operator: 'eq', value: 'Nobody' });
		expect((await client.get(`contacts?contactFilter=${inQuery(nobody)}`)).json.data).toHaveLength(
			3,
		);
	});

	test('can be ignored if they are invalid and the service applies valid ones', async () => {
		const { client } = await service('older', { faults: { contactFilter: 'lenient' } });
		const list = async (condition: object) =>
			(await client.get(`contacts?contactFilter=${inQuery(filter('and', condition))}`)).json.data
				.length;
		expect(await list({ field: 'fullName', operator: 'eq', value: 'Nobody' })).toBe(0);
		expect(await list({ field: 'shoeSize', operator: 'eq', value: '9' })).toBe(3);
	});

	test('of the newer kind count contacts', async () => {
		const { client, workspace } = await service('newer', { contacts: 20 });
		const female = inQuery(filter('and', { field: 'blocked', operator: 'eq', value: 'false' }));
		await workspace.addContacts([{ firstName: 'Late' }]);
		expect((await client.get(`contacts/count?contactFilter=${female}`)).json).toEqual({
			total: 21,
		});
		expect((await client.get('contacts/count?keyword=late')).json).toEqual({ total: 1 });
		// Without either, an estimate that lags behind.
		expect((await client.get('contacts/count')).json).toEqual({ total: 20 });
	});

	test('of the newer kind list the fields that they accept', async () => {
		const { client, state } = await service('newer');
		const { json } = await client.get('contacts/filter-fields');
		const fields = new Map(json.staticFields.map((each: { field: string }) => [each.field, each]));
		expect(fields.get('tags')).toMatchObject({ operators: ['in', 'notIn', 'eq', 'ne', 'isEmpty'] });
		expect(fields.get('emailWasVerified')).toMatchObject({
			schemaKind: 'boolean',
			operators: ['eq'],
		});
		expect(fields.has('locale')).toBe(false);
		const [field] = state.customFields;
		expect(json.customFields[0]).toEqual({
			id: field.id,
			name: field.name,
			type: field.type,
			valueType: 'text',
		});
		expect(json.tags[0]).toEqual({ id: state.tags[0].id, name: state.tags[0].name });
	});

	test('of an earlier newer build list custom fields without the kind of their values', async () => {
		const { client } = await service('newer', { faults: { untypedFilterFields: true } });
		const { json } = await client.get('contacts/filter-fields');
		expect(json.customFields[0]).toMatchObject({ type: 'shortText' });
		expect(json.customFields[0]).not.toHaveProperty('valueType');
	});
});

describe('The Idempotency-Key', () => {
	const withKey = (key: string): Extra => ({ headers: { 'idempotency-key': key } });

	test('of a repeated request returns the first answer on the newer service, and the request has no effect', async () => {
		const { client, contact, workspace } = await service('newer');
		const path = `contacts/id:${contact.id}/messages`;
		const first = await client.send(
			'POST',
			path,
			{ text: 'Hi', inboxId: undefined },
			withKey('k1'),
		);
		expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([204, null]);
		// Keys that are dropped, and their order, make no other request.
		const again = await client.send('POST', path, { shoeSize: 9, text: 'Hi' }, withKey(' k1 '));
		expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
		expect((await workspace.summary()).messages.delivered).toBe(1);
		const tag = await client.send('POST', 'tags', { name: 'New' }, withKey('k1'));
		const sameTag = await client.send('POST', 'tags', { name: 'New' }, withKey('k1'));
		expect([sameTag.status, sameTag.json]).toEqual([201, tag.json]);
		const { requests } = await workspace.journal();
		expect(requests.map(({ replayed }) => replayed ?? false)).toEqual([false, true, false, true]);
	});

	test('of another request is refused on the newer service', async () => {
		const { client, contact } = await service('newer');
		const path = `contacts/id:${contact.id}/messages`;
		await client.send('POST', path, { text: 'Hi' }, withKey('k1'));
		const { status, json } = await client.send('POST', path, { text: 'Ho' }, withKey('k1'));
		expect([status, json.code]).toEqual([422, 'idempotencyKeyReused']);
		expect(json.message).toBe('This Idempotency-Key was already used with a different request');
	});

	test('of a running request is refused on the newer service', async () => {
		const { client, contact, workspace } = await service('newer', {
			// Longer than a busy machine takes for the next request.
			faults: { workMs: 3000, dropDuring: { times: 1 } },
		});
		const path = `contacts/id:${contact.id}/messages`;
		await expect(client.send('POST', path, { text: 'Hi' }, withKey('k1'))).rejects.toThrow();
		const early = await client.send('POST', path, { text: 'Hi' }, withKey('k1'));
		expect([early.status, early.json.code]).toEqual([409, 'idempotencyKeyConflict']);
		await new Promise((resolve) => setTimeout(resolve, 3500));
		const late = await client.send('POST', path, { text: 'Hi' }, withKey('k1'));
		expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
		expect((await workspace.summary()).messages.delivered).toBe(1);
	});

	test('is free after an error on the newer service', async () => {
		const { client, workspace } = await service('newer');
		const refused = await client.send('POST', 'tags', { name: 'VIP' }, withKey('k1'));
		expect(refused.status).toBe(422);
		await workspace.removeRecord('tags', (await workspace.state()).tags[0].id);
		const { status, headers } = await client.send('POST', 'tags', { name: 'VIP' }, withKey('k1'));
		expect([status, headers.get('idempotent-replayed')]).toEqual([201, null]);
	});

	test('has a limited length on the newer service', async () => {
		const { client } = await service('newer');
		const status = async (key: string) => {
			const reply = await client.send('POST', 'tags', { name: randomUUID() }, withKey(key));
			return [reply.status, reply.json.code];
		};
		expect(await status('x'.repeat(255))).toEqual([201, undefined]);
		expect(await status('x'.repeat(256))).toEqual([422, 'idempotencyKeyInvalid']);
		expect(await status(' ')).toEqual([422, 'idempotencyKeyInvalid']);
	});

	test('covers the name, size and type of files on the newer service', async () => {
		const { client, contact, workspace } = await service('newer');
		const path = `contacts/id:${contact.id}/messages`;
		const send = async (content: string, name: string) => {
			const data = new FormData();
			data.append('files[0]', new File([content], name));
			return (await client.send('POST', path, data, withKey('k1'))).status;
		};
		expect(await send('abc', 'a.txt')).toBe(204);
		expect(await send('xyz', 'a.txt')).toBe(204);
		expect(await send('abc', 'b.txt')).toBe(422);
		expect((await workspace.summary()).messages.delivered).toBe(1);
	});

	test('has no effect on the older service', async () => {
		const { client, contact, workspace } = await service('older');
		for (let times = 0; times < 2; times++) {
			await client.send(
				'POST',
				`contacts/id:${contact.id}/messages`,
				{ text: 'Hi' },
				withKey('k1'),
			);
		}
		expect((await workspace.summary()).messages.delivered).toBe(2);
	});
});

describe('Imports of a service', () => {
	const csv =
		'\uFEFF"Mobile","First name",Plan\r\n+4915112345678,"Ann, Lee",pro\r\n\r\n015112345679, Bob ,free\r\nnonsense,Cem,\r\n';

	async function uploaded(content = csv) {
		// An import is still running when a slow machine sends the next request.
		const made = await service('newer', { contacts: 0, importMs: 3000 });
		const { client } = made;
		const { status, json } = await client.send('POST', 'contacts/imports/upload-url', {
			fileName: 'people.csv',
			mimeType: 'text/csv',
			fileSize: content.length,
		});
		const put = (headers: Record<string, string>) =>
			fetch(json.presignedPostUrl, { method: 'PUT', headers, body: content });
		return { ...made, status, upload: json as { fileId: string; presignedPostUrl: string }, put };
	}

	async function finished(client: Client, id: string) {
		for (;;) {
			const { json } = await client.get(`contacts/imports/${id}`);
			if (json.status === 'completed') return json;
			expect(['pending', 'processing']).toContain(json.status);
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}

	test('of the newer kind upload without a token and with the declared type', async () => {
		const { status, upload, put, workspace } = await uploaded();
		expect(status).toBe(201);
		expect(upload.presignedPostUrl.startsWith(sandbox.otherUrl)).toBe(true);
		expect((await put({ 'content-type': 'text/csv', authorization: 'Bearer x' })).status).toBe(400);
		expect((await put({ 'content-type': 'text/plain' })).status).toBe(403);
		expect((await workspace.journal()).uploads).toEqual([]);
		expect((await put({ 'content-type': 'text/csv' })).status).toBe(200);
		expect((await workspace.journal()).uploads).toMatchObject([
			{
				fileId: upload.fileId,
				fileName: 'people.csv',
				contentType: 'text/csv',
				size: Buffer.byteLength(csv),
			},
		]);
	});

	test('of the newer kind turn the file into contacts', async () => {
		const { client, upload, put, inbox, state, workspace } = await uploaded();
		const headersPath = `contacts/imports/files/${upload.fileId}/headers`;
		expect((await client.get(headersPath)).json.code).toBe('importUnableToReadHeaders');
		await put({ 'content-type': 'text/csv' });
		expect((await client.get(headersPath)).json).toEqual({
			headers: ['Mobile', 'First name', 'Plan'],
			suggestedColumnMap: { phoneNumber: 'Mobile', firstName: 'First name' },
		});
		const field = state.customFields[0].id;
		const body = {
			fileId: upload.fileId,
			channel: 'whatsapp',
			inboxId: inbox('whatsapp'),
			phoneNumber: 'Mobile',
			firstName: 'First name',
			countryCode: '+49',
			tagId: state.tags[0].id,
			fieldMapping: [{ column: 'Plan', customFieldId: field }],
		};
		const started = await client.send('POST', 'contacts/import', body);
		expect(started.status).toBe(201);
		const again = await client.send('POST', 'contacts/import', body);
		expect([again.status, again.json.code]).toEqual([409, 'contactImportAlreadyRunning']);
		expect(await finished(client, started.json.importId)).toMatchObject({
			fileName: 'people.csv',
			totalCount: 3,
			processedCount: 3,
			successCount: 2,
			failedCount: 1,
			errorSample: [{ row: 4, reason: 'Invalid phone' }],
		});
		const { contacts } = await workspace.state();
		expect(contacts.map(({ firstName, phoneNumber }) => [firstName, phoneNumber])).toEqual([
			['Ann, Lee', '+4915112345678'],
			['Bob', '+4915112345679'],
		]);
		expect(contacts[0].contactCustomFields).toMatchObject([{ customFieldId: field, value: 'pro' }]);
		expect(contacts[0].tags).toHaveLength(1);
		// Rows that are on the inbox already are skipped.
		const second = await client.send('POST', 'contacts/import', body);
		expect(await finished(client, second.json.importId)).toMatchObject({ successCount: 0 });
		expect((await client.get('contacts/imports')).json.data).toHaveLength(2);
	});

	test('of the newer kind report what each channel needs and what does not exist', async () => {
		const { client, upload, put, inbox } = await uploaded();
		await put({ 'content-type': 'text/csv' });
		const start = async (more: object) => {
			const body = {
				fileId: upload.fileId,
				channel: 'webchat',
				inboxId: inbox('webchat'),
				...more,
			};
			const { status, json } = await client.send('POST', 'contacts/import', body);
			return [status, json.data?.issues[0].message ?? json.code];
		};
		expect(await start({})).toEqual([422, 'Contact ID is required']);
		expect(await start({ channel: 'whatsapp', inboxId: inbox('whatsapp') })).toEqual([
			422,
			'Phone number or WhatsApp User ID is required for WhatsApp imports',
		]);
		const column = { contactId: 'Mobile' };
		expect(await start({ ...column, fileId: '4711' })).toEqual([404, 'contactImportFileNotFound']);
		expect(await start({ ...column, inboxId: '4711' })).toEqual([
			404,
			'contactImportInboxNotFound',
		]);
		expect((await client.get('contacts/imports/4711')).json.message).toBe('Import not found');
	});

	test('of the newer kind refuse unsupported files', async () => {
		const { client } = await service('newer');
		const upload = async (fileName: string, mimeType: string, fileSize: number) => {
			const { status, json } = await client.send('POST', 'contacts/imports/upload-url', {
				fileName,
				mimeType,
				fileSize,
			});
			return [status, json.code];
		};
		expect(await upload('a.pdf', 'application/pdf', 1)).toEqual([400, 'importUnsupportedFileType']);
		expect(await upload('a.csv', 'application/pdf', 1)).toEqual([400, 'importUnsupportedFileType']);
		expect(await upload('a.csv', 'text/csv', 20_000_000)).toEqual([201, undefined]);
		expect(await upload('a.csv', 'text/csv', 20_000_001)).toEqual([400, 'importFileTooLarge']);
		expect(await upload('a.csv', 'text/csv', 0)).toEqual([422, 'invalidRequestData']);
	});

	test('of the older kind have no upload, and every refusal is a 400', async () => {
		const { client, inbox } = await service('older');
		expect((await client.send('POST', 'contacts/imports/upload-url', {})).text).toBe('Not found');
		const { status, json } = await client.send('POST', 'contacts/import', {
			fileId: '4711',
			channel: 'webchat',
			inboxId: inbox('webchat'),
			contactId: 'ID',
		});
		expect([status, json.code]).toEqual([400, 'contactImportFileNotFound']);
	});
});
