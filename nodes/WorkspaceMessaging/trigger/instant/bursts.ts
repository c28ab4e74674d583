import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { pause } from '../../transport/retry/delays';
import { MAX_MESSAGES, MAX_QUIET_TIMES } from '../messages/groupMessages';

/*
 * Messages that a contact writes close together. The call for the first one waits for the others,
 * and starts the workflow once. This process of n8n knows its own calls only, and a restart forgets
 * those that wait.
 */

/** The most calls that wait at once: n8n holds about 11 MB for each. */
const MOST_WAITING = 50;

/** How often a call that waits looks whether that is over. */
export const LOOK_AGAIN_EVERY_MS = 500;

/** The calls for messages that come close together; all times are those of `performance.now()`. */
export interface Burst {
	/** How long the contact is quiet at the end, in milliseconds; 0 if the first call does not wait. */
	readonly quietMs: number;
	readonly firstAt: number;
	/** When the contact wrote last, as far as n8n knows. */
	lastAt: number;
	calls: number;
}

/** The bursts whose first call waits, by trigger and contact. */
const waiting = new Map<string, Burst>();

/**
 * Adds a call to the burst of its contact, whose first call waits; returns false if there is none.
 *
 * @param key names a trigger and a contact
 */
export function joinBurst(key: string): boolean {
	const burst = waiting.get(key);
	if (!burst) return false;
	burst.calls++;
	burst.lastAt = performance.now();
	return true;
}

/** Begins a burst with its first call; if too many calls wait, this one does not. */
export function beginBurst(key: string, seconds: number): Burst {
	const now = performance.now();
	const quietMs = waiting.size < MOST_WAITING ? seconds * 1000 : 0;
	const burst = { quietMs, firstAt: now, lastAt: now, calls: 1 };
	if (quietMs > 0) waiting.set(key, burst);
	return burst;
}

/** Whether the contact has been quiet for long enough, or has written enough. */
export function isBurstOver({ quietMs, firstAt, lastAt, calls }: Burst): boolean {
	const now = performance.now();
	const isLong = calls >= MAX_MESSAGES || now - firstAt >= MAX_QUIET_TIMES * quietMs;
	return isLong || now - lastAt >= quietMs;
}

/** Waits until a burst is over, by its calls. */
export async function waitForBurst(burst: Burst): Promise<void> {
	while (!isBurstOver(burst)) await pause(LOOK_AGAIN_EVERY_MS);
}

/** Takes account of messages that came without a call to this process, by the service's clock. */
export function addMessages(burst: Burst, messages: IDataObject[]): void {
	const last = messages.at(-1);
	if (!last || messages.length <= burst.calls) return;
	const age = Math.max(0, Date.now() - getMessageTime(last));
	burst.lastAt = Math.max(burst.lastAt, performance.now() - age);
}

/** Ends a burst: the next call about the contact begins another one. */
export function endBurst(key: string, burst: Burst): void {
	if (waiting.get(key) === burst) waiting.delete(key);
}
