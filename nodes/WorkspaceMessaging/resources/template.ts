import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { templateApi } from '../contract/template';
import { numericId, someText, string, stringOrNull, strings } from '../contract/values';
import { containsKeyword } from '../values/names';
import {
	inQuery,
	keywordField,
	optional,
	returnAllOrLimit,
	simplify,
	toNamedOptions,
} from '../panel/fields';
import { whatsappChannel } from '../panel/templateFields';
import { defineOperation, type Resource } from '../run/operation';
import { getTemplateInboxId, isInLanguage } from '../templates/template';
import { renderTemplate } from '../templates/renderTemplate';
import { findParameters } from '../templates/parameters';
import { readPagedList } from '../service/lists/pages';

/** The fields of a template that people use most. */
const simpleTemplate = z.object({
	id: string,
	name: string,
	language: string,
	status: string,
	category: string,
	inboxId: stringOrNull,
	text: string,
	parameters: strings,
});

function simplifyTemplate(template: IDataObject): IDataObject {
	const { id, name, language, status, category } = template;
	const parameters = findParameters(template).map(({ key }) => key);
	const places = Object.fromEntries(parameters.map((key) => [key, `{{${key}}}`]));
	return {
		id,
		name,
		language,
		status,
		category,
		inboxId: getTemplateInboxId(template) ?? null,
		text: renderTemplate(template, places),
		parameters,
	};
}

const templateFilters = z
	.strictObject({ inboxId: numericId, keyword: someText, language: someText, status: someText })
	.partial();

function matches(
	template: IDataObject,
	{ inboxId, keyword, language, status }: z.output<typeof templateFilters>,
) {
	if (inboxId !== undefined && getTemplateInboxId(template) !== inboxId) return false;
	if (keyword !== undefined && !containsKeyword(String(template.name), keyword)) return false;
	if (language !== undefined && !isInLanguage(template, language)) return false;
	if (status === undefined) return true;
	const own = String(template.status).toUpperCase();
	return own === status.toUpperCase();
}

const getAll = defineOperation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many templates',
	description: 'Get many WhatsApp templates with their texts and their placeholders',
	endpoint: templateApi.listTemplates,
	fields: [
		...returnAllOrLimit,
		simplify,
		optional('filters', [
			inQuery({ ...whatsappChannel, hint: undefined, canBeEmpty: undefined }),
			keywordField('e.g. order', 'A part of the name'),
			inQuery({
				displayName: 'Language',
				name: 'language',
				type: 'string',
				default: '',
				placeholder: 'e.g. en_US',
			}),
			inQuery({
				displayName: 'Status',
				name: 'status',
				type: 'options',
				options: toNamedOptions({ APPROVED: 'Approved', PENDING: 'Pending', REJECTED: 'Rejected' }),
				default: 'APPROVED',
			}),
		]),
	],
	schema: { query: templateFilters },
	output: simpleTemplate,
	simplify: (chosen) => chosen.map(simplifyTemplate),

	async run(item) {
		const all = await readPagedList(item, templateApi.listTemplates);
		// Services accept filters and do not apply all of them.
		const found = all.filter((template) => matches(template, item.query));
		return found.slice(0, item.limit);
	},
});

export const templates: Resource = {
	name: 'Template',
	value: 'template',
	description: 'WhatsApp messages that the provider has approved',
	operations: [getAll],
	default: getAll,
};
