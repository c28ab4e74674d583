import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, INode } from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import { ApiError } from '../transport/errors/ApiError';
import { render, textOf } from '../transport/errors/render';
import { counted } from '../validation/labels';
import type { Outcome, Run } from './run';

/* What a run tells the user: its errors, the outcomes of its items, and its progress. */

/** Ranges of items in a text; the log has more, so that people can continue a run from it. */
const MAX_RANGES = 20;

/** How often a run logs its progress. */
const EVERY_MS = 10_000;

/**
 * Returns an error as n8n shows it: the headline as its message, the rest as its description.
 *
 * @param audience the number of the input item; whether other items may have had an effect; whether n8n only shows the
 * message, so that it needs the whole text
 */
export function nodeErrorOf(
	node: INode,
	error: Error,
	audience: { item?: number; oneOfSeveral?: boolean; isOneText?: boolean } = {},
): NodeApiError {
	const { item, oneOfSeveral, isOneText } = audience;
	const isSent = error instanceof ApiError;
	const rendered = isSent ? render(error, { oneOfSeveral }) : { headline: error.message, description: '' };
	const { status, outcome, isAboutRun } = isSent ? error.details : {};
	const number = item === undefined || isAboutRun ? '' : ` [item ${item}]`;
	const message = (isOneText ? textOf(rendered) : rendered.headline) + number;
	const nodeError = new NodeApiError(node, { message } as IDataObject as never, {
		message,
		description: isOneText ? undefined : rendered.description || undefined,
		httpCode: status === undefined ? undefined : String(status),
		itemIndex: item,
	});
	// n8n replaces sentences with the code of a network error in them, and shows the first ones twice.
	nodeError.message = message;
	nodeError.messages = [];
	if (item !== undefined) nodeError.context.outcome = outcome;
	return nodeError;
}

/**
 * Returns what happened to the items of a run that stopped, so that people can continue it without doing anything twice:
 * `100 items: 12 done (items 0–11), 1 failed (item 12), 87 not attempted (items 13–99).` Empty for a single item.
 *
 * @param done the word for a success
 */
export function describeOutcomes(
	items: ReadonlyArray<{ index: number; outcome: Outcome }>,
	done = 'done',
	maxRanges = MAX_RANGES,
): string {
	if (items.length < 2) return '';
	const words: Array<[Outcome, string]> = [
		['done', done],
		['refused', 'failed'],
		['unknown', 'sent with unknown outcome'],
		['notSent', 'not attempted'],
	];
	const parts = words.flatMap(([outcome, word]) => {
		const numbers = items.filter((item) => item.outcome === outcome).map(({ index }) => index);
		if (numbers.length === items.length) return [`All ${counted(items.length, 'item')} ${word}`];
		const item = numbers.length === 1 ? 'item' : 'items';
		return numbers.length === 0
			? []
			: [`${written(numbers.length)} ${word} (${item} ${itemRanges(numbers, maxRanges)})`];
	});
	return parts.length === 1 ? `${parts[0]}.` : `${counted(items.length, 'item')}: ${parts.join(', ')}.`;
}

/** Writes ascending numbers as ranges: `0–3, 7, 9–12`. */
export function itemRanges(numbers: number[], maxRanges = MAX_RANGES): string {
	const found: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = found[found.length - 1];
		if (last && last[1] === number - 1) last[1] = number;
		else found.push([number, number]);
	}
	const shown = found.slice(0, maxRanges).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
	return found.length > maxRanges ? `${shown.join(', ')} and more` : shown.join(', ');
}

/** Returns how long a run waited and what it retried; empty if it did neither. */
export function describeStats({ retries, tooManyRequests, waitedMs }: ApiClient['stats']): string {
	const slowedDown = tooManyRequests > 0 ? `slowed down ${counted(tooManyRequests, 'time')}` : '';
	const waited =
		waitedMs >= 1000
			? `waited ${written(waitedMs / 1000)} s because of the rate limit${slowedDown && ` (${slowedDown})`}`
			: slowedDown && `was ${slowedDown} because of the rate limit`;
	return [
		...(waited ? [`This run ${waited}.`] : []),
		...(retries > 0 ? [`${counted(retries, 'request was', 'requests were')} retried.`] : []),
	].join(' ');
}

/**
 * Logs the progress of a run every ten seconds: `Send messages: 340 of 1,000 items done, 660 waiting for the rate limit. 2,040
 * items a minute.`
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
		context.logger.info(`${context.getNode().name}: ${describeProgress(run, perMinute, isLimited)}`);
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

function describeProgress(
	{ items, endedItems, waitsFor, client }: Run,
	perMinute: number,
	isLimited: boolean,
): string {
	const reason = waitsFor === undefined ? reasonToWait(isLimited, client?.activity) : `for ${waitsFor}`;
	const waiting = `${written(items.length - endedItems)} waiting ${reason}`;
	return `${written(endedItems)} of ${counted(items.length, 'item')} done, ${waiting}. ${counted(Math.round(perMinute), 'item')} a minute.`;
}

/** What the rest of a run waits for; `isLimited` if requests waited for the rate limit since the last line. */
function reasonToWait(isLimited: boolean, activity?: ApiClient['activity']): string {
	if (!activity) return 'to be sent';
	const { waiting, repeating, pausedForMs } = activity;
	if (pausedForMs > 0)
		return `because the service asks to wait ${written(Math.ceil(pausedForMs / 1000))} s more`;
	if (waiting > 0 && isLimited) return 'for the rate limit';
	if (repeating > 0) return `for answers (${counted(repeating, 'request')} will be retried)`;
	return 'for answers';
}

const written = (number: number) => Math.round(number).toLocaleString('en-US');
