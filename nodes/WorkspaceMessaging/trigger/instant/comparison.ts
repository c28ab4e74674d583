import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { oneOf } from '../../contract/values';
import type { Field } from '../../run/operation';
import { toNamedOptions } from '../../panel/fields';

/**
 * What the service compares the new value of a custom field with; an empty operator is for any
 * value.
 */
const valueOperators = {
	'': 'Any Value',
	eq: 'Is Equal To',
	ne: 'Is Not Equal To',
	contains: 'Contains',
	gt: 'Is Greater Than',
	lt: 'Is Less Than',
	isEmpty: 'Is Empty',
	isNotEmpty: 'Is Not Empty',
};

const withoutValue = ['', 'isEmpty', 'isNotEmpty'];

/** The fields that say which new values of a custom field start the workflow. */
export const comparisonFields: Field[] = [
	{
		displayName: 'New Value',
		name: 'operator',
		type: 'options',
		options: toNamedOptions(valueOperators),
		default: '',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		displayOptions: { hide: { operator: withoutValue } },
	},
];

/** The values of these fields. */
export const comparisonParameters = z.object({
	operator: oneOf(Object.keys(valueOperators)).default(''),
	value: z.string('must be text').default(''),
});

/** Returns the part of a condition that compares the new value. */
export function makeComparison({ operator, value }: IDataObject): IDataObject {
	const hasNoValue = withoutValue.includes(String(operator));
	return hasNoValue ? { operator } : { operator, value };
}
