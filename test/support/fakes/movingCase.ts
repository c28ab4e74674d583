import type { IDataObject } from 'n8n-workflow';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { PollResult, Settings } from '../../../nodes/WorkspaceMessaging/trigger/types';
import { events } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { sequenceOf } from '../../../sandbox/faults/random';
import { FAILURE, MovingService, traitsOf } from './movingService';
import type { Happening, Row, Traits } from './movingService';

/*
 * One case of a trigger on a service that never rests: its records change between the requests of a poll, polls fail, are
 * run twice and with what was remembered before a restart. A case depends on its event and number alone.
 */

const ROUNDS = 12;

/** A trigger that watches everything. */
const settings: Settings = {
	event: '',
	filters: {},
	tagIds: [],
	statuses: [],
	inboxIds: [],
	sequenceIds: [],
	simplify: false,
};

/** Watches all records for an event. */
export const watchAll = (event: string, client: Requester) =>
	events.find(({ option }) => option.value === event)!.watch(client, settings);

/** How an event is told from its history: which one that is, and what an item says has happened there. */
const told = {
	contactCreated: { history: 'created', whatOf: ({ id }: IDataObject) => id },
	contactUpdated: { history: 'updated', whatOf: ({ updatedAt }: IDataObject) => updatedAt },
	tagAdded: { history: 'tagged', whatOf: ({ tag }: IDataObject) => (tag as IDataObject).id },
	tagRemoved: { history: 'untagged', whatOf: ({ tag }: IDataObject) => (tag as IDataObject).id },
	broadcastStatusChanged: { history: 'status', whatOf: ({ status }: IDataObject) => status },
	channelStatusChanged: { history: 'status', whatOf: ({ status }: IDataObject) => status },
	sequenceActiveChanged: { history: 'active', whatOf: ({ active }: IDataObject) => active },
} as const;

export type EventName = keyof typeof told;
export const eventNames = Object.keys(told) as EventName[];

export interface Outcome {
	/** What went wrong: `lost`, `twice` or `before` (it was there before watching began), and what. */
	faults: string[];
	traits: Traits;
	polls: number;
	requests: number;
	items: number;
	/** Characters remembered in the end. */
	size: number;
	/** Requests of a poll without news in the end. */
	quiet: number;
}

/** What a case has come to. */
interface Course {
	event: EventName;
	service: MovingService;
	/** What had happened when the first poll began, and when it ended. */
	start: number;
	end: number;
	/** The records when the first poll had ended. */
	first: Map<string, Row>;
	/** What had happened at those polls during which nothing changed. */
	atRest: number[];
	emitted: Array<{ id: string; what: string }>;
}

/**
 * Runs one case.
 *
 * @param rests whether changes pause for a while when watching begins; else what was there before may be missed then, and
 * taken for new later
 */
export async function runCase(
	event: EventName,
	number: number,
	change: Partial<Traits> = {},
	rests = true,
): Promise<Outcome> {
	const random = sequenceOf(number * 7919 + eventNames.indexOf(event) + 1);
	const traits = { ...traitsOf(random), ...change };
	const service = new MovingService(random, traits, event !== 'contactUpdated');
	const isDurable = random() < 0.5;
	let polls = 0;
	let memory: unknown;
	/** What n8n still knows after a restart. */
	let kept: unknown;
	const poll = async (): Promise<PollResult | undefined> => {
		polls++;
		service.pass();
		try {
			return await watchAll(event, service.client).poll(copy(memory));
		} catch (error) {
			if ((error as Error).message === FAILURE) return undefined;
			throw error;
		}
	};
	const restart = () => (memory = copy(kept));

	let start = 0;
	for (let found: PollResult | undefined; !found; ) {
		start = service.now;
		service.isFailing = random() < 0.5;
		const reading = Math.ceil(service.rows.length / traits.cap);
		service.movesFor = random() < 0.3 ? 0 : rests ? Math.floor(random() * 2 * reading) : Infinity;
		found = await poll();
		kept = memory = copy(found?.memory);
	}
	const first = new Map(service.rows.map((row) => [row.id, copy(row)]));
	const course: Course = { event, service, start, end: service.now, first, atRest: [], emitted: [] };
	if (start === service.now) course.atRest.push(start);

	const next = async () => {
		const before = service.now;
		let found = await poll();
		// With durable cursors, a poll may run twice, and one of the two counts.
		const again = isDurable && random() < 0.2 ? await poll() : undefined;
		if (random() < 0.5) found = again ?? found;
		if (!found) return;
		for (const item of found.items)
			course.emitted.push({ id: String(item.id), what: String(told[event].whatOf(item)) });
		memory = copy(found.memory);
		if (isDurable || found.items.length > 0 || found.mustPersist) kept = memory;
		if (before === service.now) course.atRest.push(before);
	};
	for (let round = 0; round < ROUNDS; round++) {
		if (random() < 0.4) service.add(Math.floor(random() * (random() < 0.2 ? 700 : 150)));
		service.change(Math.floor(random() * 30));
		service.movesFor = random() < 0.3 ? 0 : Infinity;
		service.isFailing = random() < 0.5;
		if (random() < 0.15) restart();
		if (traits.turns && random() < 0.2) traits.sort = traits.sort === 'kept' ? 'ignored' : 'kept';
		await next();
	}
	service.movesFor = 0;
	service.isFailing = false;
	for (let round = 0; round < 3; round++) await next();
	const { requests } = service;
	const last = await poll();
	const quiet = service.requests - requests;
	return {
		faults: [...faultsOf(course), ...(last!.items.length > 0 ? ['twice at rest'] : [])],
		traits,
		polls,
		requests: service.requests,
		items: course.emitted.length,
		size: JSON.stringify(last!.memory).length,
		quiet,
	};
}

/**
 * What was emitted that should not have been, and what was not:
 * - nothing that had happened when watching began; what happens during the first poll may count or not;
 * - nothing twice;
 * - all that has happened since and still holds. A record that was deleted, or did not match the filters for a while, may
 *   have been missed.
 */
function faultsOf(course: Course): string[] {
	if (course.event === 'sequenceActiveChanged') return faultsOfStates(course);
	const { event, service, start, end, emitted } = course;
	const history = service.history[told[event].history];
	const times = new Map(history.map((happening) => [textOf(happening), happening.at]));
	const found = new Set<string>();
	const faults: string[] = [];
	for (const each of emitted) {
		const text = textOf(each);
		if (found.has(text)) faults.push(`twice ${text}`);
		found.add(text);
		if ((times.get(text) ?? 0) <= start && !service.left.has(each.id)) faults.push(`before ${text}`);
	}
	const due = history.filter(
		(happening) => happening.at > end && isDue(course, happening) && !found.has(textOf(happening)),
	);
	return [...faults, ...due.map((happening) => `lost ${textOf(happening)}`)];
}

const textOf = ({ id, what }: { id: string; what: string }) => `${id}: ${what}`;

/** Whether something that has happened has to have been emitted. */
function isDue({ event, service, atRest }: Course, { id, what, at }: Happening): boolean {
	const row = service.rows.find((each) => each.id === id);
	if (!row || service.left.has(id)) return false;
	switch (event) {
		case 'contactUpdated':
			return row.updatedAt === what;
		case 'tagAdded':
			return row.tags.some((tag) => tag.id === what);
		case 'tagRemoved': {
			// A tag that was there at no poll, as far as a poll could see, was not removed.
			const { at: taggedAt } = service.history.tagged.find((each) => each.what === what)!;
			return atRest.some((poll) => poll >= taggedAt && poll < at);
		}
		case 'broadcastStatusChanged':
		case 'channelStatusChanged':
			return row.status === what;
		default:
			return true;
	}
}

/** The same for a state that is on or off: what was emitted has to alternate, and end with what is. */
function faultsOfStates({ service, start, end, first, emitted }: Course): string[] {
	const faults: string[] = [];
	const createdAt = new Map(service.history.created.map(({ id, at }) => [id, at]));
	const isNew = (id: string) => createdAt.get(id)! > end;
	const last = new Map<string, string>();
	for (const { id, what } of emitted) {
		if ((last.get(id) ?? (isNew(id) ? 'false' : undefined)) === what) faults.push(`twice ${id}: ${what}`);
		last.set(id, what);
	}
	for (const { id, active } of service.rows) {
		const changes = service.history.active.filter((happening) => happening.id === id);
		const isUnsure = changes.some(({ at }) => at > start && at <= end) || (!isNew(id) && !first.has(id));
		if (isUnsure || service.left.has(id) || (!isNew(id) && createdAt.get(id)! > start)) continue;
		const known = last.get(id) ?? (isNew(id) ? 'false' : String(first.get(id)!.active));
		if (known !== String(active)) faults.push(`lost ${id}: ${active}`);
		if (!isNew(id) && last.has(id) && changes.every(({ at }) => at <= start)) faults.push(`before ${id}`);
	}
	return faults;
}

const copy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));
