import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { CREDENTIAL } from '../transport/credential';
import { hash, stableStringify } from './changes/fingerprints';
import { startEach } from './executions';
import type { Settings } from './types';

/*
 * What a trigger remembers between polls, in n8n's static data.
 *
 * By default, n8n keeps one object per trigger. It saves changes of the object only together with
 * new items, or right after it activates the workflow. With durable cursors, each poll gets a copy
 * of the object. n8n then saves the copy with or without items, but not after the poll with which
 * it activates the workflow.
 *
 * By default, n8n also saves the memories of all nodes of a workflow at once. If a user publishes a
 * workflow again, one of its triggers may work on a new object while another still works on an old
 * one. Each of them then saves an old memory of the other, or none. After a restart, events would
 * come again, or a trigger that watches something new would start over and miss events. So each
 * trigger saves copies of the other memories beside its own, and the newest one counts.
 *
 * n8n discards what a poll returns if the user published the workflow meanwhile. So a memory only
 * counts once n8n has taken the items that belong to it.
 */

/** What n8n saves for one trigger. */
interface SavedMemory extends IDataObject {
	/** What the trigger watched, see `makeMemorySubject`; the memory is useless for anything else. */
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

/**
 * Contexts in which a poll succeeded. n8n makes one when it activates a workflow, or one for each
 * poll.
 */
const polledContexts = new WeakSet<object>();

/**
 * The last memories that count of each workflow's triggers, by the workflow's ID and the names of
 * the nodes.
 */
const memories = new Map<string, Map<string, SavedMemory>>();

/**
 * n8n observes the object that it keeps for changes, but not the copies that durable cursors are.
 */
const isDurable = (saved: SavedMemory) => !('__dataChanged' in saved);

/** Whether n8n saves the memory together with the first execution that a poll starts. */
export const hasDurableCursor = (context: IPollFunctions) =>
	isDurable(context.getWorkflowStaticData('node'));

/**
 * Returns the memory of the last poll; undefined if watching begins: when a user switches the
 * workflow on or changes what the trigger watches. Watching goes on after a restart of n8n, and
 * when a user publishes an active workflow again.
 */
export function loadMemory(context: IPollFunctions, subject: string): unknown {
	const last = findNewestMemory(context);
	const isSwitchedOn = context.getActivationMode() === 'activate' && !polledContexts.has(context);
	if (isSwitchedOn) return undefined;
	if (last.subject !== subject || last.memory === undefined) return undefined;
	return JSON.parse(last.memory);
}

/**
 * Returns a function that tells whether another poll has changed the memory since this call: then it
 * has returned what this poll finds. Polls can overlap: n8n's scheduler asks its database before it
 * takes the items of a poll, and after a downtime it starts all missed polls. With durable cursors, a
 * poll cannot see what others change.
 */
export function watchForOtherPolls(context: IPollFunctions, subject: string): () => boolean {
	const { revision } = findNewestMemory(context);
	return () => {
		const newest = findNewestMemory(context);
		// One that watched something else did not return the same.
		return newest.revision !== revision && newest.subject === subject;
	};
}

/**
 * Whether n8n saves what a poll remembers even if the poll returns no items. To be asked before
 * `keepMemory`, after which the poll is no longer the first one.
 */
export function isSavedWithoutItems(context: IPollFunctions, subject: string): boolean {
	const isFirst = loadMemory(context, subject) === undefined;
	if (hasDurableCursor(context)) return !isFirst;
	const isPublishedAgain = context.getActivationMode() === 'update';
	const isActivation = !isPublishedAgain && !polledContexts.has(context);
	return isFirst && isActivation;
}

/** Keeps a memory for the next poll. */
export function keepMemory(context: IPollFunctions, subject: string, value: unknown): void {
	const saved: SavedMemory = context.getWorkflowStaticData('node');
	const isFirst = loadMemory(context, subject) === undefined;
	polledContexts.add(context);
	const { revision: lastRevision = 0, memory: last } = findNewestMemory(context);
	const revision = lastRevision + 1;
	const memory = JSON.stringify(value);
	const next = { subject, revision, memory };
	const isNew = isFirst || memory !== last;
	if (isNew) Object.assign(saved, next);
	if (isDurable(saved)) return;
	const { name } = context.getNode();
	if (isNew) getMemories(context).set(name, next);
	copyOthers(context);
}

/**
 * Keeps a memory for the next poll as soon as n8n takes the items that belong to it, and before n8n
 * starts the first execution. If n8n discards them, the next poll finds the same events.
 *
 * @param isOvertaken whether another poll returned them meanwhile; see `watchForOtherPolls`
 * @param split returns the items of each execution
 */
export function keepMemoryWithItems(
	context: IPollFunctions,
	subject: string,
	value: unknown,
	isOvertaken: () => boolean,
	split: (items: INodeExecutionData[]) => INodeExecutionData[][] = (items) => [items],
): void {
	if (hasDurableCursor(context)) {
		// n8n discards this memory together with the items, which all start one execution.
		keepMemory(context, subject, value);
		return;
	}
	// n8n calls this with the items after the poll has returned them.
	const emit = context.__emit.bind(context);
	context.__emit = ([items], ...others) => {
		context.__emit = emit;
		if (isOvertaken()) return;
		keepMemory(context, subject, value);
		startEach(split(items), (ofOne) => emit([ofOne], ...others));
	};
}

/**
 * Returns the newest memory of a trigger: its own, a copy that another trigger saved, or the last
 * one of this process.
 */
function findNewestMemory(context: IPollFunctions): SavedMemory {
	const saved: SavedMemory = context.getWorkflowStaticData('node');
	if (isDurable(saved)) return saved;
	const { name } = context.getNode();
	const { workspaceMessagingTrigger: copies }: WorkflowData =
		context.getWorkflowStaticData('global');
	const copy = copies?.[name];
	const ofProcess = getMemories(context).get(name);
	let newest = saved;
	for (const memory of [copy, ofProcess]) {
		if (memory && isLaterMemory(memory, newest)) newest = memory;
	}
	return newest;
}

/** Whether a memory is newer than another one; without another one, it is if it ever changed. */
function isLaterMemory({ revision = 0 }: SavedMemory, other?: SavedMemory): boolean {
	const otherRevision = other?.revision ?? 0;
	return revision > otherRevision;
}

/** Returns the last memories of the workflow's triggers by the names of the nodes. */
function getMemories(context: IPollFunctions): Map<string, SavedMemory> {
	const workflowId = String(context.getWorkflow().id);
	const known = memories.get(workflowId);
	if (known) return known;
	const triggers = new Map<string, SavedMemory>();
	memories.set(workflowId, triggers);
	return triggers;
}

/** Saves copies of what the workflow's other triggers remember by now. */
function copyOthers(context: IPollFunctions) {
	const workflowData: WorkflowData = context.getWorkflowStaticData('global');
	for (const [name, memory] of getMemories(context)) {
		if (name === context.getNode().name) continue;
		const copies = workflowData.workspaceMessagingTrigger;
		if (!isLaterMemory(memory, copies?.[name])) continue;
		const copy = { ...memory };
		// n8n only notices a change if the object is a new one.
		workflowData.workspaceMessagingTrigger = { ...copies, [name]: copy };
	}
}

/** Returns a text of 16 characters that stands for what a trigger watches, and where. */
export function makeMemorySubject(
	context: IPollFunctions,
	event: string,
	{ parameters, filters }: Settings,
	baseUrl: string,
): string {
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id;
	const subject = {
		event,
		// With other options, the trigger still watches the same.
		parameters: { ...parameters, options: undefined },
		filters,
		baseUrl,
		credential,
	};
	return hash(stableStringify(subject), 16);
}
