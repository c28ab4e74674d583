import { broadcastApi, simpleRecipient } from '../../contract/broadcast';
import { pickFields } from '../../contract/values';
import { inQuery, returnAllOrLimit, simplify } from '../../panel/fields';
import { defineOperation } from '../../run/operation';
import { broadcastToChange } from './steps/status';

const eventType = inQuery({
	displayName: 'Who',
	name: 'eventType',
	type: 'options',
	options: [
		{ name: 'Clicked', value: 'flow:clicked', description: 'Clicked in the message' },
		{
			name: 'Delivered',
			value: 'message:delivered',
			description: 'Got it, as far as the channel reports',
		},
		{
			name: 'Failed',
			value: 'message:failed',
			description: 'Did not get it; the output has the reason of the provider',
		},
		{ name: 'Seen', value: 'message:seen', description: 'Saw it, as far as the channel reports' },
		{
			name: 'Sent',
			value: 'message:sent',
			description: 'The channel took it; some of these can fail',
		},
	],
	default: 'message:sent',
	description: 'Channels report failures and deliveries for hours after the broadcast',
});

export const getRecipients = defineOperation({
	name: 'Get Recipients',
	value: 'getRecipients',
	action: 'Get recipients of broadcast',
	description: 'Get who got a broadcast, saw it, clicked in it or did not get it',
	endpoint: broadcastApi.listBroadcastContacts,
	fields: [broadcastToChange, eventType, ...returnAllOrLimit, simplify],
	output: simpleRecipient,
	simplify: (records) => records.map((record) => pickFields(simpleRecipient, record)),
});
