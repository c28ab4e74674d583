import type { IDataObject } from 'n8n-workflow';
import { getSequence, listSequences } from '../contract';
import { simplifySequence } from '../resources/sequence/simplify';
import { callOf } from './shim';
import type { Caller } from './shim';
import { CallError } from './shim';
import { readRecord } from './shim';
import { readWholeList } from './readPages';
import { watchStatuses } from './statuses';

const ACTIVE = 'active';
const INACTIVE = 'inactive';

/**
 * Watches whether sequences are active (part 2.8). One that is new counts as activated if it is active.
 *
 * @param sequenceIds the sequences to watch; all when there are none, on a service that has a list of them (part 4.6)
 */
export function watchSequences(caller: Caller, sequenceIds: string[], simplify: boolean) {
	return watchStatuses({
		read: async (isFirst) =>
			sequenceIds.length === 0
				? await readAll(caller, isFirst)
				: await readEach(caller, sequenceIds, isFirst),
		statusOf: ({ active }) => (active === true ? ACTIVE : INACTIVE),
		isNews: (status, previous) => status === ACTIVE || previous !== null,
		toItem: (record, previous) => ({
			...(simplify ? simplifySequence(record) : record),
			previousActive: previous === null ? null : previous === ACTIVE,
		}),
	});
}

async function readAll(caller: Caller, isFirst: boolean): Promise<IDataObject[]> {
	return await readWholeList(caller, callOf(listSequences), isFirst).catch((error: unknown) => {
		if (statusOf(error) !== 404 && statusOf(error) !== 405) throw error;
		throw new CallError(
			`This service has no list of its sequences (${statusOf(error)}). Choose the sequences to watch under Sequence Names or IDs, by their IDs.`,
			{ outcome: 'refused', status: statusOf(error) },
		);
	});
}

/** Reads single sequences. One that does not exist is an error at first, when it may be misspelt, and later just gone. */
async function readEach(caller: Caller, ids: string[], isFirst: boolean): Promise<IDataObject[]> {
	const read = async (sequenceId: string): Promise<IDataObject[]> =>
		await readRecord(caller, callOf(getSequence, { params: { sequenceId } })).then(
			(record) => [record],
			(error: unknown) => {
				if (isFirst || statusOf(error) !== 404) throw error;
				return [];
			},
		);
	return (await Promise.all(ids.map(read))).flat();
}

function statusOf(error: unknown): number | undefined {
	return error instanceof CallError ? error.details.status : undefined;
}
