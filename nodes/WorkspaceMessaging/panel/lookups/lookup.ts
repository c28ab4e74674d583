import type { IDataObject } from 'n8n-workflow';
import type { Lookup } from '../../run/operation';

/** A list of the workspace, and the methods that show it in the editor. */
export interface PanelLookup extends Lookup {
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
