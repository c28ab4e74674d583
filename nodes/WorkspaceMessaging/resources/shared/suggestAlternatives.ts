import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ApiError, sentence } from '../../transport/errors/errors';
import { readList } from '../../transport/pagination';
import { patterns } from '../../contract';
import type { Item } from '../../execution/item';
import { quoted } from '../../validation/messages';
import { nearest, suggest } from '../../validation/suggestions';
import type { Named } from '../../validation/suggestions';
import { listFor } from '../../contacts/list/channels';
import { lookups } from './lookups';
import type { Lookup } from './lookups';

/** Records of a list that are looked through at most. */
const MOST_READ = 1000;

/** Something that an item has chosen by its ID. */
interface Choice {
	list: Lookup;
	id: string;
}

/**
 * Adds to an error about something that does not exist which ones there are, with their IDs: people and agents can then
 * choose another. Their list is read only after such a failure, once a run; without it the error stays as it is.
 *
 * @param error of a request, or of a name where an ID is wanted
 */
export async function suggestAlternatives(item: Item, error: Error): Promise<Error> {
	const isSent = error instanceof ApiError;
	if (isSent && !saysMissing(error)) return error;
	for (const choice of choicesOf(item)) {
		const isNamed = error.message.includes(choice.id);
		if (!isSent && (!isNamed || patterns.numericId.test(choice.id))) continue;
		const words = await alternativesTo(choice, item, isNamed).catch(() => undefined);
		if (words === undefined) continue;
		if (!isSent) return new Error(`${sentence(error.message)} ${words}`);
		const { what, details } = error;
		return new ApiError(what, { ...details, advice: `${details.advice ?? ''} ${words}`.trim() });
	}
	return error;
}

/** Services refuse what does not exist with 404, or with another status and in words. */
function saysMissing({ details: { status, reason: refusal, serverMessage = '' } }: ApiError): boolean {
	// Then it is the contact that is missing.
	if (/\bcontact\b/i.test(serverMessage)) return false;
	if (status === 404) return refusal !== 'operationMissing';
	const isRefusal = (status === 400 || status === 422) && refusal === undefined;
	return isRefusal && /not found|no such|not exist|unknown/i.test(serverMessage);
}

/** What an item chooses by ID, in the fields that offer a list of it; the contact is not among it. */
function choicesOf(item: Item): Choice[] {
	return fieldsOf(item.run.shownFields)
		.flatMap(({ path, field }) => {
			const search = field.modes?.[0]?.typeOptions?.searchListMethod;
			const load = field.typeOptions?.loadOptionsMethod;
			const list = Object.values<Lookup>(lookups).find(
				({ searchMethod, optionsMethod }) =>
					(search && search === searchMethod) || (load && load === optionsMethod),
			);
			if (!list || list === lookups.contacts) return [];
			const given = item.parameter(path, '') as IDataObject | IDataObject[] | string;
			return [given].flat().map((one) => {
				const id = typeof one === 'object' && one !== null ? one.value : one;
				return { list, id: String(id ?? '').trim() };
			});
		})
		.filter(({ id }) => id !== '');
}

/** Fields with their paths among the parameters. */
function fieldsOf(fields: INodeProperties[], within = ''): Array<{ path: string; field: INodeProperties }> {
	return fields.flatMap((field) => {
		const path = `${within}${field.name}`;
		return field.type === 'collection'
			? fieldsOf(field.options as INodeProperties[], `${path}.`)
			: [{ path, field }];
	});
}

/**
 * Says which ones there are where a choice is not among them; undefined where it is, or nobody knows.
 *
 * @param isNamed whether the error names the choice already
 */
async function alternativesTo(
	{ list, id }: Choice,
	item: Item,
	isNamed: boolean,
): Promise<string | undefined> {
	const thing = list.noun;
	const { path, all } = await item.run.once(`all ${thing}s`, async () => {
		const endpoint = await listFor(item, list.endpoint);
		const records = await readList(item, endpoint, {}, MOST_READ);
		return { path: endpoint.path, all: records.map((record) => namedBy(list, record)) };
	});
	if (all.some((entry) => entry.id === id)) return undefined;
	const isWhole = all.length < MOST_READ;
	if (!isWhole && nearest(id, all).length === 0) return undefined;
	const missing = isNamed || !isWhole ? '' : `The workspace lists no ${thing} with the ID ${quoted(id)}. `;
	return missing + suggest(id, all, `${thing}s`, item.service.cutLists.get(path));
}

function namedBy({ label }: Lookup, record: IDataObject): Named {
	return { name: typeof record.name === 'string' ? record.name : label(record), id: String(record.id) };
}
