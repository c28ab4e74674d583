import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { customFieldSubject } from '../contacts/conditions/parse';
import { workspaceApi } from '../contract/workspace';
import { ASSIGNEES_METHOD, CUSTOM_FIELDS_METHOD } from '../resources/shared/contactFilters';
import { lookups, userOf } from '../resources/shared/lookups';
import type { PanelLookup } from '../resources/shared/lookups';
import { readList } from '../transport/pagination';
import type { Requester } from '../transport/request';
import { byName, connect, endpointOf, toEntry, withIds } from './entries';
import type { Entry } from './entries';

/** Returns the method that fills a dropdown with a whole list, sorted by name. */
function optionsFrom(read: (client: Requester) => Promise<Entry[]>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const entries = await connect(this)
			.then(read)
			.catch((error: Error) => {
				// The editor shows only this message.
				const message = `The list cannot be shown. ${error.message} Switch the field to Expression and enter the ID, or several separated by commas.`;
				throw new NodeApiError(this.getNode(), { message }, { message });
			});
		return withIds(entries).sort(byName);
	};
}

/** Returns the entries of a list. */
async function readEntries(
	client: Requester,
	lookup: PanelLookup,
	valueOf = ({ id }: IDataObject) => String(id),
) {
	const records = await readList(client, await endpointOf(lookup, client));
	return records.map((record) => ({ ...toEntry(lookup, record), value: valueOf(record) }));
}

/** Returns who a contact can be assigned to: members by their user's ID, teams if the service lists them, and nobody. */
async function readAssignees(client: Requester) {
	const members = await readEntries(client, lookups.members, (member) => {
		const { id = member.userId } = userOf(member);
		return `u_${String(id)}`;
	});
	const teams = await readList(client, workspaceApi.listTeams).catch(() => []);
	return [
		...members,
		...teams.map(({ id, name }) => ({ name: `${String(name)} – team`, value: `t_${String(id)}` })),
		{ name: 'Unassigned', value: 'unassigned' },
	];
}

/** The methods that fill dropdowns. */
export const loadOptions = Object.fromEntries([
	...Object.values<PanelLookup>(lookups).flatMap((lookup) =>
		lookup.optionsMethod
			? [[lookup.optionsMethod, optionsFrom(async (client) => await readEntries(client, lookup))] as const]
			: [],
	),
	[ASSIGNEES_METHOD, optionsFrom(readAssignees)],
	[
		CUSTOM_FIELDS_METHOD,
		// The kind of value is part of the choice, so that the fields that fit it are shown.
		optionsFrom(async (client) => await readEntries(client, lookups.customFields, customFieldSubject)),
	],
]);
