/** What kind of value a condition compares. */
export type ValueType = 'text' | 'number' | 'date' | 'boolean' | 'list';

/** The fields of a contact (part 2.1) that hold text. */
export const textFields = [
	'email',
	'phoneNumber',
	'fullName',
	'firstName',
	'lastName',
	'gender',
	'country',
	'state',
	'city',
	'locale',
	'ref',
] as const;
/** Those that hold a time. */
export const dateFields = [
	'createdAt',
	'updatedAt',
	'lastReadAt',
	'subscribedAt',
	'broadcastSubscribedAt',
	'blockedAt',
	'lastInteraction',
] as const;
/** What is so or not: fields that say so, and whether there is a time at which it came to be. */
export const booleanFields = [
	'blocked',
	'subscribed',
	'subscribedToBroadcasts',
	'emailOptIn',
	'emailVerified',
] as const;
/**
 * What a contact can have several of: tags and channels by their IDs, types of channel, sequences by their IDs, and those to
 * whom it is assigned: `u_` and the ID of a user, `t_` and that of a team, or `unassigned`.
 */
type ListField = 'tags' | 'inboxes' | 'channels' | 'sequences' | 'assigned';

type FieldName =
	| (typeof textFields)[number]
	| (typeof dateFields)[number]
	| (typeof booleanFields)[number]
	| ListField;

/** How a condition compares; those of one kind of value are in `operators`. */
export type Operator =
	| 'eq'
	| 'ne'
	| 'contains'
	| 'notContains'
	| 'startsWith'
	| 'endsWith'
	| 'lt'
	| 'lte'
	| 'gt'
	| 'gte'
	| 'isBetween'
	| 'inLast'
	| 'notInLast'
	| 'inNext'
	| 'in'
	| 'inAll'
	| 'notIn'
	| 'isEmpty'
	| 'isNotEmpty';

/**
 * The operators that each kind of value has. They mean the same everywhere:
 *
 * - **Empty**: null, an empty text and an empty list are empty, like a custom field without a value. What is empty meets
 *   `isEmpty` and the negative operators (`ne`, `notContains`, `notInLast`, `notIn`), which are the exact opposites of their
 *   positive ones, and no other. Of a contact's own yes/no fields, nothing is no.
 * - **Upper and lower case** are the same in all texts, and so is white space around them.
 * - **Time zones**: a time without an offset is in the time zone of the workflow, whether the user or a custom field says
 *   it; a date is its first moment there. `eq` means the same day there. The second value of `isBetween`, and that of `gt`,
 *   mean the whole day if they are its first moment. A day is 24 hours in "in the last 7 days", which
 *   ends now; for the contact's own times, which the service sets by its clock, an hour later.
 * - What a custom field holds that is no number or date, where one is compared, meets no comparison, as if it were empty.
 */
export const operators: Record<ValueType, readonly Operator[]> = {
	text: ['eq', 'ne', 'contains', 'notContains', 'startsWith', 'endsWith', 'isEmpty', 'isNotEmpty'],
	number: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'isBetween', 'isEmpty', 'isNotEmpty'],
	date: ['eq', 'lt', 'gt', 'isBetween', 'inLast', 'notInLast', 'inNext', 'isEmpty', 'isNotEmpty'],
	boolean: ['eq', 'isEmpty', 'isNotEmpty'],
	list: ['in', 'inAll', 'notIn', 'isEmpty', 'isNotEmpty'],
};

/** One condition that a contact meets or not. */
export interface Condition {
	/** What is compared: a field of the contact, or one of its custom fields by its ID. */
	field: FieldName | { customFieldId: string };
	type: ValueType;
	operator: Operator;
	/**
	 * What it is compared with: one value; two for `isBetween`; any number of IDs or types for a list; an amount and a unit
	 * (`['7', 'days']`) for `inLast`, `notInLast` and `inNext`; `true` or `false` for yes/no; none for `isEmpty`.
	 */
	values: readonly string[];
}

/** Conditions of which a contact must meet all, or any. */
export interface Conditions {
	match: 'all' | 'any';
	conditions: readonly Condition[];
}

/** What conditions are measured by. */
export interface Clock {
	/** Milliseconds since 1970. */
	now: number;
	/** Of times without an offset: a name such as `Europe/Berlin`. */
	timezone: string;
}

/** Conditions that contacts must meet, and what times in them are measured by. */
export interface ConditionSet {
	conditions: Conditions;
	clock: Clock;
}

/** Milliseconds of the units that relative times are given in. */
export const units: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
	weeks: 604_800_000,
};

/** Operators of dates that take an amount and a unit. */
export const spanOperators: string[] = ['inLast', 'notInLast', 'inNext'];
