import type { FieldType, IDataObject, ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { listCustomFields } from '../contract';
import { callOf } from '../routing/call';
import { openClient } from '../routing/client';
import { readList } from '../routing/pages';
import { pickerSettings } from './search';

/** The input that fits a type of custom field (part 2.4). */
const inputs: Record<string, FieldType> = {
	number: 'number',
	date: 'dateTime',
	datetime: 'dateTime',
	boolean: 'boolean',
};

/** The workspace's custom fields as columns of the mapper, with the right input for their type. */
export async function getCustomFieldColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const client = await openClient(this, pickerSettings);
	const definitions = await readList(client.caller(this), callOf(listCustomFields));
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
