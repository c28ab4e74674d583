import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { by, fromItem, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const read = {
	resource: 'contact',
	operation: 'get',
	identifier: by('id', fromItem('id')),
	simplify: false,
};

test('Execute Once sends what the first item asks for, and links the output to it', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 3 });
	const { contacts } = await workspace.state();
	const { outputs, error } = await run(
		read,
		contacts.map(({ id }) => ({ id })),
		{ executeOnce: true },
	);
	expect(error).toBeUndefined();
	expect(outputs[0]).toEqual([
		{ json: expect.objectContaining({ id: contacts[0].id }), pairedItem: { item: 0 } },
	]);
	expect(await received(workspace)).toHaveLength(1);
});

describe('The hint at the output', () => {
	const hintsOf = async (faults: object, requestsPerMinute = 1_000_000) => {
		const { workspace, run } = await testWorkspace({ contacts: 3 });
		const items = (await workspace.state()).contacts.map(({ id }) => ({ id }));
		await workspace.faults(faults);
		const credential = { baseUrl: workspace.url, accessToken: workspace.token, requestsPerMinute };
		const { hints, error } = await run(read, items, { credential });
		expect(error).toBeUndefined();
		return hints;
	};

	test('says how many requests were retried', async () => {
		expect(await hintsOf({ fail: [{ status: 503, times: 2 }] })).toEqual([
			'2 requests were retried.',
		]);
	});

	test('says how often the service asked to slow down, and how long the run waited for it', async () => {
		const fail = { status: 429, times: 1, headers: { 'retry-after': '2' } };
		const [hint] = await hintsOf({ fail: [fail] });
		expect(hint).toMatch(
			/^This run (waited \d s because of the rate limit \(slowed down 1 time\)|was slowed down 1 time because of the rate limit)\.$/,
		);
	});

	test('says how long the run waited in total', async () => {
		const rateLimit = { requests: 1, windowMs: 1500, tell: 'seconds' } as const;
		const { workspace, run } = await testWorkspace({ contacts: 1, faults: { rateLimit } });
		const identifier = by('id', (await workspace.state()).contacts[0].id);
		// Messages to one contact go one after the other.
		const parameters = { resource: 'message', operation: 'send', identifier, text: fromItem() };
		const startedAt = Date.now();
		const { hints, error } = await run(
			parameters,
			['1', '2', '3', '4'].map((value) => ({ value })),
		);
		const seconds = (Date.now() - startedAt) / 1000;
		expect(error).toBeUndefined();
		const waited = Number(/^This run waited (\d+) s because of the rate limit/.exec(hints[0])?.[1]);
		expect(waited).toBeGreaterThanOrEqual(3);
		expect(waited).toBeGreaterThanOrEqual(seconds - 2);
		expect(waited).toBeLessThanOrEqual(seconds);
	});

	test.each([
		['older', true],
		['newer', false],
	] as const)(
		'says on a %s service whether a message may have arrived twice (%s)',
		async (service, isSaid) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 2 });
			const items = (await workspace.state()).contacts.map(({ id }) => ({ id }));
			await workspace.faults({
				dropAfter: { times: 1, match: { operation: 'sendMessage' } },
			});
			const { hints, error } = await run(
				{
					resource: 'message',
					operation: 'send',
					identifier: by('id', fromItem('id')),
					text: 'Hi',
				},
				items,
			);
			expect(error).toBeUndefined();
			expect(hints.join(' ')).toContain('1 request was retried.');
			expect(hints.join(' ').includes('1 message may have arrived twice')).toBe(isSaid);
		},
	);

	test('is missing if all went well', async () => {
		expect(await hintsOf({})).toEqual([]);
	});
});

test('The error of a run that stops says how many requests were retried', async () => {
	const { run } = await testWorkspace({
		faults: {
			fail: [
				{ status: 503, times: 1 },
				{ status: 403, message: 'No' },
			],
		},
	});
	const { error } = await run({ resource: 'tag', operation: 'getAll' });
	expect(error?.description).toMatch(/ 1 request was retried\.$/);
});

describe('The log of n8n', () => {
	/** What is in the log of n8n when a run has ended. */
	async function logOf(work: () => Promise<unknown>) {
		const log = jest.spyOn(Container.get(Logger), 'info').mockImplementation(() => {});
		try {
			await work();
			return log.mock.calls
				.map(([line]) => line)
				.filter((line) => line.startsWith('Workspace Messaging'));
		} finally {
			log.mockRestore();
		}
	}

	const send = (id: string) => ({
		resource: 'message',
		operation: 'send',
		identifier: by('id', id),
		text: fromItem(),
	});
	const texts = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ value: `${index}` }));

	test('names the items that were not sent when an execution of 200 messages is cancelled', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1, faults: { latencyMs: 50 } });
		const { id } = (await workspace.state()).contacts[0];
		const lines = await logOf(async () => {
			const cancelAfterSome = async (cancel: () => void) => {
				while ((await received(workspace)).length < 5) await sleep(50);
				cancel();
			};
			await run(send(id), texts(200), { onStarted: (cancel) => void cancelAfterSome(cancel) });
			// n8n does not wait for what it has cancelled.
			await sleep(500);
		});
		const sent = (await received(workspace)).length;
		expect(sent).toBeGreaterThan(0);
		expect(lines).toHaveLength(1);
		const told =
			/^Workspace Messaging: The execution was cancelled\. 200 items: (\d+) sent \(items 0–(\d+)\), (?:1 sent with unknown outcome \(item (\d+)\), )?(\d+) not attempted \(items (\d+)–199\)\.$/;
		expect(lines[0]).toMatch(told);
		const [done, lastDone, unknown, notSent, firstNotSent] = (told.exec(lines[0]) ?? [])
			.slice(1)
			.map(Number);
		expect(lastDone).toBe(done - 1);
		const tried = Number.isNaN(unknown) ? done : done + 1;
		expect(firstNotSent).toBe(tried);
		expect(notSent).toBe(200 - tried);
		// The one of which it is not known may have arrived or not.
		expect([done, tried]).toContain(sent);
	});

	test('says which items were sent if some failed', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const { id } = (await workspace.state()).contacts[0];
		const items = [...texts(2), { value: '' }];
		const lines = await logOf(() => run(send(id), items, { onError: 'continueRegularOutput' }));
		expect(lines).toEqual([
			'Workspace Messaging: 3 items: 2 sent (items 0–1), 1 not attempted (item 2).',
		]);
	});

	test('has no line about a short run in which all went well', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		const { id } = (await workspace.state()).contacts[0];
		expect(await logOf(() => run(send(id), texts(3)))).toEqual([]);
	});
});

test('The error of one item says that nothing was sent for this item, and what was sent for the others', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1 });
	const { id } = (await workspace.state()).contacts[0];
	const parameters = {
		resource: 'message',
		operation: 'send',
		identifier: by('id', fromItem('id')),
		text: 'Hello',
		// Long enough for the refusal to come before the third item's turn, on a busy machine, too.
		requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1500 } } },
	};
	const several = await run(parameters, [{ id }, { id: '4711' }, { id }]);
	expect(several.error?.headline).toBe('No contact has the ID 4711. [item 1]');
	expect(several.error?.description).toBe(
		'Nothing was sent for this item. 3 items: 1 sent (item 0), 1 failed (item 1), 1 not attempted (item 2). n8n counts from 0: item 1 is the 2nd.',
	);
	const alone = await run(parameters, [{ id: '4711' }]);
	expect(alone.error?.message).toContain('Nothing was sent. [item 0]');
	expect(alone.error?.description).toBe('Nothing was sent.');
});
