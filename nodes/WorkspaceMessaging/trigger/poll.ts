import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, INodeExecutionData, IPollFunctions, NodeApiError } from 'n8n-workflow';
import { ApiClient } from '../transport/client';
import { ApiError } from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import { MAX_RETRIES } from '../transport/retry';
import { nodeErrorOf } from '../execution/nodeError';
import { parseConditions } from '../contacts/conditions/parse';
import { checkedContactFilter } from '../contacts/list/contactFilter';
import { readCustomFieldDefinitions } from '../contacts/customFields/definitions';
import type { Settings, Watch } from './types';
import { events } from './events';
import { readSettings } from './settings';
import { Memory } from './memory';

/** How long a request is repeated, and an answer waited for, at most. The next poll comes anyway. */
const GIVE_UP_AFTER_MS = 60_000;
/** How long a poll may take where n8n does not say. */
const BUDGET_MS = 300_000;

/** Contexts in which a poll is under way: where polls share a memory, a second one would find the same again. */
const underWay = new WeakSet<object>();

/**
 * What n8n calls when it is time to look for events. Returns the items of new events or null. In between, to have something
 * remembered that n8n would else forget, it starts the workflow without any items.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	if (underWay.has(this)) return null;
	underWay.add(this);
	const budgetMs = this.getPollBudgetMs?.() ?? BUDGET_MS;
	const signal = AbortSignal.timeout(budgetMs);
	try {
		return await pollOnce(this, Math.min(GIVE_UP_AFTER_MS, budgetMs), signal);
	} catch (error) {
		throw toNodeError(this, error as Error, signal.aborted ? budgetMs : undefined);
	} finally {
		underWay.delete(this);
	}
}

async function pollOnce(
	context: IPollFunctions,
	giveUpAfterMs: number,
	signal: AbortSignal,
): Promise<INodeExecutionData[][] | null> {
	const settings = readSettings(context);
	const state = await Memory.open(context, settings);
	const client = await ApiClient.open(context, {
		retry: { maxRetries: MAX_RETRIES, giveUpAfterMs },
		transport: { timeout: giveUpAfterMs },
		signal,
	});
	const event = events.find(({ option }) => option.value === settings.event);
	if (!event) throw new Error(`There is no event "${settings.event}". Choose one under Trigger On.`);
	const requester = client.requester(context);
	const selected = await withSelection(context, requester, settings);
	const watch = event.watch(requester, selected);
	const output = (items: IDataObject[]) => [context.helpers.returnJsonArray(items)];
	if (context.getMode() === 'manual') return output([await sampleOf(context, watch)]);

	const recalled = state.recall();
	const isFirst = recalled === undefined;
	// What cannot be compared in this workspace is said when watching begins, not only when there are events.
	if (isFirst && selected.conditionSet) await watch.sample();
	const { items, memory, mustPersist } = await watch.poll(recalled);
	// A filter that the service does not apply any more would start the workflow for everyone.
	if (items.length > 0) await checkedContactFilter(requester, settings.filters.contactFilter);
	const isKept = state.remember(memory, isFirst);
	if (items.length > 0) return output(items);
	// With this setting n8n would make an item of nothing.
	if (context.getNode().alwaysOutputData) return null;
	return (isFirst || mustPersist) && !isKept ? output([]) : null;
}

/** The settings with a filter that the service is known to apply, and with the conditions. */
async function withSelection(
	context: IPollFunctions,
	client: Requester,
	settings: Settings,
): Promise<Settings> {
	const { contactFilter } = settings.filters;
	const checked = await client.service.once(
		`contact filter ${JSON.stringify(contactFilter)}`,
		async () => await checkedContactFilter(client, contactFilter),
	);
	let customFields: ReturnType<typeof readCustomFieldDefinitions> | undefined;
	const segment = await parseConditions(
		(name, fallback) => context.getNodeParameter(name, fallback as IDataObject),
		{ timezone: context.getTimezone(), now: Date.now() },
		async () => await (customFields ??= readCustomFieldDefinitions(client)),
		client.service,
	);
	return { ...settings, filters: { ...settings.filters, contactFilter: checked }, conditionSet: segment };
}

/** What Fetch Test Event shows. */
async function sampleOf(context: IPollFunctions, watch: Watch): Promise<IDataObject> {
	const sample = await watch.sample();
	if (sample) return sample;
	throw new NodeOperationError(context.getNode(), 'There is nothing in the workspace to show as an example', {
		description:
			'The event is watched all the same once the workflow is active. Add a record, or loosen the filters, to see what its items look like.',
	});
}

/** The error in n8n's form; `budgetMs` when time was up. */
function toNodeError(
	context: IPollFunctions,
	error: Error,
	budgetMs?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeOperationError) return error;
	if (budgetMs === undefined) return nodeErrorOf(context.getNode(), error);
	const tooLong = new ApiError(
		`This poll took longer than the ${Math.round(budgetMs / 1000)} seconds that n8n gives it.`,
		{ outcome: 'notSent', advice: 'Nothing is lost: the next poll reads everything again.' },
	);
	return nodeErrorOf(context.getNode(), tooLong);
}
