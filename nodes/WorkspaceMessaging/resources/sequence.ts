import type { IDataObject } from 'n8n-workflow';
import { pickFields } from '../contract/values';
import { simpleSequence, workspaceApi } from '../contract/workspace';
import { defineOperation, type Resource } from '../run/operation';
import { returnAllOrLimit, simplify } from '../panel/fields';
import { subjectLocator } from '../panel/lookups/locators';
import { lookups } from '../panel/lookups';

const simplifySequences = (sequences: IDataObject[]) =>
	sequences.map((sequence) => pickFields(simpleSequence, sequence));

const get = defineOperation({
	name: 'Get',
	value: 'get',
	action: 'Get sequence',
	description: 'Get one sequence with its subscribers and rates',
	endpoint: workspaceApi.getSequence,
	fields: [subjectLocator(lookups.sequences, 'sequenceId', { anyId: true }), simplify],
	output: simpleSequence,
	simplify: simplifySequences,
});

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many sequences',
	description: 'Get many sequences with their subscribers and rates',
	endpoint: workspaceApi.listSequences,
	fields: [...returnAllOrLimit, simplify],
	output: simpleSequence,
	simplify: simplifySequences,
});

export const sequences: Resource = {
	name: 'Sequence',
	value: 'sequence',
	description: 'Series of messages over time',
	operations: [get, getAll],
	default: get,
};
