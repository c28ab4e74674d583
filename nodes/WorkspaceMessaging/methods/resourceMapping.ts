import type { FieldType, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { customFieldApi } from '../contract/customField';
import { readList } from '../transport/pagination';
import { byName, connect } from './entries';

/** The input for a type of custom field; text for all other types. */
const inputs: Record<string, FieldType> = {
	number: 'number',
	date: 'dateTime',
	datetime: 'dateTime',
	boolean: 'boolean',
};

/** Returns the workspace's custom fields as columns of the mapper, sorted by name. */
async function getCustomFieldColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const definitions = await readList(await connect(this), customFieldApi.listCustomFields);
	const columns = definitions.map(({ id, name, type }) => ({
		id: String(id),
		name: String(name),
		type: inputs[String(type)] ?? 'string',
	}));
	return {
		fields: columns.sort(byName).map(({ id, name, type }) => ({
			id,
			displayName: name,
			type,
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
		})),
	};
}

export const resourceMapping = { getCustomFieldColumns };
