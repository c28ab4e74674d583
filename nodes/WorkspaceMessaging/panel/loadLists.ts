import {
	NodeApiError,
	type FieldType,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { toConditionField } from '../contacts/conditions/conditionFields';
import { findChannelListEndpoint } from '../channels/list';
import { readByKeyword } from '../contacts/list';
import { customFieldApi, QUESTION_FIELD } from '../contract/customField';
import { patterns } from '../contract/limits';
import { workspaceApi } from '../contract/workspace';
import type { Lookup } from '../run/operation';
import { readConnection } from './connection';
import { conditionMethods } from './contactFilters';
import { hasExpression } from '../values/expression';
import { compareByName, containsKeyword } from '../values/names';
import { lookups, type PanelLookup } from './lookups';
import { readOwnChannels } from './ownChannels';
import { getUserOfMember } from '../conversations/member';
import { templateInput, templateLookups } from './templateFields';
import { ApiClient } from '../transport/client';
import { CREDENTIAL } from '../transport/credential';
import { joinSentences } from '../transport/errors/sentences';
import { isObject, toObject } from '../transport/guards';
import { normalizeText } from '../transport/normalizeText';
import { findChosenParameters, parseTemplateChoice } from '../templates/find';
import { readPagedList, readPages, type Page } from '../transport/lists/pages';
import type { Requester } from '../transport/request';

/** An entry of a list in the editor. */
interface ListEntry {
	name: string;
	value: string;
}

/** What the user chose in the same node. */
interface Chosen {
	/** The channel. */
	inboxId: string | undefined;
	/** The IDs of the channels of the contact. */
	own: string[];
}

/**
 * Connects a list that somebody waits for in the editor, so it gives up sooner than a run of the
 * node.
 */
async function connect(context: ILoadOptionsFunctions): Promise<Requester> {
	const client = await ApiClient.open(context, {
		retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },
		transport: readConnection(getRequestOptions(context), 15_000),
	});
	return client.createRequester(context);
}

/** Returns the request options without those that the editor could not evaluate. */
function getRequestOptions(context: ILoadOptionsFunctions): IDataObject {
	const options = toObject(context.getCurrentNodeParameter('requestOptions'));
	const known = Object.entries(options).filter(([, value]) => !hasExpression(value));
	return Object.fromEntries(known);
}

/** Returns the entry of a record: people see its label and choose its ID. */
const toEntry = ({ label }: Lookup, record: IDataObject, all: IDataObject[]): ListEntry => ({
	name: label(record, all),
	value: String(record.id),
});

/** Adds their IDs to the names that several entries have. */
function withIds(entries: ListEntry[]): ListEntry[] {
	const counts = new Map<string, number>();
	for (const { name } of entries) counts.set(name, (counts.get(name) ?? 0) + 1);
	return entries.map((entry) => {
		if (counts.get(entry.name) === 1) return entry;
		return { ...entry, name: `${entry.name} – ID ${entry.value}` };
	});
}

/** How many entries a picker gets at a time, and how many the service puts on a page. */
const ENTRIES_PER_PAGE = 50;
/**
 * How long one call looks for matches if the service cannot search. It looks for many, because a
 * list too short to scroll never asks for more.
 */
const MAX_SEARCH_MS = 8000;

/**
 * Returns the next entries of a picker: at least 50 if there are as many, because the editor asks
 * for more only when the user scrolls, and a short list has nothing to scroll.
 *
 * @param chosen the channel that the user chose in the same node, and those of the contact
 * @param typed what the user typed
 * @param token where the call before has ended; see `makeToken`
 */
async function fillPicker(
	lookup: PanelLookup,
	client: Requester,
	{ inboxId, own }: Chosen,
	typed: string,
	token = makeToken(1, ''),
): Promise<INodeListSearchResult> {
	const { search, comparesLabels } = planSearch(lookup, typed);
	const endsAt = Date.now() + MAX_SEARCH_MS;
	const { from, firstIdBefore } = parseToken(token);
	let firstId = firstIdBefore;
	// By ID, because records can move to another page during the search.
	const found = new Map<string, ListEntry>();
	const first = new Set<string>();
	for await (const { rows, number, isLast } of readEntryPages(lookup, client, search, from)) {
		// A service that ignores the page number returns its first page again (difference 5).
		if (rows.length > 0 && String(rows[0].id) === firstId) break;
		for (const row of rows) {
			if (lookup.isOfChannels?.(row, own)) first.add(String(row.id));
		}
		for (const entry of toOffered(lookup, rows, inboxId)) {
			if (!comparesLabels || containsKeyword(entry.name, typed)) found.set(entry.value, entry);
		}
		if (isLast) break;
		if (rows.length > 0) firstId = String(rows[0].id);
		if (found.size >= ENTRIES_PER_PAGE || Date.now() >= endsAt) {
			const paginationToken = makeToken(number + 1, firstId);
			return { results: sortEntries(lookup, found, first), paginationToken };
		}
	}
	return { results: sortEntries(lookup, found, first) };
}

/**
 * Says where the next call goes on. It remembers nothing of this one, so the token also has the ID
 * of the first record of the page before: `3:1702`.
 */
const makeToken = (page: number, firstIdBefore: string) => `${page}:${firstIdBefore}`;

function parseToken(token: string) {
	const [page, ...id] = token.split(':');
	return { from: Number(page), firstIdBefore: id.join(':') };
}

/** Returns what to ask the service for, and whether n8n compares the labels itself. */
function planSearch(lookup: PanelLookup, typed: string) {
	if (typed === '') return { search: {}, comparesLabels: false };
	const { query } = lookup.endpoint;
	const canSearch = query !== undefined && 'keyword' in query.shape;
	if (!canSearch) return { search: {}, comparesLabels: true };
	// A service may ignore the keyword, so n8n compares the labels, too. Not if the service also
	// searches other fields: n8n would drop what it found there.
	return { search: { keyword: typed }, comparesLabels: lookup.searchesMore !== true };
}

/** Returns the entries of records that the list shows beside the channel that the user chose. */
function toOffered(
	lookup: PanelLookup,
	rows: IDataObject[],
	inboxId: string | undefined,
): ListEntry[] {
	const { isOffered = () => true } = lookup;
	const offered = rows.filter((row) => isOffered(row, inboxId));
	return offered.map((row) => toEntry(lookup, row, offered));
}

/** @param first the IDs of the entries that come before all others */
function sortEntries(
	lookup: PanelLookup,
	found: Map<string, ListEntry>,
	first: Set<string>,
): ListEntry[] {
	const entries = withIds([...found.values()]);
	// Nobody knows a contact by its place in a list of names.
	if (lookup === lookups.contacts) return entries;
	const rank = ({ value }: ListEntry) => (first.has(value) ? 0 : 1);
	return entries.sort((a, b) => rank(a) - rank(b) || compareByName(a, b));
}

/** Reads a list page after page. */
async function* readEntryPages(
	lookup: PanelLookup,
	client: Requester,
	query: IDataObject,
	from: number,
): AsyncGenerator<Page, void, void> {
	const options = { from, perPage: ENTRIES_PER_PAGE };
	const endpoint = await findChannelListEndpoint(client, lookup.endpoint);
	if (lookup === lookups.contacts) yield* readByKeyword(client, query, options);
	else yield* readPages(client, endpoint, { query }, options);
}

/**
 * Reads a list for the editor, which asks for lists as soon as it shows the node, even before it
 * has a credential. The error says how to do without the list.
 */
async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: Requester) => Promise<T>,
	advice?: string,
	description?: string,
): Promise<T> {
	return await connect(context)
		.then(read)
		.catch((error: Error) => {
			const node = context.getNode();
			let message = joinSentences("n8n can't load the list.", error.message, advice);
			if (!node.credentials?.[CREDENTIAL]) message = 'Choose the credential, then Refresh List.';
			throw new NodeApiError(node, { message }, { message, description });
		});
}

/**
 * Returns the ID that the user chose in a locator of the node; undefined without one, and for an
 * expression.
 */
function getChosen(context: ILoadOptionsFunctions, name: string): string | undefined {
	const chosen: unknown = context.getCurrentNodeParameter(name);
	const value = String(isObject(chosen) ? chosen.value : chosen);
	return patterns.numericId.test(value) ? value : undefined;
}

/** Returns the method that fills a locator: page after page, filtered by what the user types. */
function searchIn(lookup: PanelLookup) {
	return async function (this: ILoadOptionsFunctions, filter = '', token?: string) {
		const inboxId = getChosen(this, 'inboxId');
		return await readForEditor(
			this,
			async (client) => {
				const own = lookup.isOfChannels ? await readOwnChannels(this, client) : [];
				return await fillPicker(lookup, client, { inboxId, own }, normalizeText(filter), token);
			},
			undefined,
			'Switch from "From List" to "ID" to enter the ID yourself.',
		);
	};
}

/** The methods that fill the "From List" mode of locators. */
export const listSearch = Object.fromEntries(
	Object.values<PanelLookup>({ ...lookups, ...templateLookups }).map((lookup) => [
		lookup.searchMethod,
		searchIn(lookup),
	]),
);

/** Returns the method that fills a dropdown with a whole list, sorted by name. */
function optionsFrom(read: (client: Requester) => Promise<ListEntry[]>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const entries = await readForEditor(
			this,
			read,
			// The editor shows only the message.
			'Switch the field to Expression and enter the ID, or several separated by commas.',
		);
		return withIds(entries).sort(compareByName);
	};
}

/** Returns the entries of a whole list. */
async function readDropdownEntries(
	client: Requester,
	lookup: PanelLookup,
	valueOf = ({ id }: IDataObject) => String(id),
) {
	const { isOffered = () => true } = lookup;
	const records = await readPagedList(
		client,
		await findChannelListEndpoint(client, lookup.endpoint),
	);
	const offered = records.filter((record) => isOffered(record, undefined));
	return offered.map((record) => ({
		...toEntry(lookup, record, offered),
		value: valueOf(record),
	}));
}

/**
 * Returns who a contact can be assigned to: members by their user's ID, teams if the service lists
 * them, and nobody.
 */
async function readAssignees(client: Requester): Promise<ListEntry[]> {
	const members = await readDropdownEntries(client, lookups.members, (member) => {
		const { id = member.userId } = getUserOfMember(member);
		return `u_${String(id)}`;
	});
	const teams = await readPagedList(client, workspaceApi.listTeams).catch(() => []);
	return [
		...members,
		...teams.map(({ id, name }) => ({
			name: `${String(name)} – team`,
			value: `t_${String(id)}`,
		})),
		{ name: 'Unassigned', value: 'unassigned' },
	];
}

/** The methods that fill dropdowns. */
export const loadOptions = Object.fromEntries([
	...Object.values<PanelLookup>(lookups).flatMap((lookup) =>
		lookup.optionsMethod
			? [
					[
						lookup.optionsMethod,
						optionsFrom(async (client) => await readDropdownEntries(client, lookup)),
					] as const,
				]
			: [],
	),
	[conditionMethods.assignees, optionsFrom(readAssignees)],
	[
		conditionMethods.customFields,
		// The kind of value is part of the choice, so that the fields that fit it are shown.
		optionsFrom(
			async (client) => await readDropdownEntries(client, lookups.customFields, toConditionField),
		),
	],
]);

/** The input for a type of custom field; text for all other types. */
const columnTypes: Record<string, FieldType> = {
	number: 'number',
	date: 'dateTime',
	datetime: 'dateTime',
	boolean: 'boolean',
};

/** Returns the workspace's custom fields as columns of the mapper, sorted by name. */
async function getCustomFieldColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const definitions = await readForEditor(
		this,
		async (client) => await readPagedList(client, customFieldApi.listCustomFields),
	);
	const offered = definitions.filter(({ name }) => name !== QUESTION_FIELD);
	const columns = offered.map(({ id, name, type }) => ({
		id: String(id),
		name: String(name),
		type: columnTypes[String(type)] ?? 'string',
	}));
	const fields = columns.sort(compareByName).map(({ id, name, type }) => ({
		...columnDefaults,
		id,
		displayName: name,
		type,
		required: false,
	}));
	return { fields };
}

/** What all columns of a mapper have. */
const columnDefaults = { defaultMatch: false, canBeUsedToMatch: false, display: true };

/** Returns the placeholders of the chosen template as columns of the mapper. */
async function getTemplateParameters(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const chosen: unknown = this.getCurrentNodeParameter('templateId');
	const choice = parseTemplateChoice(chosen);
	if (!choice) return { fields: [] };
	if (String(choice.id ?? choice.name).startsWith('='))
		return {
			fields: [],
			emptyFieldsNotice:
				'The template comes from an expression. Choose Map Automatically, and name the columns like the placeholders, such as body.1.',
		};
	const inboxId = getChosen(this, 'inboxId');
	const parameters = await readForEditor(
		this,
		async (client) => await findChosenParameters(client, choice, inboxId),
	);
	if (!parameters)
		return { fields: [], emptyFieldsNotice: 'There is no such template. Choose another one.' };
	const fields = parameters.map((each) => ({ ...columnDefaults, ...templateInput(each) }));
	return { fields, emptyFieldsNotice: 'This template has nothing to fill in.' };
}

export const resourceMapping = { getCustomFieldColumns, getTemplateParameters };
