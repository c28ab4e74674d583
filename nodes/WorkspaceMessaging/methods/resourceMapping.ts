import type { FieldType, IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { readList } from '../transport/pagination';
import { listCustomFields } from '../contract';
import { connect } from './connect';

/** The input that fits a type of custom field (part 2.4). */
const inputs: Record<string, FieldType> = {
	number: 'number',
	date: 'dateTime',
	datetime: 'dateTime',
	boolean: 'boolean',
};

/** The workspace's custom fields as columns of the mapper, with the right input for their type. */
async function getCustomFieldColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const definitions = await readList(await connect(this), listCustomFields);
	return {
		fields: definitions.map(({ id, name, type }: IDataObject) => ({
			id: String(id),
			displayName: String(name),
			type: inputs[String(type)] ?? 'string',
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
		})),
	};
}

export const resourceMapping = { getCustomFieldColumns };
