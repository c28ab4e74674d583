import type { Field } from '../../execution/operation';

/** Whether records come with the fields people use, or with all of them. */
export const simplify: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};
