import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { listCustomFields } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { readList } from '../../routing/pages';
import { shared } from '../../routing/run';

/** A custom field as the workspace defines it (part 2.4). */
export interface Definition {
	id: string;
	name: string;
	type: string;
}

/** The custom fields of the workspace, by ID and by name; read once for all items of a run. */
export async function definitionsOf(
	caller: Caller,
	context: IExecuteSingleFunctions,
): Promise<Map<string, Definition>> {
	return await shared(context, 'customFields', async () => {
		const definitions = new Map<string, Definition>();
		const records = (await readList(caller, callOf(listCustomFields))) as Array<IDataObject & Definition>;
		for (const { id, name, type } of records) definitions.set(name, { id, name, type });
		// An ID that is also the name of another field means the ID.
		for (const { id, name, type } of records) definitions.set(id, { id, name, type });
		return definitions;
	});
}
