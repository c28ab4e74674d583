/** What users call each group of conditions. */
export const groupLabels = {
	assigned: 'Assigned To',
	channels: 'Channel',
	customFields: 'Custom Field',
	dates: 'Date',
	sequences: 'Sequence',
	tags: 'Tag',
	texts: 'Text',
	booleans: 'Yes or No',
};

/** The fields of a contact (part 2.1) that conditions compare, by group, with what users call them. */
export const fieldLabels = {
	dates: {
		createdAt: 'Created',
		updatedAt: 'Updated',
		lastInteraction: 'Last Interaction',
		lastReadAt: 'Last Read',
		subscribedAt: 'Subscribed',
		broadcastSubscribedAt: 'Subscribed to Broadcasts',
		blockedAt: 'Blocked',
	},
	texts: {
		email: 'Email',
		phoneNumber: 'Phone Number',
		fullName: 'Full Name',
		firstName: 'First Name',
		lastName: 'Last Name',
		gender: 'Gender',
		country: 'Country',
		state: 'State',
		city: 'City',
		locale: 'Language',
		ref: 'Reference Link',
	},
	booleans: {
		blocked: 'Blocked',
		subscribed: 'Subscribed',
		subscribedToBroadcasts: 'Subscribed to Broadcasts',
		emailOptIn: 'Opted In to Emails',
		emailVerified: 'Email Verified',
	},
};

/**
 * Lists that a contact has: the IDs of its tags, channels (inboxes) and sequences, the types of its channels, and its
 * assignees: `u_` and the ID of a user, `t_` and the ID of a team, or `unassigned`.
 */
type ListField = 'tags' | 'inboxes' | 'channels' | 'sequences' | 'assigned';

/** A field that `fieldLabels` has. */
export type OwnField = {
	[G in keyof typeof fieldLabels]: keyof (typeof fieldLabels)[G];
}[keyof typeof fieldLabels];

/**
 * The operators of each kind of value. They mean the same for every field and on every service:
 *
 * - **Empty**: null, an empty text and an empty list are empty, and so is a custom field without a value. An empty value
 *   meets `isEmpty` and the negative operators (`ne`, `notContains`, `notInLast`, `notIn`), which are the exact opposites of
 *   the positive ones, and no other operator. A contact's own yes/no field without a value means no.
 * - **Texts** are compared without regard to upper and lower case and to white space around them.
 * - **Time zones**: a time without an offset is in the time zone of the workflow, whether a user or a custom field holds
 *   it; a date is the first moment of its day there. `eq` means the same day there. In `gt`, and as the end of `isBetween`,
 *   the first moment of a day stands for the whole day. A day is 24 hours in `inLast`, which ends now; for the contact's own
 *   times, which the service sets by its own clock, it ends an hour later.
 * - **Unreadable values**: text in a custom field of numbers or dates meets no comparison, as if it were empty.
 */
export const operators = {
	text: ['eq', 'ne', 'contains', 'notContains', 'startsWith', 'endsWith', 'isEmpty', 'isNotEmpty'],
	number: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'isBetween', 'isEmpty', 'isNotEmpty'],
	date: ['eq', 'lt', 'gt', 'isBetween', 'inLast', 'notInLast', 'inNext', 'isEmpty', 'isNotEmpty'],
	boolean: ['eq', 'isEmpty', 'isNotEmpty'],
	list: ['in', 'inAll', 'notIn', 'isEmpty', 'isNotEmpty'],
} as const;

/** What kind of value a condition compares. */
export type ValueType = keyof typeof operators;
export type Operator = (typeof operators)[ValueType][number];

/** Negative operators, each with the operator that it is the opposite of. */
export const opposites: Partial<Record<Operator, Operator>> = {
	isNotEmpty: 'isEmpty',
	ne: 'eq',
	notContains: 'contains',
	notIn: 'in',
	notInLast: 'inLast',
};

/** Operators of dates that take an amount and a unit. */
export const spanOperators: string[] = ['inLast', 'notInLast', 'inNext'];

/** The units of relative times in milliseconds. */
export const units: Record<string, number> = {
	minutes: 60_000,
	hours: 3_600_000,
	days: 86_400_000,
	weeks: 604_800_000,
};

/** One condition that a contact meets or not. */
export interface Condition {
	/** What is compared: a field of the contact, or a custom field by its ID. */
	field: OwnField | ListField | { customFieldId: string };
	type: ValueType;
	operator: Operator;
	/**
	 * One value; two for `isBetween`; any number of IDs or types for a list; an amount and a unit (`['7', 'days']`) for
	 * `inLast`, `notInLast` and `inNext`; `true` or `false` for yes/no; no value for `isEmpty` and `isNotEmpty`.
	 */
	values: readonly string[];
}

/** What times in conditions are measured by. */
export interface Clock {
	/** Milliseconds since 1970. */
	now: number;
	/** The time zone of times without an offset, such as `Europe/Berlin`. */
	timezone: string;
}

/** Conditions of which a contact must meet all, or any. */
export interface ConditionSet {
	match: 'all' | 'any';
	conditions: readonly Condition[];
	clock: Clock;
}
