import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { Faults } from '../../../sandbox/options';
import type { RunResult } from '../../support/engine/engine';
import { shownOf } from '../../support/engine/helpers';
import { spendTime } from '../../support/engine/skipPauses';
import { watched } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';
import { until } from '../../support/n8n/until';

/* How long runs wait for a service that has worked before: at a manual run, somebody waits. */

const listTags = { resource: 'tag', operation: 'getAll' };
const silent: Faults = { dropBefore: {} };
const proxyOnly: Faults = { fail: [{ status: 502, body: 'html' }] };
const up: Faults = { dropBefore: null, fail: null };

/** Longer than the longest pause between two tries of the first seconds. */
const NEXT_TRY_MS = 3500;

/** Lets so many seconds pass for something that waits; returns whether that has ended it. */
async function endsAfter(seconds: number, waiting: Promise<unknown>): Promise<boolean> {
	const ended = waiting.then(() => true);
	spendTime(seconds * 1000);
	return await Promise.race([ended, sleep(NEXT_TRY_MS, false, { ref: false })]);
}

/** The text of an error without the number of retries. */
const textOf = (result: RunResult) => shownOf(result).replace(/\d+ requests/, '');

/** A workspace that has answered an earlier run, and a run that begins while it is down. */
async function runWhileDown(
	faults: Faults,
	mode: WorkflowExecuteMode,
	options: INodeParameters = {},
) {
	const { workspace, run } = await testWorkspace();
	const parameters = { ...listTags, requestOptions: options };
	await run(parameters);
	await workspace.faults(faults);
	await workspace.clearJournal();
	const running = run(parameters, undefined, { mode });
	await requestsTo(workspace, 1);
	return { workspace, running };
}

/** Waits until a service has got so many requests, and until the node knows what became of them. */
async function requestsTo(workspace: SandboxWorkspace, count: number) {
	await until(
		async () => (await workspace.summary()).requests,
		(requests) => requests >= count,
		10_000,
	);
	await sleep(200);
}

test.each([
	['breaks off connections', silent],
	['is down behind its proxy', proxyOnly],
])('A manual run gives up after 20 seconds if the service %s', async (_, faults) => {
	const { running } = await runWhileDown(faults, 'manual');
	expect(await endsAfter(10, running)).toBe(false);
	expect(await endsAfter(10, running)).toBe(true);
	const impatient = await runWhileDown(faults, 'trigger', { giveUpAfter: 1 });
	expect(textOf(await running)).toBe(textOf(await impatient.running));
});

test.each<[string, WorkflowExecuteMode, INodeParameters]>([
	['A run in production', 'trigger', {}],
	['A run of a sub-workflow', 'integrated', {}],
	['A manual run with Give Up After of its own', 'manual', { giveUpAfter: 300 }],
])('%s waits for a service that is down', async (_, mode, options) => {
	const { workspace, running } = await runWhileDown(silent, mode, options);
	expect(await endsAfter(25, running)).toBe(false);
	await workspace.faults(up);
	const { error, json } = await running;
	expect(error).toBeUndefined();
	expect(json.length).toBeGreaterThan(0);
});

test('A manual run waits if the service has answered it before', async () => {
	const { workspace, run } = await testWorkspace();
	const batching = { batch: { batchSize: 1, batchInterval: 1000 } };
	const running = run({ ...listTags, requestOptions: { batching } }, [{}, {}], { mode: 'manual' });
	await requestsTo(workspace, 1);
	await workspace.faults(silent);
	await requestsTo(workspace, 2);
	expect(await endsAfter(25, running)).toBe(false);
	await workspace.faults(up);
	expect((await running).error).toBeUndefined();
});

test('A rate limit is an answer, so that a manual run goes on waiting', async () => {
	const { workspace, run } = await testWorkspace();
	const fail = [{ status: 429, times: 1, headers: { 'retry-after': '1' } }];
	await workspace.faults({ fail });
	const running = run(listTags, undefined, { mode: 'manual' });
	await requestsTo(workspace, 1);
	await workspace.faults({ ...up, ...silent });
	await requestsTo(workspace, 2);
	expect(await endsAfter(25, running)).toBe(false);
	await workspace.faults(up);
	expect((await running).error).toBeUndefined();
});

test('A test event gives up after 20 seconds', async () => {
	const { workspace, host } = await watched({ event: 'tagAdded' });
	await host.fetchTestEvent();
	await workspace.faults(silent);
	await workspace.clearJournal();
	const fetching = host.fetchTestEvent();
	await requestsTo(workspace, 1);
	expect(await endsAfter(21, fetching)).toBe(true);
	expect((await fetching).error?.message).toContain('broke before the answer arrived');
});
