import type { IDataObject } from 'n8n-workflow';
import { anyChannel } from '../../contract/limits';
import type { Condition, ConditionSet } from './condition';

/**
 * Turns the channel filters of a list into conditions; undefined without such a filter. Services
 * accept `channels` and `inboxIds` (part 4.1) but do not apply them, so n8n compares the records
 * (difference 17).
 */
export function channelConditions({ channels, inboxIds }: IDataObject): ConditionSet | undefined {
	const conditions: Condition[] = [];
	const add = (field: 'channels' | 'inboxes', values: string[]) => {
		if (values.length === 0) return;
		conditions.push({ field, type: 'list', operator: 'in', values });
	};
	const types = toStrings(channels);
	if (!types.includes(anyChannel)) add('channels', types);
	add('inboxes', toStrings(inboxIds));
	if (conditions.length === 0) return undefined;
	// No condition on a list compares times.
	const clock = { now: 0, timezone: 'UTC' };
	return { match: 'all', conditions, clock };
}

const toStrings = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
