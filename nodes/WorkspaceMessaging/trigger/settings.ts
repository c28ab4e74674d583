import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { listContacts } from '../contract';
import { anyText, numericId, pathValue } from '../contract/values';
import { labelsOf } from '../validation/labels';
import { validate } from '../validation/validate';
import type { Settings } from './types';
import { triggerFields } from './fields';

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
		const chosen = Object.fromEntries(Object.keys(choices.shape).map((name) => [name, given(name)]));
		const { query } = validate({ query: choices }, { query: chosen as IDataObject }, labels);
		const { tagIds = [], statuses = [], inboxIds = [], sequenceIds = [] } = query as z.infer<typeof choices>;
		return {
			event: String(given('event')),
			filters: withoutEmpty(filters),
			tagIds,
			statuses,
			inboxIds,
			sequenceIds,
			simplify: context.getNodeParameter('simplify', true) === true,
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
