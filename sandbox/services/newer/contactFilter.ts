import { z } from 'zod/v4';
import type { StoredContact } from '../reference/contacts';
import type { Workspace } from '../../workspace';
import {
	customValueTypes,
	filterFields,
	filterOperators,
	longTextOperators,
	type CustomValueType,
	type FilterKind,
	type FilterOperator,
} from './filterFields';

const text = z.string().trim().min(1).max(255);
const value = z.union([text, z.array(text)]).optional();

/** Returns what is wrong with a condition whose form is valid. */
function check(
	ctx: { issues: unknown[]; value: { operator: FilterOperator; value?: string | string[] } },
	operators: readonly FilterOperator[],
	notSupported: string,
): void {
	const { operator, value: sent } = ctx.value;
	const refuse = (path: string, message: string) =>
		ctx.issues.push({ code: 'custom', path: [path], message, input: ctx.value });
	if (!operators.includes(operator)) {
		refuse('operator', notSupported);
	} else if (operator === 'isBetween' || operator === 'notBetween') {
		if (!Array.isArray(sent) || sent.length !== 2)
			refuse('value', 'Interval operators require two values');
	} else if (
		operator !== 'isEmpty' &&
		operator !== 'isNotEmpty' &&
		(sent === undefined || sent.length === 0)
	) {
		refuse('value', 'Operator requires a value');
	}
}

const staticCondition = z
	.object({
		field: z.enum(Object.keys(filterFields)),
		operator: z.enum(filterOperators),
		value,
	})
	.check((ctx) =>
		check(ctx, filterFields[ctx.value.field].operators, 'Operator is not supported for this field'),
	);

const customCondition = z
	.object({
		field: z.literal('customField'),
		customFieldId: z.string().regex(/\d/),
		valueType: z.enum(Object.keys(customValueTypes) as CustomValueType[]),
		customFieldType: z
			.enum([
				'shortText',
				'email',
				'phoneNumber',
				'number',
				'date',
				'datetime',
				'boolean',
				'longText',
			])
			.optional(),
		operator: z.enum(filterOperators),
		value,
	})
	.check((ctx) => {
		const { customFieldType, valueType } = ctx.value;
		const operators =
			customFieldType === 'longText' ? longTextOperators : customValueTypes[valueType].operators;
		check(ctx, operators, 'Operator is not supported for this custom field');
	});

const single = z.union([customCondition, staticCondition]);
const logic = z.enum(['and', 'or']);

/** A filter of contacts. */
export const contactFilter = z.object({
	operator: logic,
	conditions: z.array(
		z.union([
			z.object({ type: z.literal('group'), operator: logic, conditions: z.array(single) }),
			single,
		]),
	),
	timezone: z.string().max(64).optional(),
});

export type ContactFilter = z.output<typeof contactFilter>;
type Single = z.output<typeof single>;
type Matches = (contact: StoredContact) => boolean;

const momentForm =
	/^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * How far a time zone is ahead of UTC at a moment, in milliseconds; undefined for a zone that does
 * not exist.
 */
function offsetAt(timezone: string, moment: number): number | undefined {
	try {
		const parts = new Intl.DateTimeFormat('en-US', {
			timeZone: timezone,
			hourCycle: 'h23',
			year: 'numeric',
			month: '2-digit',
			day: '2-digit',
			hour: '2-digit',
			minute: '2-digit',
			second: '2-digit',
		}).formatToParts(moment);
		const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
		const local = Date.UTC(
			part('year'),
			part('month') - 1,
			part('day'),
			part('hour'),
			part('minute'),
			part('second'),
		);
		return local - Math.floor(moment / 1000) * 1000;
	} catch {
		return undefined;
	}
}

/** The moment that a text names, in milliseconds since 1970; undefined when it cannot be read. */
function momentOf(sent: string, timezone: string | undefined): number | undefined {
	const match = momentForm.exec(sent);
	if (!match) return undefined;
	const [, date, time = '00:00', offset] = match;
	const moment = Date.parse(`${date}T${time}${offset ?? 'Z'}`);
	if (Number.isNaN(moment)) return undefined;
	if (offset !== undefined || timezone === undefined) return moment;
	return moment - (offsetAt(timezone, moment) ?? 0);
}

const numberOf = (sent: string): number | undefined =>
	Number.isFinite(Number(sent)) ? Number(sent) : undefined;

/**
 * A number that a custom field holds, if it is written plainly: a database takes `1e3` for text.
 */
const heldNumber = (held: unknown): number =>
	/^-?\d+(\.\d+)?$/.test(String(held)) ? Number(held) : Number.NaN;

/** Compares texts that a contact holds with one that was sent. */
function comparesText(
	operator: FilterOperator,
	sent: string,
	caseless: boolean,
): (held: string) => boolean {
	const small = sent.toLowerCase();
	switch (operator) {
		case 'eq':
		case 'ne':
			return caseless ? (held) => held.toLowerCase() === small : (held) => held === sent;
		case 'startsWith':
			return (held) => held.toLowerCase().startsWith(small);
		case 'endsWith':
			return (held) => held.toLowerCase().endsWith(small);
		default:
			return (held) => held.toLowerCase().includes(small);
	}
}

/**
 * Compares numbers; undefined when what was sent cannot be read, so that the condition is dropped.
 */
function comparesNumber(
	operator: FilterOperator,
	sent: string | string[],
	read: (text: string) => number | undefined,
): ((held: number) => boolean) | undefined {
	const [low, high] = [sent].flat().map(read);
	if (low === undefined) return undefined;
	switch (operator) {
		case 'gt':
			return (held) => held > low;
		case 'gte':
			return (held) => held >= low;
		case 'lt':
			return (held) => held < low;
		case 'lte':
			return (held) => held <= low;
		case 'isBetween':
		case 'notBetween':
			return high === undefined ? undefined : (held) => held >= low && held <= high;
		default:
			return (held) => held === low;
	}
}

const negated: readonly FilterOperator[] = ['ne', 'notIn', 'notContains', 'notBetween'];
const textual: readonly FilterOperator[] = ['contains', 'notContains', 'startsWith', 'endsWith'];

/** What a value that a contact holds must be like; undefined when the condition cannot be read. */
function comparison(
	kind: FilterKind,
	operator: FilterOperator,
	sent: string | string[],
	timezone: string | undefined,
): ((held: unknown) => boolean) | undefined {
	const first = [sent].flat()[0];
	if ((kind === 'number' || kind === 'datetime') && !textual.includes(operator)) {
		const compare = comparesNumber(
			operator,
			sent,
			kind === 'number' ? numberOf : (each) => momentOf(each, timezone),
		);
		const read = (held: unknown) =>
			kind === 'number' ? heldNumber(held) : Date.parse(String(held));
		return compare && ((held) => compare(read(held)));
	}
	if (kind === 'list') return (held) => [sent].flat().includes(String(held));
	const compare = comparesText(operator, first, kind === 'caselessText');
	return (held) => compare(String(held));
}

/**
 * What one condition asks of a contact; undefined when it cannot be read: then it is dropped,
 * without a word.
 */
function predicate(
	workspace: Workspace,
	condition: Single,
	timezone: string | undefined,
): Matches | undefined {
	const { operator } = condition;
	const isCustom = condition.field === 'customField' && 'customFieldId' in condition;
	const kind = isCustom
		? customValueTypes[condition.valueType].kind
		: filterFields[condition.field].kind;
	const heldBy = (contact: StoredContact): unknown[] => {
		const held = isCustom
			? contact.values.get(condition.customFieldId)?.value
			: filterFields[condition.field].read(contact, workspace);
		return [held].flat().filter((each) => each !== null && each !== undefined && each !== '');
	};
	if (operator === 'isEmpty') return (contact) => heldBy(contact).length === 0;
	if (operator === 'isNotEmpty') return (contact) => heldBy(contact).length > 0;
	const compare = comparison(kind, operator, condition.value ?? '', timezone);
	if (!compare) return undefined;
	const wanted = !negated.includes(operator);
	return (contact) => heldBy(contact).some(compare) === wanted;
}

function combine(operator: 'and' | 'or', parts: Array<Matches | undefined>): Matches {
	const known = parts.filter((part) => part !== undefined);
	// With nothing left to ask, everyone matches.
	if (known.length === 0) return () => true;
	return operator === 'and'
		? (contact) => known.every((matches) => matches(contact))
		: (contact) => known.some((matches) => matches(contact));
}

/** What a filter asks of a contact. */
export function matcherOf(
	workspace: Workspace,
	{ operator, conditions, timezone }: ContactFilter,
): Matches {
	return combine(
		operator,
		conditions.map((condition) =>
			'type' in condition
				? combine(
						condition.operator,
						condition.conditions.map((each) => predicate(workspace, each, timezone)),
					)
				: predicate(workspace, condition, timezone),
		),
	);
}
