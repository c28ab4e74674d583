import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { unitMs } from '../../values/dates';
import { LATE_MS } from '../messages/mark';

/*
 * Which messages this process of n8n has returned. A restart forgets them, and other processes do
 * not know them.
 */

/** The most contacts to remember, of all triggers. */
const MOST_CONTACTS = 10_000;

/** How old a message may be that starts a workflow when nothing is remembered of its contact. */
const OLDEST_MS = unitMs.hours;

/** What a contact wrote so long before the newest message belongs to it. */
const TOGETHER_MS = 5 * unitMs.minutes;

/** What a trigger has returned of a contact's messages. */
interface Returned {
	/** The time of the newest one, in milliseconds since 1970. */
	newest: number;
	/** The times of those that are not much older, by their IDs. */
	times: Map<string, number>;
}

/** By trigger and contact, the one that was used last at the end. */
const returned = new Map<string, Returned>();

/**
 * Returns the time after which to read a contact's messages, in milliseconds since 1970.
 *
 * @param key names a trigger and a contact
 */
export function getReadFrom(key: string): number {
	const last = returned.get(key);
	return last ? last.newest - LATE_MS : Date.now() - OLDEST_MS;
}

/**
 * Returns the messages that the trigger has not returned, and remembers them as returned. There is
 * no wait in between, so two calls at once get nothing twice.
 *
 * @param messages those since `getReadFrom`, oldest first
 */
export function takeNew(key: string, messages: IDataObject[]): IDataObject[] {
	const last = returned.get(key);
	// Another call may have returned newer ones since these were read.
	const isNew = (message: IDataObject) =>
		!last ||
		(getMessageTime(message) > last.newest - LATE_MS && !last.times.has(String(message.id)));
	const fresh = messages.filter(isNew);
	const newestFresh = fresh.at(-1);
	if (!newestFresh) return [];
	const newest = Math.max(last?.newest ?? 0, getMessageTime(newestFresh));
	const taken = last
		? fresh
		: fresh.filter((message) => getMessageTime(message) >= newest - TOGETHER_MS);
	const times = new Map(last?.times);
	for (const message of messages) times.set(String(message.id), getMessageTime(message));
	for (const [id, at] of times) if (at < newest - LATE_MS) times.delete(id);
	returned.delete(key);
	returned.set(key, { newest, times });
	const [oldestKey] = returned.keys();
	if (returned.size > MOST_CONTACTS) returned.delete(oldestKey);
	return taken;
}
