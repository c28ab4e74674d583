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

/**
 * What a test event returned so long before the newest message is not new after publishing. What is
 * younger can be of a published workflow that somebody tests: it gets the messages, too.
 */
const TESTED_MS = 45_000;

/** What a trigger has returned of a contact's messages. */
interface Returned {
	/**
	 * All messages up to this time are done, in milliseconds since 1970. If none was returned so far,
	 * all that are later wait.
	 */
	from: number;
	/** The times of the later ones that are done, by their IDs. */
	times: Map<string, number>;
	/** How many calls were about messages that wait. */
	heldCalls: number;
}

/** By trigger and contact, the one that was used last at the end. */
const returned = new Map<string, Returned>();

const NOTHING: Returned = { from: Infinity, times: new Map(), heldCalls: 0 };

const getReturned = (key: string) => returned.get(key) ?? NOTHING;

/**
 * Whether anything is known of a contact's messages.
 *
 * @param key names how the trigger was started, the trigger and the contact
 */
export const isRemembered = (key: string): boolean => returned.has(key);

/** Returns the time after which to read a contact's messages, in milliseconds since 1970. */
export const getReadFrom = (key: string): number => getStart(key, Date.now() - OLDEST_MS);

/** The name of the same trigger and contact while somebody listens for a test event. */
const testKeyOf = (key: string) => key.replace(/^\w+/, 'manual');

/**
 * Returns the messages that the trigger has not returned. The first time, those of a test event are
 * not new either: people test a trigger, publish it, and write again.
 *
 * @param messages those since `getReadFrom`, oldest first
 */
export function findNew(key: string, messages: IDataObject[]): IDataObject[] {
	const newest = Math.max(...messages.map(getMessageTime));
	const start = getStart(key, newest - TOGETHER_MS);
	const { times } = getReturned(key);
	const { times: tested } = getReturned(testKeyOf(key));
	const isFirst = times.size === 0;
	return messages.filter((message) => {
		const id = String(message.id);
		const at = getMessageTime(message);
		const wasTested = isFirst && tested.has(id) && at < newest - TESTED_MS;
		return at > start && !times.has(id) && !wasTested;
	});
}

/** Returns since when messages are new; with nothing returned, since a time at the latest. */
function getStart(key: string, latest: number) {
	const { from, times } = getReturned(key);
	return times.size > 0 ? from : Math.min(from, latest);
}

/**
 * Remembers messages as returned. There must be no wait after `findNew`, so that two calls at once
 * get nothing twice.
 *
 * @param messages all that were read
 */
export function rememberReturned(key: string, messages: IDataObject[]): void {
	const last = getReturned(key);
	const later = [...last.times].filter(([, at]) => at > last.from);
	const times = new Map(later);
	for (const message of messages) times.set(String(message.id), getMessageTime(message));
	// Another call may have returned newer ones since these were read.
	const newest = Math.max(...times.values());
	remember(key, { from: newest - LATE_MS, times, heldCalls: 0 });
}

/** Remembers that messages could not be returned after all: they come with the next call. */
export function giveBack(key: string, messages: IDataObject[]): void {
	const { from, times, heldCalls } = getReturned(key);
	for (const { id } of messages) times.delete(String(id));
	const oldest = Math.min(...messages.map(getMessageTime));
	remember(key, { from: Math.min(from, oldest - 1), times, heldCalls });
}

/** How many calls were about messages that wait. */
export const countHeldCalls = (key: string): number => getReturned(key).heldCalls;

/**
 * Remembers that messages of a contact wait, so that they come with a later call, however late that
 * is: what belongs to the message that the contact has just written, and all that follow.
 *
 * @param calls how many calls were about them
 * @param since a time after which all wait, in milliseconds since 1970
 */
export function holdBack(key: string, calls: number, since = Infinity): void {
	const { times, heldCalls } = getReturned(key);
	const from = getStart(key, Math.min(since, Date.now() - TOGETHER_MS));
	remember(key, { from, times, heldCalls: heldCalls + calls });
}

function remember(key: string, known: Returned) {
	returned.delete(key);
	returned.set(key, known);
	const [oldestKey] = returned.keys();
	if (returned.size > MOST_CONTACTS) returned.delete(oldestKey);
}
