import type { AnyItem } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import {
	onApiError,
	refusedError,
	isListMissing,
	type ApiError,
} from '../../../transport/errors/ApiError';
import { quoted } from '../../../values/labels';
import { suggest } from '../../../values/suggestions';
import {
	findIdByName,
	readExistingOnce,
	requireExisting,
	type Names,
} from '../../shared/existingRecords';
import { getSelectionTitle, type Noun } from './fields';

/* Finds the tags and sequences that the user names. */

/** Returns the names that the service lists. Throws an `ApiError` if it lists none. */
export async function findAllNames(item: AnyItem, noun: Noun): Promise<Names> {
	const { names } = await readExistingOnce(item, noun).catch(
		onApiError(isListMissing, ({ details: { status } }) => {
			// Sequences may be for logged-in users only: then the status (400) explains nothing.
			const shownStatus = noun === 'tag' ? ` (${status})` : '';
			throw refusedError(
				`This service can't list its ${noun}s${shownStatus}, so n8n can't find them by their names.`,
				`Enter the IDs of the ${noun}s: set Select ${getSelectionTitle(noun)}s By to From List.`,
				{ status },
			);
		}),
	);
	return names;
}

/**
 * Returns the sequences with these names. Throws an `ApiError` if there is not exactly one for
 * each.
 */
export async function findSequences(item: AnyItem, names: string[]): Promise<Names> {
	const ids: string[] = [];
	for (const name of names) ids.push(await findSequence(item, name));
	return await requireExisting(item, 'sequence', ids);
}

async function findSequence(item: AnyItem, name: string) {
	const names = await findAllNames(item, 'sequence');
	const id = findIdByName('sequence', names, name);
	if (id === undefined) throw await notFoundByNameError(item, 'sequence', name);
	return id;
}

/** Returns the error for a name that no record has, with names that are like it. */
export async function notFoundByNameError(
	item: AnyItem,
	noun: Noun,
	name: string,
	advice = '',
): Promise<ApiError> {
	const suggestion = await suggestNames(item, noun, name);
	return refusedError(`There is no ${noun} named ${quoted(name)}.`, suggestion + advice);
}

const suggestNames = oncePerRun(async (item: AnyItem, noun: Noun, name: string) => {
	const { names, cutAt } = await readExistingOnce(item, noun);
	const records = [...names.values()].map((each) => ({ name: each }));
	const suggestion = suggest(name, records, `${noun}s`, cutAt);
	if (cutAt === undefined) return suggestion;
	return `${suggestion} Others can be added and removed by their IDs.`;
});
