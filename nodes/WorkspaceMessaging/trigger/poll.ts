import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { readConnection } from '../run/connection';
import { openClient } from '../service/client';
import type { ApiClient } from '../transport/client';
import { ApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { patienceIn, retryDefaults } from '../transport/retry/settings';
import { oncePerService } from '../service/memory';
import { toNodeError } from '../run/nodeError';
import { checkedContactFilter } from '../service/filterForm';
import { unitMs } from '../values/dates';
import { splitItems } from './executions';
import {
	hasDurableCursor,
	isSavedWithoutItems,
	keepMemory,
	keepMemoryWithItems,
	loadMemory,
	makeMemorySubject,
	watchForOtherPolls,
} from './memory';
import { readSettings } from './settings';
import type { PollHost, PollingEvent, PollResult, Settings, Watcher } from './types';
import { createFileSaver } from '../conversations/attachments';
import { readConditions } from './contactItems';

/**
 * The most time for the retries of a request and for its answer; the next poll tries again anyway.
 */
const REQUEST_TIMEOUT_MS = 60_000;
/** The most time for a poll if n8n sets no limit. */
const POLL_TIMEOUT_MS = 300_000;

/** The share of that time in which a poll that can stop early begins something new. */
const TIME_TO_BEGIN = 0.7;

/** The share for one of many records that are read. */
const TIME_FOR_ONE = 0.25;

/** The most time for a record that failed before. */
const BRIEF_MS = 10_000;

/** The share after which downloads end: a file that hangs must not fail the poll. */
const TIME_FOR_FILES = 0.85;

/** The polls in progress, by the IDs of workflow and node. */
const inProgress = new Map<string, Promise<unknown>>();

/** When polls began to fail, by the same IDs, in milliseconds since 1970. */
const failing = new Map<string, number>();

/** When `warnHourly` warned last, by the same IDs, in milliseconds since 1970. */
const warned = new Map<string, number>();

/**
 * Looks for events; n8n calls this at the poll times. Returns the items of new events, or null. If
 * n8n must save the memory but there are no items, this starts the workflow with an empty list, as
 * n8n would not save it otherwise.
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const timeoutMs = context.getPollBudgetMs?.() ?? POLL_TIMEOUT_MS;
	const signal = AbortSignal.timeout(timeoutMs);
	const begunAt = Date.now();
	return await pollOnce(context, timeoutMs, signal).catch((error: Error) => {
		rememberFailure(context, begunAt);
		const shown = signal.aborted ? pollTookTooLong(timeoutMs) : error;
		throw toNodeError(context.getNode(), shown);
	});
}

function rememberFailure(context: IPollFunctions, begunAt: number) {
	const trigger = getTriggerKey(context);
	const isTest = context.getMode() === 'manual';
	if (!isTest && !failing.has(trigger)) failing.set(trigger, begunAt);
}

const getTriggerKey = (context: IPollFunctions) =>
	`${context.getWorkflow().id}/${context.getNode().id}`;

function pollTookTooLong(timeoutMs: number) {
	const seconds = Math.round(timeoutMs / 1000);
	return new ApiError(`This poll took longer than the ${seconds} seconds that n8n allows.`, {
		outcome: 'refused',
		advice: 'No event is lost: the next poll reads everything again.',
	});
}

async function pollOnce(context: IPollFunctions, timeoutMs: number, signal: AbortSignal) {
	const { event, settings: entered } = readSettings(context);
	const api = await openApiForPoll(context, timeoutMs, signal);
	// With the filters as entered: their form on the service can change.
	const subject = makeMemorySubject(context, event.value, entered, api.baseUrl);
	const client = api.createRequester(context);
	const host = makePollHost(context, api, timeoutMs);
	const { conditionSet, filters } = await readUsableConditions(context, client, entered.filters);
	const settings = { ...entered, conditionSet, filters };
	const watcher = event.watch(client, settings, host);
	if (context.getMode() === 'manual') {
		const item = await readTestEvent(watcher, event);
		return toTriggerOutput(context, [item]);
	}

	const isFirst = loadMemory(context, subject) === undefined;
	return await pollInTurn(context, isFirst, async () => {
		if (isFirst && conditionSet) await tryConditions(client, settings, host, event);
		// Read again: a poll before this one may have changed it.
		const last = loadMemory(context, subject);
		const isOvertaken = watchForOtherPolls(context, subject);
		const result = await watcher.poll(last);
		const hasEvents = result.items.length > 0;
		// `readUsableFilter` remembers that the service applies the filter. If it no longer does, the
		// workflow would start for everyone.
		if (hasEvents) await checkedContactFilter(client, entered.filters.contactFilter);
		failing.delete(getTriggerKey(context));
		return keepResult(context, subject, isFirst, result, isOvertaken);
	});
}

/** Reports a condition that this workspace cannot compare now, and not with the first event. */
async function tryConditions(
	client: Requester,
	settings: Settings,
	host: PollHost,
	event: PollingEvent,
) {
	const withoutFiles = { ...host, hasTimeForFiles: () => false };
	await event.watch(client, settings, withoutFiles).sample();
}

/** Opens the API for one poll, with its limits of time. */
async function openApiForPoll(context: IPollFunctions, timeoutMs: number, signal: AbortSignal) {
	const giveUpAfterMs = Math.min(REQUEST_TIMEOUT_MS, timeoutMs);
	const { maxRetries } = retryDefaults;
	const retry = { maxRetries, giveUpAfterMs, ...patienceIn(context.getMode()) };
	const requestOptions = context.getNodeParameter('requestOptions', {});
	const transport = readConnection(requestOptions, giveUpAfterMs);
	return await openClient(context, { retry, transport, signal });
}

/** Keeps the memory of a poll, and returns what the poll gives to n8n. */
function keepResult(
	context: IPollFunctions,
	subject: string,
	isFirst: boolean,
	{ items, memory, mustSave, executionOf }: PollResult,
	isOvertaken: () => boolean,
) {
	if (items.length > 0) {
		const split = (all: INodeExecutionData[]) => splitItems(all, executionOf);
		keepMemoryWithItems(context, subject, memory, isOvertaken, split);
		return toTriggerOutput(context, items);
	}
	if (isOvertaken()) return null;
	const isSaved = isSavedWithoutItems(context, subject);
	keepMemory(context, subject, memory);
	if (isSaved) return null;
	const mustStart = isFirst || mustSave;
	// With Always Output Data, n8n would make an item out of nothing.
	const { alwaysOutputData } = context.getNode();
	return mustStart && !alwaysOutputData ? toTriggerOutput(context, []) : null;
}

const toTriggerOutput = (context: IPollFunctions, items: PollResult['items']) => [
	context.helpers.returnJsonArray(items),
];

/**
 * Polls, unless another poll of the trigger is in progress: that one finds the same events. n8n
 * starts a second one if the last one takes long, or if the user publishes the workflow meanwhile.
 * If watching begins with this poll, the other one watches something else, so this one waits for
 * it, and then polls.
 */
async function pollInTurn<Result>(
	context: IPollFunctions,
	isFirst: boolean,
	poll: () => Promise<Result>,
) {
	const trigger = getTriggerKey(context);
	const other = inProgress.get(trigger);
	if (other && !isFirst) return null;
	const own = Promise.allSettled([other]).then(poll);
	inProgress.set(trigger, own);
	try {
		return await own;
	} finally {
		if (inProgress.get(trigger) === own) inProgress.delete(trigger);
	}
}

/** Returns what a poll can do besides requests, from now on for so many milliseconds. */
function makePollHost(context: IPollFunctions, api: ApiClient, timeoutMs: number): PollHost {
	const stopAt = performance.now() + timeoutMs * TIME_TO_BEGIN;
	const mostForOneMs = Math.min(REQUEST_TIMEOUT_MS, timeoutMs * TIME_FOR_ONE);
	const oneMs = Math.round(mostForOneMs);
	const briefMs = Math.min(BRIEF_MS, oneMs);
	return {
		...createFileSaver(context, api, AbortSignal.timeout(timeoutMs * TIME_FOR_FILES)),
		hasTime: () => performance.now() < stopAt,
		failingSince: failing.get(getTriggerKey(context)),
		// n8n saves a durable cursor with one execution; the others would be lost in a crash.
		mostExecutions: hasDurableCursor(context) ? 1 : Infinity,
		requesterForOne(isBrief) {
			if (isBrief) return api.createBriefRequester(context, briefMs, 0);
			return api.createBriefRequester(context, oneMs, retryDefaults.maxRetries);
		},
		warn: (text) => warn(context, text),
		warnHourly: (text) => warnHourly(context, text),
	};
}

function warn(context: IPollFunctions, text: string) {
	const { name } = context.getNode();
	context.logger.warn(`${name}: ${text}`);
}

function warnHourly(context: IPollFunctions, text: string) {
	const trigger = getTriggerKey(context);
	const lastAt = warned.get(trigger) ?? -Infinity;
	if (Date.now() < lastAt + unitMs.hours) return;
	warned.set(trigger, Date.now());
	warn(context, text);
}

/** Returns a contact filter in the form that the service applies. */
const readUsableFilter = oncePerService((client: Requester, filter: string) =>
	checkedContactFilter(client, JSON.parse(filter)),
);

/** Returns the conditions, and the filters in the form that the service applies. */
async function readUsableConditions(
	context: IPollFunctions,
	client: Requester,
	filters: Settings['filters'],
) {
	const conditionSet = await readConditions(context, client);
	const contactFilter = await readUsableFilter(client, JSON.stringify(filters.contactFilter ?? {}));
	return { conditionSet, filters: { ...filters, contactFilter } };
}

/** Returns what the editor shows as a test event. */
async function readTestEvent(watcher: Watcher, { ifNoSample }: PollingEvent) {
	const sample = await watcher.sample();
	if (sample) return sample;
	throw new ApiError('There is nothing to show as a test event yet.', {
		outcome: 'refused',
		advice: `${ifNoSample} Once published, the trigger works without a test event, too.`,
	});
}
