import { flow, listFlows } from '../../contract';
import type { Operation } from '../../execution/operation';
import { pageOptionsField, returnAllOrLimit } from '../shared/lists';

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get many automation flows with their IDs and names',
	endpoint: listFlows,
	fields: [...returnAllOrLimit, pageOptionsField],
	output: flow,
};
