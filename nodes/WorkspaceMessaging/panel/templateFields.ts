import { toChannelId } from '../channels/channel';
import { templateApi } from '../contract/template';
import { workspaceApi } from '../contract/workspace';
import type { Field } from '../run/operation';
import { isMediaParameter, toParameterInputId, type Parameter } from '../templates/parameters';
import { describeBody, firstWords } from '../templates/placeLabels';
import {
	getTemplateInboxId,
	getTemplateChannelName,
	isApproved,
	isTemplateOfChannel,
} from '../templates/template';
import { locator, withNameMode } from './lookups/locators';
import { toLookupText, toLabel, type Lookup } from './lookups/lookup';

/** How many letters of a text an entry of a list shows. */
const LETTERS_OF_TEXT = 60;

function beginningOf(text: string) {
	const beginning = firstWords(text, LETTERS_OF_TEXT);
	return beginning === text ? text : `${beginning} …`;
}

/** The lists of the workspace that only templates need. */
export const templateLookups = {
	templates: {
		endpoint: templateApi.listTemplates,
		noun: 'template',
		searchMethod: 'searchTemplates',
		isOffered: (record, inboxId) => isApproved(record) && isTemplateOfChannel(record, inboxId),
		isOfChannels: (record, own) => own.includes(getTemplateInboxId(record) ?? ''),
		label: (record, all = []) => {
			const language = toLookupText(record.language);
			// A contact of one number can't get a template of another one.
			const isOfSeveral = new Set(all.map(getTemplateInboxId)).size > 1;
			const isShown = isOfSeveral && getTemplateInboxId(record) !== undefined;
			const detail = isShown ? `${language}, ${getTemplateChannelName(record)}` : language;
			return toLabel(
				record,
				[detail, beginningOf(describeBody(record))].filter(Boolean).join(': '),
			);
		},
	},
	whatsappChannels: {
		endpoint: workspaceApi.listChannels,
		noun: 'channel',
		readChoice: toChannelId,
		searchMethod: 'searchWhatsappChannels',
		isOffered: ({ channel }) => channel === 'whatsapp',
		label: (record) => toLabel(record),
	},
} satisfies Record<string, Lookup>;

/** The WhatsApp channel to send a template on. */
export const whatsappChannel: Field = {
	...locator(templateLookups.whatsappChannels, 'inboxId', {
		displayName: 'Channel',
		hint: "If empty, n8n uses the contact's only WhatsApp channel, or the one used last",
	}),
	canBeEmpty: true,
};

/** A template by name and language, and its values, for a model to fill in. */
const templateTexts: Field[] = [
	{
		displayName: 'Template Name',
		name: 'templateName',
		type: 'string',
		default: '',
		placeholder: 'e.g. order_shipped',
	},
	{
		displayName: 'Template Language',
		name: 'language',
		type: 'string',
		default: '',
		placeholder: 'e.g. en_US',
	},
];
const templateValues: Field = {
	displayName: 'Template Parameters',
	name: 'templateValues',
	type: 'json',
	default: '{}',
	description: 'JSON object with the parameters by key, such as {"body.1": "Ann"}',
};

/** Chooses a template from the list, by ID, or by name and language. */
export const templateLocator: Field = {
	...locator(templateLookups.templates, 'templateId', {
		required: true,
		...withNameMode('order_shipped, en_US', 'The name, a comma and the language'),
	}),
	inTools: templateTexts,
};

/** An input for each placeholder of the template. */
export const templateMapper: Field = {
	displayName: 'Template Parameters',
	name: 'templateParams',
	type: 'resourceMapper',
	noDataExpression: true,
	displayOptions: { hide: { templateId: [''] } },
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			resourceMapperMethod: 'getTemplateParameters',
			mode: 'add',
			fieldWords: { singular: 'parameter', plural: 'parameters' },
			valuesLabel: 'Template Parameters',
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
			// n8n adds a link to retry. It does not load the inputs by itself while an expression of the
			// node has no data.
			noFieldsError: "The inputs of the template appear here. If they don't:",
		},
	},
	description:
		'For a file, enter an https address, or the input field that holds it. n8n uploads it to the media library, where anyone with the address can open it.',
	builderHint: { propertyHint: 'value: { body_1: text }' },
	inTools: [templateValues],
};

/**
 * Names an input. That of a file says what to enter, as briefly as the editor shows labels:
 * `Document: field or URL`.
 */
const toInputLabel = (parameter: Parameter) =>
	isMediaParameter(parameter)
		? parameter.label.replace(
				/Header (\w)(\w*)$/,
				(_, first: string, rest: string) => `${first.toUpperCase()}${rest}: field or URL`,
			)
		: parameter.label;

/** Returns the input of the mapper for a place of the template. */
export const templateInput = (parameter: Parameter) => ({
	id: toParameterInputId(parameter.key),
	displayName: toInputLabel(parameter),
	type: parameter.kind === 'expiration_ms' ? ('dateTime' as const) : ('string' as const),
	// n8n itself would name the input by its ID. The node names it by the words around it.
	required: false,
});
