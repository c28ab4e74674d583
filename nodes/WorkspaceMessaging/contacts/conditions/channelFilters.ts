import type { IDataObject } from 'n8n-workflow';
import { anyChannel } from '../../contract/limits';
import type { Condition, ConditionSet } from './condition';

/**
 * Turns the channel filters of a list into conditions; undefined without such a filter. Services
 * accept `channels` and `inboxIds` (part 4.1) but do not apply them, so n8n compares the records
 * (difference 17).
 */
export function channelConditions({ channels, inboxIds }: IDataObject): ConditionSet | undefined {
	const types = toStrings(channels);
	const lists = { channels: types.includes(anyChannel) ? [] : types, inboxes: toStrings(inboxIds) };
	const conditions = (['channels', 'inboxes'] as const)
		.filter((field) => lists[field].length > 0)
		.map((field): Condition => ({ field, type: 'list', operator: 'in', values: lists[field] }));
	const clock = { now: 0, timezone: 'UTC' };
	return conditions.length > 0 ? { match: 'all', conditions, clock } : undefined;
}

const toStrings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
