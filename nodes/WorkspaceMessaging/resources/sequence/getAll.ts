import type { INodeProperties } from 'n8n-workflow';
import { listSequences } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';
import { simplifySequence } from './simplify';

export const getAllFields: INodeProperties[] = showFor('sequence', 'getAll', [pageOptionsField]);

export const getAllRouting = route(listSequences, getAllFields, {
	simplify: (records) => records.map(simplifySequence),
});
