import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { runNode } from '../support/engine/engine';
import { once } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { sandbox } from '../support/sandbox';
import type { Faults } from '../../sandbox/options';
import { everyOperation } from '../support/operations';
import { ownServer } from '../support/engine/record';

const MEGABYTE = 2 ** 20;
const accessToken = 'token-of-these-tests';
const teams = { resource: 'team', operation: 'getAll', ...once };

/** By how much the memory of this process grows while something is done, in megabytes. */
async function growth(work: () => Promise<unknown>): Promise<number> {
	const before = process.memoryUsage.rss();
	let most = before;
	const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
	await work();
	clearInterval(watch);
	return (most - before) / MEGABYTE;
}

describe('No answer breaks any operation', () => {
	test.each<[string, Faults]>([
		['that is an HTML page', { hostile: [{ mode: 'notJson' }] }],
		['that is incomplete JSON', { hostile: [{ mode: 'brokenJson' }] }],
		['that breaks off', { hostile: [{ mode: 'cut' }] }],
		['that stops', { hostile: [{ mode: 'slow' }] }],
		...(
			[
				'string',
				'number',
				'null',
				'dataNull',
				'dataString',
				'nested',
				'listOfNulls',
				'emptyObject',
			] as const
		).map((shape): [string, Faults] => [
			`of the shape "${shape}"`,
			{ hostile: [{ mode: 'wrongShape', shape }] },
		]),
	])(
		'after an answer %s',
		async (_, faults) => {
			const { workspace, run } = await testWorkspace();
			const operations = everyOperation(await workspace.state());
			await workspace.faults(faults);
			const unclear: Array<{ name: string; message: string; items: number }> = [];
			for (const [name, parameters] of Object.entries(operations)) {
				const requestOptions = { ...(once.requestOptions as object), timeout: 100 };
				const { error, outputs } = await run({ ...parameters, requestOptions });
				// Some have nothing to read in an answer; the others say in plain words what is wrong.
				if (error === undefined) continue;
				const { message } = error;
				const items = outputs.flat().length;
				const isPlain =
					/(\[item 0\]|Check the Base URL in the credential\.)( The contact cannot open .+)?$/.test(
						message,
					) && !/undefined|\[object|is not a function|Cannot read|JSON at position/.test(message);
				if (!isPlain || items > 0) unclear.push({ name, message, items });
			}
			expect(unclear).toEqual([]);
		},
		120_000,
	);
});

describe('An answer of any size', () => {
	test('ends with an error and a closed connection if it has no end', async () => {
		const { workspace, run } = await testWorkspace({ faults: { hostile: [{ mode: 'endless' }] } });
		const used = await growth(async () => {
			const { error } = await run(teams);
			expect(error?.message).toContain('larger than 100 MB');
		});
		expect(used).toBeLessThan(600);
		const [{ sentBytes }] = (await workspace.journal()).requests;
		expect(sentBytes).toBeLessThan(150 * MEGABYTE);
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect((await workspace.journal()).requests[0].sentBytes).toBe(sentBytes);
	});

	test.each<[string, () => Transform]>([
		['gzip', createGzip],
		['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
		['deflate', createDeflate],
	])('ends with an error if it unpacks to 1 GB (%s)', async (encoding, compressor) => {
		const blank = Buffer.alloc(8 * MEGABYTE, ' ');
		const bomb = await buffer(Readable.from(Array(128).fill(blank)).pipe(compressor()));
		expect(bomb.length).toBeLessThan(2 * MEGABYTE);
		const own = await ownServer((response) => {
			response
				.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
				.end(bomb);
		});
		const used = await growth(async () => {
			const { error } = await runNode({
				parameters: teams,
				credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
			});
			expect(error?.message).toContain('larger than 100 MB');
		});
		expect(used).toBeLessThan(600);
	});

	test.each(['gzip, gzip', 'unknown', 'gzip'])(
		'is an error if it is not encoded as it says (%s)',
		async (encoding) => {
			const own = await ownServer((response) => {
				response.writeHead(200, { 'content-encoding': encoding }).end('{"data":[');
			});
			const { error } = await runNode({
				parameters: teams,
				credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
			});
			expect(error?.message).toMatch(/broke before the answer arrived|other than JSON/);
		},
	);

	test('can have 64 MB', async () => {
		const { run } = await testWorkspace({ faults: { hostile: [{ mode: 'huge', megabytes: 64 }] } });
		const { json, error } = await run({ ...teams, simplify: false });
		expect(error).toBeUndefined();
		expect(json).toHaveLength(1);
	});

	test('can nest 100,000 levels deep without harm', async () => {
		const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
		const own = await ownServer((response) => response.end(`{"data":${deep}}`));
		const { error } = await runNode({
			parameters: teams,
			credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
		});
		expect(error?.message).toContain("answered in a form that this operation doesn't understand");
	});

	test('ends with an error if its headers do not end', async () => {
		const own = await ownServer((response) => {
			response.socket?.write(`HTTP/1.1 200 OK\r\n${'X-Long: x\r\n'.repeat(100_000)}`);
		});
		const { error } = await runNode({
			parameters: teams,
			credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
		});
		expect(error?.message).toContain('broke before the answer arrived');
	});
});

describe('A list that never ends', () => {
	/** A service that has more contacts on every page, of which it never says how many there are. */
	const endless = async (pageCount?: number) =>
		await ownServer((response, { url = '' }) => {
			const page = Number(new URL(url, 'http://localhost').searchParams.get('page'));
			const data = Array.from({ length: 100 }, (_, nth) => ({ id: `${page}-${nth}`, name: 'x' }));
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ data, pageCount }));
		});
	const list = { resource: 'tag', operation: 'getAll', simplify: false, ...once };

	test.each([undefined, 9_007_199_254_740_991])(
		'is read only up to the limit (pageCount %p)',
		async (pageCount) => {
			const own = await endless(pageCount);
			const { json } = await runNode({
				parameters: { ...list, limit: 250 },
				credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
			});
			expect(json).toHaveLength(250);
			expect(own.arrived.length).toBeLessThan(10);
		},
	);

	test.each([undefined, 9_007_199_254_740_991])(
		'stops if the user cancels the run (pageCount %p)',
		async (pageCount) => {
			const own = await endless(pageCount);
			await runNode({
				parameters: { ...list, returnAll: true },
				credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
				onStarted: (cancel) => setTimeout(cancel, 500),
			});
			await new Promise((resolve) => setTimeout(resolve, 200));
			const asked = own.arrived.length;
			await new Promise((resolve) => setTimeout(resolve, 500));
			expect(asked).toBeGreaterThan(5);
			expect(own.arrived.length).toBe(asked);
		},
	);

	test('ends by itself if every page repeats the first', async () => {
		const { workspace, run } = await testWorkspace({ faults: { ignorePaging: true } });
		const { error } = await run({ ...list, returnAll: true });
		expect(error).toBeUndefined();
		expect((await workspace.summary()).requests).toBeLessThan(5);
		expect((await sandbox.unknownRequests(accessToken)).length).toBe(0);
	});
});

test('An answer cannot change the prototype of objects', async () => {
	const own = await ownServer((response) =>
		response.end(
			'{"data":[{"id":"1","name":"x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}]}',
		),
	);
	const { json } = await runNode({
		parameters: { resource: 'tag', operation: 'getAll', limit: 1 },
		credential: { baseUrl: `http://127.0.0.1:${own.port}`, accessToken },
	});
	expect(json).toHaveLength(1);
	expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
