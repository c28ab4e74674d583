import type { IDataObject } from 'n8n-workflow';
import type { Caller } from './shim';
import type { ContactEvent } from './events';
import { readNewest, readNewestOne } from './newestFirst';
import { changedFields, printOf } from './print';
import type { Shape } from './shape';
import { floorOf, higher, timeOf } from './timeline';
import type { Entry, Row, Timeline } from './timeline';
import type { Watch } from './watch';

/** Contacts whose fields are remembered, so that it can be said what changed. */
const REMEMBERED = 500;
/**
 * Contacts that are remembered at most. So many there are only where contacts are created by the thousands while others are
 * deleted between all requests, so that no reading of the list is known to be complete.
 */
const MOST_REMEMBERED = 10_000;

/**
 * Watches for contacts that were created or updated (part 2.1): those whose `createdAt` or `updatedAt` has come up since
 * the last poll.
 *
 * A contact that is new to an update's watcher counts as updated if it was updated after it was created.
 */
export function watchContacts(
	event: ContactEvent,
	caller: Caller,
	query: IDataObject,
	key: string,
	shape: Shape,
): Watch<Timeline> {
	const tellsFields = event === 'contactUpdated';
	const field = tellsFields ? 'updatedAt' : 'createdAt';
	const question = { query, field, key } as const;

	return {
		async poll(memory) {
			const atLeast = tellsFields && !memory ? REMEMBERED : 1;
			const newest = await readNewest(caller, { ...question, atLeast }, memory);
			const news = memory ? newsIn(newest.rows, memory, tellsFields) : [];
			const prints = tellsFields ? REMEMBERED : 0;
			const recent = remember(newest.rows, memory, prints);
			const times = recent.map(([, at]) => at);
			const nextFloor = floorOf(times, newest.page, newest.isAll);
			const floor = memory ? floorAfter(memory, news, newest.isComplete) : nextFloor;

			const items = await shape(news.map(({ contact }) => contact));
			if (tellsFields) {
				const known = new Map(memory?.recent.map(([id, , print]) => [id, print]));
				for (const [index, { id, contact }] of news.entries()) {
					const print = known.get(id);
					items[index].changedFields = print === undefined ? [] : changedFields(print, printOf(contact));
				}
			}
			const kept = recent.filter(([, at], index) => floor === null || at > floor || index < prints);
			return { items, memory: { floor, nextFloor, recent: kept }, mustKeep: false };
		},

		async sample() {
			const contact = await readNewestOne(caller, { ...question, atLeast: 1 });
			if (!contact) return undefined;
			const [item] = await shape([contact]);
			return tellsFields ? { ...item, changedFields: [] } : item;
		},
	};
}

/** The contacts that are news, oldest first. */
function newsIn(rows: Row[], { floor, recent }: Timeline, tellsFields: boolean): Row[] {
	const known = new Map(recent.map((entry) => [entry[0], entry]));
	const newestTime = recent[0]?.[1];
	const isNews = ({ id, at, contact }: Row): boolean => {
		if (floor !== null && at <= floor) return false;
		const entry = known.get(id);
		if (!entry) return !tellsFields || at > timeOf(contact.createdAt);
		if (!tellsFields) return false;
		const [, time, print] = entry;
		// Where times are coarse, a contact can change twice within one.
		return at !== time || (at === newestTime && print !== undefined && print !== printOf(contact));
	};
	return rows.filter(isNews).reverse();
}

/**
 * The floor rises to where everything has been read twice, the second time without missing any, unless something was still
 * found below then.
 */
function floorAfter({ floor, nextFloor, recent }: Timeline, news: Row[], isComplete: boolean): number | null {
	if (nextFloor === null || (isComplete && news.every(({ at }) => at > nextFloor)))
		return higher(floor, nextFloor);
	return recent.length > MOST_REMEMBERED ? higher(floor, recent[MOST_REMEMBERED / 2][1]) : floor;
}

/**
 * All that are known, newest first; of updates the newest with what their fields look like. One that is not in the list any
 * more stays: it may only have been missed, or come to match the filters again.
 *
 * @param prints how many of the newest are remembered with their fields
 */
function remember(rows: Row[], memory: Timeline | undefined, prints: number): Entry[] {
	const here = new Set(rows.map(({ id }) => id));
	return [
		...rows.map(
			({ id, at, contact }, index): Entry => (index < prints ? [id, at, printOf(contact)] : [id, at]),
		),
		...(memory?.recent.filter(([id]) => !here.has(id)) ?? []),
	].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1));
}
