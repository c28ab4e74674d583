import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { Requester } from '../transport/request';
import type { ConditionSet } from '../contacts/conditions/condition';

/** What a trigger is to watch. */
export interface Settings {
	/** The value of an event's option. */
	event: string;
	/** Filters of the list of contacts (part 4.1). */
	filters: IDataObject;
	/** Conditions that the contacts of events must meet. */
	conditionSet?: ConditionSet;
	tagIds: string[];
	statuses: string[];
	inboxIds: string[];
	sequenceIds: string[];
	/** Whether contacts and sequences come simplified. */
	simplify: boolean;
}

/** What one poll found. */
export interface PollResult {
	/** One object for each output item, oldest first. */
	items: IDataObject[];
	/** What the next poll has to know. It depends on nothing but the memory before and what was read. */
	memory: unknown;
	/** Whether the memory has changed in a way that a later event depends on, though there may be no items. */
	mustPersist: boolean;
}

/** How one event is watched. */
export interface Watch {
	/** Compares the workspace with what was remembered; without a memory it only remembers. */
	poll(memory: unknown): Promise<PollResult>;
	/** A real record in the form of the event's items, to map fields with; undefined when there is none. */
	sample(): Promise<IDataObject | undefined>;
}

/** Something that can start a workflow. The API sends no events of its own (part 6): each is found by comparing lists. */
export interface TriggerEvent {
	/** How it is offered under Trigger On. */
	option: INodePropertyOptions & { value: string };
	/** Its parameters. */
	fields: INodeProperties[];
	/** Its parameters that others have too; they come last in the panel. */
	sharedFields: INodeProperties[];
	/** What its items look like, with Simplify on. */
	output: z.ZodObject;
	watch(client: Requester, settings: Settings): Watch;
}
