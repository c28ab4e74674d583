import { DirectoryLoader, PollTriggerExecutor } from 'n8n-core';
import type { TriggersAndPollers } from 'n8n-core';
import type { IDataObject, INodeType } from 'n8n-workflow';
import { load } from './engine';

/** Loads a compiled file of a trigger as if n8n's process had just started. */
export function loadAsNewProcess<T>(file: string): T {
	for (const loaded of Object.keys(nodeRequire.cache)) {
		if (/WorkspaceMessaging[/\\](trigger[/\\]|WorkspaceMessagingTrigger)/.test(loaded))
			delete nodeRequire.cache[loaded];
	}
	return load<T>(file);
}

/**
 * Loads the compiled trigger, completed the way n8n's loader does it, as if n8n's process had just
 * started.
 */
export function loadTrigger(): INodeType {
	const { WorkspaceMessagingTrigger } = loadAsNewProcess<{
		WorkspaceMessagingTrigger: new () => INodeType;
	}>('nodes/WorkspaceMessaging/WorkspaceMessagingTrigger.node.js');
	const trigger = new WorkspaceMessagingTrigger();
	DirectoryLoader.applyDeclarativeNodeOptionParameters(trigger);
	return trigger;
}

export const compiledTrigger = loadTrigger();

/**
 * How n8n runs a polling trigger and keeps its memory:
 * - `inMemory`: n8n's own way until 2.36 and its default since. All polls of an activation share
 *   one object, which is written to the database when items come, and after the poll with which the
 *   workflow is activated.
 * - `scheduled`: the scheduler without durable cursors. Each poll reads that object from the
 *   database.
 * - `durable`: each poll has a copy of a cursor, which is committed with the items, or without
 *   them, but not after the poll with which the workflow is activated.
 *
 * n8n 2 throws away what a poll returns if the user publishes the workflow meanwhile; the scheduler
 * does so with durable cursors only. `n8n1` is `inMemory` as in n8n 1, which starts the workflow
 * nevertheless.
 */
export const engines = ['inMemory', 'scheduled', 'durable'] as const;
export type Engine = (typeof engines)[number] | 'n8n1';

/** What n8n's database holds of a workflow. */
export interface Database {
	workflowId: string;
	staticData: IDataObject;
}

/** An n8n with one workflow: its database, and the trigger as its process has loaded it. */
export interface N8n extends Database {
	trigger: INodeType;
}

const silentLogger = {
	scoped: () => silentLogger,
	debug() {},
	info() {},
	warn() {},
	error() {},
};
const noTracing = {
	startSpan: async (_options: unknown, run: (span: unknown) => unknown) =>
		await run({ setStatus() {} }),
	startNewTraceSpan: async (_options: unknown, run: (span: unknown) => unknown) =>
		await run({ setStatus() {} }),
	pickWorkflowAttributes: () => ({}),
	pickNodeAttributes: () => ({}),
};

/** Returns what runs the polls that n8n keeps in memory. */
export const executorOf = (poller: TriggersAndPollers) =>
	new PollTriggerExecutor(
		silentLogger as never,
		poller,
		noTracing as never,
		{ error() {} } as never,
	);
