import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

/** One condition of a filter, as known services take it; all values are text. */
export interface FilterCondition extends IDataObject {
	field: string;
	operator: string;
	value?: string | string[];
}

/** Some conditions in a filter. */
interface FilterGroup extends IDataObject {
	type: 'group';
	operator: 'and' | 'or';
	conditions: FilterCondition[];
}

/** A filter of contacts. The reference does not show what is inside; known services take this. */
export interface ContactFilter extends IDataObject {
	operator: 'and' | 'or';
	conditions: Array<FilterCondition | FilterGroup>;
	/** Of times without an offset; UTC if left out. */
	timezone?: string;
}

/** A condition that no contact meets. */
const NOBODY: FilterCondition = {
	field: 'fullName',
	operator: 'eq',
	value: 'Nobody 5b0e6a1c-8b5f-4a5e-9a7e-3f1d2c4b6a90',
};
/** A filter that no contact matches. */
export const nobodyFilter: ContactFilter = { operator: 'and', conditions: [NOBODY] };

const isGroup = (entry: FilterCondition | FilterGroup): entry is FilterGroup =>
	'type' in entry && entry.type === 'group';

/** Adds a condition that nobody meets to a filter. Groups cannot be in groups. */
export function addImpossibleFilterCondition({
	operator,
	conditions,
	...rest
}: ContactFilter): ContactFilter {
	if (operator === 'and') return { ...rest, operator, conditions: [...conditions, NOBODY] };
	const groups = conditions.flatMap(getAlternatives).map(
		(alternative): FilterGroup => ({
			type: 'group',
			operator: 'and',
			conditions: [...alternative, NOBODY],
		}),
	);
	return { ...rest, operator, conditions: groups };
}

/** Returns sets of conditions; a contact that meets all of one set meets the entry. */
function getAlternatives(entry: FilterCondition | FilterGroup) {
	if (!isGroup(entry)) return [[entry]];
	if (entry.operator === 'and') return [entry.conditions];
	return entry.conditions.map((condition) => [condition]);
}

const numberFields = [
	'contactCreatedDateMinutesAgo',
	'lastSeenMinutesAgo',
	'lastInteractionMinutesAgo',
	'consecutiveAiFailures',
	'followerCountOnInstagram',
];
const dateFields = ['contactCreatedAt', 'lastSent', 'lastSeen', 'lastInteraction'];
const comparingOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'isBetween', 'notBetween'];
const dateForm = z.union([z.iso.date(), z.iso.datetime({ local: true, offset: true })]);

const isNumber = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));
const isDate = (value: string) => dateForm.safeParse(value.replace(' ', 'T')).success;

/**
 * Throws for a number or date that nobody can read: a service drops such a condition silently and
 * lists more contacts.
 */
export function checkFilterValues({ conditions }: ContactFilter) {
	const all = conditions.flatMap((entry) => (isGroup(entry) ? entry.conditions : [entry]));
	for (const { field, valueType, operator, value = '' } of all) {
		if (!comparingOperators.includes(operator)) continue;
		const needsNumber = numberFields.includes(field) || valueType === 'number';
		const needsDate = dateFields.includes(field) || valueType === 'datetime';
		const isWrong = (text: string) => {
			if (needsNumber && !isNumber(text)) return true;
			return needsDate && !isDate(text);
		};
		const texts = [value].flat().map(String);
		const wrong = texts.find(isWrong);
		if (wrong === undefined) continue;
		const rule = needsNumber ? 'not a number' : 'not a date such as 2026-12-31';
		throw new Error(
			`Contact Filter compares "${field}" with "${wrong}", which is ${rule}. The service would skip this condition and list more contacts`,
		);
	}
}
