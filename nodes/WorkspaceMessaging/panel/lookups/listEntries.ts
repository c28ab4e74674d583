import type { IDataObject } from 'n8n-workflow';
import type { Lookup } from './lookup';

/** An entry of a list in the editor. */
export interface ListEntry {
	name: string;
	value: string;
}

/** Returns the entry of a record in a list to choose from: people see its label and choose its ID. */
export const toEntry = ({ label }: Lookup, record: IDataObject, all: IDataObject[]): ListEntry => ({
	name: label(record, all),
	value: String(record.id),
});

/** Adds the IDs to entries of a list to choose from that have the same name. */
export function withIds<T extends ListEntry>(entries: T[]): T[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map((entry) => {
		if (counts.get(entry.name) === 1) return entry;
		return { ...entry, name: `${entry.name} – ID ${entry.value}` };
	});
}
