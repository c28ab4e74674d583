import type { IDataObject, NodeHint } from 'n8n-workflow';
import { z } from 'zod/v4';
import { partiallyDone } from '../../transport/errors/errors';
import type { ApiError } from '../../transport/errors/errors';
import { limits, messageFields, messageWith, sendMessage as sendMessageEndpoint } from '../../contract';
import { sendUploads } from '../../contract/undocumented';
import { anyText } from '../../contract/values';
import { clientIdOfPart } from '../../execution/clientId';
import type { Item } from '../../execution/item';
import type { Operation } from '../../execution/operation';
import { inBody, optional } from '../shared/fields';
import { contactLocator, defaultCountryCode, sendingChannel } from '../shared/locators';
import { locator } from '../shared/lookupFields';
import { lookups } from '../shared/lookups';
import { attachedFiles } from './files/attachedFiles';
import { attachmentsField, checkAttachments, sendWithFiles } from './files/attachments';
import { contactOutput, contactRef } from './shared/output';
import { splitText } from './shared/splitText';

/**
 * Tells that a text is too long before anything runs. The editor alone looks at hints and evaluates their conditions, with
 * the first item of the input; a run takes no notice of them.
 */
export const longTextHint: NodeHint = {
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'beforeExecution',
	message: `The text has more than ${limits.text.max} characters. Add the option Split Long Text, or shorten it.`,
	displayCondition: `={{ $parameter.resource === 'contact' && $parameter.operation === 'sendMessage' && String($parameter.text ?? '').length > ${limits.text.max} && $parameter.options?.splitLongText !== true }}`,
};

/** A message whose text is split before it is sent: of any length. */
const longText = anyText.refine((text) => text.trim() !== '', 'must not be blank');
const longMessage = messageWith(longText);
const longMessageWithFiles = messageFields(longText);

interface Message extends IDataObject {
	text?: string;
	files?: IDataObject[];
	flowId?: string;
	nodeId?: string;
	inboxId?: string;
	clientId?: string;
}

export const sendMessage: Operation = {
	name: 'Send Message',
	value: 'sendMessage',
	action: 'Send message to contact',
	description: 'Send text, files or a flow to a contact on one of its channels',
	endpoint: sendMessageEndpoint,
	fields: [
		contactLocator,
		inBody({
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			placeholder: 'e.g. Hello Nathan, your order is on its way.',
			hint: `Up to ${limits.text.max} characters; the option Split Long Text sends more as several messages`,
			description: 'Can be empty beside attachments, files or a flow. Success means queued, not delivered.',
		}),
		optional('options', [
			attachmentsField,
			sendingChannel,
			inBody({
				displayName: 'Client ID',
				name: 'clientId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1234567890',
				description:
					'Number of your own, digits only, another for each item: the service delivers one message of each. Made when left out.',
			}),
			defaultCountryCode,
			inBody({
				displayName: 'Files (JSON)',
				name: 'files',
				type: 'json',
				default: '[]',
				description: 'JSON list, sent as it is; the API does not document what an entry holds',
			}),
			locator(lookups.flows, {
				displayName: 'Flow',
				name: 'flowId',
				description: 'A flow to start after the message',
			}),
			inBody({
				displayName: 'Flow Node ID',
				name: 'nodeId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 4711',
				description: 'Step of the flow to start from, digits only',
			}),
			{
				displayName: 'Split Long Text',
				name: 'splitLongText',
				type: 'boolean',
				default: true,
				description: `Whether to send text of more than ${limits.text.max} characters as several messages; refused unless added`,
			},
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
		const isSplit = item.parameter('options.splitLongText', false) === true;
		if (attachedFiles(item).length > 0) return { body: isSplit ? longMessageWithFiles : sendUploads.body };
		return isSplit ? { body: longMessage } : {};
	},

	async validate(item) {
		const { text, clientId, flowId, nodeId } = item.body as Message;
		if (text?.includes('[object Object]'))
			throw new Error(
				'Text holds an expression that leads to a whole object or file: lead it to one of its fields',
			);
		if (nodeId !== undefined && flowId === undefined)
			throw new Error('Flow Node ID is given, but no Flow that it belongs to. Add Flow under Options');
		if (clientId !== undefined) refuseRepeated(clientId, item);
		await checkAttachments(item);
	},

	async run(item) {
		const { params } = item;
		const message = item.body as Message;
		const hasFiles = attachedFiles(item).length > 0;
		const parts = partsOf(message, hasFiles, item);
		let attachments: IDataObject[] = [];
		// Several messages to one contact arrive in the order of the items and parts.
		await item.run.runExclusive([String(params.identifier)], async () => {
			for (const [sent, body] of parts.entries()) {
				const request = { params, body, dedupeKey: message.clientId };
				if (hasFiles && sent === 0) {
					attachments = await sendWithFiles(item, request);
					continue;
				}
				await item.request(sendMessageEndpoint, request).catch((error: ApiError) => {
					throw sent === 0 ? error : partlySent(error, sent, parts.length);
				});
			}
		});
		const { clientId } = parts[0];
		const { identifier } = params;
		return [
			{
				success: true,
				contact: identifier,
				...contactRef(identifier),
				queued: true,
				...message,
				clientId,
				...(hasFiles && { attachments }),
				...(parts.length > 1 && { messages: parts.length }),
			},
		];
	},
};

/**
 * The messages that one message is sent as, each with a number of its own: its text, in several where it is too long, then
 * its files as JSON, then its flow. Services take the first of these that they find in a request and lose the others without
 * a word, so no two of them share a request.
 *
 * @param hasFiles whether files are uploaded. They go along with the first of the messages, its text as their caption: what
 * a service can refuse then comes before anything else is sent
 */
function partsOf(message: Message, hasFiles: boolean, item: Item): Message[] {
	const { text, files, flowId, nodeId, inboxId, clientId } = message;
	const hasText = text !== undefined && !(hasFiles && text.trim() === '');
	const parts: Message[] = hasText
		? splitText(text, limits.text.max).map((part) => ({ text: part }))
		: hasFiles
			? [{}]
			: [];
	if (files !== undefined) parts.push({ files });
	if (flowId !== undefined) parts.push({ flowId, ...(nodeId !== undefined && { nodeId }) });
	return parts.map((part, number) => ({
		...part,
		...(inboxId !== undefined && { inboxId }),
		clientId: clientId === undefined ? item.clientId(number) : clientIdOfPart(clientId, number),
	}));
}

/**
 * Throws when an earlier item of the run has the same Client ID: the service would drop the later message and answer as if
 * it had been sent.
 */
function refuseRepeated(clientId: string, { run, index }: Item) {
	const owners = run.once('owners of Client IDs', () => new Map<string, number>());
	const number = clientId.replace(/^0+(?=\d)/, '');
	const owner = owners.get(number);
	if (owner !== undefined) {
		throw new Error(
			`Client ID must be a different one for every item, but item ${owner} has "${clientId}" already: the service would deliver only one of the messages`,
		);
	}
	owners.set(number, index);
}

/** The error for a later one of the messages that a text was split into. */
function partlySent(error: ApiError, sent: number, of: number): ApiError {
	const first = sent === 1 ? 'The first' : `The first ${sent}`;
	const were = sent === 1 ? 'was' : 'were';
	const rest =
		error.details.outcome === 'unknown'
			? 'it is not known whether the next one was, and what follows was not'
			: 'the rest was not';
	return partiallyDone(error, `${first} of the ${of} messages ${were} sent; ${rest}.`);
}
