import type { INodeProperties } from 'n8n-workflow';
import { GIVE_UP_AFTER_MS, MAX_RETRIES } from '../../transport/retry';
import { ANSWER_LENGTH, SHORTEST_ANSWER } from '../../execution/tool';

/**
 * How to retry requests, and how much an agent gets. n8n's loader merges the options into its own collection of the same
 * name in the node's settings, and ignores everything else here. It repeats them for every operation when it describes the
 * node to a model, so every word counts many times.
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
			displayName: 'Retry When Outcome Is Unknown',
			name: 'repeatWhenUnsure',
			type: 'options',
			options: [
				{
					name: 'Always',
					value: 'always',
					description: 'Retry everything, including Create, Import and Trigger Flow',
				},
				{
					name: 'Messages Only',
					value: 'messages',
					description: 'Messages carry an ID that the service can deduplicate',
				},
				{ name: 'Never', value: 'never', description: 'Fail, and say that the outcome is unknown' },
			],
			default: 'messages',
			description: 'What to retry if no answer came',
		},
	],
};

function number(preset: number, field: Omit<INodeProperties, 'type' | 'default'>): INodeProperties {
	return { ...field, type: 'number', default: preset };
}
