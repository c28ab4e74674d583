import type { IDataObject } from 'n8n-workflow';
import { readList } from '../../api/pagination';
import { listCustomFields } from '../../contract';
import type { Item } from '../../execution/item';

/** A custom field as the workspace defines it (part 2.4). */
export interface CustomFieldDefinition {
	id: string;
	name: string;
	type: string;
}

/** The custom fields of the workspace, by ID and by name; read once for all items of a run. */
export async function customFieldDefinitions(item: Item): Promise<Map<string, CustomFieldDefinition>> {
	return await item.run.once('custom fields', async () => {
		const definitions = new Map<string, CustomFieldDefinition>();
		const records = (await readList(item, listCustomFields)) as Array<IDataObject & CustomFieldDefinition>;
		for (const { id, name, type } of records) definitions.set(name, { id, name, type });
		// An ID that is also the name of another field means the ID.
		for (const { id, name, type } of records) definitions.set(id, { id, name, type });
		return definitions;
	});
}
