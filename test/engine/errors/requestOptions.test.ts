import { createServer, request as sendOn } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { selfSignedCertificate } from '../../support/engine/certificate';
import {
	additionalDataOf,
	compiledNode,
	NODE_NAME,
	runNode,
	workflowOf,
} from '../../support/engine/engine';
import { fromItem, received, shownOf } from '../../support/engine/helpers';
import { TriggerHost } from '../../support/engine/triggerHost';
import { active } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * Timeout is in network.test.ts, Max Retries and Give Up After in retries.test.ts, and pauses of
 * batches in stopping.test.ts.
 */

const servers: Server[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) server.close();
});

/** Lets a server listen until the end of the test, and returns its host and port. */
async function listen(server: Server): Promise<string> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const readTags: INodeParameters = { resource: 'tag', operation: 'getAll' };

test('Request Options begin with 8 retries, 300 seconds for them and 60 for an answer', () => {
	const { properties } = compiledNode.description;
	const { options = [] } = properties.find(({ name }) => name === 'requestOptions')!;
	const defaults = options.map((option) => [option.name, 'default' in option && option.default]);
	expect(Object.fromEntries(defaults)).toMatchObject({
		maxRetries: 8,
		giveUpAfter: 300,
		timeout: 60_000,
	});
});

describe('Proxy', () => {
	/** A proxy that notes the credentials of those who use it. */
	async function startProxy() {
		const used: Array<string | undefined> = [];
		const forward: RequestListener = (request, response) => {
			const { method, headers, url } = request;
			used.push(headers['proxy-authorization']);
			const onwards = sendOn(url!, { method, headers }, (answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			});
			request.pipe(onwards);
		};
		const proxy = createServer(forward).on('connect', ({ url, headers }, client) => {
			used.push(headers['proxy-authorization']);
			const [host, port] = url!.split(':');
			const target = connect(Number(port), host, () => {
				client.write('HTTP/1.1 200 OK\r\n\r\n');
				target.pipe(client).pipe(target);
			});
		});
		return { address: await listen(proxy), used };
	}

	describe.each(['http://chat.example.com', 'https://chat.example.com'])('before %s', (baseUrl) => {
		const once = { maxRetries: 0, giveUpAfter: 0 };
		const through = async (proxy: string) => {
			const credential = { baseUrl, accessToken: 'a-token' };
			const parameters = { ...readTags, requestOptions: { ...once, proxy } };
			return shownOf(await runNode({ parameters, credential }));
		};
		const PLACE = 'Proxy under Request Options in the settings of the node';

		test('is named with its place if it is down', async () => {
			const server = createServer();
			const address = await listen(server);
			await new Promise((resolve) => server.close(resolve));
			expect(await through(`http://ann:secret@${address}`)).toBe(
				`The proxy at ${address} can't be reached: it refuses connections. Check ${PLACE}, and that the proxy is running.`,
			);
		});

		test('is named if its host is unknown', async () => {
			expect(await through('http://proxy.invalid:3128')).toMatch(
				/^The proxy at proxy\.invalid:3128 can't be reached: (the host doesn't exist|the host name couldn't be looked up)\. Check Proxy under Request Options /,
			);
		});

		test.each([
			['', 'asks for a user and a password'],
			['ann:secret@', 'rejects the user or password'],
		])('is named if it wants a password (its user: "%s")', async (user, problem) => {
			const refuse = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 4\r\n\r\nGone';
			const proxy = createServer((_, response) => response.writeHead(407).end('Gone'));
			const address = await listen(proxy.on('connect', (_, client) => client.end(refuse)));
			expect(await through(`http://${user}${address}`)).toBe(
				`The proxy at ${address} ${problem} (407). Enter both in ${PLACE}, such as http://user:password@myproxy:3128.`,
			);
		});
	});

	test('sends the requests over the proxy, with its user and password', async () => {
		const { address, used } = await startProxy();
		const { run, workspace } = await testWorkspace();
		const proxy = `http://ann:p%40ss@${address}`;
		const { error, json } = await run({ ...readTags, requestOptions: { proxy } });
		expect(error).toBeUndefined();
		expect(json).toHaveLength((await workspace.state()).tags.length);
		expect(used).not.toEqual([]);
		expect(new Set(used)).toEqual(new Set([`Basic ${Buffer.from('ann:p@ss').toString('base64')}`]));
	});

	test('leads the polls of a trigger, too', async () => {
		const { address, used } = await startProxy();
		await active({ event: 'contactCreated', requestOptions: { proxy: `http://${address}` } });
		expect(used.length).toBeGreaterThan(0);
	});

	/** Reads the list of tags as the editor does. */
	async function listTags(requestOptions: INodeParameters) {
		const { workspace } = await testWorkspace();
		const workflow = workflowOf({ parameters: {} });
		const additionalData = {
			...additionalDataOf({ baseUrl: workspace.url, accessToken: workspace.token }),
			currentNodeParameters: { requestOptions },
		};
		const node = workflow.getNode(NODE_NAME)!;
		const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.tagId');
		return (await compiledNode.methods!.listSearch!.searchTags.call(context)).results;
	}

	test('leads the lists in the editor, too', async () => {
		const { address, used } = await startProxy();
		expect(await listTags({ proxy: `http://${address}` })).not.toEqual([]);
		expect(used.length).toBeGreaterThan(0);
	});

	test('and Timeout that the editor could not evaluate do not apply to its lists', async () => {
		const options = { proxy: '={{ $env.PROXY }}', timeout: '={{ $json.timeout }}' };
		expect(await listTags(options)).not.toEqual([]);
	});

	test('does nothing if it is empty', async () => {
		const { run } = await testWorkspace();
		expect((await run({ ...readTags, requestOptions: { proxy: '' } })).error).toBeUndefined();
	});
});

describe('Ignore SSL Issues', () => {
	/** Starts a service whose certificate nobody trusts. */
	async function startService() {
		const { workspace } = await testWorkspace();
		const { host } = new URL(workspace.url);
		const service = createHttpsServer(selfSignedCertificate(), (request, response) => {
			const { method, headers } = request;
			sendOn(`http://${host}${request.url}`, { method, headers }, (answer) => {
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			}).end();
		});
		const baseUrl = workspace.url.replace(`http://${host}`, `https://${await listen(service)}`);
		return { workspace, credential: { baseUrl, accessToken: workspace.token } };
	}

	async function readSecurely(requestOptions: INodeParameters) {
		const { workspace, credential } = await startService();
		const result = await runNode({
			parameters: { ...readTags, requestOptions: { maxRetries: 0, ...requestOptions } },
			credential,
		});
		return { result, requests: await received(workspace) };
	}

	async function pollSecurely(requestOptions: INodeParameters) {
		const { workspace, credential } = await startService();
		const host = new TriggerHost(credential, { event: 'contactCreated', requestOptions });
		await host.activate().catch(() => undefined);
		return { requests: await received(workspace) };
	}

	test('is off: the node sends nothing to a service whose certificate it cannot trust', async () => {
		const { result, requests } = await readSecurely({});
		expect(shownOf(result)).toContain("its TLS certificate isn't trusted");
		expect(requests).toEqual([]);
	});

	test.each([true, false])('lets a trigger poll such a service: %s', async (isOn) => {
		const { requests } = await pollSecurely({ allowUnauthorizedCerts: isOn });
		expect(requests.length > 0).toBe(isOn);
	});

	test('lets the node connect to such a service', async () => {
		const { result, requests } = await readSecurely({ allowUnauthorizedCerts: true });
		expect(result.error).toBeUndefined();
		expect(requests).not.toEqual([]);
	});
});

describe('Batching', () => {
	/** The times between the starts of the requests for three items, in milliseconds. */
	async function pauses(batch: INodeParameters) {
		const { run, workspace } = await testWorkspace();
		const parameters = { resource: 'tag', operation: 'create', name: fromItem('name') };
		const items = ['a', 'b', 'c'].map((name) => ({ name }));
		await run({ ...parameters, requestOptions: { batching: { batch } } }, items);
		const times = (await workspace.journal()).requests.map(({ at }) => at).sort((a, b) => a - b);
		expect(times).toHaveLength(3);
		return times.slice(1).map((at, index) => at - times[index]);
	}

	test('that the user adds without a change waits for a second after 50 items', async () => {
		expect(Math.max(...(await pauses({})))).toBeLessThan(900);
		const [first, second] = await pauses({ batchSize: 1 });
		expect(Math.min(first, second)).toBeGreaterThanOrEqual(700);
	});

	test('is off with -1 items, and 0 items mean one', async () => {
		expect(Math.max(...(await pauses({ batchSize: -1, batchInterval: 5000 })))).toBeLessThan(4000);
		expect(
			Math.min(...(await pauses({ batchSize: 0, batchInterval: 600 }))),
		).toBeGreaterThanOrEqual(300);
	});
});
