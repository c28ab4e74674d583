import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import type { Faults } from '../../../sandbox/options';
import type { WorkspaceState } from '../../../sandbox/records';
import type { ServiceName } from '../../../sandbox/services/names';
import { runNode } from '../../support/engine/engine';
import { by, fromItem, received, shownOf, parametersFor } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const unknown = 'This may or may not have gone through';

type Operation = (state: WorkspaceState) => INodeParameters;

const contact = parametersFor('contact');
const message = parametersFor('message');
const first = ({ contacts }: WorkspaceState) => by('id', contacts[0].id);

/** What can be done twice without doing more than once. */
const safe: Record<string, Operation> = {
	'contact get': (state) => contact('get', { identifier: first(state), simplify: false }),
	'contact get many': () => contact('getAll', { limit: 1, simplify: false }),
	'contact update': (state) =>
		contact('update', { identifier: first(state), updateFields: { firstName: 'Ana' } }),
	'add tags': (state) =>
		contact('addTags', { identifier: first(state), tagIds: [state.tags[0].id] }),
	'remove tags': (state) =>
		contact('removeTags', { identifier: first(state), tagIds: [state.tags[0].id] }),
	'send message': (state) => message('send', { identifier: first(state), text: 'Hello' }),
	'send message with a client ID': (state) =>
		message('send', { identifier: first(state), text: 'Hello', options: { clientId: '12' } }),
	'tag update': ({ tags }) => ({
		resource: 'tag',
		operation: 'update',
		tagId: by('id', tags[0].id),
		name: 'New',
	}),
	'custom field update': ({ customFields }) => ({
		resource: 'customField',
		operation: 'update',
		customFieldId: by('id', customFields[0].id),
		name: 'New',
	}),
	'team get many': () => ({ resource: 'team', operation: 'getAll' }),
};

const unsafe: Record<string, Operation> = {
	'contact create': () =>
		contact('create', {
			phoneNumber: '+4915112345678',
			email: 'nathan@example.com',
			gender: 'male',
		}),
	'contact import': ({ files, channels }) =>
		contact('import', {
			source: 'id',
			fileId: files[0].id,
			channel: 'whatsapp',
			inboxId: by('id', channels[0].id),
		}),
	'trigger flow': (state) =>
		contact('triggerFlow', { identifier: first(state), flowId: by('id', state.flows[0].id) }),
	'tag create': () => ({ resource: 'tag', operation: 'create', name: 'New' }),
	'custom field create': () => ({
		resource: 'customField',
		operation: 'create',
		name: 'New',
		type: 'number',
	}),
};

/** Matches all requests but those by which the node looks first whether a tag or a flow exists. */
const itself = { pathPattern: '^(?!/api/v1/(tags|inboxes)\\?)' };

async function runOn(operation: Operation, faults: Faults, requestOptions: INodeParameters = {}) {
	const { workspace, run } = await testWorkspace({ contacts: 1 });
	const parameters = operation(await workspace.state());
	await workspace.faults(faults);
	const result = await run({ ...parameters, requestOptions: { maxRetries: 3, ...requestOptions } });
	const requests = (await received(workspace)).filter(({ path }) =>
		new RegExp(itself.pathPattern).test(path),
	);
	return { result, requests, workspace };
}

const failures: Array<[string, Faults]> = [
	['a 500 before the service acts', { fail: [{ status: 500, times: 1, match: itself }] }],
	[
		'a 503 after the service has acted',
		{ fail: [{ status: 503, times: 1, after: true, match: itself }] },
	],
	['a connection that breaks before the service acts', { dropBefore: { times: 1, match: itself } }],
	[
		'a connection that breaks after the service has acted',
		{ dropAfter: { times: 1, match: itself } },
	],
];

describe.each(failures)('After %s, a request', (_, faults) => {
	test('is sent again if that cannot do anything twice', async () => {
		await Promise.all(
			Object.values(safe).map(async (operation) => {
				const { result, requests, workspace } = await runOn(operation, faults);
				expect(result.error).toBeUndefined();
				expect(requests).toHaveLength(2);
				expect(requests[1]).toEqual(requests[0]);
				const { delivered, repeated } = (await workspace.summary()).messages;
				expect([0, 1]).toContain(delivered);
				expect(repeated).toBe(0);
			}),
		);
	});

	test('is not sent again if that could do something twice, and its outcome is unknown', async () => {
		await Promise.all(
			Object.values(unsafe).map(async (operation) => {
				const { result, requests } = await runOn(operation, faults);
				expect(shownOf(result)).toContain(unknown);
				expect(result.error?.message).toContain('before you run it again');
				expect(requests).toHaveLength(1);
			}),
		);
	});
});

describe('A message whose answer is lost again and again', () => {
	async function send(service: ServiceName, faults: Faults, requestOptions: INodeParameters = {}) {
		const { workspace, run } = await testWorkspace({ service, contacts: 1 });
		await workspace.faults(faults);
		const parameters = message('send', {
			identifier: first(await workspace.state()),
			text: 'Hello',
		});
		const result = await run({ ...parameters, requestOptions });
		const { byOperation, messages } = await workspace.summary();
		return { result, tries: byOperation.sendMessage, delivered: messages.delivered };
	}
	const match = { operation: 'sendMessage' } as const;

	test.each([
		['older', { dropAfter: { match } }, 2],
		['older', { fail: [{ status: 500, after: true, match }] }, 2],
		['newer', { fail: [{ status: 500, after: true, match }] }, 2],
		['reference', { dropAfter: { match } }, 1],
	] as const)(
		'is sent twice at most to the %s service, and its outcome is unknown: %j (difference 10)',
		async (service, faults, expected) => {
			const { result, tries, delivered } = await send(service, faults as Faults);
			expect(shownOf(result)).toContain(unknown);
			expect({ tries, delivered }).toEqual({ tries: 2, delivered: expected });
			expect(result.error?.description).toContain('1 request was retried.');
		},
	);

	test.each(['reference', 'older'] as const)(
		'names the option that retries it for as long as it takes (%s)',
		async (service) => {
			const advice =
				'before you run it again. If your service recognizes clientId, set Retry When Outcome Is Unknown to Always under Request Options.';
			const faults: Faults = { dropAfter: { match } };
			for (const retryWhenOutcomeUnknown of ['messages', 'never'] as const) {
				const { result } = await send(service, faults, { retryWhenOutcomeUnknown });
				expect(shownOf(result)).toContain(advice);
			}
			const always = { retryWhenOutcomeUnknown: 'always', maxRetries: 1 } as const;
			const { result } = await send(service, faults, always);
			expect(shownOf(result)).toContain(unknown);
			expect(shownOf(result)).not.toContain('clientId');
		},
	);

	test('does not name it for a newer service, which recognizes retries by their key', async () => {
		const { result } = await send('newer', { dropAfter: { match } }, { maxRetries: 2 });
		expect(shownOf(result)).toContain(unknown);
		expect(shownOf(result)).not.toContain('clientId');
	});

	test('is sent until an answer comes to a newer service, which delivers it once', async () => {
		const { result, tries, delivered } = await send('newer', { dropAfter: { times: 4, match } });
		expect(result.error).toBeUndefined();
		expect({ tries, delivered }).toEqual({ tries: 5, delivered: 1 });
	});

	test('arrives twice at most if a newer service fails after it has sent it, and then answers get lost', async () => {
		const faults: Faults = {
			fail: [{ status: 500, times: 1, after: true, match }],
			dropAfter: { times: 3, match },
		};
		const { result, delivered } = await send('newer', faults);
		expect(result.error).toBeUndefined();
		expect(delivered).toBe(2);
	});

	test('is sent until an answer comes to an older service if the user wants that', async () => {
		const faults = { dropBefore: { times: 3, match } };
		const { result, tries } = await send('older', faults, { retryWhenOutcomeUnknown: 'always' });
		expect(result.error).toBeUndefined();
		expect(tries).toBe(4);
	});
});

describe('If a service that has worked before stops answering', () => {
	/** Sends three messages after the service has answered a request. */
	async function sendDuring(
		faults: Faults,
		requestOptions: INodeParameters = {},
		outageMs = Infinity,
	) {
		const { workspace, run } = await testWorkspace({ service: 'older', contacts: 3 });
		const { contacts } = await workspace.state();
		await run(contact('get', { identifier: by('id', contacts[0].id) }));
		await workspace.clearJournal();
		await workspace.faults(faults);
		if (outageMs < Infinity)
			setTimeout(() => void workspace.faults({ fail: null, dropBefore: null }), outageMs);
		const result = await run(
			message('send', { identifier: by('id', fromItem('id')), text: 'Hello', requestOptions }),
			contacts.map(({ id }) => ({ id })),
			{ onError: 'continueRegularOutput' },
		);
		const { byOperation, messages } = await workspace.summary();
		const failed = result.json.filter(({ error }) => error !== undefined);
		const questions = (await received(workspace)).filter(({ path }) => path.includes('/inboxes'));
		return { result, failed, messages, questions, tries: byOperation.sendMessage };
	}
	const stopped: Faults = { fail: [{ status: 502, body: 'html' }] };

	test('messages wait until it is back, and the run says for how long', async () => {
		const { result, failed, messages } = await sendDuring(stopped, {}, 2500);
		expect(failed).toEqual([]);
		expect(messages).toEqual({ delivered: 3, contacts: 3, repeated: 0 });
		expect(result.hints.join(' ')).toMatch(
			/The service did not answer for about \d s, and n8n waited\./,
		);
	});

	test('waiting uses up no retries', async () => {
		const { failed } = await sendDuring(stopped, { maxRetries: 1 }, 2500);
		expect(failed).toEqual([]);
	});

	test.each([{ maxRetries: 0 }, { retryWhenOutcomeUnknown: 'never' }])(
		'messages have one try with %j',
		async (requestOptions) => {
			const { failed, tries, questions } = await sendDuring(stopped, requestOptions);
			expect(failed).toHaveLength(3);
			expect(tries).toBe(3);
			expect(questions).toEqual([]);
		},
	);

	test('messages wait no longer than Give Up After, and their outcome is unknown', async () => {
		const { failed, tries, questions } = await sendDuring(stopped, { giveUpAfter: 3 });
		expect(failed).toHaveLength(3);
		for (const { error } of failed) expect(error).toContain(unknown);
		expect(tries).toBe(3);
		// One at a time, for all messages.
		expect(questions.length).toBeGreaterThan(1);
		expect(questions.length).toBeLessThan(6);
	});

	test('messages are sent once more and no third time if only messages fail', async () => {
		const match = { operation: 'sendMessage' } as const;
		const { failed, tries } = await sendDuring({ dropAfter: { match } });
		expect(failed).toHaveLength(3);
		expect(tries).toBe(6);
	});

	test('a request that only reads waits, too', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const parameters = contact('getAll', { requestOptions: { maxRetries: 2 } });
		await run(parameters);
		await workspace.faults({ dropBefore: {} });
		setTimeout(() => void workspace.faults({ dropBefore: null }), 3000);
		const { error, json } = await run(parameters);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
	});

	test('a request has all its retries left afterwards', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const parameters = contact('getAll', { requestOptions: { maxRetries: 1 } });
		await run(parameters);
		await workspace.faults({ dropBefore: {} });
		const fail = [{ status: 500, times: 1, match: { operation: 'listContacts' as const } }];
		setTimeout(() => void workspace.faults({ dropBefore: null, fail }), 2500);
		const { error, json } = await run(parameters);
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
	});
});

describe('After a 429, the node', () => {
	test('sends every request again, because the service did nothing', async () => {
		await Promise.all(
			Object.values({ ...safe, ...unsafe }).map(async (operation) => {
				const fail = { status: 429, times: 1, headers: { 'retry-after': '0' }, match: itself };
				const { result, requests, workspace } = await runOn(operation, { fail: [fail] });
				expect(result.error).toBeUndefined();
				expect(requests).toHaveLength(2);
				expect((await workspace.summary()).messages.repeated).toBe(0);
			}),
		);
	});

	test('sends a request again even if Max Retries is 0', async () => {
		const fail = { status: 429, times: 2, headers: { 'retry-after': '0' } };
		const { result } = await runOn(unsafe['tag create'], { fail: [fail] }, { maxRetries: 0 });
		expect(result.error).toBeUndefined();
	});

	test('slows down to the rate of the service, however the service reports it, and finishes all items (difference 24)', async () => {
		await Promise.all(
			(['none', 'seconds', 'date'] as const).map(async (tell) => {
				const { workspace, run } = await testWorkspace({ contacts: 5 });
				const { contacts } = await workspace.state();
				await workspace.faults({ rateLimit: { requests: 3, windowMs: 1000, tell } });
				const { json, error } = await run(
					contact('get', { identifier: by('id', fromItem('id')), simplify: false }),
					contacts.map(({ id }) => ({ id })),
				);
				expect(error).toBeUndefined();
				expect(json.map(({ id }) => id)).toEqual(contacts.map(({ id }) => id));
				expect((await workspace.summary()).byStatus['200']).toBe(5);
			}),
		);
	});

	test('waits as long as the service asks', async () => {
		const fail = { status: 429, times: 1, headers: { 'retry-after': '1' } };
		const { workspace, result } = await runOn(safe['contact get'], { fail: [fail] });
		expect(result.error).toBeUndefined();
		const [{ at: before }, { at: after }] = (await workspace.journal()).requests;
		expect(after - before).toBeGreaterThanOrEqual(1000);
		expect(after - before).toBeLessThan(5000);
	});

	test('does not count the wait for other items as time of an item', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 8 });
		const { contacts } = await workspace.state();
		await workspace.faults({ rateLimit: { requests: 2, windowMs: 1000, tell: 'none' } });
		const { json, error } = await run(
			contact('get', {
				identifier: by('id', fromItem('id')),
				simplify: false,
				requestOptions: { giveUpAfter: 2 },
			}),
			contacts.map(({ id }) => ({ id })),
		);
		expect(error).toBeUndefined();
		expect(json.map(({ id }) => id)).toEqual(contacts.map(({ id }) => id));
	});

	test('sends only one request to find out whether the service still refuses', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 2 });
		const { contacts } = await workspace.state();
		await workspace.faults({ fail: [{ status: 429, times: 3, headers: { 'retry-after': '1' } }] });
		const { error } = await run(
			contact('get', { identifier: by('id', fromItem('id')), simplify: false }),
			contacts.map(({ id }) => ({ id })),
		);
		expect(error).toBeUndefined();
		const times = (await workspace.journal()).requests.map(({ at }) => at);
		expect(times).toHaveLength(5);
		// Two leave at once, one goes ahead and is refused as well, and one goes ahead again.
		expect(times[2] - times[1]).toBeGreaterThanOrEqual(900);
		expect(times[3] - times[2]).toBeGreaterThanOrEqual(900);
	});

	test('says that the service asks for an hour, also to a request that did not leave, and that n8n waits less', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await workspace.faults({ fail: [{ status: 429, headers: { 'retry-after': '3600' } }] });
		const sentence =
			'Rate limit reached (429). The service asks to wait 60 minutes, but n8n waits for at most 5 minutes.';
		for (let time = 0; time < 2; time++) {
			const result = await run({ resource: 'tag', operation: 'getAll' });
			expect(shownOf(result)).toContain(sentence);
		}
		expect(await received(workspace)).toHaveLength(1);
	});

	test.each([
		['asks for more time than there is', { 'retry-after': '60' }],
		['does not say how long', {}],
	])('gives up at once if the service %s', async (_, headers) => {
		const started = Date.now();
		const { result, requests } = await runOn(
			unsafe['tag create'],
			{ fail: [{ status: 429, headers }] },
			{ giveUpAfter: 1 },
		);
		expect(shownOf(result)).toContain('Rate limit reached (429)');
		expect(result.error?.message).toContain('Nothing was changed.');
		expect(requests).toHaveLength(1);
		expect(Date.now() - started).toBeLessThan(30_000);
	});
});

describe('A failed request', () => {
	test.each([0, 1, 2])('is sent again as often as Max Retries says: %d', async (maxRetries) => {
		const { requests } = await runOn(
			safe['contact get'],
			{ fail: [{ status: 503 }] },
			{ maxRetries },
		);
		expect(requests).toHaveLength(maxRetries + 1);
	});

	test('is not sent again after the time of Give Up After', async () => {
		const started = Date.now();
		const { result, requests } = await runOn(
			safe['contact get'],
			{ fail: [{ status: 503 }] },
			{ maxRetries: 20, giveUpAfter: 1 },
		);
		expect(result.error?.message).toContain('failed (503)');
		expect(requests.length).toBeGreaterThan(1);
		expect(Date.now() - started).toBeLessThan(30_000);
	});

	test('has the whole time of Give Up After, which begins when it is sent first', async () => {
		const { run } = await testWorkspace({
			faults: {
				fail: [
					{
						status: 429,
						times: 1,
						headers: { 'retry-after': '2' },
						match: { pathPattern: 'teams' },
					},
					{ status: 503, times: 1, match: { pathPattern: 'workspaces' } },
				],
			},
		});
		const refused = run({ resource: 'team', operation: 'getAll' });
		await sleep(200);
		const waiting = run({
			resource: 'workspace',
			operation: 'get',
			requestOptions: { giveUpAfter: 1 },
		});
		expect((await waiting).error).toBeUndefined();
		expect((await refused).error).toBeUndefined();
	});

	test('is soon given up if its address has never answered', async () => {
		const started = Date.now();
		const { error } = await runNode({
			parameters: { resource: 'tag', operation: 'getAll' },
			credential: { baseUrl: 'http://127.0.0.1:9', accessToken: 'nobody' },
		});
		expect(error?.message).toContain("can't be reached");
		expect(Date.now() - started).toBeLessThan(20_000);
	});
});

test('An unknown outcome stays unknown, whatever the service answers later', async () => {
	const fail = [
		{ status: 500, times: 1 },
		{ status: 422, message: 'No' },
	];
	const { result, requests } = await runOn(safe['contact update'], { fail });
	expect(shownOf(result)).toContain(unknown);
	expect(result.error?.message).not.toContain('Nothing was changed');
	expect(requests).toHaveLength(2);
});

test('Delete succeeds if its second try finds no record', async () => {
	const operation: Operation = (state) => contact('delete', { identifier: first(state) });
	const { result, requests, workspace } = await runOn(operation, { dropAfter: { times: 1 } });
	expect(result.error).toBeUndefined();
	expect(result.json).toEqual([expect.objectContaining({ success: true, deleted: true })]);
	expect(requests).toHaveLength(2);
	expect((await workspace.state()).contacts).toEqual([]);
});

test('Remove Tags fails for a contact that does not exist, even after a retry', async () => {
	const operation: Operation = ({ tags }) =>
		contact('removeTags', { identifier: by('id', '4711'), tagIds: [tags[0].id] });
	const { result, requests } = await runOn(operation, {
		dropBefore: { times: 1, match: itself },
	});
	expect(shownOf(result)).toContain('No contact has the ID 4711.');
	expect(requests).toHaveLength(2);
});

test('After a 503, the node waits as long as the service asks', async () => {
	const fail = { status: 503, times: 1, headers: { 'retry-after': '2' } };
	const { workspace, result } = await runOn(safe['contact get'], { fail: [fail] });
	expect(result.error).toBeUndefined();
	const [{ at: before }, { at: after }] = (await workspace.journal()).requests;
	expect(after - before).toBeGreaterThanOrEqual(2000);
});

test('Every request is sent again if its connection could not be made', async () => {
	const reserved = createTcpServer();
	await new Promise<void>((resolve) => reserved.listen(0, '127.0.0.1', resolve));
	const { port } = reserved.address() as AddressInfo;
	await new Promise((resolve) => reserved.close(resolve));

	let requests = 0;
	const server = createServer((_, response) => {
		requests++;
		response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"1","name":"New"}');
	});
	// Services take a moment to start again.
	const opening = setTimeout(() => server.listen(port, '127.0.0.1'), 1500);
	try {
		const { json, error } = await runNode({
			parameters: { resource: 'tag', operation: 'create', name: 'New' },
			credential: { baseUrl: `http://127.0.0.1:${port}`, accessToken: 'somebody' },
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([{ id: '1', name: 'New' }]);
		expect(requests).toBe(1);
	} finally {
		clearTimeout(opening);
		server.close();
	}
});
