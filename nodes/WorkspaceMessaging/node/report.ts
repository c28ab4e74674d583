import type { NodeApiError } from 'n8n-workflow';
import type { Item } from '../run/item';
import type { ApiClient } from '../transport/client';
import { joinSentences } from '../transport/errors/sentences';
import { counted, explainItemNumber, nameItems } from '../values/labels';
import type { Outcome, Run } from '../run/run';
import { readHint, type Hint } from '../run/tries';
import { describePhoneNumbers } from './phoneNumberHints';

/* What a run tells the user: hints, the outcomes of its items, and its progress. */

/** How often a run logs its progress. */
const EVERY_MS = 10_000;

/** Ranges of items in n8n's log, so that people can continue a run from it. */
const RANGES_IN_LOG = 1000;

/** Shows the hints of the items at the output, and how long the run waited. */
export function showHints(run: Run, items: Item[]): void {
	if (run.isToolCall) return;
	const shown = [...readHints(run, items)];
	const keys = shown.map(([, group]) => group?.key);
	const hints = shown.map(([text, group]) => {
		const alike = keys.filter((key) => key === group?.key);
		return {
			message: explainItems(text, items.length),
			location: 'outputPane' as const,
			...(group && alike.length > 1 && { group }),
		};
	});
	if (hints.length > 0) run.context.addExecutionHints(...hints);
}

/** Returns the hints of a run that has ended, and how long it waited. */
function readHints(run: Run, items: Item[]) {
	// The next try of n8n says these again.
	const own = [...describePhoneNumbers(run, items), describeRunStats(run)];
	const all = [...run.hints, ...own.map((text): Hint => [text])];
	// Several items, or several tries, may have given the same one.
	const texts = new Map(all.map(([text, group]) => [readHint(text), group]));
	// Some know only at the end of the run that there is nothing to say.
	texts.delete('');
	return texts;
}

/** Adds how n8n counts to a hint that names some of several items. */
function explainItems(text: string, count: number) {
	const [, first] = /\bitems? (\d+)/.exec(text) ?? [];
	const isOneOfSeveral = first !== undefined && count > 1;
	return isOneOfSeveral ? `${text} ${explainItemNumber(Number(first))}` : text;
}

/**
 * Adds to the error of a run the outcomes of its items, and how long it waited. n8n loses the hints
 * of a run that fails, so the error has those, too, if an item was sent.
 */
export function addReport(error: NodeApiError, run: Run, items: Item[]): NodeApiError {
	const { itemIndex } = error.context;
	const isOneOfSeveral = items.length > 1 && typeof itemIndex === 'number';
	const number = isOneOfSeveral ? explainItemNumber(itemIndex) : '';
	const isAnySent = items.some(({ outcome }) => outcome !== 'notSent' && outcome !== 'refused');
	const hints = isAnySent ? readHints(run, items).keys() : [describeRunStats(run)];
	const report = [error.description, describeRunOutcomes(run), number, ...hints];
	error.description = report.filter(Boolean).join(' ');
	return error;
}

/**
 * Logs how a run ended, unless it was short and all items succeeded. For a cancelled execution, the
 * log is all that remains: n8n stores the execution at that moment, before any output.
 */
export function logEnd(run: Run, isLong: boolean): void {
	const { context, items } = run;
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	const isDone = items.every(({ outcome }) => outcome === 'done');
	const isNotable = isLong || isCancelled || !isDone;
	const sentences = [
		isCancelled && 'The execution was cancelled.',
		isNotable && describeRunOutcomes(run, RANGES_IN_LOG),
		describeRunStats(run),
	];
	const text = sentences.filter(Boolean).join(' ');
	if (text !== '') context.logger.info(`${context.getNode().name}: ${text}`);
}

/** Returns what earlier tries of n8n have done, and how long this one waited. */
function describeRunStats({ client, items, tries }: Run) {
	const { doneBefore = 0, maybeTwice = 0 } = tries ?? {};
	const { stats = NO_STATS, outageMs = 0 } = client ?? {};
	const all = { ...stats, maybeTwice: maybeTwice + stats.maybeTwice };
	const done = `${formatNumber(doneBefore)} of ${counted(items.length, 'item')}`;
	const them = doneBefore === 1 ? 'it' : 'them';
	const earlier = `Retry On Fail: n8n did not repeat ${done}, because an earlier try had completed ${them}.`;
	return joinSentences(doneBefore > 0 ? earlier : '', describeStats(all, outageMs));
}

const NO_STATS: ApiClient['stats'] = { retries: 0, tooManyRequests: 0, waitedMs: 0, maybeTwice: 0 };

const describeRunOutcomes = ({ items, sendsMessages }: Run, maxRanges?: number) =>
	describeOutcomes(items, sendsMessages ? 'sent' : 'done', maxRanges);

/**
 * Returns what happened to the items of a run that stopped, so that people can continue it without
 * doing anything twice: `100 items: 12 done (items 0–11), 1 failed (item 12), 87 not attempted
 * (items 13–99).` Empty for a single item.
 *
 * @param done the word for a success
 */
export function describeOutcomes(
	items: ReadonlyArray<{ index: number; outcome: Outcome }>,
	done = 'done',
	maxRanges?: number,
): string {
	if (items.length < 2) return '';
	const words: Array<[Outcome, string]> = [
		['done', done],
		['refused', 'failed'],
		['partlyDone', 'partly done'],
		['unknown', 'sent with unknown outcome'],
		['notSent', 'not attempted'],
	];
	const total = counted(items.length, 'item');
	const parts: string[] = [];
	for (const [outcome, word] of words) {
		const found = items.filter((item) => item.outcome === outcome);
		if (found.length === items.length) return `All ${total} ${word}.`;
		if (found.length === 0) continue;
		const count = formatNumber(found.length);
		const numbers = found.map(({ index }) => index);
		const names = nameItems(numbers, maxRanges);
		parts.push(`${count} ${word} (${names})`);
	}
	return `${total}: ${parts.join(', ')}.`;
}

/**
 * Returns how long a run waited and what it retried; empty if it did neither.
 *
 * @param outageMs for how many milliseconds it waited for a service that did not answer
 */
export function describeStats(
	{ retries, tooManyRequests, waitedMs, maybeTwice }: ApiClient['stats'],
	outageMs = 0,
): string {
	const parts: string[] = [];
	if (outageMs >= 1000) {
		const seconds = formatNumber(outageMs / 1000);
		parts.push(`The service did not answer for about ${seconds} s, and n8n waited.`);
	}
	const slowedDown = `slowed down ${counted(tooManyRequests, 'time')}`;
	if (waitedMs >= 1000) {
		const seconds = formatNumber(waitedMs / 1000);
		const times = tooManyRequests > 0 ? ` (${slowedDown})` : '';
		parts.push(`This run waited ${seconds} s because of the rate limit${times}.`);
	} else if (tooManyRequests > 0) {
		parts.push(`This run was ${slowedDown} because of the rate limit.`);
	}
	if (retries > 0) {
		const requests = counted(retries, 'request was', 'requests were');
		parts.push(`${requests} retried.`);
	}
	if (maybeTwice > 0) {
		const messages = counted(maybeTwice, 'message');
		parts.push(
			`${messages} may have arrived twice: it is not known whether this service recognizes a message that it gets again.`,
		);
	}
	return parts.join(' ');
}

/**
 * Logs the progress of a run every ten seconds: `Send messages: 340 of 1,000 items done, 660
 * waiting for the rate limit. 2,040 items a minute.`
 *
 * @returns stops it, and returns whether there was a line
 */
export function reportProgress(run: Run): () => boolean {
	const { context } = run;
	let timer: AbortSignal;
	let last = { ended: 0, waitedMs: 0 };
	let hasReported = false;
	const report = () => {
		const now = { ended: run.endedItems, waitedMs: run.client?.stats.waitedMs ?? 0 };
		const ended = now.ended - last.ended;
		const isLimited = now.waitedMs - last.waitedMs >= 1000 || ended === 0;
		const perMinute = (ended * 60_000) / EVERY_MS;
		const { name } = context.getNode();
		const line = progressLine(run, perMinute, isLimited);
		context.logger.info(`${name}: ${line}`);
		hasReported = true;
		last = now;
		start();
	};
	// Unlike setTimeout, this timer does not keep the process alive.
	const start = () => {
		timer = AbortSignal.timeout(EVERY_MS);
		timer.addEventListener('abort', report, { once: true });
	};
	start();
	return () => {
		timer.removeEventListener('abort', report);
		return hasReported;
	};
}

function progressLine(
	{ items, endedItems, waitsFor, client }: Run,
	perMinute: number,
	isLimited: boolean,
) {
	const reason = waitsFor ? `for ${waitsFor}` : reasonToWait(isLimited, client?.activity);
	const ended = formatNumber(endedItems);
	const total = counted(items.length, 'item');
	const waiting = formatNumber(items.length - endedItems);
	const rate = counted(Math.round(perMinute), 'item');
	return `${ended} of ${total} done, ${waiting} waiting ${reason}. ${rate} a minute.`;
}

/**
 * What the rest of a run waits for; `isLimited` if requests waited for the rate limit since the
 * last line.
 */
function reasonToWait(isLimited: boolean, activity?: ApiClient['activity']) {
	if (!activity) return 'to be sent';
	const { waiting, repeating, pausedForMs } = activity;
	if (pausedForMs > 0) {
		const seconds = Math.ceil(pausedForMs / 1000);
		return `because the service asks to wait ${formatNumber(seconds)} s more`;
	}
	if (waiting > 0 && isLimited) return 'for the rate limit';
	if (repeating > 0) {
		const requests = counted(repeating, 'request');
		return `for answers (${requests} will be retried)`;
	}
	return 'for answers';
}

const formatNumber = (number: number) => Math.round(number).toLocaleString('en-US');
