import type { IDataObject, NodeHint } from 'n8n-workflow';
import { z } from 'zod/v4';
import { firstPartsDoneError, type ApiError } from '../../transport/errors/ApiError';
import { toObject } from '../../transport/guards';
import { contactApi } from '../../contract/contact';
import { makeMessageSchema, makeMessageFieldsSchema } from '../../contract/message';
import { limits } from '../../contract/limits';
import { anyText, number, string, text } from '../../contract/values';
import type { Item } from '../../run/item';
import { defineOperation } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import { isBlank, isNothing, notBlank } from '../../values/blankText';
import { splitText } from '../../values/splitText';
import { inBody, optional, textField } from '../../panel/fields';
import { recipientLocator, sendingChannel } from '../../panel/contactLocator';
import { locator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import {
	findAttachments,
	attachmentsField,
	checkAttachments,
	sendWithFiles,
	type SentMessage,
} from './send/attachments';
import { contactOutput, describeContact } from '../../contacts/output';
import { refuseGoneFlow } from '../shared/existingRecords';
import { checkSendOnce, passedOverOutput, sendOnceOption } from '../shared/sendOnce/option';
import { sendOnce } from '../shared/sendOnce/sendOnce';
import {
	explainOtherChannel,
	findWithChannels,
	refuseOtherChannel,
} from './delivery/contactChannels';
import { findReplyDestination, replyTo, type ReplyDestination } from './send/replyTo';
import { heedSilence, ifSilent } from './delivery/silentContact';

const maxTextLength = limits.text.max.toLocaleString('en-US');

/**
 * Warns of a text that is too long before a run. Only the editor evaluates hints, for the first
 * item of the input.
 */
export const longTextHint: NodeHint = {
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'beforeExecution',
	message: `The message has more than ${maxTextLength} characters. Add the option Split Long Text, or shorten it.`,
	displayCondition: `={{ $parameter.resource === 'message' && $parameter.operation === 'send' && String($parameter.text ?? '').length > ${limits.text.max} && $parameter.options?.splitLongText !== true }}`,
};

/** The text of a message that is not split. */
const shortText = notBlank(
	text(limits.text.min, limits.text.max, ' (to send a longer one, add Split Long Text)'),
);
const shortMessage = makeMessageSchema(shortText);
const shortMessageWithFiles = makeMessageFieldsSchema(shortText);

/** The text of a message that is split before it is sent; it can have any length. */
const longText = notBlank(anyText);
const longMessage = makeMessageSchema(longText);
const longMessageWithFiles = makeMessageFieldsSchema(longText);

type Message = z.output<typeof longMessageWithFiles>;
type SendItem = Item<{ identifier: string }, IDataObject, Message>;

export const send = defineOperation({
	name: 'Send',
	value: 'send',
	action: 'Send message',
	description: 'Send text, files or a flow to a contact on one of its channels',
	endpoint: contactApi.sendMessage,
	fields: [
		recipientLocator,
		textField({
			displayName: 'Message',
			name: 'text',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Hello Nathan, your order is on its way.',
			hint: `Up to ${maxTextLength} characters. If the contact has not written for 24 hours, WhatsApp needs Send Template.`,
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
			ifSilent,
			replyTo,
			sendOnceOption,
			// Hardly anybody needs these, so they come last.
			inBody({
				displayName: 'Files (JSON)',
				name: 'files',
				type: 'json',
				default: '[]',
				description: 'JSON list, sent unchanged; its entries are undocumented',
			}),
			textField({
				displayName: 'Flow Node ID',
				name: 'nodeId',
				placeholder: 'e.g. 4711',
				description: 'Step of the flow to start from, digits only',
			}),
			textField({
				displayName: 'Client ID',
				name: 'clientId',
				placeholder: 'e.g. 1234567890',
				description: 'Your own unique number per message (digits). Generated if empty.',
			}),
		]),
	],
	output: contactOutput.pick({ success: true, contact: true }).extend({
		text: string.optional(),
		...contactOutput.shape,
		queued: z.literal(true).optional(),
		attachments: z.array(z.object({ fileName: string, mimeType: string, size: number })).optional(),
		files: z.array(z.unknown()).optional(),
		flowId: string.optional(),
		nodeId: string.optional(),
		inboxId: string.optional(),
		clientId: string.optional(),
		replyToMessageId: string.optional(),
		messageId: string.optional(),
		messages: number.optional(),
		...passedOverOutput,
	}),

	schema(item) {
		const isSplit = item.isOn('options.splitLongText');
		if (findAttachments(item).length > 0)
			return { body: isSplit ? longMessageWithFiles : shortMessageWithFiles };
		return { body: isSplit ? longMessage : shortMessage };
	},

	normalize({ body }, item) {
		const { text, ...others } = body;
		const hasOthers =
			!isNothing(others.files) || !isNothing(others.flowId) || findAttachments(item).length > 0;
		// Services would refuse a blank text, or send an empty message.
		const isLeftOut = hasOthers && typeof text === 'string' && isBlank(text);
		return { body: isLeftOut ? others : body };
	},

	async validate(item) {
		const { clientId, flowId, nodeId } = item.body;
		if (nodeId !== undefined && flowId === undefined)
			throw new Error('Flow Node ID needs a flow. Add Flow under Options.');
		await checkAttachments(item);
		if (clientId !== undefined) refuseRepeated(clientId, item);
		checkSendOnce(item);
	},

	run: sendOnce(async (item: SendItem, send) => {
		const { body } = item;
		const hasFiles = findAttachments(item).length > 0;
		const messages = buildMessages(item, body, hasFiles);
		await heedSilence(item);
		if (body.flowId !== undefined) await refuseGoneFlow(item, body.flowId);
		const destination = await findReplyDestination(item);
		await refuseOtherChannel(item, findWithChannels(item));
		const { answer, attachments } = await send(() =>
			sendInOrder(item, messages, destination, hasFiles),
		);
		const replyToMessageId = destination.quote?.replyToMessageId;
		const { contact, ...who } = describeContact(item);
		const { text, ...others } = body as IDataObject;
		return [
			{
				success: true,
				contact,
				...(text !== undefined && { text }),
				...who,
				queued: true,
				...others,
				clientId: messages[0].clientId,
				...(replyToMessageId !== undefined && { replyToMessageId }),
				...describeSentMessage(answer),
				...(attachments && { attachments }),
				...(messages.length > 1 && { messages: messages.length }),
			},
		];
	}),
});

/** Returns the ID of the message that was sent, as a field of the output, if the answer has it. */
function describeSentMessage(answer: unknown): { messageId?: string } {
	const { id } = toObject(answer);
	const isId = (typeof id === 'string' && id !== '') || typeof id === 'number';
	return isId ? { messageId: String(id) } : {};
}

/**
 * Returns the messages that one item is sent as, each with its own Client ID: the text, in several
 * if it is too long, then the files as JSON, then the flow. Services use the first of these that
 * they find in a request and lose the others without an error, so no two of them share a request.
 *
 * @param hasFiles whether the item attaches files. The first message carries them, with its text as
 * their caption, so that the message that a service is most likely to refuse comes first
 */
function buildMessages(item: Item, body: Message, hasFiles: boolean): Message[] {
	const { inboxId, clientId } = body;
	const channel = inboxId === undefined ? {} : { inboxId };
	return splitContent(body, hasFiles).map((content, part) => {
		const ownId = item.clientId(part, clientId);
		return { ...content, ...channel, clientId: ownId };
	});
}

function splitContent({ text, files, flowId, nodeId }: Message, hasFiles: boolean) {
	const hasText = text !== undefined;
	const contents: Message[] = [];
	if (hasText) {
		const parts = splitText(text, limits.text.max);
		for (const part of parts) contents.push({ text: part });
	}
	// The first message carries the files, also without a text.
	if (hasFiles && !hasText) contents.push({});
	if (files !== undefined) contents.push({ files });
	if (flowId !== undefined) {
		const step = nodeId === undefined ? {} : { nodeId };
		contents.push({ flowId, ...step });
	}
	return contents;
}

/**
 * Sends the messages of an item one after another, the first with its files and the message that it
 * quotes.
 *
 * @returns the first answer, and the output of the files
 */
async function sendInOrder(
	item: SendItem,
	messages: Message[],
	{ endpoint, params, quote }: ReplyDestination,
	hasFiles: boolean,
): Promise<SentMessage> {
	const { clientId: dedupeKey, inboxId } = item.body;
	const explain = explainOtherChannel(item, inboxId);
	const [first, ...rest] = messages;
	const request = { params, body: { ...first, ...quote }, dedupeKey };
	const sent = hasFiles
		? await sendWithFiles(item, endpoint, request).catch(explain)
		: { answer: await item.request(endpoint, request).catch(explain) };
	for (const [index, body] of rest.entries()) {
		const sentBefore = index + 1;
		await item
			.request(endpoint, { params, body, dedupeKey })
			.catch(explain)
			.catch((error: ApiError) => {
				throw firstPartsDoneError(error, sentBefore, messages.length, ['messages', 'sent']);
			});
	}
	return sent;
}

/** The first valid item with a Client ID. */
const firstItemWith = oncePerRun<Item, [clientId: string], number>(({ index }) => index);

/**
 * Throws an error if an earlier item of the run has the same Client ID, because the service would
 * drop the message and answer as if it had sent it.
 */
function refuseRepeated(clientId: string, item: Item) {
	const withoutZeros = clientId.replace(/^0+(?=\d)/, '');
	const owner = firstItemWith(item, withoutZeros);
	if (owner === item.index) return;
	throw new Error(
		`Client ID must be unique, but item ${owner} also has "${clientId}". The service would deliver only one of the messages.`,
	);
}
