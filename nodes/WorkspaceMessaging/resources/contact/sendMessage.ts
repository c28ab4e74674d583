import type { IDataObject, IExecuteSingleFunctions, INodeProperties, NodeHint } from 'n8n-workflow';
import { limits, longMessage, sendMessage } from '../../contract';
import { callOf } from '../../routing/call';
import { clientIdOf, clientIdOfPart } from '../../routing/clientId';
import { halfDone } from '../../routing/errors';
import type { CallError } from '../../routing/errors';
import { route } from '../../routing/operation';
import { shared } from '../../routing/run';
import { inTurn } from '../../routing/turns';
import { inBody, optional, showFor } from '../shared/fields';
import { contactLocator, locator, sendingChannel } from '../shared/locators';
import { splitText } from './splitText';

export const sendMessageFields: INodeProperties[] = showFor('contact', 'sendMessage', [
	inBody({
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Hello Nathan, your order is on its way.',
		hint: `Up to ${limits.text.max} characters; the option Split Long Text sends more as several messages`,
		description: 'The message. Can be left empty when files or a flow are given in the options.',
	}),
	optional('options', [
		sendingChannel,
		inBody({
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1234567890',
			description:
				'Number of your own for this message, digits only. The service delivers only one message with the same number, so give every item its own. Without it the node makes one, so that neither its own repetitions nor "Retry On Fail" send a message twice.',
		}),
		inBody({
			displayName: 'Files',
			name: 'files',
			type: 'json',
			default: '[]',
			description:
				'Files to send, as a JSON list with at least one entry. The API does not document what an entry holds; what you enter is sent as it is.',
		}),
		locator({
			displayName: 'Flow',
			name: 'flowId',
			description: 'A flow to start with the message',
			thing: 'a flow',
			searchListMethod: 'searchFlows',
		}),
		inBody({
			displayName: 'Flow Node ID',
			name: 'nodeId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 4711',
			description:
				'ID of the step (node) of the flow to start from, digits only. The API has no list of them to choose from.',
		}),
		{
			displayName: 'Split Long Text',
			name: 'splitLongText',
			type: 'boolean',
			default: false,
			description: `Whether to send text of more than ${limits.text.max} characters as several messages, one after the other, instead of refusing it`,
		},
	]),
]);

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

interface Message extends IDataObject {
	text?: string;
	clientId?: string;
}

export const sendMessageRouting = route(sendMessage, [contactLocator, ...sendMessageFields], {
	accepts: (context) =>
		context.getNodeParameter('options.splitLongText', false) === true ? { body: longMessage } : {},

	check: ({ body }, context) => {
		const { clientId } = body as Message;
		if (clientId !== undefined) refuseRepeated(clientId, context);
	},

	run: async (caller, { params, body }, context, labels) => {
		const message = body as Message;
		const texts = message.text === undefined ? [undefined] : splitText(message.text, limits.text.max);
		const parts = texts.map((text, part): Message => {
			const clientId =
				message.clientId === undefined ? clientIdOf(context, part) : clientIdOfPart(message.clientId, part);
			// Files and flow go with the last part, so that they come after all of the text.
			const rest = part === texts.length - 1 ? message : message.inboxId ? { inboxId: message.inboxId } : {};
			return { ...rest, ...(text !== undefined && { text }), clientId };
		});
		// Several messages to one contact arrive in the order of the items and parts.
		await inTurn(context, [String(params.identifier)], async () => {
			for (const [sent, part] of parts.entries()) {
				await caller
					.send(callOf(sendMessage, { params, body: part, labels }))
					.catch(async (error: CallError) => {
						return await Promise.reject(sent === 0 ? error : partlySent(error, sent, parts.length));
					});
			}
		});
		const { clientId } = parts[0];
		const split = parts.length > 1 ? { messages: parts.length } : {};
		return [{ success: true, contact: params.identifier, queued: true, ...message, clientId, ...split }];
	},
});

/**
 * Throws when an earlier item of the run has the same Client ID: the service would drop the later message and answer as if
 * it had been sent.
 */
function refuseRepeated(clientId: string, context: IExecuteSingleFunctions) {
	const owners = shared(context, 'clientIds', () => new Map<string, number>());
	const number = clientId.replace(/^0+(?=\d)/, '');
	const owner = owners.get(number);
	if (owner !== undefined) {
		throw new Error(
			`Client ID must be a different one for every item, but item ${owner} has "${clientId}" already: the service would deliver only one of the messages`,
		);
	}
	owners.set(number, context.getItemIndex());
}

/** The error for a later one of the messages that a text was split into. */
function partlySent(error: CallError, sent: number, of: number): CallError {
	const first = sent === 1 ? 'The first' : `The first ${sent}`;
	const were = sent === 1 ? 'was' : 'were';
	const rest =
		error.details.outcome === 'unknown'
			? 'nobody knows of the next one, and what follows was not sent'
			: 'the rest was not';
	return halfDone(error, `${first} of the ${of} messages ${were} sent; ${rest}.`);
}
