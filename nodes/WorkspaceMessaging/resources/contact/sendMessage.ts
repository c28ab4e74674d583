import type { INodeProperties } from 'n8n-workflow';
import { limits, sendMessage } from '../../contract';
import { route } from '../../routing/operation';
import { inBody, showFor } from '../shared/fields';
import { contactLocator, locator, sendingChannel } from '../shared/locators';

export const sendMessageFields: INodeProperties[] = showFor('contact', 'sendMessage', [
	inBody({
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Hello Nathan, your order is on its way.',
		description: `The message, ${limits.text.min} to ${limits.text.max} characters. Can be left empty when files or a flow are given.`,
	}),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			sendingChannel,
			inBody({
				displayName: 'Client ID',
				name: 'clientId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 1234567890',
				description:
					'Number of your own for this message, digits only. The service delivers only one message with the same number, so that a repeated request does not send it twice.',
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
					'ID of the step (node) of the flow to start from, digits only. Without it the flow starts at its beginning. The API has no list of them; the flow editor of the workspace shows it.',
			}),
		],
	},
]);

export const sendMessageRouting = route(sendMessage, [contactLocator, ...sendMessageFields], {
	done: ({ params, body }) => ({ contact: params.identifier, queued: true, ...(body as object) }),
});
