import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { compiledNode, runNode } from '../support/engine/engine';
import { once } from '../support/engine/helpers';
import { contextOfList } from '../support/engine/panel';
import { TriggerHost } from '../support/engine/triggerHost';
import { testWorkspace } from '../support/engine/workspace';
import { freePorts } from '../../scripts/n8n/server';
import type { Faults } from '../../sandbox/options';
import { everyOperation } from '../support/operations';
import { everythingOf, ownServer, recordLog } from '../support/engine/record';

/** Longer pieces of a token than this would help somebody to guess the rest. */
const PIECE = 12;

function expectNoToken(token: string, ...texts: string[]) {
	const forms = [
		token,
		token.slice(0, PIECE),
		token.slice(-PIECE),
		Buffer.from(token).toString('base64').slice(0, PIECE),
	];
	for (const text of texts) {
		for (const form of forms) if (text.includes(form)) throw new Error(`The token is in: ${text}`);
	}
}

/** What can happen to a request. Each of them has its own way into errors and logs. */
const situations: Array<[string, Faults]> = [
	['the service answers', {}],
	['the service repeats the token in its refusal', { fail: [{ status: 400, echoToken: true }] }],
	[
		'the service repeats the token as text',
		{ fail: [{ status: 422, body: 'text', echoToken: true }] },
	],
	[
		'the service repeats the token in a web page',
		{ fail: [{ status: 502, body: 'html', echoToken: true }] },
	],
	[
		'the service repeats the token in a list of errors',
		{ fail: [{ status: 409, body: 'errors', echoToken: true }] },
	],
	['the service refuses the token', { fail: [{ status: 401, echoToken: true }] }],
	[
		'the service limits the rate',
		{ fail: [{ status: 429, echoToken: true, headers: { 'retry-after': '0' } }] },
	],
	['the service redirects', { redirect: { status: 307, to: 'other' } }],
	['the connection breaks', { dropBefore: {} }],
	['the answer breaks off', { hostile: [{ mode: 'cut' }] }],
	['the answer is not JSON', { hostile: [{ mode: 'notJson' }] }],
	['the answer has another form', { hostile: [{ mode: 'wrongShape', shape: 'nested' }] }],
];

/**
 * Those that are not repeated for a while: the trigger and the lists have no setting against it.
 */
const atOnce = situations.filter(([name]) => !/web page|too many|breaks/.test(name));

const logger = Container.get(Logger);
let log: string[];
beforeEach(() => {
	log = recordLog();
});
afterAll(() => void Container.set(Logger, logger));

describe('The token is absent from every error, log, hint and stored setting, and the node adds it to no output', () => {
	test('in a log that n8n and the node write to', async () => {
		const { run } = await testWorkspace({ faults: { fail: [{ status: 503, times: 2 }] } });
		await run({ resource: 'tag', operation: 'getAll' });
		expect(log.join('\n')).toContain('2 requests were retried');
	});

	test.each(situations)('of any operation if %s', async (name, faults) => {
		const { workspace, run } = await testWorkspace();
		const all = everyOperation(await workspace.state());
		// After each 429 everything waits, so these have one request each.
		const few = [all['tag.create'], all['flow.getAll'], all['contact.get']];
		const operations = name === 'the service limits the rate' ? few : Object.values(all);
		await workspace.faults(faults);
		for (const parameters of operations) {
			for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
				const result = await run({ ...parameters, ...once }, [{}], { onError });
				expectNoToken(workspace.token, everythingOf(result), result.kept);
			}
		}
		expect((await workspace.summary()).requests).toBeGreaterThan(operations.length);
		expectNoToken(workspace.token, log.join('\n'));
	});

	test.each(atOnce)('of the trigger if %s', async (_, faults) => {
		const { workspace } = await testWorkspace();
		const credential = { baseUrl: workspace.url, accessToken: workspace.token };
		const host = new TriggerHost(credential, { event: 'contactCreated' });
		await host.activate();
		await workspace.addContacts([{ firstName: 'Ana' }]);
		await workspace.faults(faults);
		const error = await host.poll().catch((reason: unknown) => reason);
		const { errors, executions, memory } = host;
		expectNoToken(
			workspace.token,
			everythingOf([error, errors, executions, memory]),
			log.join('\n'),
		);
	});

	test.each(atOnce)('of the lists to choose from if %s', async (_, faults) => {
		const { workspace } = await testWorkspace({ faults });
		const context = contextOfList({ baseUrl: workspace.url, accessToken: workspace.token });
		for (const search of Object.values(compiledNode.methods?.listSearch ?? {})) {
			const result = await search.call(context).catch((error: unknown) => error);
			expectNoToken(workspace.token, everythingOf(result), log.join('\n'));
		}
	});

	/** Addresses from which no answer comes: the error of such a request holds its headers. */
	const unanswered: Array<[string, () => Promise<string>]> = [
		['accepts no connections', async () => `http://127.0.0.1:${(await freePorts(1))[0]}`],
		[
			'speaks no TLS',
			async () => `https://127.0.0.1:${(await ownServer((own) => own.end())).port}`,
		],
	];
	const accessToken = 'token-that-no-service-has-seen';

	test.each(unanswered)(
		'of any operation, the trigger or a list if the host %s',
		async (_, addressOf) => {
			const credential = { baseUrl: await addressOf(), accessToken };
			const operation = async () =>
				await runNode({
					parameters: { resource: 'team', operation: 'getAll', ...once },
					credential,
				});
			const trigger = async () => {
				const host = new TriggerHost(credential, { event: 'contactCreated' });
				return [
					await host.activate().catch((error: unknown) => error),
					host.errors,
					host.executions,
				];
			};
			const context = contextOfList(credential);
			const lists = Object.values(compiledNode.methods?.listSearch ?? {}).map(
				(search) => async () => await search.call(context).catch((error: unknown) => error),
			);
			const results = await Promise.all(
				[operation, trigger, ...lists].map(async (ask) => await ask()),
			);
			for (const result of results) {
				const everything = everythingOf(result);
				expectNoToken(accessToken, everything);
				expect(everything).toMatch(/can't be reached/);
			}
			expectNoToken(accessToken, log.join('\n'));
		},
	);
});

describe('If the service repeats the token in an answer that is no refusal', () => {
	const accessToken = 'token-that-the-service-repeats';

	/** Reads the teams of a service that gives this answer. */
	async function readTeams(answer: string) {
		const { port } = await ownServer((response) => {
			response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
		});
		const credential = { baseUrl: `http://127.0.0.1:${port}`, accessToken };
		return await runNode({
			parameters: { resource: 'team', operation: 'getAll', ...once },
			credential,
		});
	}

	test('it is passed on as data, and n8n stores it once, in the output', async () => {
		const team = { id: '1', name: accessToken, members: [] };
		const { json, hints, error, kept } = await readTeams(JSON.stringify({ data: [team] }));
		expect(json).toEqual([team]);
		expect(error).toBeUndefined();
		expectNoToken(accessToken, everythingOf(hints), log.join('\n'));
		expect(kept.split(accessToken)).toHaveLength(2);
	});

	test.each([
		['is no JSON', accessToken],
		['is a web page', `<html>${accessToken}</html>`],
		['has another form', JSON.stringify({ data: accessToken })],
		['is a text', JSON.stringify(accessToken)],
	])('and the answer %s, the error does not show it', async (_, answer) => {
		const result = await readTeams(answer);
		expect(result.error).toBeDefined();
		expectNoToken(accessToken, everythingOf(result), result.kept, log.join('\n'));
	});
});

test('The error about an invalid address leaves out its user and password', async () => {
	const { run, workspace } = await testWorkspace();
	const baseUrl = 'https://user:pass-of-user@chat.example.com';
	const { kept, error } = await run({ resource: 'team', operation: 'getAll' }, [{}], {
		credential: { baseUrl, accessToken: workspace.token },
	});
	expect(error?.message).toContain("can't contain a user name or password");
	expect(kept).not.toContain('pass-of-user');
});
