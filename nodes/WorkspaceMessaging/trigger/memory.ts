import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL, normalizeBaseUrl } from '../transport/credential';
import { hash, stableStringify } from './fingerprint';
import type { Settings } from './types';

/*
 * What a trigger remembers between polls, in n8n's static data.
 *
 * By default, n8n keeps one object per trigger. It saves changes of the object only together with new items, or right after
 * it activates the workflow. With durable cursors, each poll gets a copy of the object. n8n then saves the copy with or
 * without items, but not after the poll with which it activates the workflow.
 *
 * By default, n8n also saves the memories of all nodes of a workflow at once. If a user publishes a workflow again, one of
 * its triggers may work on a new object while another still works on an old one. Each of them then saves an old memory of the
 * other, and after a restart events would come again. So each trigger saves copies of the other memories beside its own, and
 * the newer one counts.
 */

/** What n8n saves for one trigger. */
interface SavedMemory extends IDataObject {
	/** What the trigger watched, see `subjectOf`; the memory is useless for anything else. */
	subject?: string;
	/** How often the memory changed: of two copies, the one with the higher number is newer. */
	revision?: number;
	/** JSON as text, because n8n observes each part of an object for changes. */
	memory?: string;
}

/** What n8n saves for all nodes of a workflow together. */
interface WorkflowData extends IDataObject {
	/** Copies of the memories of the workflow's triggers, by the names of the nodes. */
	workspaceMessagingTrigger?: Record<string, SavedMemory>;
}

/** Contexts in which a poll succeeded. n8n makes one when it activates a workflow, or one for each poll. */
const polledContexts = new WeakSet<object>();

/** The memories of each workflow's triggers in this process, by the workflow's ID and the names of the nodes. */
const memories = new Map<string, Map<string, WeakRef<SavedMemory>>>();

/** n8n observes the object that it keeps for changes, but not the copies that durable cursors are. */
const isDurable = (saved: SavedMemory) => !('__dataChanged' in saved);

/**
 * Returns the memory of the last poll; undefined if watching begins: when a user switches the workflow on or changes what
 * the trigger watches. Watching goes on after a restart of n8n, and when a user publishes an active workflow again.
 */
export function loadMemory(context: IPollFunctions, subject: string): unknown {
	const last = newestMemory(context);
	const isSwitchedOn = context.getActivationMode() === 'activate' && !polledContexts.has(context);
	if (isSwitchedOn || last.subject !== subject || last.memory === undefined) return undefined;
	return JSON.parse(last.memory);
}

/** Keeps a memory for the next poll. Returns whether n8n saves it even if this poll returns no items. */
export function keepMemory(context: IPollFunctions, subject: string, value: unknown): boolean {
	const saved: SavedMemory = context.getWorkflowStaticData('node');
	const isFirst = loadMemory(context, subject) === undefined;
	const isScheduled = context.getActivationMode() === 'update' || polledContexts.has(context);
	polledContexts.add(context);
	const { revision = 0, memory: last } = newestMemory(context);
	const memory = JSON.stringify(value);
	if (isFirst || memory !== last) Object.assign(saved, { subject, revision: revision + 1, memory });
	if (isDurable(saved)) return !isFirst;
	copyOthers(context, saved);
	return isFirst && !isScheduled;
}

/** Returns the trigger's own memory, or its copy if another trigger saved a newer one. */
function newestMemory(context: IPollFunctions): SavedMemory {
	const saved: SavedMemory = context.getWorkflowStaticData('node');
	if (isDurable(saved)) return saved;
	const { workspaceMessagingTrigger: copies }: WorkflowData = context.getWorkflowStaticData('global');
	const copy = copies?.[context.getNode().name];
	return copy && (copy.revision ?? 0) > (saved.revision ?? 0) ? copy : saved;
}

/** Saves copies of what the workflow's other triggers remember by now. */
function copyOthers(context: IPollFunctions, own: SavedMemory) {
	const workflowId = String(context.getWorkflow().id);
	const triggers = memories.get(workflowId) ?? new Map<string, WeakRef<SavedMemory>>();
	memories.set(workflowId, triggers.set(context.getNode().name, new WeakRef(own)));
	const workflowData: WorkflowData = context.getWorkflowStaticData('global');
	for (const [name, reference] of triggers) {
		const { subject, revision = 0, memory } = reference.deref() ?? {};
		const copies = workflowData.workspaceMessagingTrigger;
		if (name === context.getNode().name || revision <= (copies?.[name]?.revision ?? 0)) continue;
		// n8n only notices a change if the object is a new one.
		workflowData.workspaceMessagingTrigger = { ...copies, [name]: { subject, revision, memory } };
	}
}

/** Returns a text of 16 characters that stands for what a trigger watches, and where. */
export async function subjectOf(
	context: IPollFunctions,
	event: string,
	{ parameters, filters }: Settings,
): Promise<string> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const subject = {
		event,
		// With other options, the trigger still watches the same.
		parameters: { ...parameters, options: undefined },
		filters,
		baseUrl: normalizeBaseUrl(baseUrl),
		credential,
	};
	return hash(stableStringify(subject), 16);
}
