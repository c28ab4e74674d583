import type { IDataObject } from 'n8n-workflow';
import { describeContact } from '../../contacts/output';
import type { Endpoint } from '../../contract/endpoint';
import { limits } from '../../contract/limits';
import { workspaceApi } from '../../contract/workspace';
import { lookups } from '../../panel/lookups';
import type { AnyItem, Item } from '../../run/item';
import { oncePerRun } from '../../run/run';
import { beforeChange, recover, rejected } from '../../transport/errors/ApiError';
import { readList } from '../../transport/lists/pages';
import { quoted } from '../../values/labels';
import { suggest } from '../../values/suggestions';
import {
	describeGone,
	findExisting,
	isNotListed,
	requireExisting,
} from '../../run/existingRecords';
import { foldName, idsOrNamesFields, idsOrNamesInput } from './idsOrNames';

/** The fields that select sequences by ID or by name. */
export const sequencesFields = idsOrNamesFields(lookups.sequences, 'e.g. Onboarding, Win-back');

/** How the operations read and check these fields. */
export const sequencesInput = idsOrNamesInput('sequence', limits.sequenceIds);

type SequencesItem = Item<{ identifier: string }, object, Record<string, string[]>>;

/** Adds an item's contact to sequences, or removes it from them, and returns the output. */
export async function changeSequences(
	item: SequencesItem,
	endpoint: Endpoint,
	doneWord: 'added' | 'removed',
): Promise<IDataObject[]> {
	const { params, body } = item;
	const names =
		'sequenceIds' in body
			? await findNames(item, body.sequenceIds, doneWord)
			: await findByNames(item, body.sequenceNames);
	const sequenceIds = [...names.keys()];
	await item.request(endpoint, { params, body: { sequenceIds } });
	return [
		{
			success: true,
			...describeContact(item),
			[`${doneWord}SequenceIds`]: sequenceIds,
			[`${doneWord}SequenceNames`]: [...names.values()],
		},
	];
}

const readSequences = oncePerRun(
	async (item: AnyItem) =>
		await readList(item, workspaceApi.listSequences)
			.catch(
				recover(isNotListed, () => {
					throw rejected(
						"This service can't list its sequences, so n8n can't find them by their names.",
						'Enter the IDs of the sequences: set Select Sequences By to From List.',
					);
				}),
			)
			.catch(beforeChange('changed')),
);

/** Names of sequences by their IDs. */
type Names = Map<string, string>;

/** Returns the names of sequences; an ID takes the place of one that the service does not list. */
async function findNames(
	item: AnyItem,
	ids: string[],
	doneWord: 'added' | 'removed',
): Promise<Names> {
	const names =
		doneWord === 'added'
			? await requireExisting(item, 'sequence', ids)
			: await findNamesToRemove(item, ids).catch(() => new Map<string, string>());
	return new Map(ids.map((id) => [id, names.get(id) ?? id]));
}

/** Returns the names that the service lists. A hint names the sequences that do not exist. */
async function findNamesToRemove(
	item: AnyItem,
	ids: string[],
): Promise<ReadonlyMap<string, string>> {
	const { names, gone } = await findExisting(item, 'sequence', ids);
	if (gone.length > 0) item.hint(`${describeGone('sequence', gone)}.`);
	return names;
}

/**
 * Returns the sequences with these names. Throws an `ApiError` if there is not exactly one for
 * each.
 */
async function findByNames(item: AnyItem, names: string[]): Promise<Names> {
	const all = (await readSequences(item)).map(({ id, name }) => ({
		id: String(id),
		name: String(name),
	}));
	const found = names.map((name): [id: string, name: string] => {
		const exact = all.filter((each) => each.name === name);
		const same =
			exact.length > 0 ? exact : all.filter((each) => foldName(each.name) === foldName(name));
		if (same.length === 1) return [same[0].id, same[0].name];
		if (same.length === 0)
			throw rejected(
				`There is no sequence named ${quoted(name)}.`,
				suggest(name, all, 'sequences'),
			);
		const ids = same.map(({ id }) => id).join(', ');
		throw rejected(
			`${same.length} sequences have the name ${quoted(name)}.`,
			`Choose one of them from the list (IDs: ${ids}).`,
		);
	});
	return new Map(found);
}
