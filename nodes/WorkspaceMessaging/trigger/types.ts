import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { FileSaver } from '../conversations/attachments';
import type { Requester } from '../transport/request';
import type { ConditionSet } from '../contacts/conditions/condition';
import type { TriggerEvent } from './eventPanel';

/** What a trigger watches, and how it returns that. */
export interface Settings<Parameters = Record<string, unknown>> {
	/** The values of the event's own fields. */
	parameters: Parameters;
	/** Filters of the list of contacts. */
	filters: IDataObject;
	/** Conditions that contacts must meet. */
	conditionSet?: ConditionSet;
	/** Whether items hold only the fields that people use most. */
	simplify: boolean;
}

/** The result of one poll. */
export interface PollResult {
	/** One object per output item, oldest event first; an item with files is complete. */
	items: Array<IDataObject | INodeExecutionData>;
	/**
	 * What the next poll needs to know. It depends on the last memory and on the records read, on
	 * nothing else.
	 */
	memory: unknown;
	/**
	 * Whether a later event depends on the memory, so that n8n must save it even if there are no
	 * items.
	 */
	mustSave: boolean;
	/**
	 * Returns what the items of one execution have in common; without it, all items start one
	 * execution.
	 */
	executionOf?: (item: INodeExecutionData) => string;
}

/** What a poll can do besides requests. */
export interface PollHost extends FileSaver {
	/** Whether there is time to begin something else; the rest of the time is for what has begun. */
	hasTime(): boolean;
	/**
	 * Since when all polls have failed, as far as this process of n8n knows, in milliseconds since
	 * 1970; undefined if the last one succeeded.
	 */
	failingSince?: number;
	/** The most executions that n8n lets the poll start, if it starts several. */
	mostExecutions: number;
	/**
	 * Returns what sends the requests for one of many records, so that it cannot take the time of the
	 * others. Their errors have the status 429 if the service's limit took the time.
	 *
	 * @param isBrief whether each request has one try, and all together 10 seconds; otherwise, a
	 * quarter of the poll's time
	 */
	requesterForOne(isBrief: boolean): Requester;
	/** Writes a warning to n8n's log. */
	warn(text: string): void;
	/** The same, but not if there was one within the last hour. */
	warnHourly(text: string): void;
}

/** Finds the events of one kind in a workspace. */
export interface Watcher {
	/**
	 * Compares the workspace with the memory of the last poll. Without a memory it finds no events.
	 */
	poll(memory: unknown): Promise<PollResult>;
	/** Returns a real record in the form of the event's items; undefined if there is none. */
	sample(): Promise<IDataObject | INodeExecutionData | undefined>;
}

/**
 * An event of the polling trigger. The API sends no events (part 6), so the trigger compares lists
 * to find them.
 */
export interface PollingEvent<Parameters extends z.ZodObject = z.ZodObject> extends TriggerEvent {
	/** The values of the fields that are its own. */
	parameters: Parameters;
	/** What an item looks like; if the event has Simplify, with Simplify on. */
	output: z.ZodObject;
	/** What to do if there is nothing to show as a test event. */
	ifNoSample: string;
	/** Returns what finds the event, with the settings of one trigger. */
	watch(client: Requester, settings: Settings<z.infer<Parameters>>, host: PollHost): Watcher;
}
