import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { templateApi } from '../contract/template';
import { someText, numericId } from '../contract/values';
import { containsKeyword } from '../values/names';
import { inQuery, keywordFilter, optional, returnAllOrLimit, simplify } from '../panel/fields';
import { whatsappChannel } from '../panel/templateFields';
import { defineOperation, type Resource } from '../run/operation';
import { getTemplateChannel, isInLanguage } from '../templates/template';
import { renderTemplate } from '../templates/message';
import { countParameters } from '../templates/parameters';
import { readList } from '../transport/lists/pages';

/** The fields of a template that people use most. */
const simpleTemplate = z.object({
	id: z.string(),
	name: z.string(),
	language: z.string(),
	status: z.string(),
	category: z.string(),
	inboxId: z.string().nullable(),
	text: z.string(),
	parameters: z.array(z.string()),
});

function simplifyTemplate(template: IDataObject): IDataObject {
	const { id, name, language, status, category } = template;
	const parameters = countParameters(template).map(({ key }) => key);
	const places = Object.fromEntries(parameters.map((key) => [key, `{{${key}}}`]));
	const text = renderTemplate(template, places);
	return {
		id,
		name,
		language,
		status,
		category,
		inboxId: getTemplateChannel(template) ?? null,
		text,
		parameters,
	};
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
			{
				...whatsappChannel,
				hint: undefined,
				canBeEmpty: undefined,
				routing: { send: { type: 'query', property: 'inboxId' } },
			},
			keywordFilter('e.g. order', 'A part of the name'),
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
				options: [
					{ name: 'Approved', value: 'APPROVED' },
					{ name: 'Pending', value: 'PENDING' },
					{ name: 'Rejected', value: 'REJECTED' },
				],
				default: 'APPROVED',
			}),
		]),
	],
	schema: {
		query: z.strictObject({
			inboxId: numericId.optional(),
			keyword: someText.optional(),
			language: someText.optional(),
			status: someText.optional(),
		}),
	},
	output: simpleTemplate,

	async run(item) {
		const { inboxId, keyword, language, status } = item.query;
		const all = await readList(item, templateApi.listTemplates);
		// Services accept filters and do not apply all of them.
		const found = all.filter(
			(template) =>
				(inboxId === undefined || getTemplateChannel(template) === inboxId) &&
				(keyword === undefined || containsKeyword(String(template.name), keyword)) &&
				(language === undefined || isInLanguage(template, language)) &&
				(status === undefined || String(template.status).toUpperCase() === status.toUpperCase()),
		);
		const chosen = found.slice(0, item.limit);
		return item.isSimplified ? chosen.map(simplifyTemplate) : chosen;
	},
});

export const templates: Resource = {
	name: 'Template',
	value: 'template',
	description: 'WhatsApp messages that the provider has approved',
	operations: [getAll],
	default: getAll,
};
