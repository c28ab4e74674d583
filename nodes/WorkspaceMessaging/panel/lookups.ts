import type { IDataObject, INodePropertyMode, INodePropertyRegexValidation } from 'n8n-workflow';
import { contactApi } from '../contract/contact';
import { customFieldApi } from '../contract/customField';
import { patterns, rules } from '../contract/limits';
import { tagApi } from '../contract/tag';
import { workspaceApi } from '../contract/workspace';
import type { Field, Lookup } from '../run/operation';
import { displayName } from './fields';

/* The lists of the workspace that people choose from, and the fields that take IDs of them. Errors suggest other IDs. */

/** A list of the workspace, and the methods that show it in the editor. */
export interface PanelLookup extends Lookup {
	/** Name of the method that fills a locator with the list. */
	searchMethod: string;
	/** Name of the method that fills a dropdown with the list, if there is one. */
	optionsMethod?: string;
	/** Whether the service also searches fields that are not part of the label. */
	searchesMore?: true;
	/** Whether the list shows a record beside the channel that the user chose; all records by default. */
	isOffered?(record: IDataObject, inboxId: string | undefined): boolean;
}

/** All lists that people choose from; `loadLists.ts` reads them. */
export const lookups = {
	broadcasts: {
		endpoint: workspaceApi.listBroadcasts,
		noun: 'broadcast',
		searchMethod: 'searchBroadcasts',
		label: (record) => toLabel(record, record.name, displayName(textOrEmpty(record.status))),
	},
	channels: {
		endpoint: workspaceApi.listChannels,
		noun: 'channel',
		searchMethod: 'searchChannels',
		optionsMethod: 'getChannels',
		label: (record) => toLabel(record, record.name, displayName(textOrEmpty(record.channel))),
	},
	contacts: {
		endpoint: contactApi.listContacts,
		noun: 'contact',
		searchMethod: 'searchContacts',
		searchesMore: true,
		label: (record) => {
			const { fullName, firstName, lastName, email, phoneNumber } = record;
			const name = textOrEmpty(fullName) || [firstName, lastName].map(textOrEmpty).filter(Boolean).join(' ');
			const reach = textOrEmpty(email) || textOrEmpty(phoneNumber);
			return toLabel(record, name || reach, reach);
		},
	},
	customFields: {
		endpoint: customFieldApi.listCustomFields,
		noun: 'custom field',
		searchMethod: 'searchCustomFields',
		optionsMethod: 'getCustomFields',
		label: (record) => toLabel(record, record.name, sentenceCase(displayName(textOrEmpty(record.type)))),
	},
	flows: {
		endpoint: workspaceApi.listFlows,
		noun: 'flow',
		searchMethod: 'searchFlows',
		label: (record) => toLabel(record, record.name, record.active === false ? 'Inactive' : ''),
	},
	members: {
		endpoint: workspaceApi.listMembers,
		noun: 'member',
		searchMethod: 'searchMembers',
		searchesMore: true,
		label: (record) => {
			// The API documents no email of a member. If a service returns one, it says more than an ID.
			const { name, email } = getUser(record);
			return toLabel(record, name ?? email, email);
		},
	},
	sequences: {
		endpoint: workspaceApi.listSequences,
		noun: 'sequence' as const,
		searchMethod: 'searchSequences',
		optionsMethod: 'getSequences',
		label: (record) => toLabel(record, record.name),
	},
	tags: {
		endpoint: tagApi.listTags,
		noun: 'tag' as const,
		searchMethod: 'searchTags',
		optionsMethod: 'getTags',
		label: (record) => toLabel(record, record.name),
	},
	teams: {
		endpoint: workspaceApi.listTeams,
		noun: 'team',
		searchMethod: 'searchTeams',
		label: (record) => toLabel(record, record.name),
	},
} satisfies Record<string, PanelLookup>;

/** The user of a member; empty if the service shows none. */
export const getUser = ({ user }: IDataObject): IDataObject => Object(user);

export const textOrEmpty = (value: unknown) => (value === undefined || value === null ? '' : String(value));

const sentenceCase = (name: string) => name.slice(0, 1) + name.slice(1).toLowerCase();

/** The name of a record, or else its ID, and what distinguishes it from others with the same name. */
export function toLabel({ id }: IDataObject, name: unknown, detail?: unknown): string {
	const details = [textOrEmpty(detail)].filter((part) => part !== '' && part !== textOrEmpty(name));
	return [textOrEmpty(name) || `ID ${textOrEmpty(id)}`, ...details].join(' – ');
}

/** The rule of n8n for an ID. IDs consist of digits (part 4). n8n itself says if an empty field is required. */
const numericIdRule: INodePropertyRegexValidation = {
	type: 'regex',
	properties: { regex: `${patterns.numericId.source}|^$`, errorMessage: `Enter ${rules.numericId}` },
};

interface LocatorOptions {
	displayName?: string;
	description?: string;
	hint?: string;
	required?: boolean;
	/** Whether any text can be an ID. */
	anyId?: boolean;
	/** More modes after From List and ID. */
	modes?: INodePropertyMode[];
}

/** A field that chooses one record, or takes its ID. Its value goes into the body. */
export function locator(lookup: PanelLookup, name: string, options: LocatorOptions = {}): Field {
	return { ...chooseRecord(lookup, name, options), routing: { send: { type: 'body', property: name } } };
}

/** The required field that chooses the record that an operation is about. Its value goes into the path. */
export function subjectLocator(lookup: PanelLookup, name: string, options: LocatorOptions = {}): Field {
	return chooseRecord(lookup, name, { ...options, required: true });
}

function chooseRecord(
	lookup: PanelLookup,
	name: string,
	{ anyId, modes = [], ...options }: LocatorOptions,
): Field {
	const { noun, searchMethod } = lookup;
	return {
		displayName: titleCase(noun),
		name,
		...options,
		// Fields with a default do not look required to a model.
		...(options.required && { builderHint: { propertyHint: 'Required' } }),
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}…`,
				typeOptions: { searchListMethod: searchMethod, searchable: true },
			},
			{
				displayName: 'ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 4711',
				validation: anyId ? undefined : [numericIdRule],
			},
			...modes,
		],
		lookup,
	};
}

/** A field that chooses several records, or takes their IDs. */
export function multiSelect(
	lookup: PanelLookup & { optionsMethod: string },
	name: string,
	{ description = '', ...options }: Partial<Field> = {},
): Field {
	return {
		displayName: `${titleCase(lookup.noun)} Names or IDs`,
		name,
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod: lookup.optionsMethod },
		default: [],
		description:
			`${description} Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`.trim(),
		...options,
		lookup,
	};
}

const titleCase = (noun: string) => noun.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
