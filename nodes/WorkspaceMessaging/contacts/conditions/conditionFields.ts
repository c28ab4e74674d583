import { anyChannel, choices } from '../../contract/limits';

/*
 * The table of conditions. The panel, what its values must be, the comparison with records and the
 * filter of the service come from it. To add a condition on another field of a contact, add a row
 * to the `fields` of a group.
 */

/** A row of the table: a field of a contact (part 2.1) that conditions compare. */
interface FieldRow {
	/** What users call it; left out if that is the label of its group. */
	label?: string;
	/** What the label does not say. */
	description?: string;
	/** Its key in the record of a contact; left out if that is the name of the field. */
	recordKey?: string;
	/** Whether the record has, instead of yes, the time since when it is so. */
	isTime?: true;
	/** Its name in filters of services; left out if no name is certain to mean the same. */
	serviceName?: string;
	/** Whether no record of a list shows it, so that only the service can compare it. */
	isServerOnly?: true;
	/**
	 * Of a list: the input of the panel with the entries to look for; left out if that is the name of
	 * the field.
	 */
	input?: string;
	/** Of a list: the lookup that has the IDs to choose from. */
	lookup?: 'channels' | 'sequences' | 'tags';
	/** Of a list without a lookup: the form of its entries, and the rule in words. */
	form?: RegExp;
	rule?: string;
}

/** Conditions that have the same inputs in the panel. */
export interface ConditionGroup {
	label: string;
	/** What the label does not say: some of the fields. */
	examples?: string;
	/**
	 * What kind of value its fields have; left out for custom fields, which have all kinds but lists.
	 */
	type?: ValueType;
	/** Of lists: the operators to choose from, with their names. The first one is the default. */
	operatorLabels?: Record<string, string>;
	/** The fields by their names in parameters. The first one is the default. */
	fields: Record<string, FieldRow>;
}

const channelTypes = choices.contactChannels.filter((type) => type !== anyChannel);

const conditionTable = {
	assigned: {
		label: 'Assigned To',
		type: 'list',
		operatorLabels: { in: 'Is Assigned to Any Of', notIn: 'Is Assigned to None Of' },
		fields: {
			assigned: {
				serviceName: 'conversationAssigned',
				isServerOnly: true,
				input: 'assigneeIds',
				form: /^(u_\d+|t_\d+|unassigned)$/,
				rule: 'a member as u_ and the user ID, a team as t_ and its ID, or unassigned',
			},
		},
	},
	channels: {
		label: 'Channel',
		type: 'list',
		operatorLabels: { in: 'Is on Any Of', notIn: 'Is on None Of' },
		fields: {
			channels: {
				recordKey: 'contactInboxes',
				input: 'channelTypes',
				form: new RegExp(`^(${channelTypes.join('|')})$`),
				rule: `types of channels: ${channelTypes.join(', ')}`,
			},
			inboxes: {
				recordKey: 'contactInboxes',
				serviceName: 'inbox',
				input: 'inboxIds',
				lookup: 'channels',
			},
		},
	},
	customFields: { label: 'Custom Field', fields: {} },
	dates: {
		label: 'Date',
		examples: 'created, last read…',
		type: 'date',
		fields: {
			createdAt: { label: 'Created', serviceName: 'contactCreatedAt' },
			updatedAt: { label: 'Updated' },
			lastInteraction: {
				label: 'Last Interaction',
				description: 'When the contact last wrote',
				serviceName: 'lastInteraction',
				isServerOnly: true,
			},
			lastReadAt: { label: 'Last Read' },
			subscribedAt: { label: 'Subscribed' },
			broadcastSubscribedAt: { label: 'Subscribed to Broadcasts' },
			blockedAt: { label: 'Blocked' },
		},
	},
	sequences: {
		label: 'Sequence',
		type: 'list',
		operatorLabels: { in: 'Is in Any Of', notIn: 'Is in None Of' },
		fields: {
			sequences: {
				serviceName: 'subscribedToDripCampaign',
				isServerOnly: true,
				input: 'sequenceIds',
				lookup: 'sequences',
			},
		},
	},
	tags: {
		label: 'Tag',
		type: 'list',
		operatorLabels: {
			in: 'Has Any Of',
			inAll: 'Has All Of',
			notIn: 'Has None Of',
			isNotEmpty: 'Has a Tag',
			isEmpty: 'Has No Tag',
		},
		fields: { tags: { serviceName: 'tags', input: 'tagIds', lookup: 'tags' } },
	},
	texts: {
		label: 'Text',
		examples: 'email, name, country…',
		type: 'text',
		fields: {
			email: { label: 'Email', serviceName: 'email' },
			phoneNumber: { label: 'Phone Number', serviceName: 'phone' },
			fullName: { label: 'Full Name', serviceName: 'fullName' },
			firstName: { label: 'First Name' },
			lastName: { label: 'Last Name' },
			gender: { label: 'Gender' },
			country: { label: 'Country' },
			state: { label: 'State' },
			city: { label: 'City' },
			locale: { label: 'Language' },
			ref: { label: 'Reference Link' },
		},
	},
	booleans: {
		label: 'Yes or No',
		type: 'boolean',
		fields: {
			blocked: { label: 'Blocked', recordKey: 'blockedAt', isTime: true, serviceName: 'blocked' },
			subscribed: { label: 'Subscribed', recordKey: 'subscribedAt', isTime: true },
			subscribedToBroadcasts: {
				label: 'Subscribed to Broadcasts',
				recordKey: 'broadcastSubscribedAt',
				isTime: true,
			},
			emailOptIn: { label: 'Opted In to Emails', serviceName: 'optedInForEmail' },
			emailVerified: { label: 'Email Verified', serviceName: 'emailWasVerified' },
		},
	},
} satisfies Record<string, ConditionGroup>;

type ConditionTable = typeof conditionTable;

/** The name of a field in the table. */
export type FieldName = {
	[Group in keyof ConditionTable]: keyof ConditionTable[Group]['fields'];
}[keyof ConditionTable];

/** The groups of conditions, by their names in parameters. */
export const conditionGroups: Record<string, ConditionGroup> = conditionTable;

/** Adds what the row of a field leaves out. */
const toField = (name: string, label: string, row: FieldRow) => ({
	label,
	recordKey: name,
	input: name,
	...row,
});

/** The rows of all fields by name, with what they leave out. */
export const fieldRows = Object.fromEntries(
	Object.values(conditionGroups).flatMap(({ label, fields }) =>
		Object.entries(fields).map(([name, row]) => [name, toField(name, label, row)]),
	),
) as Record<FieldName, ReturnType<typeof toField>>;

/** Returns the names of the fields of a group. */
export const getConditionFieldNames = (fields: ConditionGroup['fields']) =>
	Object.keys(fields) as FieldName[];

/** How the values of a custom field are compared, by its type (part 2.4); all others as text. */
const customFieldTypes: Record<string, ValueType> = {
	number: 'number',
	date: 'date',
	datetime: 'date',
	boolean: 'boolean',
};

/** Returns what kind of value a custom field has for conditions, by its type (part 2.4). */
export const getConditionFieldType = (fieldType: unknown): ValueType =>
	customFieldTypes[String(fieldType)] ?? 'text';

/**
 * Returns a custom field as the dropdown of conditions offers it, with its ID and what its values
 * are compared as: `731:number`.
 */
export function toConditionField({ id, type }: { id?: unknown; type?: unknown }): string {
	return `${String(id)}:${getConditionFieldType(type)}`;
}

/**
 * The operators of each kind of value. They mean the same for every field and on every service:
 *
 * - **Empty**: null, an empty text and an empty list are empty, and so is a custom field without a
 *   value. An empty value meets `isEmpty` and the negative operators (`ne`, `notContains`,
 *   `notInLast`, `notIn`), which are the exact opposites of the positive ones, and no other
 *   operator. A contact's own yes/no field without a value means no.
 * - **Texts** are compared without regard to upper and lower case and to white space around them.
 * - **Time zones**: a time without an offset is in the time zone of the workflow, whether a user or
 *   a custom field holds it; a date is the first moment of its day there. `eq` means the same day
 *   there. In `gt`, and as the end of `isBetween`, the first moment of a day stands for the whole
 *   day. A day is 24 hours in `inLast`, which ends now; for the contact's own times, which the
 *   service sets by its own clock, it ends an hour later.
 * - **Unreadable values**: text in a custom field of numbers or dates meets no comparison, as if it
 *   were empty.
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
