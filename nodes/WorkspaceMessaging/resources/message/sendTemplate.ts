import { z } from 'zod/v4';
import { contactOutput, describeContact } from '../../contacts/output';
import { findConversationId } from '../../conversations/find';
import { contactApi, ofContact } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { templateApi } from '../../contract/template';
import { numericId } from '../../contract/values';
import { optional } from '../../panel/fields';
import { contactLocator } from '../../panel/locators';
import { templateLocator, templateMapper, whatsappChannel } from '../../panel/templateFields';
import type { AnyItem, Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { ApiError, join, sentence } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import {
	canReadTemplates,
	findTemplate,
	type FoundTemplate,
	type TemplateChoice,
} from '../../templates/find';
import { renderTemplate, toTemplateData } from '../../templates/message';
import { findChannel, hasWrittenRecently } from './template/channel';
import { checkMedia, uploadMedia } from './template/media';
import { readValues } from './template/values';

const { max } = limits.text;

type TemplateItem = Item<{ identifier: string }, object, { inboxId?: string }>;

export const sendTemplate = defineOperation({
	name: 'Send Template',
	value: 'sendTemplate',
	action: 'Send template',
	description:
		'Send an approved WhatsApp template, which also reaches a contact who has been silent for 24 hours',
	endpoint: { ...templateApi.sendTemplate, params: ofContact, body: undefined },
	fields: [
		contactLocator,
		whatsappChannel,
		templateLocator,
		templateMapper,
		optional('options', [
			{
				displayName: 'If the Contact Wrote Recently, Send This Text Instead',
				name: 'textIfRecent',
				type: 'string',
				typeOptions: { rows: 3 },
				default: '',
				description:
					'A plain message, if the contact wrote on this channel in the last 24 hours. If the time is unknown, n8n sends the template, for which the provider may charge.',
			},
			{
				displayName: 'Preview',
				name: 'preview',
				type: 'boolean',
				default: true,
				description: 'Whether to return the texts as the contacts would see them, without sending anything',
			},
		]),
	],
	schema: { body: z.strictObject({ inboxId: numericId.optional(), templateId: z.unknown() }) },
	// What a preview says of an item that the run would refuse has few of these fields.
	output: contactOutput
		.extend({
			sent: z.enum(['template', 'message', 'preview', 'nothing']),
			text: z.string(),
			reason: z.string(),
			templateId: z.string(),
			templateName: z.string(),
			language: z.string(),
			inboxId: z.string(),
		})
		.partial(),

	async validate(item) {
		const { length } = readTextIfRecent(item);
		if (length > max)
			throw new Error(
				`Send This Text Instead must have at most ${max.toLocaleString('en-US')} characters, but has ${length.toLocaleString('en-US')}`,
			);
		const choice = readChoice(item);
		// What is wrong with the template or a value must come to light before anything is sent.
		await item.connect();
		// Otherwise, the run reports why, which has nothing to do with the item.
		if (!(await canReadTemplates(item))) return;
		const found = await findTemplate(item, choice);
		checkMedia(item, found, readValues(item, found));
	},

	reportInvalid: describeInvalid,

	async run(item) {
		const found = await findTemplate(item, readChoice(item));
		const values = readValues(item, found);
		const inboxId = await findChannel(item, found);
		const text = readTextIfRecent(item);
		const isMessage = text !== '' && (await hasWrittenRecently(item, inboxId));
		const isPreview = item.isOn('options.preview');
		const shown = isMessage ? text : renderTemplate(found.template, values);
		if (!isPreview && isMessage) await sendText(item, inboxId, text);
		if (!isPreview && !isMessage) await send(item, found, { inboxId, values });
		const { id, name, language } = found.template;
		const sent = isMessage ? 'message' : 'template';
		return [
			{
				success: true,
				...describeContact(item),
				sent: isPreview ? 'preview' : sent,
				text: shown,
				templateId: String(id),
				templateName: name,
				language,
				inboxId,
			},
		];
	},
});

/** Returns what a preview says of an item that the run would refuse; undefined if the error is not about the item. */
function describeInvalid(item: AnyItem, error: Error) {
	if (!item.isOn('options.preview')) return undefined;
	let reason = item.problem && sentence(error.message);
	if (error instanceof ApiError) {
		const { outcome, nothingWas, status, advice } = error.details;
		const isRefused = outcome === 'refused' && (nothingWas === 'changed' || status === 404);
		reason = isRefused ? join(error.what, advice) : undefined;
	}
	return reason === undefined ? undefined : { sent: 'nothing', text: '', reason };
}

const readTextIfRecent = (item: AnyItem) => String(item.parameter('options.textIfRecent', '') ?? '').trim();

/** Returns which template the user chose. Throws an error if none. */
function readChoice(item: AnyItem): TemplateChoice {
	if (item.run.isTool) {
		const name = String(item.parameter('templateName', '') ?? '').trim();
		if (name === '') throw new Error('Template Name must not be empty');
		return { name, language: String(item.parameter('language', '') ?? '').trim() };
	}
	const chosen = item.parameter('templateId', '');
	const { mode, value } = isObject(chosen) && 'mode' in chosen ? chosen : { mode: 'id', value: chosen };
	const text = String(value ?? '').trim();
	if (text === '') throw new Error('Template must not be empty');
	if (mode !== 'name') return { id: text };
	const [name, language] = text.split(',').map((part) => part.trim());
	return { name, language };
}

async function sendText(item: TemplateItem, inboxId: string, text: string): Promise<void> {
	const body = { text, inboxId, clientId: item.clientId(0) };
	await item.request(contactApi.sendMessage, { params: item.params, body });
}

async function send(
	item: TemplateItem,
	found: FoundTemplate,
	{ inboxId, values }: { inboxId: string; values: Record<string, string> },
): Promise<void> {
	const conversationId = await findConversationId(item);
	const complete = await uploadMedia(item as Item, found, values);
	const form = found.takesKeys
		? { templateParams: complete }
		: { templateData: toTemplateData(found.template, complete) };
	const body = { templateId: String(found.template.id), inboxId, ...form };
	await item.request(templateApi.sendTemplate, { params: { conversationId }, body });
}
