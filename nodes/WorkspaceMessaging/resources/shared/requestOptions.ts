import type { INodeProperties } from 'n8n-workflow';
import { GIVE_UP_AFTER_MS, MAX_RETRIES } from '../../transport/retry';
import { ANSWER_LENGTH, SHORTEST_ANSWER } from '../../execution/toolParameters';

/**
 * How requests are repeated, and how much an agent gets. n8n's loader makes one collection in the node's settings of these
 * and of its own of the same name: it takes the options, and nothing else that stands here. It then repeats them for every
 * operation when it describes the node to a model, so that each word here counts many times.
 */
export const requestOptions: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'hidden',
	default: {},
	options: [
		number(GIVE_UP_AFTER_MS / 1000, {
			displayName: 'Give Up After (Seconds)',
			name: 'giveUpAfter',
			typeOptions: { minValue: 0 },
		}),
		number(MAX_RETRIES, {
			displayName: 'Max Retries',
			name: 'maxRetries',
			typeOptions: { minValue: 0, maxValue: 20, numberPrecision: 0 },
		}),
		number(ANSWER_LENGTH, {
			displayName: 'Max Answer Length',
			name: 'maxAnswerLength',
			typeOptions: { minValue: SHORTEST_ANSWER, numberPrecision: 0 },
			displayOptions: { show: { '@tool': [true] } },
			description: 'In characters',
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
				{
					name: 'Messages Only',
					value: 'messages',
					description: 'They carry a number, by which a service can recognise a repetition',
				},
				{ name: 'Never', value: 'never', description: 'Fail, and say that the outcome is not known' },
			],
			default: 'messages',
			description: 'What to repeat after a lost answer',
		},
	],
};

function number(preset: number, field: Omit<INodeProperties, 'type' | 'default'>): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
