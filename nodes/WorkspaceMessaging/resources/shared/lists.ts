import type { Field } from '../../execution/operation';
import { optional } from './fields';
import { limits } from '../../contract';

/** Return All and Limit, for every list. */
export const returnAllOrLimit: Field[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
];

/** Where a list starts and how much is read at a time, for the options of a list that has pages (part 4). */
export const pageOptions: Field[] = [
	{
		displayName: 'Page Size',
		name: 'perPage',
		type: 'number',
		typeOptions: { minValue: limits.page.min, maxValue: limits.page.max, numberPrecision: 0 },
		default: 100,
		routing: { send: { type: 'query', property: 'perPage' } },
	},
	{
		displayName: 'Start Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: limits.page.min, maxValue: limits.page.max, numberPrecision: 0 },
		default: 1,
		routing: { send: { type: 'query', property: 'page' } },
	},
];

/** The options of a list that has pages and nothing else to choose. */
export const pageOptionsField: Field = optional('options', pageOptions);
