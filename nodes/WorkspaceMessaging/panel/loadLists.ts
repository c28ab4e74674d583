import {
	NodeApiError,
	NodeOperationError,
	type FieldType,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { readCustomFieldDefinitions } from '../contacts/customFields/definitions';
import { toConditionField } from '../contacts/conditions/conditionFields';
import { findChannelListEndpoint } from '../service/capabilities';
import { patterns } from '../contract/limits';
import { workspaceApi, getUserOfMember } from '../contract/workspace';
import { readConnection } from '../run/connection';
import { withMessage } from '../run/nodeError';
import { conditionMethods } from './contactFilters';
import { hasExpression } from '../values/expressions/expression';
import { compareByName } from '../values/names';
import { fillPicker } from './fillPicker';
import { toEntry, withIds, type ListEntry } from './lookups/listEntries';
import { entriesWithoutCredential } from './lookups/refreshEntry';
import { lookups } from './lookups';
import type { Lookup } from './lookups/lookup';
import { readOwnChannels } from './ownChannels';
import { templateInput, templateLookups } from './templateFields';
import { openClient } from '../service/client';
import { CREDENTIAL } from '../transport/credential';
import { joinSentences } from '../transport/errors/sentences';
import { isObject, toObject } from '../transport/guards';
import { normalizeText } from '../transport/normalizeText';
import { findChosenParameters, parseTemplateChoice } from '../templates/find';
import { readPagedList } from '../service/lists/pages';
import type { Requester } from '../transport/request';

/**
 * Connects a list that somebody waits for in the editor, so it gives up sooner than a run of the
 * node.
 */
async function connect(context: ILoadOptionsFunctions) {
	const client = await openClient(context, {
		retry: { maxRetries: 2, giveUpAfterMs: 10_000, waitAtMostMs: 10_000 },
		transport: readConnection(getKnownRequestOptions(context), 15_000),
	});
	return client.createRequester(context);
}

/** Returns the request options without those that the editor could not evaluate. */
function getKnownRequestOptions(context: ILoadOptionsFunctions): IDataObject {
	const options = toObject(context.getCurrentNodeParameter('requestOptions'));
	const known = Object.entries(options).filter(([, value]) => !hasExpression(value));
	return Object.fromEntries(known);
}

/** Reads a list for a locator or a mapper. Throws an error as they show it. */
async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: Requester) => Promise<T>,
	description?: string,
) {
	return await connect(context)
		.then(read)
		.catch((error: Error) => {
			const node = context.getNode();
			const message = hasCredential(context)
				? describeLoadFailure(error)
				: 'Choose the credential, then Refresh List.';
			throw withMessage(new NodeApiError(node, { message }, { message, description }), message);
		});
}

const hasCredential = (context: ILoadOptionsFunctions) =>
	context.getNode().credentials?.[CREDENTIAL] !== undefined;

const describeLoadFailure = ({ message }: Error, advice?: string) =>
	joinSentences("n8n can't load the list.", message, advice);

/**
 * Returns the ID that the user chose in a locator of the node; undefined without one, and for an
 * expression.
 */
function getChosen(context: ILoadOptionsFunctions, name: string) {
	const chosen: unknown = context.getCurrentNodeParameter(name);
	const value = String(isObject(chosen) ? chosen.value : chosen);
	return patterns.numericId.test(value) ? value : undefined;
}

/** Returns the method that fills a locator: page after page, filtered by what the user types. */
function searchIn(lookup: Lookup) {
	return async function (this: ILoadOptionsFunctions, filter = '', token?: string) {
		const inboxId = getChosen(this, 'inboxId');
		return await readForEditor(
			this,
			async (client) => {
				const own = lookup.isOfChannels ? await readOwnChannels(this, client) : [];
				return await fillPicker(lookup, client, { inboxId, own }, normalizeText(filter), token);
			},
			'Switch from "From List" to "ID" to enter the ID yourself.',
		);
	};
}

/** The methods that fill the "From List" mode of locators. */
export const listSearch = Object.fromEntries(
	Object.values<Lookup>({ ...lookups, ...templateLookups }).map((lookup) => [
		lookup.searchMethod,
		searchIn(lookup),
	]),
);

/**
 * Returns the method that fills a dropdown with a whole list, sorted by name. The editor shows the
 * message of its error, if that is no `NodeApiError`.
 *
 * @param names of the fields that have this list
 */
function optionsFrom(names: string[], read: (client: Requester) => Promise<ListEntry[]>) {
	return async function (this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		if (!hasCredential(this)) return entriesWithoutCredential(this, names);
		const entries = await connect(this)
			.then(read)
			.catch((error: Error) => {
				const advice =
					'Switch the field to Expression and enter the ID, or several separated by commas.';
				const message = describeLoadFailure(error, advice);
				throw withMessage(new NodeOperationError(this.getNode(), message), message);
			});
		return withIds(entries).sort(compareByName);
	};
}

/** Returns the entries of a whole list. */
async function readDropdownEntries(
	client: Requester,
	lookup: Lookup,
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

/** Returns the method that fills a dropdown with a lookup, by its name. */
const optionsOf = (lookup: Lookup & { optionsMethod: string }, name: string) => ({
	[lookup.optionsMethod]: optionsFrom([name], (client) => readDropdownEntries(client, lookup)),
});

/** The methods that fill dropdowns. */
export const loadOptions = {
	...optionsOf(lookups.channels, 'inboxIds'),
	...optionsOf(lookups.customFields, 'customFieldId'),
	...optionsOf(lookups.sequences, 'sequenceIds'),
	...optionsOf(lookups.tags, 'tagIds'),
	[conditionMethods.assignees]: optionsFrom(['assigneeIds', 'assignedId'], readAssignees),
	// The kind of value is part of the choice, so that the fields that fit it are shown.
	[conditionMethods.customFields]: optionsFrom(['customField'], (client) =>
		readDropdownEntries(client, lookups.customFields, toConditionField),
	),
};

/** The input for a type of custom field; text for all other types. */
const columnTypes: Record<string, FieldType> = {
	number: 'number',
	date: 'dateTime',
	datetime: 'dateTime',
	boolean: 'boolean',
};

/** Returns the workspace's custom fields as columns of the mapper, sorted by name. */
async function getCustomFieldColumns(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const { named } = await readForEditor(this, readCustomFieldDefinitions);
	const fields = named.toSorted(compareByName).map(({ id, name, type }) => ({
		...columnDefaults,
		id,
		displayName: name,
		type: columnTypes[type] ?? 'string',
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
	const parameters = await readForEditor(this, (client) =>
		findChosenParameters(client, choice, inboxId),
	);
	if (!parameters)
		return { fields: [], emptyFieldsNotice: 'There is no such template. Choose another one.' };
	const fields = parameters.map((each) => ({ ...columnDefaults, ...templateInput(each) }));
	return { fields, emptyFieldsNotice: 'This template has nothing to fill in.' };
}

export const resourceMapping = { getCustomFieldColumns, getTemplateParameters };
