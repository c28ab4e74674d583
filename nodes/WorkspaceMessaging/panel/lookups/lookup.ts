import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Field } from '../../run/operation';

/**
 * A list of the workspace that people choose from, and the methods that show it in the editor. A
 * choice is the ID of a record.
 */
export interface Lookup {
	/** The endpoint that returns the list; see `findChannelListEndpoint`. */
	endpoint: Endpoint;
	/** What a record is called, such as `tag`. */
	noun: string;
	/** Returns the text that stands for a record, or for one beside others. */
	label(record: IDataObject, all?: IDataObject[]): string;
	/**
	 * Reads the ID of a record that the user has dragged whole; returns other values unchanged.
	 * Throws an error with the label.
	 */
	readChoice?(value: unknown, label: string): unknown;
	/** Name of the method that fills a locator with the list. */
	searchMethod: string;
	/** Name of the method that fills a dropdown with the list, if there is one. */
	optionsMethod?: string;
	/** Whether the service also searches fields that are not part of the label. */
	searchesMore?: true;
	/**
	 * Whether the list shows a record beside the channel that the user chose; all records by default.
	 */
	isOffered?(record: IDataObject, inboxId: string | undefined): boolean;
	/**
	 * Whether a record belongs to one of the channels of the contact that the user chose; the list
	 * then shows it first.
	 */
	isOfChannels?(record: IDataObject, own: string[]): boolean;
}

/** A field that takes the IDs of a list. Errors about other IDs suggest entries of it. */
export interface LookupField extends Field {
	lookup: Lookup;
}

/** Whether a field takes the IDs of a list. */
export const hasLookup = (field: Field): field is LookupField => 'lookup' in field;

/** Returns a value of a record as text. */
export const toLookupText = (value: unknown) =>
	value === undefined || value === null ? '' : String(value);

/**
 * The name of a record, or else its ID, and what distinguishes it from others with the same name.
 */
export function toLabel(
	record: IDataObject,
	detail?: unknown,
	name: unknown = record.name,
): string {
	const title = toLookupText(name);
	const details = toLookupText(detail);
	const shown = title || `ID ${toLookupText(record.id)}`;
	return details === '' || details === title ? shown : `${shown} – ${details}`;
}
