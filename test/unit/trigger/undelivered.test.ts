import type { IDataObject } from 'n8n-workflow';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import { messageNotDelivered } from '../../../nodes/WorkspaceMessaging/trigger/changes/undelivered';
import type { PollHost, PollResult } from '../../../nodes/WorkspaceMessaging/trigger/types';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';

/*
 * Random histories of an error log: entries come between the requests of a poll, polls fail, have no
 * time or run twice, and n8n restarts. To run one again, add `-t 'history 17'`.
 */

const START = Date.UTC(2026, 10, 1);

/** An error log whose pages move, and the requests for it. */
class MovingLog {
	now = START;
	readonly rows: IDataObject[] = [];
	/** Entries that come with each request, at most. */
	growth = 0;
	failures = 0;

	constructor(private readonly random: () => number) {}

	/** Adds an entry; some are as old as half a minute, because they were stored late. */
	add(action = this.random() < 0.8 ? 'whatsapp' : 'openai') {
		this.now += Math.floor(this.random() * 3) * 20_000;
		const at = this.now - (this.random() < 0.2 ? 30_000 : 0);
		const id = String(9_000_000_000_000_000_000n + BigInt(this.rows.length));
		const contactId = String(Math.floor(this.random() * 5));
		const row = { id, contactId, action, detail: 'Refused', httpCode: null };
		this.rows.push({ ...row, createdAt: new Date(at).toISOString() });
	}

	readonly client: Requester = {
		service: new Service(),
		request: async ({ path }, { query } = {}) => {
			const added = Math.floor(this.random() * (this.growth + 1));
			for (let count = 0; count < added; count++) this.add();
			if (this.random() < this.failures) throw new Error('The request failed');
			if (!path.endsWith('/error-logs')) return { id: '1' };
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
function hostWithTimeFor(contacts: number): PollHost {
	let left = contacts;
	return {
		hasTime: () => left-- > 0,
		hasTimeForFiles: () => true,
		mostExecutions: 20,
		requesterForOne: () => {
			throw new Error('There is no client');
		},
		warn: () => undefined,
		saveFile: () => Promise.reject(new Error('There are no files')),
	};
}

async function runHistory(number: number) {
	const random = sequenceOf(number * 31 + 7);
	const log = new MovingLog(random);
	const emitted: string[] = [];
	let memory: string | undefined;
	let saved: string | undefined;
	const poll = async (timeFor = Infinity): Promise<PollResult | undefined> => {
		const settings = { parameters: {}, filters: {}, simplify: false };
		const watcher = messageNotDelivered.watch(log.client, settings, hostWithTimeFor(timeFor));
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
		await next(random() < 0.3 ? Math.floor(random() * 40) : Infinity);
	}
	log.growth = 0;
	log.failures = 0;
	for (let round = 0; round < 3; round++) await next();
	const due = log.rows.filter(({ id, action }) => action === 'whatsapp' && !before.has(id));
	return { emitted, due: due.map(({ id }) => String(id)) };
}

const numbers = Array.from({ length: caseCount({ few: 4, many: 200 }) }, (_, index) => index);

test.each(numbers)('history %i: each entry comes once', async (number) => {
	const { emitted, due } = await runHistory(number);
	expect(emitted.toSorted()).toEqual(due.toSorted());
});

test('a poll without time leaves entries to the next one, and none comes twice', async () => {
	const log = new MovingLog(sequenceOf(1));
	const settings = { parameters: {}, filters: {}, simplify: false };
	const poll = async (timeFor: number, last?: unknown) =>
		await messageNotDelivered.watch(log.client, settings, hostWithTimeFor(timeFor)).poll(last);
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
