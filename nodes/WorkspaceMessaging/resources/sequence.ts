import type { IDataObject } from 'n8n-workflow';
import { sequence, workspaceApi } from '../contract/workspace';
import { defineOperation } from '../execution/operation';
import type { Resource } from './shared/describe';
import { pageOptionsField, returnAllOrLimit, simplify } from './shared/fields';
import { subjectLocator } from './shared/lookupFields';
import { lookups } from './shared/lookups';

export const simpleSequence = sequence.pick({
	id: true,
	name: true,
	active: true,
	subscribers: true,
	messages: true,
	openRate: true,
	ctr: true,
});

/** Returns the fields of a sequence that people use most. */
export function simplifySequence(record: IDataObject): IDataObject {
	const { id, name, active, subscribers, messages, openRate, ctr } = record;
	return { id, name, active, subscribers, messages, openRate, ctr };
}

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get sequence',
	description: 'Get one sequence with its numbers',
	endpoint: workspaceApi.getSequence,
	fields: [subjectLocator(lookups.sequences, 'sequenceId', { anyId: true }), simplify],
	output: simpleSequence,
	simplify: (sequences) => sequences.map(simplifySequence),
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many sequences',
	description: 'Get many sequences with their numbers',
	endpoint: workspaceApi.listSequences,
	fields: [...returnAllOrLimit, simplify, pageOptionsField],
	output: simpleSequence,
	simplify: (sequences) => sequences.map(simplifySequence),
});

export const sequences: Resource = {
	name: 'Sequence',
	value: 'sequence',
	description: 'Series of messages over time',
	operations: [get, getAll],
	default: get,
};
