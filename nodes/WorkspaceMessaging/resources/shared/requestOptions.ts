import type { INodeProperties } from 'n8n-workflow';
import { GIVE_UP_AFTER_MS, MAX_RETRIES } from '../../api/retry';

/** How requests are repeated. n8n adds its own options of the same name and shows all in the node's settings. */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add Option',
	default: {},
	options: [
		number(GIVE_UP_AFTER_MS / 1000, {
			displayName: 'Give Up After (Seconds)',
			name: 'giveUpAfter',
			typeOptions: { minValue: 0 },
			description: 'For how long a request may be repeated after its first try',
		}),
		number(MAX_RETRIES, {
			displayName: 'Max Retries',
			name: 'maxRetries',
			typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
			description:
				'How often a request is repeated when the service fails or cannot be reached. Only requests that do nothing twice are repeated.',
		}),
		{
			displayName: 'Repeat When Unsure',
			name: 'repeatWhenUnsure',
			type: 'options',
			options: [
				{
					name: 'Always',
					value: 'always',
					description: 'Also what creates contacts, imports them, or starts flows',
				},
				{ name: 'Messages Only', value: 'messages', description: 'Messages carry a number of their own' },
				{ name: 'Never', value: 'never', description: 'Fail, and say that the outcome is not known' },
			],
			default: 'messages',
			description:
				'What to send again after a lost answer, although it may have arrived. Services that recognise a repetition carry it out once; one that does not carries it out twice.',
		},
	],
};

function number(preset: number, field: Omit<INodeProperties, 'type' | 'default'>): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
