import type { IDataObject } from 'n8n-workflow';
import type { ConditionSet } from '../../../nodes/WorkspaceMessaging/contacts/conditions/condition';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import { messageNotDelivered } from '../../../nodes/WorkspaceMessaging/trigger/changes/undelivered';
import type {
	PollHost,
	PollResult,
	Settings,
} from '../../../nodes/WorkspaceMessaging/trigger/types';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';

/*
 * Random histories of an error log: entries come between the requests of a poll, polls fail, have no
 * time or run twice, the service fails for some contacts, and n8n restarts. To run one again, add
 * `-t 'history 17'`.
 */

const START = Date.UTC(2026, 10, 1);

/** The request and its answer, as some services show them. */
const LONG = 'x'.repeat(5000);

/** An error log whose pages move, and the requests for it. */
class MovingLog {
	now = START;
	readonly rows: IDataObject[] = [];
	/** Entries that come with each request, at most. */
	growth = 0;
	failures = 0;
	/** The contacts for which the service fails, with what it answers. */
	readonly broken = new Map<string, number>();

	constructor(private readonly random: () => number) {}

	/** Adds an entry; some are as old as half a minute, because they were stored late. */
	add(action = this.random() < 0.8 ? 'whatsapp' : 'openai') {
		this.now += Math.floor(this.random() * 3) * 20_000;
		const at = this.now - (this.random() < 0.2 ? 30_000 : 0);
		const id = String(9_000_000_000_000_000_000n + BigInt(this.rows.length));
		const contactId = String(Math.floor(this.random() * 5));
		const row = { id, contactId, action, detail: 'Refused', httpCode: null, payload: LONG };
		this.rows.push({ ...row, createdAt: new Date(at).toISOString() });
	}

	readonly client: Requester = {
		service: new Service(),
		request: async ({ path }, { query, params } = {}) => {
			const added = Math.floor(this.random() * (this.growth + 1));
			for (let count = 0; count < added; count++) this.add();
			if (this.random() < this.failures) throw new Error('The request failed');
			if (!path.endsWith('/error-logs')) {
				const id = String(params?.identifier).slice('id:'.length);
				const status = this.broken.get(id);
				if (status) throw new ApiError(`Status ${status}.`, { outcome: 'refused', status });
				return { id };
			}
			const { page = 1, perPage = 50 } = query as { page?: number; perPage?: number };
			const newestFirst = this.rows.toSorted(
				(a, b) => Date.parse(String(b.createdAt)) - Date.parse(String(a.createdAt)),
			);
			const data = newestFirst.slice((page - 1) * perPage, page * perPage);
			return { data, pageCount: Math.ceil(newestFirst.length / perPage) };
		},
	};
}

/** A host whose polls have time for so many contacts. */
function hostWithTimeFor(
	contacts: number,
	client: Requester,
	warn: PollHost['warn'] = () => {},
): PollHost {
	let left = contacts;
	return {
		hasTime: () => left-- > 0,
		hasTimeForFiles: () => true,
		mostExecutions: Infinity,
		requesterForOne: () => client,
		warn,
		warnHourly: warn,
		saveFile: () => Promise.reject(new Error('There are no files')),
	};
}

async function runHistory(number: number) {
	const random = sequenceOf(number * 31 + 7);
	const log = new MovingLog(random);
	const emitted: string[] = [];
	jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'setImmediate'] });
	let memory: string | undefined;
	let saved: string | undefined;
	const poll = async (timeFor = Infinity): Promise<PollResult | undefined> => {
		const settings = { parameters: {}, filters: {}, simplify: false };
		const host = hostWithTimeFor(timeFor, log.client);
		const watcher = messageNotDelivered.watch(log.client, settings, host);
		const last = memory === undefined ? undefined : JSON.parse(memory);
		return await watcher.poll(last).catch((error: Error) => {
			if (error.message !== 'The request failed') throw error;
			return undefined;
		});
	};
	const next = async (timeFor?: number) => {
		const result = await poll(timeFor);
		if (!result) return;
		emitted.push(...result.items.map((item) => String((item as IDataObject).entryId)));
		memory = JSON.stringify(result.memory);
		if (result.items.length > 0 || result.mustSave) saved = memory;
	};
	for (let count = Math.floor(random() * 120); count > 0; count--) log.add();
	await next();
	saved = memory;
	const before = new Set(log.rows.map(({ id }) => id));
	for (let round = 0; round < 12; round++) {
		for (let count = Math.floor(random() * 90); count > 0; count--) log.add();
		log.growth = random() < 0.5 ? 4 : 0;
		log.failures = random() < 0.3 ? 0.05 : 0;
		if (random() < 0.2) memory = saved;
		if (random() < 0.3) log.broken.set(String(Math.floor(random() * 5)), 500);
		if (random() < 0.2) log.broken.clear();
		jest.advanceTimersByTime(random() * 600_000);
		await next(random() < 0.3 ? Math.floor(random() * 40) : Infinity);
	}
	log.growth = 0;
	log.failures = 0;
	log.broken.clear();
	for (let round = 0; round < 3; round++) {
		// The longest time between two tries.
		jest.advanceTimersByTime(3_600_000);
		await next();
	}
	const due = log.rows.filter(({ id, action }) => action === 'whatsapp' && !before.has(id));
	return { emitted, due: due.map(({ id }) => String(id)) };
}

afterEach(() => jest.useRealTimers());

const numbers = Array.from({ length: caseCount({ few: 4, many: 200 }) }, (_, index) => index);

test.each(numbers)('history %i: each entry comes once', async (number) => {
	const { emitted, due } = await runHistory(number);
	expect(emitted.toSorted()).toEqual(due.toSorted());
});

test('a poll without time leaves entries to the next one, and none comes twice', async () => {
	const log = new MovingLog(sequenceOf(1));
	const settings = { parameters: {}, filters: {}, simplify: false };
	const poll = async (timeFor: number, last?: unknown) =>
		await messageNotDelivered
			.watch(log.client, settings, hostWithTimeFor(timeFor, log.client))
			.poll(last);
	let { memory } = await poll(0);
	for (let count = 0; count < 5; count++) log.add('whatsapp');
	const counts: number[] = [];
	for (const timeFor of [2, 2, 2, 2]) {
		const result = await poll(timeFor, memory);
		counts.push(result.items.length);
		memory = result.memory;
	}
	expect(counts).toEqual([2, 2, 1, 0]);
});

describe('If the service fails for one contact', () => {
	const clock = { now: START, timezone: 'UTC' };
	const conditions: ConditionSet = { match: 'all', conditions: [], clock };

	/** Polls a log with entries of five contacts, of whom one cannot be read. */
	async function watchBroken(status: number, more: Partial<Settings> = {}) {
		jest.useFakeTimers({ now: START, doNotFake: ['nextTick', 'setImmediate'] });
		const log = new MovingLog(sequenceOf(3));
		log.broken.set('1', status);
		const warnings: string[] = [];
		const settings = { parameters: {}, filters: {}, simplify: false, ...more };
		const host = hostWithTimeFor(Infinity, log.client, (text) => warnings.push(text));
		const watcher = messageNotDelivered.watch(log.client, settings, host);
		let { memory } = await watcher.poll(undefined);
		const poll = async () => {
			const result = await watcher.poll(JSON.parse(JSON.stringify(memory)));
			({ memory } = result);
			return result.items.map((item) => String((item as { contact: IDataObject }).contact.id));
		};
		for (let count = 0; count < 20; count++) log.add('whatsapp');
		const ofBroken = log.rows.filter(({ contactId }) => contactId === '1').map(() => '1');
		const size = () => JSON.stringify(memory).length;
		return { log, poll, warnings, ofBroken, size };
	}

	const week = 7 * 24 * 3_600_000;

	test.each([403, 404, 500])(
		'with %i, the messages of the others come at once, and its own when it can be read',
		async (status) => {
			const { log, poll, warnings, ofBroken, size } = await watchBroken(status);
			expect(ofBroken.length).toBeGreaterThan(1);
			const others = log.rows.map(({ contactId }) => contactId).filter((id) => id !== '1');
			expect((await poll()).toSorted()).toEqual(others.toSorted());
			expect(warnings).toEqual([
				`n8n could not read the contact 1, who did not get a message. Polls try again for a week. Status ${status}.`,
			]);
			expect(await poll()).toEqual([]);
			expect(size()).toBeLessThan(200 * log.rows.length);
			log.broken.clear();
			jest.advanceTimersByTime(3_600_000);
			expect(await poll()).toEqual(ofBroken);
			expect(await poll()).toEqual([]);
		},
	);

	test('for a week, its messages come with the ID alone, but not if contacts must meet conditions', async () => {
		for (const conditionSet of [undefined, conditions]) {
			const { poll, warnings, ofBroken } = await watchBroken(500, { conditionSet });
			await poll();
			jest.advanceTimersByTime(week - 1);
			expect(await poll()).toEqual([]);
			expect(warnings.at(-1)).toContain('Polls try again for a week.');
			jest.advanceTimersByTime(3_600_000);
			expect(await poll()).toEqual(conditionSet ? [] : ofBroken);
			expect(warnings.at(-1)).toContain('After a week, this was the last try.');
			jest.advanceTimersByTime(week);
			expect(await poll()).toEqual([]);
		}
	});

	test('with 401, the poll fails, and the next one finds all', async () => {
		const { log, poll } = await watchBroken(401);
		await expect(poll()).rejects.toThrow('Status 401');
		log.broken.clear();
		expect(await poll()).toHaveLength(20);
	});

	test('with 429, the poll returns whom it has read; one that could read nobody fails', async () => {
		const { log, poll } = await watchBroken(429);
		const all = log.rows.map(({ contactId }) => contactId);
		const first = await poll();
		expect(first.length).toBeGreaterThan(0);
		await expect(poll()).rejects.toThrow('Status 429');
		log.broken.clear();
		expect([...first, ...(await poll())].toSorted()).toEqual(all.toSorted());
		expect(await poll()).toEqual([]);
	});
});
