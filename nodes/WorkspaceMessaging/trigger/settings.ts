import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { listContacts } from '../contract';
import { anyText, numericId, pathValue } from '../contract/values';
import { labelsOf } from '../validation/labels';
import { validate } from '../validation/validate';
import type { TriggerEvent } from './events';
import { triggerFields } from './fields';

/** What a trigger is to watch. */
export interface Settings {
	event: TriggerEvent;
	/** Filters of the list of contacts (part 4.1). */
	filters: IDataObject;
	tagIds: string[];
	statuses: string[];
	inboxIds: string[];
	sequenceIds: string[];
}

const labels = labelsOf(triggerFields);

const choices = z.strictObject({
	tagIds: z.array(numericId, 'must be a list of tag IDs').optional(),
	statuses: z.array(anyText.min(1, 'must not be empty'), 'must be a list of statuses').optional(),
	inboxIds: z.array(numericId, 'must be a list of channel IDs').optional(),
	sequenceIds: z.array(pathValue, 'must be a list of sequence IDs').optional(),
});

/** Reads the parameters and checks them; those that belong to another event do not count. */
export function readSettings(context: IPollFunctions): Settings {
	const given = (name: string): unknown => context.getNodeParameter(name, null);
	try {
		const { query: filters } = validate(
			{ query: listContacts.query },
			{ query: given('filters') as IDataObject },
			labels,
		);
		const chosenParts = Object.fromEntries(Object.keys(choices.shape).map((name) => [name, given(name)]));
		const { query: chosen } = validate({ query: choices }, { query: chosenParts as IDataObject }, labels);
		const { tagIds = [], statuses = [], inboxIds = [], sequenceIds = [] } = chosen as z.infer<typeof choices>;
		return {
			event: given('event') as TriggerEvent,
			filters: withoutEmpty(filters),
			tagIds,
			statuses,
			inboxIds,
			sequenceIds,
		};
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

function withoutEmpty(filters: IDataObject): IDataObject {
	return Object.fromEntries(
		Object.entries(filters).filter(([, value]) => !['""', '[]', '{}'].includes(JSON.stringify(value))),
	);
}
