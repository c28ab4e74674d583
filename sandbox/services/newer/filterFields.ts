import { type StoredContact, fullNameOf } from '../reference/contacts';
import type { CustomField } from '../../records';
import type { Workspace } from '../../workspace';
import { broadcastsWith, type RecipientEvent } from './broadcasts/plan';
import { conversationOf } from './conversations/conversation';

export const filterOperators = [
	'in',
	'notIn',
	'isEmpty',
	'isNotEmpty',
	'eq',
	'ne',
	'startsWith',
	'endsWith',
	'contains',
	'notContains',
	'lt',
	'lte',
	'gt',
	'gte',
	'isBetween',
	'notBetween',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** How the values of a field are compared. */
export type FilterKind = 'list' | 'text' | 'caselessText' | 'boolean' | 'number' | 'datetime';

/** A field that contacts can be filtered by. */
export interface FilterField {
	schemaKind: 'boolean' | 'text' | 'multiSelect' | 'select' | 'datetime' | 'number';
	operators: readonly FilterOperator[];
	kind: FilterKind;
	/** Left out of the list of fields. */
	hidden?: true;
	/** The contact's value; null or an empty list if it has none. */
	read(contact: StoredContact, workspace: Workspace): unknown;
}

const choice: FilterOperator[] = ['in', 'notIn', 'eq', 'ne', 'isEmpty'];
const equality: FilterOperator[] = ['eq', 'ne', 'isEmpty'];
const searchable: FilterOperator[] = [
	'eq',
	'ne',
	'isEmpty',
	'isNotEmpty',
	'contains',
	'notContains',
	'startsWith',
	'endsWith',
];
const ordered: FilterOperator[] = [
	'eq',
	'ne',
	'isEmpty',
	'gt',
	'lt',
	'gte',
	'lte',
	'isBetween',
	'notBetween',
];
const counted: FilterOperator[] = [...ordered, 'contains', 'notContains', 'startsWith', 'endsWith'];

type Read = FilterField['read'];

const many = (read: Read): FilterField => ({
	schemaKind: 'multiSelect',
	operators: choice,
	kind: 'list',
	read,
});
const plain = (read: Read): FilterField => ({
	schemaKind: 'text',
	operators: equality,
	kind: 'text',
	read,
});
const text = (read: Read): FilterField => ({
	schemaKind: 'text',
	operators: searchable,
	kind: 'caselessText',
	read,
});
const yesNo = (read: Read, operators: FilterOperator[] = ['eq', 'isEmpty']): FilterField => ({
	schemaKind: 'boolean',
	operators,
	kind: 'boolean',
	read,
});
const amount = (read: Read): FilterField => ({
	schemaKind: 'number',
	operators: counted,
	kind: 'number',
	read,
});
const time = (read: Read): FilterField => ({
	schemaKind: 'datetime',
	operators: ordered,
	kind: 'datetime',
	read,
});
/** What the sandbox keeps nothing about: no contact has it. */
const none: Read = () => null;

const broadcastWith =
	(event: RecipientEvent): Read =>
	({ id }, workspace) =>
		broadcastsWith(workspace, id, event);

const minutesSince = (moment: string | null | undefined) =>
	moment ? Math.floor((Date.now() - Date.parse(moment)) / 60_000) : null;

const assignee: Read = (contact) => {
	const conversation = conversationOf(contact);
	if (conversation?.assignedUserId) return [`u_${conversation.assignedUserId}`];
	if (conversation?.assignedInboxTeamId) return [`t_${conversation.assignedInboxTeamId}`];
	return ['unassigned'];
};

const channelOf: Read = ({ inboxIds }, { tables }) => {
	const channel = tables.channels.get(inboxIds[0])?.channel;
	return channel === undefined ? [] : [channel];
};

const repliedAt = (contact: StoredContact) => conversationOf(contact)?.contactRepliedAt;

/**
 * The fields of a contact that newer services filter by, with the operators that each one takes.
 */
export const filterFields: Record<string, FilterField> = {
	tags: many(({ tagIds }) => tagIds),
	inbox: many(({ inboxIds }) => inboxIds),
	subscribedToDripCampaign: many(({ sequenceIds }) => sequenceIds ?? []),
	broadcastSent: many(broadcastWith('message:sent')),
	broadcastDelivered: many(broadcastWith('message:delivered')),
	broadcastSeen: many(broadcastWith('message:seen')),
	broadcastClicked: many(broadcastWith('flow:clicked')),
	broadcastFailed: many(broadcastWith('message:failed')),
	entryPointsLinks: many(none),
	language: many(({ locale }) => (locale === null ? [] : [locale])),
	source: many(none),
	currentChannel: many(channelOf),
	conversationAssigned: many(assignee),
	hasContactInfo: { ...many(none), operators: ['in', 'notIn', 'isEmpty'] },
	ctwaConversion: { ...many(none), operators: ['in', 'notIn', 'isEmpty'] },
	commentedOnPost: { ...many(none), operators: equality },

	country: plain(({ country }) => country),
	continent: plain(none),
	gender: plain(({ gender }) => gender),
	timezone: plain(({ timezone }) => timezone),
	locale: { ...plain(({ locale }) => locale), hidden: true },

	subscribedToBroadcast: yesNo(({ broadcastSubscribedAt }) => broadcastSubscribedAt !== null),
	interactedInLast24h: yesNo((contact) => (minutesSince(repliedAt(contact)) ?? Infinity) < 24 * 60),
	conversationTransferredToHuman: yesNo((contact) => conversationOf(contact)?.botEnabled === false),
	followUp: yesNo((contact) => conversationOf(contact)?.followed === true),
	archived: yesNo((contact) => Boolean(conversationOf(contact)?.archivedAt)),
	blocked: yesNo(({ blockedAt }) => blockedAt !== null),
	unreplied: yesNo(none),
	unread: yesNo(none),
	fromCtwaAd: yesNo(none),
	followsBusinessOnInstagram: yesNo(none),
	businessFollowsUserOnInstagram: yesNo(none),
	verifiedAccountOnInstagram: yesNo(none),
	existingContact: { ...yesNo(() => true), hidden: true },
	emailWasVerified: yesNo(({ emailVerified }) => emailVerified, ['eq']),
	optedInForEmail: yesNo(({ emailOptIn }) => emailOptIn, ['eq']),

	fullName: text(fullNameOf),
	email: text(({ email }) => email),
	phone: text(({ phoneNumber }) => phoneNumber),
	lastComment: text(none),
	lastUserInput: text(none),
	lastUserInputType: {
		schemaKind: 'select',
		operators: ['eq', 'ne', 'isEmpty', 'isNotEmpty'],
		kind: 'text',
		read: none,
	},

	contactCreatedDateMinutesAgo: amount(({ createdAt }) => minutesSince(createdAt)),
	lastSeenMinutesAgo: amount(({ lastReadAt }) => minutesSince(lastReadAt)),
	lastInteractionMinutesAgo: amount((contact) => minutesSince(repliedAt(contact))),
	consecutiveAiFailures: amount(none),
	followerCountOnInstagram: amount(none),

	contactCreatedAt: time(({ createdAt }) => createdAt),
	lastSent: time((contact) => conversationOf(contact)?.adminRepliedAt),
	lastSeen: time(({ lastReadAt }) => lastReadAt),
	lastInteraction: time(repliedAt),
};

/** What the values of custom fields are compared as, and by which operators. */
export const customValueTypes = {
	text: { operators: searchable, kind: 'text' },
	number: { operators: counted, kind: 'number' },
	datetime: { operators: ordered, kind: 'datetime' },
	boolean: { operators: ['eq', 'isEmpty', 'isNotEmpty'], kind: 'boolean' },
	select: { operators: choice, kind: 'text' },
	multiSelect: { operators: choice, kind: 'text' },
} as const satisfies Record<string, { operators: readonly FilterOperator[]; kind: FilterKind }>;
export type CustomValueType = keyof typeof customValueTypes;

/** Operators of custom fields with long text. */
export const longTextOperators: readonly FilterOperator[] = ['eq', 'ne', 'isEmpty', 'isNotEmpty'];

const valueTypes: Record<CustomField['type'], CustomValueType> = {
	shortText: 'text',
	longText: 'text',
	email: 'text',
	phoneNumber: 'text',
	number: 'number',
	date: 'datetime',
	datetime: 'datetime',
	boolean: 'boolean',
};

/** What `GET /contacts/filter-fields` answers. */
export const describeFilterFields = ({ tables, faults }: Workspace) => ({
	staticFields: Object.entries(filterFields)
		.filter(([, { hidden }]) => !hidden)
		.map(([field, { schemaKind, operators }]) => ({
			field,
			schemaKind,
			optionSource: null,
			operators,
		})),
	customFields: [...tables.customFields.values()].map(({ id, name, type }) => ({
		id,
		name,
		type,
		...(!faults.settings.untypedFilterFields && { valueType: valueTypes[type] }),
	})),
	botFields: [],
	tags: [...tables.tags.values()].map(({ id, name }) => ({ id, name })),
});
