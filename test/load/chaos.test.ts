import { testWorkspace } from '../support/engine/workspace';

const send = {
	resource: 'message',
	operation: 'send',
	identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	text: '=Hello {{ $json.n }}',
};

async function people(count: number, options: Parameters<typeof testWorkspace>[0]) {
	const test = await testWorkspace({ contacts: count, ...options });
	const items = (await test.workspace.state()).contacts.map(({ id }, n) => ({ id, n }));
	await test.workspace.clearJournal();
	return { ...test, items };
}

/** Every contact has one message, and nobody has two. */
async function expectOneEach(
	workspace: Awaited<ReturnType<typeof people>>['workspace'],
	count: number,
) {
	const { messages } = await workspace.summary();
	expect(messages).toEqual({ delivered: count, contacts: count, repeated: 0 });
}

test('2,500 messages arrive once each although the service fails, drops connections and limits the rate', async () => {
	const { run, workspace, items } = await people(2500, {
		faults: {
			fail: [500, 502, 503].map((status) => ({ status, rate: 0.1 / 3, body: 'html' as const })),
			dropBefore: { rate: 0.05 },
			dropAfter: { rate: 0.05 },
			// A slow machine sends more than that, too.
			rateLimit: { requests: 300, windowMs: 10_000, kind: 'sliding', tell: 'none' },
		},
	});
	// Without it, the node stops after two lost answers: this service deduplicates, but does not say
	// so.
	const requestOptions = { retryWhenOutcomeUnknown: 'always' };
	const { json, error } = await run({ ...send, requestOptions }, items);
	expect(error?.message).toBeUndefined();
	expect(json).toHaveLength(2500);
	await expectOneEach(workspace, 2500);
	const { byFault } = await workspace.summary();
	for (const fault of ['fail', 'dropBefore', 'dropAfter', 'rateLimit'])
		expect(byFault[fault]).toBeGreaterThan(0);
}, 900_000);

test('500 messages arrive once each at a newer service, which deduplicates, although it fails and drops connections', async () => {
	const { run, workspace, items } = await people(500, {
		service: 'newer',
		faults: {
			fail: [{ status: 504, rate: 0.2, after: true }],
			dropAfter: { rate: 0.2 },
			rateLimit: null,
		},
	});
	const { json, error } = await run(send, items);
	expect(error?.message).toBeUndefined();
	expect(json).toHaveLength(500);
	await expectOneEach(workspace, 500);
}, 400_000);

test('No message arrives more than twice at an older service, and the run names those whose outcome is unknown', async () => {
	const { run, workspace, items } = await people(200, {
		service: 'older',
		faults: { dropAfter: { rate: 0.3 }, rateLimit: null },
	});
	const { json, error } = await run(send, items, { onError: 'continueRegularOutput' });
	expect(error?.message).toBeUndefined();
	const failed = json.filter((item) => item.error !== undefined);
	expect(failed.length).toBeGreaterThan(0);
	expect(
		failed.every((item) => String(item.error).includes('may or may not have gone through')),
	).toBe(true);
	const perContact = new Map<string, number>();
	for (const { contactId } of (await workspace.journal()).messages)
		perContact.set(contactId, (perContact.get(contactId) ?? 0) + 1);
	expect(Math.max(...perContact.values())).toBe(2);
	expect(perContact.size).toBe(200);
}, 400_000);

test('Every message arrives if the limit is 14 times lower than configured and the service never states it', async () => {
	const { run, workspace, items } = await people(500, {
		faults: { rateLimit: { requests: 119, windowMs: 10_000, kind: 'sliding', tell: 'none' } },
	});
	const credential = {
		baseUrl: workspace.url,
		accessToken: workspace.token,
		requestsPerMinute: 10_000,
	};
	const { json, error } = await run(send, items, { credential });
	expect(error?.message).toBeUndefined();
	expect(json).toHaveLength(500);
	await expectOneEach(workspace, 500);
}, 900_000);

/** Runs that mostly wait go side by side. */
test('The node follows every wait that a service states, in any form', async () => {
	const wait = async (tell: 'seconds' | 'date') => {
		const { run, workspace, items } = await people(150, {
			faults: { rateLimit: { requests: 50, windowMs: 3000, kind: 'fixed', tell } },
		});
		const { error } = await run(send, items);
		expect([tell, error?.message]).toEqual([tell, undefined]);
		await expectOneEach(workspace, 150);
	};
	await Promise.all((['seconds', 'date'] as const).map(wait));
}, 400_000);

test('A service with fixed or sliding windows refuses nothing at the limit of the credential', async () => {
	const runAtLimit = async (kind: 'fixed' | 'sliding') => {
		const { run, workspace, items } = await people(700, {
			faults: {
				rateLimit: { requests: 400, windowMs: 60_000, kind, tell: 'none' },
				latencyMs: [5, 150],
			},
		});
		const credential = {
			baseUrl: workspace.url,
			accessToken: workspace.token,
			requestsPerMinute: 400,
		};
		const { error } = await run(send, items, { credential });
		expect([kind, error?.message]).toEqual([kind, undefined]);
		await expectOneEach(workspace, 700);
		// A busy machine may lose a connection, and then n8n sends once more.
		const { byStatus } = await workspace.summary();
		expect([kind, byStatus['429']]).toEqual([kind, undefined]);
	};
	await Promise.all((['fixed', 'sliding'] as const).map(runAtLimit));
}, 600_000);
