import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { ApiClient } from '../transport/client';
import { ApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { retryDefaults } from '../transport/retry';
import { oncePerService } from '../transport/service';
import { nodeErrorOf } from '../execution/report';
import { parseConditions } from '../contacts/conditions/parse';
import { readCustomFieldDefinitions } from '../contacts/customFields/definitions';
import { checkedContactFilter } from '../contacts/list/contactFilter';
import { keepMemory, loadMemory, subjectOf } from './memory';
import { readSettings } from './settings';
import type { PollHost, Settings } from './types';

/** The most time for the retries of a request and for its answer; the next poll tries again anyway. */
const GIVE_UP_AFTER_MS = 60_000;
/** The most time for a poll if n8n sets no limit. */
const POLL_TIMEOUT_MS = 300_000;

/** The share of that time in which a poll that can stop early begins something new. */
const TIME_TO_BEGIN = 0.7;

/** The share after which downloads end: a file that hangs must not fail the poll. */
const TIME_FOR_FILES = 0.85;

/**
 * The triggers with a poll in progress, by the IDs of workflow and node. A second poll would find the same events: n8n starts
 * one if the last poll takes long, or if the user publishes the workflow while the trigger polls.
 */
const inProgress = new Set<string>();

/**
 * Looks for events; n8n calls this at the poll times. Returns the items of new events, or null. If n8n must save the memory
 * but there are no items, this starts the workflow with an empty list, as n8n would not save it otherwise.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// A manual poll has no memory.
	if (this.getMode() === 'manual') return await pollInTime(this);
	const trigger = `${this.getWorkflow().id}/${this.getNode().id}`;
	if (inProgress.has(trigger)) return null;
	inProgress.add(trigger);
	try {
		return await pollInTime(this);
	} finally {
		inProgress.delete(trigger);
	}
}

/** Polls within the time that n8n allows. */
async function pollInTime(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const timeoutMs = context.getPollBudgetMs?.() ?? POLL_TIMEOUT_MS;
	const signal = AbortSignal.timeout(timeoutMs);
	try {
		return await pollOnce(context, timeoutMs, signal);
	} catch (error) {
		throw nodeErrorOf(context.getNode(), signal.aborted ? tookTooLong(timeoutMs) : (error as Error));
	}
}

const tookTooLong = (timeoutMs: number) =>
	new ApiError(`This poll took longer than the ${Math.round(timeoutMs / 1000)} seconds that n8n allows.`, {
		outcome: 'refused',
		advice: 'No event is lost: the next poll reads everything again.',
	});

async function pollOnce(context: IPollFunctions, timeoutMs: number, signal: AbortSignal) {
	const { event, settings: entered } = readSettings(context);
	const subject = await subjectOf(context, event.value, entered);
	const giveUpAfterMs = Math.min(GIVE_UP_AFTER_MS, timeoutMs);
	const retry = { maxRetries: retryDefaults.maxRetries, giveUpAfterMs };
	const transport = { timeout: giveUpAfterMs };
	const api = await ApiClient.open(context, { retry, transport, signal });
	const client = api.requester(context);
	const host = hostOf(context, api, timeoutMs);
	const settings = { ...entered, ...(await usableConditions(context, client, entered.filters)) };
	const watcher = event.watch(client, settings, host);
	const output = (items: Array<IDataObject | INodeExecutionData>) => [context.helpers.returnJsonArray(items)];
	if (context.getMode() === 'manual') return output([(await watcher.sample()) ?? noSample()]);

	const last = loadMemory(context, subject);
	const isFirst = last === undefined;
	// Reports a condition that this workspace cannot compare when watching begins, not only with the first event.
	if (isFirst && settings.conditionSet) await watcher.sample();
	const { items, memory, mustSave } = await watcher.poll(last);
	// If the service no longer applies the filter, the workflow would start for everyone.
	if (items.length > 0) await checkedContactFilter(client, entered.filters.contactFilter);
	const isSaved = keepMemory(context, subject, memory);
	// With Always Output Data, n8n would make an item out of nothing.
	const startsEmpty = (isFirst || mustSave) && !isSaved && !context.getNode().alwaysOutputData;
	return items.length > 0 || startsEmpty ? output(items) : null;
}

/** Returns what a poll can do besides requests, from now on for so many milliseconds. */
function hostOf(context: IPollFunctions, api: ApiClient, timeoutMs: number): PollHost {
	const stopAt = performance.now() + timeoutMs * TIME_TO_BEGIN;
	const noMoreFiles = AbortSignal.timeout(timeoutMs * TIME_FOR_FILES);
	return {
		hasTime: () => performance.now() < stopAt,
		hasTimeForFiles: () => !noMoreFiles.aborted,
		warn: (text) => context.logger.warn(`${context.getNode().name}: ${text}`),
		async saveFile(address, name, mimeType) {
			const file = await api.download(context, address, noMoreFiles);
			return await context.helpers.prepareBinaryData(file.content, name, mimeType ?? file.mimeType);
		},
	};
}

/** Returns a contact filter in the form that the service applies. */
const usableFilter = oncePerService(
	async (client: Requester, filter: string) => await checkedContactFilter(client, JSON.parse(filter)),
);

/** Returns the conditions, and the filters in the form that the service applies. */
async function usableConditions(context: IPollFunctions, client: Requester, filters: Settings['filters']) {
	let definitions: ReturnType<typeof readCustomFieldDefinitions> | undefined;
	const conditionSet = await parseConditions(
		(name, fallback) => context.getNodeParameter(name, fallback),
		{ timezone: context.getTimezone(), now: Date.now() },
		async () => await (definitions ??= readCustomFieldDefinitions(client)),
		client.service,
	);
	const contactFilter = await usableFilter(client, JSON.stringify(filters.contactFilter ?? {}));
	return { conditionSet, filters: { ...filters, contactFilter } };
}

function noSample(): never {
	throw new ApiError('No matching record to show as a sample', {
		outcome: 'refused',
		advice: 'The trigger still works once published. Add a matching record or relax the conditions.',
	});
}
