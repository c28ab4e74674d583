import { testWorkspace } from '../support/engine/workspace';

const send = {
	resource: 'message',
	operation: 'send',
	identifier: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
	text: 'Hello',
};

/** Takes 120 requests in each fixed 10 s, and says so in the text of a 429 alone. */
const rateLimit = { requests: 120, windowMs: 10_000, kind: 'fixed', tell: 'words' } as const;

test('The node finds a limit that only a 429 reveals once, after few refusals, and keeps it for the next run', async () => {
	const { run, workspace } = await testWorkspace({
		contacts: 1000,
		faults: { rateLimit, latencyMs: 40 },
	});
	const items = (await workspace.state()).contacts.map(({ id }) => ({ id }));

	const sendTo = async (some: typeof items) => {
		await workspace.clearJournal();
		const started = performance.now();
		const { error } = await run(send, some);
		const seconds = (performance.now() - started) / 1000;
		expect(error?.message).toBeUndefined();
		const { messages, byStatus } = await workspace.summary();
		expect(messages).toEqual({ delivered: 500, contacts: 500, repeated: 0 });
		const refused = byStatus['429'] ?? 0;
		process.stderr.write(`  500 messages: ${seconds.toFixed(1)} s, ${refused} answers of 429\n`);
		return { seconds, refused };
	};

	// Four windows of 120 messages take 40 s, and the last 20 are at the start of the fifth. A slow
	// machine needs longer.
	const mostSeconds = 120;
	const first = await sendTo(items.slice(0, 500));
	// Up to 124 are in flight when the first one is refused, and the rate is found with a few more.
	expect(first.refused).toBeLessThanOrEqual(160);
	expect(first.seconds).toBeLessThanOrEqual(mostSeconds);

	const second = await sendTo(items.slice(500));
	expect(second.refused).toBeLessThanOrEqual(25);
	expect(second.seconds).toBeLessThanOrEqual(mostSeconds);
}, 900_000);
