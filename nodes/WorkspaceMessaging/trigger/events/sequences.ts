import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { ApiError } from '../../transport/errors/errors';
import { readRecord } from '../../transport/pagination';
import type { Requester } from '../../transport/request';
import { rethrow } from '../../transport/rethrow';
import { getSequence, listSequences } from '../../contract';
import { simpleSequence, simplifySequence } from '../../resources/sequence';
import { multiSelect } from '../../resources/shared/lookupFields';
import { lookups } from '../../resources/shared/lookups';
import { simplify } from '../../resources/shared/fields';
import type { TriggerEvent } from '../types';
import { readRecords } from '../lists';
import { watchStatus } from '../watchStatus';

const sequenceIds = multiSelect(lookups.sequences, 'sequenceIds', {
	description: 'Sequences to watch (one request each per poll). Leave empty to watch all.',
});

const ACTIVE = 'active';
const INACTIVE = 'inactive';

/** Whether sequences are active (part 2.8). One that is new counts as activated if it is active. */
export const sequenceActiveChanged: TriggerEvent = {
	option: {
		name: 'Sequence Activated or Deactivated',
		value: 'sequenceActiveChanged',
		description: 'When a sequence is switched on or off',
	},
	fields: [sequenceIds],
	sharedFields: [simplify],
	output: simpleSequence.extend({ previousActive: z.boolean().nullable() }),
	watch: (client, { sequenceIds: ids, simplify: isSimplified }) =>
		watchStatus({
			read: async (isFirst) =>
				ids.length === 0 ? await readAll(client, isFirst) : await readEach(client, ids, isFirst),
			stateOf: ({ active }) => (active === true ? ACTIVE : INACTIVE),
			isNews: (state, previous) => state === ACTIVE || previous !== null,
			toItem: (record, previous) => ({
				...(isSimplified ? simplifySequence(record) : record),
				previousActive: previous === null ? null : previous === ACTIVE,
			}),
		}),
};

async function readAll(client: Requester, isFirst: boolean): Promise<IDataObject[]> {
	return await readRecords(client, listSequences, isFirst).catch((error: unknown) => {
		const status = statusOf(error);
		if (status !== 404 && status !== 405) throw error;
		throw new ApiError(
			`This service has no list of its sequences (${status}). Choose the sequences to watch under Sequence Names or IDs, by their IDs.`,
			{ outcome: 'refused', status },
		);
	});
}

/** Reads single sequences. One that does not exist is an error at first, when it may be misspelt, and later just gone. */
async function readEach(client: Requester, ids: string[], isFirst: boolean): Promise<IDataObject[]> {
	const read = async (sequenceId: string): Promise<IDataObject[]> => {
		try {
			return [await readRecord(client, getSequence, { params: { sequenceId } })];
		} catch (error) {
			return isFirst || statusOf(error) !== 404 ? await rethrow(error) : [];
		}
	};
	return (await Promise.all(ids.map(read))).flat();
}

function statusOf(error: unknown): number | undefined {
	return error instanceof ApiError ? error.details.status : undefined;
}
