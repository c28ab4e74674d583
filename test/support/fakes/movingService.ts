import type { IDataObject } from 'n8n-workflow';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';

/** How a service behaves whose records change between requests. */
export interface Traits {
	/** Whether it sorts when a request asks for an order. */
	sort: 'kept' | 'keptAsText' | 'ignored' | 'refused';
	/** Whether it stops sorting, or starts to, now and then. */
	turns: boolean;
	/** The most records on one page. */
	cap: number;
	/** How it counts its pages. */
	counts: 'right' | 'never' | 'fromAsked';
	/**
	 * Where the service puts a new record in its own order, and whether an updated one moves there
	 * too.
	 */
	place: 'anywhere' | 'front' | 'end';
	movesUpdated: boolean;
	/**
	 * The most by which one change advances the service's clock, and the unit that it rounds times
	 * to.
	 */
	stepMs: number;
	roundMs: number;
	/** The longest time from the creation of a record until lists show it. */
	lateMs: number;
	startAt: number;
	/** Records at the start. */
	initial: number;
	/**
	 * The most changes before each request, and the share that removes a record; the same share adds
	 * one.
	 */
	changes: number;
	removes: number;
	/** The share of requests that fail. */
	fails: number;
	/** Whether most removed records match the filters again later. */
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

/** One record: a contact, broadcast, channel and sequence in one. */
export interface Row extends IDataObject {
	id: string;
	createdAt: string;
	updatedAt: string;
	status: string;
	active: boolean;
	tags: Array<{ id: string; name: string }>;
}

/**
 * One thing that happened: when, by count; to which record; and a text that no other of its kind
 * has.
 */
export interface Happening {
	at: number;
	id: string;
	text: string;
}

type Kind = 'created' | 'updated' | 'tagged' | 'untagged' | 'status' | 'active';

export const FAILURE = 'The service fails';

/** Other fields of a contact in the reference. */
const unused = { contactCustomFields: [], contactInboxes: [], conversation: null };

/** A service whose records change between requests, with the history of the changes. */
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

	/** IDs of records that did not match the filters for a while. */
	readonly wereHidden = new Set<string>();

	/** How many things happened so far. */
	now = 0;

	/** Before how many more requests records change. */
	changesFor = 0;

	isFailing = false;

	requests = 0;

	private readonly outside: Row[] = [];

	/** The rows by the order they were sorted in, until something changes. */
	private readonly sorted = new Map<string, Row[]>();

	private ids = 0;

	private time: number;

	constructor(
		private readonly random: () => number,
		readonly traits: Traits,
		/** Whether contacts get tags, which changes no timestamp. */
		private readonly canTag: boolean,
	) {
		this.time = traits.startAt;
		this.add(traits.initial);
		for (let update = 0; update < traits.initial / 3; update++) this.update();
	}

	readonly client: Requester = {
		service: new Service(),
		request: async (_, { query = {} } = {}) => {
			this.requests++;
			// Concurrent requests arrive in any order.
			for (let wait = this.below(4); wait > 0; wait--) await Promise.resolve();
			if (this.changesFor-- > 0) this.change(this.below(this.traits.changes + 1));
			if (this.isFailing && this.random() < this.traits.fails) throw failure(403);
			return this.answer(query);
		},
	};

	private answer(query: IDataObject): unknown {
		const { cap, counts } = this.traits;
		const { page, perPage } = query as { page: number; perPage: number };
		if (query.sort && this.traits.sort === 'refused') throw failure(400);
		const rows = this.rowsInOrder(query.sort);
		const size = Math.min(perPage, cap);
		const data = rows.slice((page - 1) * size, page * size);
		return counts === 'never'
			? { data }
			: { data, pageCount: Math.ceil(rows.length / (counts === 'right' ? size : perPage)) };
	}

	private rowsInOrder(requested: unknown): Row[] {
		const sort = this.sortOf(requested);
		if (!sort) return this.rows;
		const { field, order } = sort;
		const known = this.sorted.get(field + order);
		if (known) return known;
		const sign = order === 'asc' ? 1 : -1;
		const rows = [...this.rows].sort(
			(a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0),
		);
		this.sorted.set(field + order, rows);
		return rows;
	}

	/** Reads the requested order the way this service understands it. */
	private sortOf(value: unknown): { field: 'createdAt' | 'updatedAt'; order: string } | undefined {
		const { sort } = this.traits;
		if (sort === 'kept' && Array.isArray(value))
			return value[0] as { field: 'createdAt'; order: string };
		if (sort !== 'keptAsText' || typeof value !== 'string') return undefined;
		const [{ id, desc }] = JSON.parse(value) as [{ id: 'createdAt'; desc: boolean }];
		return { field: id, order: desc ? 'desc' : 'asc' };
	}

	/** Advances the clock between two polls by more than the unit that times are rounded to. */
	letTimePass() {
		this.time += this.traits.roundMs;
	}

	/** Makes this many random changes. */
	change(times: number) {
		const { removes } = this.traits;
		for (let time = 0; time < times; time++) {
			const kind = this.random();
			if (kind < removes) this.remove();
			else if (kind < 2 * removes) this.add(1);
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
			const row = {
				id,
				createdAt: at,
				updatedAt: at,
				status: `status ${id}`,
				active,
				tags: [],
				...unused,
			};
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
		this.note('updated', row.id, at);
		const updated = { ...row, updatedAt: at };
		if (!this.traits.movesUpdated) return this.replace(row, updated);
		this.replace(row);
		this.put(updated);
	}

	private tag(row = this.pick()) {
		if (!row || !this.canTag) return;
		const id = `${++this.ids}`;
		this.replace(row, { ...row, tags: [...row.tags, { id, name: 'Tag' }] });
		this.note('tagged', row.id, id);
	}

	private untag() {
		const row = this.pick();
		const tag = row?.tags.at(-1);
		if (!row || !tag) return;
		this.replace(row, { ...row, tags: row.tags.slice(0, -1) });
		this.note('untagged', row.id, tag.id);
	}

	private setStatus() {
		const row = this.pick();
		if (!row) return;
		const status = `status ${++this.ids}`;
		this.replace(row, { ...row, status });
		this.note('status', row.id, status);
	}

	private toggle() {
		const row = this.pick();
		if (!row) return;
		this.replace(row, { ...row, active: !row.active });
		this.note('active', row.id, String(!row.active));
	}

	private remove() {
		const row = this.pick();
		if (!row) return;
		this.replace(row);
		if (!this.traits.comeBack || this.random() < 0.3) return;
		this.outside.push(row);
		this.wereHidden.add(row.id);
	}

	private takeBack() {
		const [row] = this.outside.splice(this.below(this.outside.length), 1);
		if (row) this.put(row);
	}

	private note(kind: Kind, id: string, text: string) {
		this.history[kind].push({ at: ++this.now, id, text });
	}

	private put(row: Row) {
		const { place } = this.traits;
		const index = { front: 0, end: this.rows.length, anywhere: this.below(this.rows.length + 1) }[
			place
		];
		this.rows.splice(index, 0, row);
		this.sorted.clear();
	}

	/**
	 * Puts other rows, or none, in the place of a row. Rows are never modified: answers hold them.
	 */
	private replace(row: Row, ...others: Row[]) {
		this.rows.splice(this.rows.indexOf(row), 1, ...others);
		this.sorted.clear();
	}

	private clock(lateMs = 0): string {
		const { stepMs, roundMs } = this.traits;
		// Some records get the same time.
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
