import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { readList } from '../transport/pagination';
import type { Requester } from '../transport/request';
import { listMembers, listTeams } from '../contract';
import { ASSIGNEES_METHOD, CUSTOM_FIELDS_METHOD } from '../resources/shared/conditionFields';
import { customFieldSubject } from '../contacts/conditions/parse';
import { lookups } from '../resources/shared/lookups';
import type { Lookup } from '../resources/shared/lookups';
import { connect } from './connect';
import { withIds } from './entries';

/** Makes the function that fills a dropdown with whole lists, sorted by name. */
function optionsFrom(read: (client: Requester) => Promise<INodePropertyOptions[]>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		try {
			const entries = await read(await connect(this));
			return withIds(entries).sort((a, b) => a.name.localeCompare(b.name));
		} catch (error) {
			// The editor shows nothing but this message.
			const message = `The list cannot be shown. ${(error as Error).message} Switch the field to Expression and enter the ID, or several separated by commas.`;
			throw new NodeApiError(this.getNode(), { message }, { message });
		}
	};
}

type Options = Pick<Lookup, 'endpoint' | 'endpointOf' | 'toEntry'>;

const options = ({ endpoint, endpointOf, toEntry }: Options) =>
	optionsFrom(async (client) => {
		const records = await readList(client, (await endpointOf?.(client)) ?? endpoint);
		return records.map(toEntry);
	});

/** Those to whom a contact can be assigned: members by their user's ID, teams where the service lists them, and nobody. */
async function assignees(client: Requester): Promise<INodePropertyOptions[]> {
	const { toEntry } = lookups.members;
	const members = await readList(client, listMembers);
	const teams = await readList(client, listTeams).catch(() => []);
	return [
		...members.map((member) => {
			const { id = member.userId } = (member.user ?? {}) as IDataObject;
			return { ...toEntry(member), value: `u_${String(id)}` };
		}),
		...teams.map(({ id, name }) => ({ name: `${String(name)} – team`, value: `t_${String(id)}` })),
		{ name: 'Unassigned', value: 'unassigned' },
	];
}

/** What fills dropdowns, by the names that the fields use. */
export const loadOptions = Object.fromEntries([
	...Object.values<Lookup>(lookups).flatMap((list) =>
		list.optionsMethod ? [[list.optionsMethod, options(list)] as const] : [],
	),
	[ASSIGNEES_METHOD, optionsFrom(assignees)],
	[CUSTOM_FIELDS_METHOD, options({ ...lookups.customFields, toEntry: toConditionField })],
]);

/** A custom field with what it is compared as, for the fields that fit it to show. */
function toConditionField(record: IDataObject) {
	return { ...lookups.customFields.toEntry(record), value: customFieldSubject(record) };
}
