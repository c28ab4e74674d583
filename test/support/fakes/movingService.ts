import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/errors';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/service';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';

/** How a service behaves whose records change between requests. */
export interface Traits {
	/** What it does when asked for an order. */
	sort: 'kept' | 'keptAsText' | 'ignored' | 'refused';
	/** Whether it ceases to sort, or begins to, now and then. */
	turns: boolean;
	/** Records that a page has at most. */
	cap: number;
	/** How it counts its pages. */
	counts: 'right' | 'never' | 'fromAsked';
	/** Where a new record stands in the service's own order, and whether an updated one moves there too. */
	place: 'anywhere' | 'front' | 'end';
	movesUpdated: boolean;
	/** How far the service's clock goes on with one change at most, and what it rounds times to. */
	stepMs: number;
	roundMs: number;
	/** How much earlier than now a record may say that it was created, at most: it was not visible at once. */
	lateMs: number;
	startAt: number;
	/** Records at the beginning. */
	initial: number;
	/** Changes before each request, at most, and the share of them that remove a record; as many add one. */
	changes: number;
	removes: number;
	/** Share of the requests that fail. */
	fails: number;
	/** Whether most of the records that are removed match the filters again later. */
	comeBack: boolean;
}

export function traitsOf(random: () => number): Traits {
	const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
	const stepMs = pick(2, 50, 3000, 60_000);
	return {
		sort: pick('kept', 'kept', 'keptAsText', 'ignored', 'ignored', 'refused' as const),
		turns: random() < 0.1,
		cap: pick(7, 20, 50, 100, 1000),
		counts: pick('right', 'right', 'never', 'fromAsked' as const),
		place: pick('anywhere', 'anywhere', 'front', 'end' as const),
		movesUpdated: random() < 0.3,
		stepMs,
		roundMs: pick(1, 1, 1000, 60_000),
		lateMs: random() < 0.2 ? 0.3 * stepMs : 0,
		startAt: pick(Date.UTC(2000, 0, 1), Date.UTC(2026, 0, 1), Date.UTC(2040, 0, 1)),
		initial: pick(0, 1, 5, 30, 101, 180, 180, 600),
		changes: pick(1, 4, 4, 8),
		removes: pick(0.1, 0.3, 0.3, 0.45),
		fails: pick(0, 0, 0.02, 0.1),
		comeBack: random() < 0.15,
	};
}

/** One record, which is contact, broadcast, channel and sequence in one. */
export interface Row extends IDataObject {
	id: string;
	createdAt: string;
	updatedAt: string;
	status: string;
	active: boolean;
	tags: Array<{ id: string; name: string }>;
}

/** One thing that happened: it is counted when, and told from others of its kind by the record and a text. */
export interface Happening {
	at: number;
	id: string;
	what: string;
}

type Kind = 'created' | 'updated' | 'tagged' | 'untagged' | 'status' | 'active';

export const FAILURE = 'The service fails';

/** What contacts of a service that keeps to the reference show beside. */
const unused = { contactCustomFields: [], contactInboxes: [], conversation: null };

/** A service whose records change between requests, and what has happened there. */
export class MovingService {
	/** In the service's own order. */
	rows: Row[] = [];

	readonly history: Record<Kind, Happening[]> = {
		created: [],
		updated: [],
		tagged: [],
		untagged: [],
		status: [],
		active: [],
	};

	/** Records that were not in the list for a while, because they did not match the filters. */
	readonly left = new Set<string>();

	/** How many things have happened. */
	now = 0;

	/** Before how many more requests records change. */
	movesFor = 0;

	isFailing = false;

	requests = 0;

	private readonly outside: Row[] = [];

	private ids = 0;

	private time: number;

	constructor(
		private readonly random: () => number,
		readonly traits: Traits,
		/** Whether contacts are tagged, which no timestamp tells. */
		private readonly tags: boolean,
	) {
		this.time = traits.startAt;
		this.add(traits.initial);
		for (let update = 0; update < traits.initial / 3; update++) this.update();
	}

	readonly client: Requester = {
		service: new Service(),
		request: async (_, { query = {} } = {}) => {
			this.requests++;
			// Requests that are sent side by side arrive in any order.
			for (let wait = this.below(4); wait > 0; wait--) await Promise.resolve();
			if (this.movesFor-- > 0) this.change(this.below(this.traits.changes + 1));
			if (this.isFailing && this.random() < this.traits.fails) throw failure(403);
			return this.answer(query);
		},
	};

	private answer(query: IDataObject): unknown {
		const { cap, counts } = this.traits;
		const { page, perPage } = query as { page: number; perPage: number };
		if (query.sort && this.traits.sort === 'refused') throw failure(400);
		const rows = [...this.rows];
		const sort = this.sortOf(query.sort);
		if (sort) {
			const { field, order } = sort;
			const sign = order === 'asc' ? 1 : -1;
			rows.sort((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0));
		}
		const size = Math.min(perPage, cap);
		const data = rows.slice((page - 1) * size, page * size).map(copy);
		return counts === 'never'
			? { data }
			: { data, pageCount: Math.ceil(rows.length / (counts === 'right' ? size : perPage)) };
	}

	/** The order in which the records are given, as this service understands it. */
	private sortOf(asked: unknown): { field: 'createdAt' | 'updatedAt'; order: string } | undefined {
		const { sort } = this.traits;
		if (sort === 'kept' && Array.isArray(asked)) return asked[0] as { field: 'createdAt'; order: string };
		if (sort !== 'keptAsText' || typeof asked !== 'string') return undefined;
		const [{ id, desc }] = JSON.parse(asked) as [{ id: 'createdAt'; desc: boolean }];
		return { field: id, order: desc ? 'desc' : 'asc' };
	}

	/** Lets the time go on between two polls: they are further apart than what times are rounded to. */
	pass() {
		this.time += this.traits.roundMs;
	}

	/** Changes something, so many times. */
	change(times: number) {
		const { removes } = this.traits;
		for (let time = 0; time < times; time++) {
			const what = this.random();
			if (what < removes) this.remove();
			else if (what < 2 * removes) this.add(1);
			else
				[
					() => this.update(),
					() => this.tag(),
					() => this.untag(),
					() => this.setStatus(),
					() => this.toggle(),
					() => this.takeBack(),
				][this.below(6)]();
		}
	}

	add(count: number) {
		for (let index = 0; index < count; index++) {
			const at = this.clock(this.random() < 0.3 ? this.traits.lateMs : 0);
			const id = `${++this.ids}`;
			const active = this.random() < 0.5;
			const row = { id, createdAt: at, updatedAt: at, status: `status ${id}`, active, tags: [], ...unused };
			this.put(row);
			this.note('created', id, id);
			this.note('status', id, row.status);
			if (this.random() < 0.2) this.tag(row);
		}
	}

	private update() {
		const row = this.pick();
		const at = this.clock();
		if (!row || at <= row.updatedAt) return;
		row.updatedAt = at;
		this.note('updated', row.id, at);
		if (!this.traits.movesUpdated) return;
		this.rows.splice(this.rows.indexOf(row), 1);
		this.put(row);
	}

	private tag(row = this.pick()) {
		if (!row || !this.tags) return;
		const id = `${++this.ids}`;
		row.tags.push({ id, name: 'Tag' });
		this.note('tagged', row.id, id);
	}

	private untag() {
		const row = this.pick();
		const tag = row?.tags.pop();
		if (row && tag) this.note('untagged', row.id, tag.id);
	}

	private setStatus() {
		const row = this.pick();
		if (!row) return;
		row.status = `status ${++this.ids}`;
		this.note('status', row.id, row.status);
	}

	private toggle() {
		const row = this.pick();
		if (!row) return;
		row.active = !row.active;
		this.note('active', row.id, String(row.active));
	}

	private remove() {
		const row = this.pick();
		if (!row) return;
		this.rows.splice(this.rows.indexOf(row), 1);
		if (!this.traits.comeBack || this.random() < 0.3) return;
		this.outside.push(row);
		this.left.add(row.id);
	}

	private takeBack() {
		const [row] = this.outside.splice(this.below(this.outside.length), 1);
		if (row) this.put(row);
	}

	private note(kind: Kind, id: string, what: string) {
		this.history[kind].push({ at: ++this.now, id, what });
	}

	private put(row: Row) {
		const { place } = this.traits;
		const index = { front: 0, end: this.rows.length, anywhere: this.below(this.rows.length + 1) }[place];
		this.rows.splice(index, 0, row);
	}

	private clock(lateMs = 0): string {
		const { stepMs, roundMs } = this.traits;
		// Now and then several at one time.
		if (this.random() < 0.7) this.time += this.below(stepMs);
		const at = this.time - this.below(lateMs);
		return new Date(Math.floor(at / roundMs) * roundMs).toISOString();
	}

	private pick(): Row | undefined {
		return this.rows[this.below(this.rows.length)];
	}

	private below(count: number): number {
		return Math.floor(this.random() * count);
	}
}

function failure(status: number): ApiError {
	return new ApiError(FAILURE, { outcome: 'refused', status });
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
