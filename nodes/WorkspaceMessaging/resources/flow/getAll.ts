import type { INodeProperties } from 'n8n-workflow';
import { listFlows } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('flow', 'getAll', [pageOptionsField]);

export const getAllRouting = route(listFlows, getAllFields);
