import type { IDataObject } from 'n8n-workflow';

/** What one poll found. */
export interface Found<Memory> {
	/** One object for each output item, oldest first. */
	items: IDataObject[];
	/** What the next poll has to know. It depends on nothing but the memory before and what was read. */
	memory: Memory;
	/** Whether the memory has changed in a way that a later event depends on, though there may be no items. */
	mustKeep: boolean;
}

/** How one event is watched. */
export interface Watch<Memory> {
	/** Compares the workspace with what was remembered; without a memory it only remembers. */
	poll(memory: Memory | undefined): Promise<Found<Memory>>;
	/** A real record in the form of the event's items, to map fields with; undefined when there is none. */
	sample(): Promise<IDataObject | undefined>;
}
