import { tagApi } from '../../contract/tag';
import type { AnyItem } from '../../run/item';
import { readRecord } from '../../service/lists/records';
import { ApiError } from '../../transport/errors/ApiError';
import { joinSentences } from '../../transport/errors/sentences';
import { quoted } from '../../values/labels';
import { createOrFind } from './createOrFind';
import { findRecordsByName, readExisting } from './existingRecords';

/** Creates a tag, unless another run has just done so. */
export async function createTag(item: AnyItem, name: string, created: string[]): Promise<string> {
	const parts = { body: { name }, isLookedFor: true };
	const { outcome, record } = await createOrFind(item, {
		create: async () => await readRecord(item, tagApi.createTag, parts),
		find: async (error) => {
			const { names, cutAt } = await readExisting(item, 'tag');
			const [tag] = findRecordsByName(names, name);
			// A list that is cut need not show a new tag.
			if (!tag && cutAt !== undefined) throw error;
			return tag;
		},
		explain: (error) => notCreated(name, error),
	});
	if (outcome !== 'found') created.push(name);
	return String(record.id);
}

/** The error for a tag that the service does not list after it has answered the request. */
function notCreated(name: string, error: ApiError): ApiError {
	const { what, details } = error;
	const isOver = details.loss === 'failure' || details.loss === 'serviceDown';
	if (!isOver) return error;
	return new ApiError(`The tag ${quoted(name)} was not created.`, {
		...details,
		cause: joinSentences(what, details.cause),
		outcome: 'refused',
	});
}
