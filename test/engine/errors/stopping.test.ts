import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { by, fromItem, received, shownOf } from '../../support/engine/helpers';
import { skipPauses } from '../../support/engine/skipPauses';
import { testWorkspace } from '../../support/engine/workspace';

const update = {
	resource: 'contact',
	operation: 'update',
	identifier: by('id', fromItem('id')),
	updateFields: { lastName: fromItem('name') },
	requestOptions: { maxRetries: 0 },
};
const createTags = {
	resource: 'tag',
	operation: 'create',
	name: fromItem('name'),
	requestOptions: { maxRetries: 0 },
};

describe('On Error: Stop', () => {
	test('sends no more items after one fails, and says which items were not sent', async () => {
		const count = 1200;
		const { workspace, run } = await testWorkspace({ contacts: count, faults: { latencyMs: 50 } });
		const { contacts } = await workspace.state();
		const items = contacts.map(({ id }) => ({ id, name: 'Changed' }));
		items[7].id = '4711';
		const result = await run(update, items);

		expect(shownOf(result)).toContain('No contact has the ID 4711.');
		expect(result.error?.context?.itemIndex).toBe(7);
		expect(result.outputs.flat()).toEqual([]);

		const changed = (await workspace.state()).contacts.filter(
			({ lastName }) => lastName === 'Changed',
		).length;
		expect(changed).toBeGreaterThan(0);
		expect(changed).toBeLessThan(count - 1);
		const told =
			/1,200 items: ([\d,]+) done \(items 0–6, 8–\d+.*\), 1 failed \(item 7\), ([\d,]+) not attempted \(items .*1199\)\. n8n counts from 0: item 7 is the 8th\.$/;
		const [done, notSent] = (told.exec(result.error?.description ?? '') ?? [])
			.slice(1)
			.map((number) => Number(number.replaceAll(',', '')));
		expect(done).toBe(changed);
		expect(done + 1 + notSent).toBe(count);
	});

	test('counts an item with unknown outcome apart from the others', async () => {
		const match = { pathPattern: 'tags', method: 'POST' };
		const { workspace, run } = await testWorkspace({
			faults: { fail: [{ status: 500, times: 1, match, after: true }], latencyMs: 20 },
		});
		const items = ['a', 'b', 'c'].map((name) => ({ name }));
		const result = await run(createTags, items);
		expect(result.error?.description).toMatch(
			/3 items: 2 done \(items .*\), 1 sent with unknown outcome \(item \d\)\. n8n counts from 0: item \d is the \d\w\w\.$/,
		);
		const unknownItem = Number(
			/unknown outcome \(item (\d)\)/.exec(result.error?.description ?? '')?.[1],
		);
		expect(result.error?.context?.itemIndex).toBe(unknownItem);
		expect(await received(workspace)).toHaveLength(3);
	});

	test('says which items could not be read', async () => {
		const { run } = await testWorkspace({ contacts: 1 });
		const { error } = await run(
			{ resource: 'contact', operation: 'get', identifier: by('id', fromItem('id')) },
			[{ id: '1' }, { id: '2' }],
		);
		expect(error?.message).toContain('No contact has the ID 1.');
		expect(error?.description).toContain('All 2 items failed.');
	});

	test('sends no more batches after an item fails', async () => {
		const { workspace, run } = await testWorkspace({
			faults: { fail: [{ status: 409, message: 'Taken', times: 1 }] },
		});
		const batching = { batch: { batchSize: 1, batchInterval: 2000 } };
		const { error } = await run(
			{ ...createTags, requestOptions: { maxRetries: 0, batching } },
			['a', 'b', 'c'].map((name) => ({ name })),
		);
		expect(error?.context?.itemIndex).toBe(0);
		expect(error?.description).toContain('1 failed (item 0), 2 not attempted (items 1–2).');
		expect(await received(workspace)).toHaveLength(1);
	});
});

test('Batching waits between batches as long as its settings say', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 5 });
	const { contacts } = await workspace.state();
	const batchInterval = 123_456;
	const sent: number[] = [];
	const stop = skipPauses(batchInterval, async () => {
		const expected = 2 * (sent.length + 1);
		while ((await received(workspace)).length < expected) await sleep(5);
		sent.push((await received(workspace)).length);
	});
	await run(
		{ ...update, requestOptions: { batching: { batch: { batchSize: 2, batchInterval } } } },
		contacts.map(({ id }) => ({ id, name: 'x' })),
	);
	stop();
	expect(sent).toEqual([2, 4]);
	expect(await received(workspace)).toHaveLength(5);
});

describe('A cancelled execution', () => {
	const five = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));

	/** Cancels after some time and tells how long the execution went on. */
	async function cancelled(
		options: WorkspaceOptions,
		parameters: INodeParameters,
		credential: { requestsPerMinute?: number } = {},
	) {
		const { workspace, run } = await testWorkspace(options);
		let cancelledAt = 0;
		const result = await run(parameters, five, {
			credential: { baseUrl: workspace.url, accessToken: workspace.token, ...credential },
			onStarted: (cancel) =>
				setTimeout(() => {
					cancelledAt = Date.now();
					cancel();
				}, 400),
		});
		return {
			result,
			wentOn: Date.now() - cancelledAt,
			requests: await received(workspace),
			workspace,
		};
	}

	test('does not wait for the rate limit', async () => {
		const { wentOn, requests } = await cancelled({}, createTags, { requestsPerMinute: 2 });
		expect(wentOn).toBeLessThan(30_000);
		expect(requests).toHaveLength(2);
	});

	test('shares the rate limit with executions that start at the same time', async () => {
		const { workspace, run } = await testWorkspace();
		const credential = {
			baseUrl: workspace.url,
			accessToken: workspace.token,
			requestsPerMinute: 3,
		};
		const onStarted = (cancel: () => void) => setTimeout(cancel, 1500);
		await Promise.all(
			['1', '2', '3', '4'].map(async (execution) => {
				const items = five.map(({ name }) => ({ name: `${name}${execution}` }));
				await run(createTags, items, { credential, onStarted });
			}),
		);
		expect(await received(workspace)).toHaveLength(3);
	});

	test('does not wait as long as the service asks after a 429', async () => {
		const fail = { status: 429, headers: { 'retry-after': '60' } };
		const { wentOn, requests } = await cancelled({ faults: { fail: [fail] } }, createTags);
		expect(wentOn).toBeLessThan(30_000);
		expect(requests.length).toBeLessThanOrEqual(5);
	});

	test('does not wait for the next retry', async () => {
		const fail = { status: 503, headers: { 'retry-after': '8' } };
		const { wentOn, workspace } = await cancelled(
			{ faults: { fail: [fail] } },
			{ resource: 'tag', operation: 'getAll', requestOptions: { maxRetries: 20 } },
		);
		expect(wentOn).toBeLessThan(6000);
		// What had left before the end may arrive after it.
		await sleep(500);
		const arrived = (await received(workspace)).length;
		await sleep(8000);
		expect(await received(workspace)).toHaveLength(arrived);
	});

	test('does not wait for the next batch, and sends no more', async () => {
		const batching = { batch: { batchSize: 2, batchInterval: 20_000 } };
		const { wentOn, workspace } = await cancelled(
			{},
			{ ...createTags, requestOptions: { batching } },
		);
		expect(wentOn).toBeLessThan(15_000);
		await sleep(500);
		expect(await received(workspace)).toHaveLength(2);
	});

	test('does not wait for the answer to a request', async () => {
		const { wentOn } = await cancelled({ faults: { latencyMs: 20_000 } }, createTags);
		expect(wentOn).toBeLessThan(15_000);
	});
});
