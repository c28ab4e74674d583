import { z } from 'zod/v4';

/** The events that need nothing but their type. */
const plainTypes = [
	'newContact',
	'contactUnsubscribedFormBroadcast',
	'archived',
	'followUp',
	'conversationAssigned',
	'conversationUnassigned',
	'conversationTransferredToHuman',
	'conversationTransferredToBot',
	'contactReferredANewContact',
	'contactReferredExistingContact',
] as const;

/** One condition of a webhook. */
export const condition = z.discriminatedUnion('type', [
	z.object({ type: z.enum(plainTypes) }),
	// Any text will do, but only the ID of a tag matches one.
	z.object({ type: z.enum(['tagApplied', 'tagRemoved']), sourceId: z.string() }),
	z.object({
		type: z.enum(['subscribedToSequence', 'unsubscribedFromSequence']),
		sourceId: z.string().min(1),
	}),
	z.object({
		type: z.enum(['customFieldValueChanged']),
		sourceId: z.string(),
		operator: z.string(),
		value: z.unknown().optional(),
	}),
	z.object({ type: z.enum(['contactInfoUpdated']), sourceId: z.enum(['phone', 'email']) }),
	z.object({
		type: z.enum(['dateTimeBasedTrigger']),
		sourceId: z.string(),
		operator: z.string(),
		value: z.object({
			triggerType: z.enum(['before', 'after', 'atTheDayOf']),
			timeValue: z.number().int().min(1),
			timeType: z.enum(['minutes', 'hours', 'days']),
			at: z.string().regex(/^(\d|1\d|2[0-3])$/),
			timezone: z.string().max(64).optional(),
		}),
	}),
]);

export type Condition = z.output<typeof condition>;

/** How the new value of a custom field is compared. Other operators match nothing. */
const operators: Record<string, (text: string, value: string) => boolean> = {
	'': () => true,
	eq: (text, value) => text === value,
	ne: (text, value) => text !== value,
	contains: (text, value) => text.includes(value),
	notContains: (text, value) => !text.includes(value),
	startsWith: (text, value) => text.startsWith(value),
	endsWith: (text, value) => text.endsWith(value),
	lt: (text, value) => Number(text) < Number(value),
	lte: (text, value) => Number(text) <= Number(value),
	gt: (text, value) => Number(text) > Number(value),
	gte: (text, value) => Number(text) >= Number(value),
	isEmpty: (text) => text === '',
	isNotEmpty: (text) => text !== '',
};

/**
 * Whether a condition is about what happened: the type, and for some types the tag, field or
 * sequence.
 */
export function meets(
	wanted: Condition,
	{ type, sourceId, value }: { type: Condition['type']; sourceId?: string; value?: unknown },
): boolean {
	if (wanted.type !== type) return false;
	if ('sourceId' in wanted && wanted.sourceId !== sourceId) return false;
	if (wanted.type !== 'customFieldValueChanged') return true;
	return operators[wanted.operator]?.(String(value ?? ''), String(wanted.value ?? '')) ?? false;
}
