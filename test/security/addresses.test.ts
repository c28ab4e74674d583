import { runNode } from '../support/engine/engine';
import { by, fromItem, received } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { sandbox } from '../support/sandbox';
import { ownServer } from '../support/engine/record';

const accessToken = 'token-of-these-tests';
const teams = { resource: 'team', operation: 'getAll' };

describe('A Base URL that is not the address of a service', () => {
	test.each([
		'javascript:alert(1)',
		'file:///etc/passwd',
		'data:text/plain,x',
		'ftp://chat.example.com',
		'ws://chat.example.com',
		'unix:/var/run/docker.sock',
		'//chat.example.com',
		'http:chat.example.com',
		'http:/chat.example.com',
		'https://user@chat.example.com',
		'https://user:password@chat.example.com',
		'https://:password@chat.example.com',
		'https://chat.example.com\\@evil.example',
		'https:\\\\chat.example.com',
		'https://chat.example.com/\r\nHost: evil.example',
		'https://chat.example.com\t.evil.example',
		'https://chat.example.com\u0000.evil.example',
		'https://chat.example.com?x=https://evil.example',
		'https://chat.example.com/?',
		'https://chat.example.com#@evil.example',
		'https://',
		'https://[::1',
		'https://chat.example.com:99999',
		'https://chat%2eexample.com%2f@evil.example',
	])('is refused before n8n sends anything: %j', async (baseUrl) => {
		const { error, kept } = await runNode({
			parameters: teams,
			credential: { baseUrl, accessToken },
		});
		expect(error?.message).toMatch(/^The Base URL in the credential /);
		expect(error?.message).not.toContain('password@');
		expect(kept).not.toContain(accessToken);
	});

	test('cannot leave its host by a path that leads up', async () => {
		const own = await ownServer((response) => response.end('{"data":[]}'));
		const baseUrl = `http://127.0.0.1:${own.port}/chat/../../../x`;
		await runNode({ parameters: teams, credential: { baseUrl, accessToken } });
		expect(own.arrived.map(({ url }) => url)).toEqual(['/x/api/v1/teams']);
	});
});

describe('A token with characters that would end its header', () => {
	test.each(['good\r\nX-Injected: 1', 'good\nHost: evil.example', 'good\u0000', 'gööd\u2028'])(
		'adds no header: %j',
		async (token) => {
			const own = await ownServer((response, { headers }) => {
				response.end(JSON.stringify({ data: [{ id: '1', headers }] }));
			});
			const { json, error } = await runNode({
				parameters: teams,
				credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken: token },
			});
			expect(JSON.stringify(json)).not.toMatch(/x-injected|evil\.example/);
			expect(error?.message ?? '').not.toContain('good\r');
			expect(own.arrived.every(({ host }) => host === `127.0.0.1:${own.port}`)).toBe(true);
		},
	);
});

/** Ways out of the segment of the path that a value belongs into. */
const waysOut = [
	'../../teams',
	'..',
	'.',
	'%2e%2e',
	'%2e%2e%2fteams',
	'..%2fteams',
	'..\\teams',
	'..;/teams',
	'/teams',
	'//evil.example/x',
	'\\\\evil.example\\x',
	'https://evil.example/x',
	'@evil.example',
	'x\r\nHost: evil.example\r\n\r\nGET /evil HTTP/1.1',
	'x HTTP/1.1\r\nX-Injected: 1',
	'x?perPage=1000',
	'x%3FperPage=1000',
	'x#y',
	'x%23y',
	'x%00',
	'x\u0000y',
	'x\u2025/y',
	'x\uff0fy',
	'\u202ex',
	'x/messages',
	'x%2fmessages',
	'x%252fmessages',
];

describe('A value in the path stays in its segment', () => {
	const asEmails = waysOut.map((value) => `a${value.replace(/[\s@]/g, '')}@x.co`);
	// The node refuses the character NUL in any text.
	const emails = asEmails.filter((email) => !email.includes('\0'));

	test.each(['id', 'email', 'phone'])('for a contact by %s', async (mode) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await sandbox.clearUnknownRequests();
		await run(
			{ resource: 'contact', operation: 'get', identifier: by(mode, fromItem()) },
			[...waysOut, ...asEmails.map((email) => `email:${email}`)].map((value) => ({ value })),
			{ onError: 'continueRegularOutput' },
		);
		// What is no ID and no phone number stays here; an email address can be almost anything.
		const paths = (await received(workspace)).map(({ path }) => path);
		// n8n then searches for the email in another form.
		expect(paths.filter((path) => !path.startsWith('/api/v1/contacts?keyword=')).sort()).toEqual(
			// Full-width letters are sent as plain ones.
			emails
				.map((email) => encodeURIComponent(`email:${email.normalize('NFKC')}`))
				.map((segment) => `/api/v1/contacts/${segment}`)
				.sort(),
		);
		const { requests } = await workspace.journal();
		const operations = new Set(requests.map(({ operation }) => operation));
		expect(operations).toEqual(new Set(['getContact', 'listContacts']));
		expect(
			(await sandbox.unknownRequests()).filter(({ listener }) => listener === 'other'),
		).toEqual([]);
	});

	test.each([
		['broadcast', 'broadcastId', 'name', 'getBroadcast', '/api/v1/broadcasts/'],
		['sequence', 'sequenceId', 'id', 'getSequence', '/api/v1/sequences/'],
	])('for a %s', async (resource, field, mode, operation, path) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const parameters = { resource, operation: 'get', [field]: by(mode, fromItem()) };
		await run(
			parameters,
			waysOut.map((value) => ({ value })),
			{ onError: 'continueRegularOutput' },
		);
		const { requests: all } = await workspace.journal();
		// The list is read to say what exists.
		const requests = all.filter(
			(request) => !request.path.startsWith(`${path.slice(0, -1)}?page=`),
		);
		expect(all.length - requests.length).toBeLessThanOrEqual(2);
		expect(requests.map((request) => request.path).sort()).toEqual(
			waysOut
				.filter((value) => value !== '.' && value !== '..' && !value.includes('\0'))
				.map((value) => path + encodeURIComponent(value))
				.sort(),
		);
		expect(requests.every((request) => request.operation === operation)).toBe(true);
	});

	test.each([
		['tag', 'delete', 'tagId'],
		['tag', 'update', 'tagId'],
		['customField', 'delete', 'customFieldId'],
		['member', 'get', 'memberId'],
	])('for a %s with %s, which accepts digits only', async (resource, operation, field) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { json } = await run(
			{ resource, operation, [field]: by('id', fromItem()), name: 'New' },
			[...waysOut, '12/../13', '12?x=1', '12\n', '١٢'].map((value) => ({ value })),
			{ onError: 'continueRegularOutput' },
		);
		expect(
			json.every(({ error }) =>
				/must be an ID made of digits only|contains the character NUL/.test(String(error)),
			),
		).toBe(true);
		expect(await received(workspace)).toEqual([]);
	});

	test('for a custom field of a contact', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const [{ id }] = (await workspace.state()).contacts;
		await run(
			{
				resource: 'contact',
				operation: 'clearCustomField',
				identifier: by('id', id),
				customFieldId: by('id', fromItem()),
			},
			waysOut.map((value) => ({ value })),
			{ onError: 'continueRegularOutput' },
		);
		const { requests } = await workspace.journal();
		const deletions = requests.filter(({ method }) => method === 'DELETE');
		expect(deletions.filter(({ operation }) => operation !== 'clearContactCustomField')).toEqual(
			[],
		);
		expect((await workspace.state()).contacts).toHaveLength(1);
	});
});
