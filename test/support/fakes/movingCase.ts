import type { IDataObject } from 'n8n-workflow';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { PollHost, Watcher } from '../../../nodes/WorkspaceMessaging/trigger/types';
import { pollingEvents } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { sequenceOf } from '../../../sandbox/faults/random';
import { FAILURE, MovingService, traitsOf } from './movingService';
import type { Happening, Row, Traits } from './movingService';

/*
 * Random cases of a trigger: records change between the requests of a poll, polls fail, n8n runs a
 * poll twice or restarts and polls with an older memory. The event and the number of a case decide
 * everything that happens in it.
 */

const ROUNDS = 12;

/** These events need nothing but requests. */
const idleHost: PollHost = {
	hasTime: () => true,
	hasTimeForFiles: () => true,
	mostExecutions: Infinity,
	requesterForOne: () => {
		throw new Error('There is no client');
	},
	warn: () => undefined,
	warnHourly: () => undefined,
	saveFile: () => Promise.reject(new Error('There are no files')),
};

/** Watches all records for an event. */
export function watchAll(event: string, client: Requester) {
	const { parameters, watch } = pollingEvents.find(({ value }) => value === event)!;
	return watch(
		client,
		{ parameters: parameters.parse({}), filters: {}, simplify: false },
		idleHost,
	);
}

/**
 * Per event: the history that it reports, and the text by which an item names its happening there.
 */
const reports = {
	contactCreated: { history: 'created', textOf: ({ id }: IDataObject) => id },
	contactUpdated: { history: 'updated', textOf: ({ updatedAt }: IDataObject) => updatedAt },
	tagAdded: { history: 'tagged', textOf: ({ tag }: IDataObject) => (tag as IDataObject).id },
	tagRemoved: { history: 'untagged', textOf: ({ tag }: IDataObject) => (tag as IDataObject).id },
	broadcastStatusChanged: { history: 'status', textOf: ({ status }: IDataObject) => status },
	channelStatusChanged: { history: 'status', textOf: ({ status }: IDataObject) => status },
	sequenceActiveChanged: { history: 'active', textOf: ({ active }: IDataObject) => active },
} as const;

export type EventName = keyof typeof reports;
export const eventNames = Object.keys(reports) as EventName[];

export interface Outcome {
	/**
	 * What went wrong: `lost`, `twice` or `before` (it happened before the first poll), and the
	 * happening.
	 */
	faults: string[];
	traits: Traits;
	/** Requests of the last poll, which finds nothing. */
	quietRequests: number;
}

/** All that the check of a case looks at. */
interface CaseLog {
	event: EventName;
	service: MovingService;
	/** The service's `now` when the first poll began and when it ended. */
	start: number;
	end: number;
	/** The records when the first poll ended, by ID. */
	first: Map<string, Row>;
	/** The service's `now` at those polls during which nothing changed. */
	quietPolls: number[];
	emitted: Array<{ id: string; text: string }>;
}

/** Runs the case of this number for an event, and returns what went wrong. */
export async function runCase(event: EventName, number: number): Promise<Outcome> {
	const random = sequenceOf(number * 7919 + eventNames.indexOf(event) + 1);
	const traits = traitsOf(random);
	const service = new MovingService(random, traits, event !== 'contactUpdated');
	const isDurable = random() < 0.5;
	// As n8n stores it: JSON.
	let memory: string | undefined;
	let memoryAfterRestart: string | undefined;
	const poll = async (): Promise<Awaited<ReturnType<Watcher['poll']>> | undefined> => {
		service.letTimePass();
		try {
			return await watchAll(event, service.client).poll(
				memory === undefined ? undefined : JSON.parse(memory),
			);
		} catch (error) {
			if ((error as Error).message === FAILURE) return undefined;
			throw error;
		}
	};

	let start = 0;
	while (memory === undefined) {
		start = service.now;
		service.isFailing = random() < 0.5;
		const pages = Math.ceil(service.rows.length / traits.cap);
		// Changes pause during the first poll: it may miss records while they go on, and take them for
		// new later.
		service.changesFor = random() < 0.3 ? 0 : Math.floor(random() * 2 * pages);
		const result = await poll();
		memoryAfterRestart = memory = result && JSON.stringify(result.memory);
	}
	const first = new Map(service.rows.map((row) => [row.id, row]));
	const log: CaseLog = {
		event,
		service,
		start,
		end: service.now,
		first,
		quietPolls: [],
		emitted: [],
	};
	if (start === service.now) log.quietPolls.push(start);

	const next = async () => {
		const before = service.now;
		let result = await poll();
		// With durable cursors a poll may run twice, and one of the two results counts.
		const second = isDurable && random() < 0.2 ? await poll() : undefined;
		if (random() < 0.5) result = second ?? result;
		if (!result) return;
		for (const item of result.items)
			log.emitted.push({ id: String(item.id), text: String(reports[event].textOf(item)) });
		memory = JSON.stringify(result.memory);
		if (isDurable || result.items.length > 0 || result.mustSave) memoryAfterRestart = memory;
		if (before === service.now) log.quietPolls.push(before);
	};
	for (let round = 0; round < ROUNDS; round++) {
		if (random() < 0.4) service.add(Math.floor(random() * (random() < 0.2 ? 700 : 150)));
		service.change(Math.floor(random() * 30));
		service.changesFor = random() < 0.3 ? 0 : Infinity;
		service.isFailing = random() < 0.5;
		if (random() < 0.15) memory = memoryAfterRestart;
		if (traits.turns && random() < 0.2) traits.sort = traits.sort === 'kept' ? 'ignored' : 'kept';
		await next();
	}
	service.changesFor = 0;
	service.isFailing = false;
	for (let round = 0; round < 3; round++) await next();
	const { requests } = service;
	const last = await poll();
	return {
		faults: [...faultsOf(log), ...(last!.items.length > 0 ? ['twice at rest'] : [])],
		traits,
		quietRequests: service.requests - requests,
	};
}

/**
 * What was emitted that should not have been, and the reverse. A trigger may emit:
 * - nothing that happened before watching began; what happens during the first poll may count or
 *   not;
 * - nothing twice;
 * - all that happened since and still holds. It may miss a record that was deleted, or did not
 *   match for a while.
 */
function faultsOf(log: CaseLog): string[] {
	if (log.event === 'sequenceActiveChanged') return faultsOfStates(log);
	const { event, service, start, end, emitted } = log;
	const history = service.history[reports[event].history];
	const times = new Map(history.map((happening) => [keyOf(happening), happening.at]));
	const found = new Set<string>();
	const faults: string[] = [];
	for (const each of emitted) {
		const key = keyOf(each);
		if (found.has(key)) faults.push(`twice ${key}`);
		found.add(key);
		if ((times.get(key) ?? 0) <= start && !service.wereHidden.has(each.id))
			faults.push(`before ${key}`);
	}
	const isDue = dueCheck(log);
	const lost = history.filter(
		(happening) => happening.at > end && !found.has(keyOf(happening)) && isDue(happening),
	);
	return [...faults, ...lost.map((happening) => `lost ${keyOf(happening)}`)];
}

const keyOf = ({ id, text }: { id: string; text: string }) => `${id}: ${text}`;

/** Returns a function that says whether the trigger has to emit a happening. */
function dueCheck({ event, service, quietPolls }: CaseLog): (happening: Happening) => boolean {
	const rows = new Map(service.rows.map((row) => [row.id, row]));
	return ({ id, text, at }) => {
		const row = rows.get(id);
		if (!row || service.wereHidden.has(id)) return false;
		switch (event) {
			case 'contactUpdated':
				return row.updatedAt === text;
			case 'tagAdded':
				return row.tags.some((tag) => tag.id === text);
			case 'tagRemoved': {
				// A poll can only miss a tag that no quiet poll saw.
				const { at: taggedAt } = service.history.tagged.find((each) => each.text === text)!;
				return quietPolls.some((poll) => poll >= taggedAt && poll < at);
			}
			case 'broadcastStatusChanged':
			case 'channelStatusChanged':
				return row.status === text;
			default:
				return true;
		}
	};
}

/**
 * The same for a state that is on or off: the emitted states alternate and end with the current
 * one.
 */
function faultsOfStates({ service, start, end, first, emitted }: CaseLog): string[] {
	const faults: string[] = [];
	const createdAt = new Map(service.history.created.map(({ id, at }) => [id, at]));
	const isNew = (id: string) => createdAt.get(id)! > end;
	const last = new Map<string, string>();
	for (const { id, text } of emitted) {
		if ((last.get(id) ?? (isNew(id) ? 'false' : undefined)) === text)
			faults.push(`twice ${id}: ${text}`);
		last.set(id, text);
	}
	for (const { id, active } of service.rows) {
		const changes = service.history.active.filter((happening) => happening.id === id);
		const isUnsure =
			changes.some(({ at }) => at > start && at <= end) || (!isNew(id) && !first.has(id));
		if (isUnsure || service.wereHidden.has(id) || (!isNew(id) && createdAt.get(id)! > start))
			continue;
		const known = last.get(id) ?? (isNew(id) ? 'false' : String(first.get(id)!.active));
		if (known !== String(active)) faults.push(`lost ${id}: ${active}`);
		if (!isNew(id) && last.has(id) && changes.every(({ at }) => at <= start))
			faults.push(`before ${id}`);
	}
	return faults;
}
