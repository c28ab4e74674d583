import type { IDataObject } from 'n8n-workflow';
import type { Caller } from '../routing/client';
import type { ContactEvent } from './events';
import { readNewest, readNewestOne } from './newestFirst';
import type { Newest } from './newestFirst';
import { changedFields, printOf } from './print';
import type { Shape } from './shape';
import { floorOf, higher, timeOf } from './timeline';
import type { Entry, Row, Timeline } from './timeline';
import type { Watch } from './watch';

/** Contacts whose fields are remembered, so that it can be said what changed. */
const REMEMBERED = 500;
/** Contacts that are read again and again, at most, because some of them were missed before. */
const MOST_UNSETTLED = 5000;

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
			const nextFloor = floorOf(newest.rows, newest.page, newest.isAll);
			const floor = memory ? floorAfter(memory, news) : nextFloor;
			const recent = remember(newest, floor, memory, tellsFields ? REMEMBERED : 0);

			const items = await shape(news.map(({ contact }) => contact));
			if (tellsFields) {
				const prints = new Map(memory?.recent.map(([id, , print]) => [id, print]));
				for (const [index, { id, contact }] of news.entries()) {
					const print = prints.get(id);
					items[index].changedFields = print === undefined ? [] : changedFields(print, printOf(contact));
				}
			}
			return { items, memory: { floor, nextFloor, recent }, mustKeep: false };
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

/** The floor rises to where everything has been read twice, unless something was still found below at the second time. */
function floorAfter({ floor, nextFloor, recent }: Timeline, news: Row[]): number | null {
	const isSettled =
		nextFloor === null || news.every(({ at }) => at > nextFloor) || recent.length > MOST_UNSETTLED;
	return isSettled ? higher(floor, nextFloor) : floor;
}

/**
 * The contacts to remember, newest first: all above the floor, and of updates the newest with what their fields look like.
 *
 * @param prints how many of the newest are remembered with their fields
 */
function remember(
	{ rows, isOnePage }: Newest,
	floor: number | null,
	memory: Timeline | undefined,
	prints: number,
): Entry[] {
	const here = new Set(rows.map(({ id }) => id));
	const oldest = rows[rows.length - 1]?.at ?? -Infinity;
	// One that should have been read and was not is gone, or was missed and comes with the next poll.
	const others = memory?.recent.filter(([id, at]) => !here.has(id) && (at <= oldest || !isOnePage)) ?? [];
	return [
		...rows.map(
			({ id, at, contact }, index): Entry => (index < prints ? [id, at, printOf(contact)] : [id, at]),
		),
		...others,
	]
		.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))
		.filter(([, at], index) => floor === null || at > floor || index < prints);
}
