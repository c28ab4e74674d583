import type { INodeProperties } from 'n8n-workflow';
import { getSequence } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { locator } from '../shared/locators';
import { simplifySequence } from './simplify';

export const getFields: INodeProperties[] = showFor('sequence', 'get', [
	locator({
		displayName: 'Sequence',
		name: 'sequenceId',
		required: true,
		description: 'The sequence to read',
		thing: 'a sequence',
		searchListMethod: 'searchSequences',
		inPath: true,
		anyId: true,
	}),
]);

export const getRouting = route(getSequence, getFields, {
	simplify: (records) => records.map(simplifySequence),
});
