import type { IDataObject, NodeHint } from 'n8n-workflow';
import { z } from 'zod/v4';
import { partiallyDone, type ApiError } from '../../transport/errors/ApiError';
import { contactApi, messageFields, messageWith } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { anyText, text } from '../../contract/values';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import { inBody, optional } from '../../panel/fields';
import { contactLocator, sendingChannel } from '../../panel/locators';
import { locator, lookups } from '../../panel/lookups';
import { findAttachments, attachmentsField, checkAttachments, sendWithFiles } from './attachments';
import { contactOutput, describeContact } from '../../contacts/output';
import { refuseGoneFlow } from '../existing';

const maxCharacters = limits.text.max.toLocaleString('en-US');

/** Warns of a text that is too long before a run. Only the editor evaluates hints, for the first item of the input. */
export const longTextHint: NodeHint = {
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'beforeExecution',
	message: `The message has more than ${maxCharacters} characters. Add the option Split Long Text, or shorten it.`,
	displayCondition: `={{ $parameter.resource === 'message' && $parameter.operation === 'send' && String($parameter.text ?? '').length > ${limits.text.max} && $parameter.options?.splitLongText !== true }}`,
};

/** The text of a message that is not split. */
const shortText = text(limits.text.min, limits.text.max, ' (to send a longer one, add Split Long Text)');
const shortMessage = messageWith(shortText);
const shortMessageWithFiles = messageFields(shortText);

/** The text of a message that is split before it is sent; it can have any length. */
const longText = anyText.refine((text) => text.trim() !== '', 'must not be blank');
const longMessage = messageWith(longText);
const longMessageWithFiles = messageFields(longText);

type Message = z.output<typeof longMessageWithFiles>;

export const send = defineOperation({
	name: 'Send',
	value: 'send',
	action: 'Send message',
	description: 'Send text, files or a flow to a contact on one of its channels',
	endpoint: contactApi.sendMessage,
	fields: [
		contactLocator,
		inBody({
			displayName: 'Message',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. Hello Nathan, your order is on its way.',
			hint: `Up to ${maxCharacters} characters. Add Split Long Text to send longer texts as several messages.`,
			description:
				'Optional if you add attachments, files or a flow. Success means the message is queued, not delivered.',
		}),
		attachmentsField,
		sendingChannel,
		optional('options', [
			locator(lookups.flows, 'flowId', { description: 'A flow to start after the message' }),
			{
				displayName: 'Split Long Text',
				name: 'splitLongText',
				type: 'boolean',
				default: true,
				description: 'Whether to send a longer text as several messages',
			},
			// Hardly anybody needs these, so they come last.
			inBody({
				displayName: 'Files (JSON)',
				name: 'files',
				type: 'json',
				default: '[]',
				description: 'JSON list, sent unchanged; its entries are undocumented',
			}),
			inBody({
				displayName: 'Flow Node ID',
				name: 'nodeId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 4711',
				description: 'Step of the flow to start from, digits only',
			}),
			inBody({
				displayName: 'Client ID',
				name: 'clientId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1234567890',
				description: 'Your own unique number per message (digits). Generated if empty.',
			}),
		]),
	],
	output: contactOutput.extend({
		queued: z.literal(true),
		text: z.string().optional(),
		attachments: z
			.array(z.object({ fileName: z.string(), mimeType: z.string(), size: z.number() }))
			.optional(),
		files: z.array(z.unknown()).optional(),
		flowId: z.string().optional(),
		nodeId: z.string().optional(),
		inboxId: z.string().optional(),
		clientId: z.string(),
		messages: z.number().optional(),
	}),

	schema(item) {
		const isSplit = item.isOn('options.splitLongText');
		if (findAttachments(item).length > 0)
			return { body: isSplit ? longMessageWithFiles : shortMessageWithFiles };
		return { body: isSplit ? longMessage : shortMessage };
	},

	async validate(item) {
		const { text, clientId, flowId, nodeId } = item.body;
		if (text?.includes('[object Object]'))
			throw new Error('Message contains [object Object]. Point the expression at one of its fields.');
		if (nodeId !== undefined && flowId === undefined)
			throw new Error('Flow Node ID needs a flow. Add Flow under Options.');
		await checkAttachments(item);
		if (clientId !== undefined) refuseRepeated(clientId, item);
	},

	async run(item) {
		const { params, body } = item;
		const hasFiles = findAttachments(item).length > 0;
		const messages = buildMessages(item, body, hasFiles);
		if (body.flowId !== undefined) await refuseGoneFlow(item, body.flowId);
		let attachments: IDataObject[] = [];
		for (const [sent, message] of messages.entries()) {
			const request = { params, body: message, dedupeKey: body.clientId };
			if (hasFiles && sent === 0) {
				attachments = await sendWithFiles(item, request);
				continue;
			}
			await item.request(contactApi.sendMessage, request).catch((error: ApiError) => {
				if (sent > 0) throw partlySent(error, sent, messages.length);
				throw error;
			});
		}
		return [
			{
				success: true,
				...describeContact(item),
				queued: true,
				...(body as IDataObject),
				clientId: messages[0].clientId,
				...(hasFiles && { attachments }),
				...(messages.length > 1 && { messages: messages.length }),
			},
		];
	},
});

/**
 * Returns the messages that one item is sent as, each with its own Client ID: the text, in several if it is too long, then the
 * files as JSON, then the flow. Services use the first of these that they find in a request and lose the others without an
 * error, so no two of them share a request.
 *
 * @param hasFiles whether the item attaches files. The first message carries them, with its text as their caption, so that
 * the message that a service is most likely to refuse comes first
 */
function buildMessages(item: Item, body: Message, hasFiles: boolean): Message[] {
	const { text, files, flowId, nodeId, inboxId, clientId } = body;
	const messages: Message[] = [];
	if (text !== undefined && !(hasFiles && text.trim() === ''))
		messages.push(...splitText(text, limits.text.max).map((part) => ({ text: part })));
	else if (hasFiles) messages.push({});
	if (files !== undefined) messages.push({ files });
	if (flowId !== undefined) messages.push({ flowId, ...(nodeId !== undefined && { nodeId }) });
	return messages.map((message, part) => ({
		...message,
		...(inboxId !== undefined && { inboxId }),
		clientId: item.clientId(part, clientId),
	}));
}

/** The first valid item with a Client ID. */
const firstItemWith = oncePerRun<Item, [clientId: string], number>(({ index }) => index);

/**
 * Throws an error if an earlier item of the run has the same Client ID, because the service would drop the message and
 * answer as if it had sent it.
 */
function refuseRepeated(clientId: string, item: Item) {
	const owner = firstItemWith(item, clientId.replace(/^0+(?=\d)/, ''));
	if (owner === item.index) return;
	throw new Error(
		`Client ID must be unique, but item ${owner} also has "${clientId}". The service would deliver only one of the messages.`,
	);
}

/** The error for a message that follows others of the same item. */
function partlySent(error: ApiError, sent: number, of: number): ApiError {
	let done = `The first of ${of} messages was sent`;
	if (sent > 1) done = `The first ${sent} of ${of} messages were sent`;
	let rest = 'the others were not';
	if (error.details.outcome === 'unknown') rest = `the next one may have been sent, ${rest}`;
	return partiallyDone(error, `${done}; ${rest}.`);
}

/**
 * Where to cut text, the best place first: after a paragraph, a line, a sentence, a word. Not at a space with a combining
 * accent.
 */
const cuts = [/\n\s*\n/g, /\n/g, /[.!?…]\s(?![\p{M}\u200d])|[。！？]/gu, /\s(?![\p{M}\u200d])/gu];

/** Finds what a reader takes for one character, such as a flag or a letter with its accent. */
const graphemes = new Intl.Segmenter();

/**
 * Splits text into parts of at most `max` characters (UTF-16 units, as the service counts), in order. Cuts where a
 * reader would pause, as late as possible in the second half of a part; a word that is too long is cut between what a
 * reader takes for characters. White space at the cuts is dropped.
 */
export function splitText(text: string, max: number): string[] {
	if (text.length <= max) return [text];
	const parts: string[] = [];
	let rest = text.trim();
	while (rest.length > max) {
		const at = cutPosition(rest, max);
		parts.push(rest.slice(0, at).trimEnd());
		rest = rest.slice(at).trimStart();
	}
	if (rest !== '') parts.push(rest);
	return parts;
}

function cutPosition(text: string, max: number): number {
	// Whether a character ends at `max` depends on the next code point, which can be of two units.
	const window = text.slice(0, max + 2);
	const segments = graphemes.segment(window);
	const startOf = (at: number) => segments.containing(at)?.index;
	for (const cut of cuts) {
		const ends = [...window.matchAll(cut)].map((match) => match.index + match[0].trimEnd().length);
		const last = ends.filter((end) => end > max / 2 && end <= max && startOf(end) === end).pop();
		if (last !== undefined) return last;
	}
	const start = startOf(max);
	if (start) return start;
	// One that is itself too long: at least not between the two halves of a code point.
	const code = text.charCodeAt(max - 1);
	const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
	return isFirstHalf ? max - 1 : max;
}
