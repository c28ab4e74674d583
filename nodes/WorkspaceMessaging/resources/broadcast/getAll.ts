import type { INodeProperties } from 'n8n-workflow';
import { listBroadcasts } from '../../contract';
import { route } from '../../routing/operation';
import { showFor } from '../shared/fields';
import { pageOptionsField } from '../shared/lists';

export const getAllFields: INodeProperties[] = showFor('broadcast', 'getAll', [pageOptionsField]);

export const getAllRouting = route(listBroadcasts, getAllFields);
