import type { IDataObject } from 'n8n-workflow';
import type { Caller } from '../routing/client';
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
			const { rows, page, isAll } = await readNewest(caller, { ...question, atLeast }, memory);
			const nextFloor = floorOf(rows, page, isAll);
			const floor = memory ? higher(memory.floor, memory.nextFloor) : nextFloor;
			const above = rows.filter(({ at }) => floor === null || at > floor);
			const recent = tellsFields ? withPrints(rows, above.length, memory) : above.map(entryOf);

			const news = memory ? newsIn(rows, memory, tellsFields) : [];
			const items = await shape(news.map(({ contact }) => contact));
			if (tellsFields) {
				const before = new Map(memory?.recent.map(([id, , print]) => [id, print]));
				const after = new Map(recent.map(([id, , print]) => [id, print]));
				for (const [index, { id, contact }] of news.entries()) {
					const print = before.get(id);
					items[index].changedFields =
						print === undefined ? [] : changedFields(print, after.get(id) ?? printOf(contact));
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

function entryOf({ id, at }: Row): Entry {
	return [id, at];
}

/** The newest contacts with what their fields look like, as far as those are remembered. */
function withPrints(rows: Row[], above: number, memory?: Timeline): Entry[] {
	const here = new Set(rows.map(({ id }) => id));
	const oldest = rows[rows.length - 1]?.at ?? -Infinity;
	// One that should have been read and was not is gone.
	const older = memory?.recent.filter(([id, at]) => at <= oldest && !here.has(id)) ?? [];
	const read = rows.map(
		(row, index): Entry => (index < REMEMBERED ? [row.id, row.at, printOf(row.contact)] : entryOf(row)),
	);
	return [...read, ...older].slice(0, Math.max(REMEMBERED, above));
}
