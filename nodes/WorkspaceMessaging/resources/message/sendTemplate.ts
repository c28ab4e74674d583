import { z } from 'zod/v4';
import { lookUpContactOf } from '../../contacts/findByIdentifier';
import { contactOutput, describeContact } from '../../contacts/output';
import { isOpenOnWhatsapp } from '../../conversations/answerHours';
import { findConversationId } from '../../conversations/find';
import { ofContact } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { templateApi } from '../../contract/template';
import { numericId, string, text } from '../../contract/values';
import { optional } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { templateLocator, templateMapper, whatsappChannel } from '../../panel/templateFields';
import type { AnyItem } from '../../run/item';
import { defineOperation, type Field } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import { ApiError, errorBeforeChange, onApiError } from '../../transport/errors/ApiError';
import type { RequestParts } from '../../transport/request';
import { endSentence, joinSentences } from '../../transport/errors/sentences';
import { checkBeforeRun, isAboutItem, readChosenTemplate } from '../../templates/chosen';
import { findTemplate, type FoundTemplate, type TemplateChoice } from '../../templates/find';
import { renderTemplate } from '../../templates/renderTemplate';
import { toTemplateContent } from '../../templates/templateData';
import {
	explainOtherChannel,
	findWithChannels,
	refuseOtherChannel,
} from './delivery/contactChannels';
import { sendText } from './delivery/sendText';
import {
	findWhatsappChannel,
	refuseOtherWhatsappChannel,
	WHATSAPP_CHANNEL,
	type TemplateItem,
} from './sendTemplate/whatsappChannel';
import { checkMedia, uploadMedia } from '../../templates/media';
import { hintAtLostSpace, readTemplateValues, type EnteredValues } from '../../templates/values';
import { checkSendOnce, passedOverOutput, sendOnceOption } from '../shared/sendOnce/option';
import { sendOnce, type Send } from '../shared/sendOnce/sendOnce';
import { notBlank } from '../../values/blankText';
import { counted } from '../../values/labels';

const textIfRecent: Field<string | undefined> = {
	displayName: 'Text Within 24 Hours',
	name: 'textIfRecent',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'Text to send instead of the template',
	description:
		'Sent as a plain message instead of the template if the contact wrote on this channel in the last 24 hours. If that time is unknown, n8n sends the template, and the provider may charge for it.',
	rule: notBlank(text(limits.text.min, limits.text.max)).trim().optional(),
};

export const sendTemplate = defineOperation({
	name: 'Send Template',
	value: 'sendTemplate',
	action: 'Send WhatsApp template',
	description:
		'Send an approved WhatsApp template, which also reaches a contact who has not written for 24 hours',
	endpoint: { ...templateApi.sendTemplate, params: ofContact, body: undefined },
	fields: [
		contactLocator,
		whatsappChannel,
		templateLocator,
		templateMapper,
		optional('options', [
			textIfRecent,
			{
				displayName: 'Preview',
				name: 'preview',
				type: 'boolean',
				default: true,
				description:
					'Whether to return the texts as the contacts would see them, without sending anything',
			},
			sendOnceOption,
		]),
	],
	schema: { body: z.strictObject({ inboxId: numericId.optional(), templateId: z.unknown() }) },
	// The preview of an item that the run would refuse has few of these fields.
	output: contactOutput
		.pick({ success: true, contact: true })
		.extend({
			sent: z.enum(['template', 'message', 'preview', 'nothing']),
			text: string,
			reason: string,
			...contactOutput.shape,
			templateId: string,
			templateName: string,
			language: string,
			inboxId: string,
			skipped: passedOverOutput.skipped,
		})
		.partial(),

	async validate(item) {
		checkSendOnce(item);
		const choice = readChosenTemplate(item);
		await checkBeforeRun(item, () => check(item, choice));
	},

	reportInvalid: describeInvalid,

	run: sendOnce(async (item: TemplateItem, send) => {
		const notSent = errorBeforeChange('sent');
		const choice = readChosenTemplate(item);
		const found = await findTemplate(item, choice, item.body.inboxId).catch(notSent);
		const entered = readTemplateValues(item, found);
		const inboxId = await findWhatsappChannel(item, found).catch(notSent);
		const ownText = await findOwnText(item, inboxId);
		const isMessage = ownText !== undefined;
		if (entered.hasLostSpace && !isMessage) hintAtLostSpace(item);
		const isPreview = item.isOn('options.preview');
		const shown = ownText ?? renderTemplate(found.template, entered.values);
		if (!isPreview) await sendEither(item, send, found, { inboxId, entered, text: ownText });
		const { id, name, language } = found.template;
		const sent = isMessage ? 'message' : 'template';
		const { contact, ...who } = describeContact(item);
		if (isPreview) previewedItems(item).set(item.index, true);
		return [
			{
				success: true,
				contact,
				sent: isPreview ? 'preview' : sent,
				text: shown,
				...who,
				templateId: String(id),
				templateName: name,
				language,
				inboxId,
			},
		];
	}),
});

/**
 * Returns what a preview says of an item that the run would refuse; undefined if the error is not
 * about the item.
 */
function describeInvalid(item: AnyItem, error: Error) {
	if (!item.isOn('options.preview')) return undefined;
	let reason: string | undefined;
	if (error instanceof ApiError) {
		const { what, details } = error;
		if (isAboutItem(error)) reason = joinSentences(what, details.advice);
	} else if (item.problem) {
		reason = endSentence(error.message);
	}
	if (reason === undefined) return undefined;
	previewedItems(item).set(item.index, false);
	return { sent: 'nothing', text: '', reason };
}

/** The items of a preview, and whether the run would send something for them; a hint counts them. */
const previewedItems = oncePerRun((item: AnyItem) => {
	const wouldSend = new Map<number, boolean>();
	item.hint(() => {
		const all = [...wouldSend.values()];
		const sent = all.filter(Boolean);
		const messages = counted(sent.length, 'message');
		const items = counted(all.length, 'item');
		const refused = all.length - sent.length;
		if (refused === 0 || item.run.continuesOnFail)
			return `Preview: nothing was sent. Without Preview, n8n would send ${messages} for ${items}.`;
		return `Preview: nothing was sent. Without Preview, the run would stop, because n8n refuses ${refused} of ${items}. With On Error set to Continue, it would send ${messages}.`;
	});
	return wouldSend;
});

/** Throws an error if the template, its values or a channel that the user chose do not fit. */
async function check(item: TemplateItem, choice: TemplateChoice) {
	const { inboxId } = item.body;
	const found = await findTemplate(item, choice, inboxId);
	const entered = readTemplateValues(item, found);
	await checkMedia(item, found, entered);
	refuseOtherWhatsappChannel(found.template, inboxId);
	const contact = findWithChannels(item);
	await refuseOtherChannel(item, contact, WHATSAPP_CHANNEL);
}

/** Returns the text to send instead of the template; undefined if the template has to go out. */
async function findOwnText(item: TemplateItem, inboxId: string): Promise<string | undefined> {
	const ownText = item.value(textIfRecent);
	if (ownText === undefined) return undefined;
	const record = await lookUpContactOf(item);
	return isOpenOnWhatsapp(record, inboxId) ? ownText : undefined;
}

/** What goes out, and on which channel. */
interface Chosen {
	inboxId: string;
	entered: EnteredValues;
	/** Goes out instead of the template. */
	text?: string;
}

/** Sends a text, or the template if there is none. */
async function sendEither(item: TemplateItem, send: Send, found: FoundTemplate, values: Chosen) {
	const { inboxId, text } = values;
	if (text !== undefined) {
		await send(() => sendText(item, text, inboxId, WHATSAPP_CHANNEL));
		return;
	}
	const request = await fillIn(item, found, values);
	const explain = explainOtherChannel(item, inboxId, WHATSAPP_CHANNEL);
	await send(() => item.request(templateApi.sendTemplate, request).catch(explain));
}

/** Returns the request that sends a template with its values. Uploads their files. */
async function fillIn(
	item: TemplateItem,
	found: FoundTemplate,
	{ inboxId, entered }: Chosen,
): Promise<RequestParts> {
	const conversationId = await findConversationId(item).catch(errorBeforeChange('sent'));
	const values = await uploadMedia(item, found, entered).catch(
		onApiError(
			() => true,
			// Even if the service has the file, the contact got nothing.
			({ what, details }): never => {
				throw new ApiError(what, { ...details, outcome: 'refused', nothingWas: 'sent' });
			},
		),
	);
	const body = { inboxId, ...toTemplateContent(found, values) };
	return { params: { conversationId }, body };
}
