import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../support/engine/engine';
import { by, once, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { sandbox } from '../../support/sandbox';

const read = { resource: 'tag', operation: 'getAll', ...once };
const creation = { resource: 'tag', operation: 'create', name: 'New', ...once };
const repeatable = {
	resource: 'tag',
	operation: 'update',
	tagId: by('id', '4711'),
	name: 'New',
	...once,
};
const readOrCreation = [
	['reads', read],
	['creates', creation],
] as const;
const unknown = 'This may or may not have gone through';

const accessToken = 'token-of-nobody';
const at = async (baseUrl: string, parameters: INodeParameters) =>
	await runNode({ parameters, credential: { baseUrl, accessToken } });

/** An address at which nothing listens. */
async function closedAddress() {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return `127.0.0.1:${port}`;
}

describe("A service that can't be reached", () => {
	test.each(readOrCreation)(
		'is reported to a request that %s if nothing listens at its address',
		async (_, parameters) => {
			const host = await closedAddress();
			const result = await at(`http://${host}`, parameters);
			expect(shownOf(result)).toContain(
				`The service at ${host} can't be reached: it refuses connections.`,
			);
			expect(result.error?.message).toContain('Check the Base URL in the credential');
			expect(result.error?.message.includes('Nothing was changed.')).toBe(parameters === creation);
			expect(result.kept).not.toContain(accessToken);
		},
	);

	test("is reported if the host doesn't exist", async () => {
		const result = await at('http://workspace.invalid', read);
		expect(shownOf(result)).toMatch(
			/The service at workspace\.invalid can't be reached: (the host doesn't exist|the host name couldn't be looked up)\./,
		);
		expect(result.kept).not.toContain(accessToken);
	});

	test('is reported as an unknown outcome if the server speaks no HTTP', async () => {
		const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-Server\r\n'));
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		try {
			const result = await at(`http://127.0.0.1:${port}`, creation);
			expect(shownOf(result)).toContain(unknown);
			expect(result.kept).not.toContain(accessToken);
		} finally {
			server.close();
		}
	});

	test('is reported if the server has no TLS', async () => {
		const result = await at(sandbox.url.replace('http:', 'https:'), creation);
		expect(shownOf(result)).toContain("can't be reached");
		expect(result.error?.message).toContain('Nothing was changed.');
		expect(result.kept).not.toContain(accessToken);
	});
});

describe('A connection that breaks', () => {
	test.each(['dropBefore', 'dropAfter'] as const)(
		'is reported for a request that reads (%s)',
		async (fault) => {
			const { workspace, run } = await testWorkspace({ faults: { [fault]: {} } });
			const result = await run(read);
			expect(shownOf(result)).toMatch(/broke before the answer arrived.*Try again later\./);
			expect(result.error?.message).not.toContain(unknown);
			expect(await received(workspace)).toHaveLength(1);
		},
	);

	test.each([
		['dropBefore', 'creates', creation],
		['dropBefore', 'updates', repeatable],
		['dropAfter', 'creates', creation],
		['dropAfter', 'updates', repeatable],
	] as const)(
		'is reported as an unknown outcome (%s) for a request that %s',
		async (fault, _, parameters) => {
			const { workspace, run } = await testWorkspace({ faults: { [fault]: {} } });
			const result = await run(parameters);
			expect(shownOf(result)).toContain(unknown);
			expect(await received(workspace)).toHaveLength(1);
		},
	);

	test('is reported if it breaks in the middle of the answer', async () => {
		const { run } = await testWorkspace({ faults: { hostile: [{ mode: 'cut' }] } });
		expect(shownOf(await run(read))).toMatch(/broke before the answer arrived.*Try again later\./);
		expect(shownOf(await run(creation))).toContain(unknown);
	});
});

describe('An answer that does not end', () => {
	test.each([
		['before it begins', { latencyMs: 30_000 }],
		['half way', { hostile: [{ mode: 'slow' as const }] }],
	])('is a timeout if it stops %s', async (_, faults) => {
		const { run } = await testWorkspace({ faults });
		const started = Date.now();
		const requestOptions = { maxRetries: 0, giveUpAfter: 0, timeout: 300 };
		expect(shownOf(await run({ ...read, requestOptions }))).toMatch(
			/it took too long\. Try again later\./,
		);
		expect(shownOf(await run({ ...creation, requestOptions }))).toContain(unknown);
		expect(Date.now() - started).toBeLessThan(20_000);
	});

	test.each([
		['comes on and on', { mode: 'endless' } as const],
		['unpacks to too much', { mode: 'gzipBomb', megabytes: 120 } as const],
	])('is too large if it %s', async (_, hostile) => {
		const { run } = await testWorkspace({ faults: { hostile: [hostile] } });
		expect(shownOf(await run(read))).toContain("The service's answer is larger than 100 MB");
	});
});

describe('The node follows no redirect and keeps the token with the service', () => {
	const statuses = [301, 302, 303, 307, 308] as const;

	test.each(
		statuses.flatMap((status) => readOrCreation.map((request) => [status, ...request] as const)),
	)(
		'after a status of %d to another origin, to a request that %s',
		async (status, _, parameters) => {
			const { workspace, run } = await testWorkspace({
				faults: { redirect: { status, to: 'other' } },
			});
			await sandbox.clearUnknownRequests();
			const result = await run(parameters);
			expect(shownOf(result)).toContain(`redirects to ${sandbox.otherUrl} (`);
			expect(result.error?.message).toContain('as Base URL in the credential');
			expect(result.error?.message.includes('Nothing was changed.')).toBe(parameters === creation);
			expect(await received(workspace)).toHaveLength(1);
			expect(
				(await sandbox.unknownRequests()).filter(({ listener }) => listener === 'other'),
			).toEqual([]);
		},
	);

	test.each(statuses)('after a status of %d within the origin', async (status) => {
		const { workspace, run } = await testWorkspace({
			faults: { redirect: { status, to: 'same' } },
		});
		expect(shownOf(await run(creation))).toContain('The service redirects to ');
		expect(await received(workspace)).toHaveLength(1);
	});
});
