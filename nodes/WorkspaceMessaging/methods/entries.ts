import type { IDataObject } from 'n8n-workflow';
import { channelList } from '../contacts/list/channels';
import type { Endpoint } from '../contract/endpoint';
import type { Lookup } from '../execution/operation';
import { lookups } from '../resources/shared/lookups';
import { ApiClient } from '../transport/client';
import type { Context } from '../transport/http';
import type { Requester } from '../transport/request';

/** An entry of a list in the editor. */
export interface Entry {
	name: string;
	value: string;
}

/** Connects a list that somebody waits for in the editor, so it gives up sooner than a run of the node. */
export async function connect(context: Context): Promise<Requester> {
	const client = await ApiClient.open(context, {
		retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },
		transport: { timeout: 15_000 },
	});
	return client.requester(context);
}

/** Returns the endpoint to read a list by. Only channels have several, and a service is asked once which it has. */
export async function endpointOf(lookup: Lookup, client: Requester): Promise<Endpoint> {
	return lookup === lookups.channels ? await channelList(client) : lookup.endpoints[0];
}

/** Returns the entry of a record: people see its label and choose its ID. */
export const toEntry = ({ label }: Lookup, record: IDataObject): Entry => ({
	name: label(record),
	value: String(record.id),
});

/** Adds their IDs to the names that several entries have. */
export function withIds(entries: Entry[]): Entry[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map(({ name, value }) => ({
		name: counts.get(name) === 1 ? name : `${name} – ID ${value}`,
		value,
	}));
}

/** Sorts by name, as people of the user's language do. */
export const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
