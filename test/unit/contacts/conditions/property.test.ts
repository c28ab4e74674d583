import type { IDataObject } from 'n8n-workflow';
import type {
	Condition,
	ConditionSet,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/condition';
import { createContactMatcher } from '../../../../nodes/WorkspaceMessaging/contacts/conditions/filterContacts';
import {
	askServerConditions,
	toServerFilter,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/serverConditions';
import {
	operators,
	type Operator,
	type ValueType,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/conditionFields';
import { readFilterFields } from '../../../../nodes/WorkspaceMessaging/service/capabilities';
import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../../nodes/WorkspaceMessaging/transport/request';
import { sequenceOf } from '../../../../sandbox/faults/random';
import {
	contactFilter,
	matcherOf as serviceMatcherOf,
} from '../../../../sandbox/services/newer/contactFilter';
import { inclusions, showRow } from '../../../../sandbox/services/newer/contactRecord';
import { newConversation } from '../../../../sandbox/services/newer/conversations/conversation';
import { describeFilterFields } from '../../../../sandbox/services/newer/filterFields';
import type { CustomField } from '../../../../sandbox/records';
import { newWorkspace } from '../../../../sandbox/seed';
import type { Workspace } from '../../../../sandbox/workspace';
import { caseCount } from '../../../support/cases';

// The sandbox answers requests with a library that Jest cannot load; here it only keeps and filters
// contacts.
jest.mock('@orpc/server', () => ({ ORPCError: Error }));
jest.mock('@orpc/openapi-client/standard', () => ({ StandardBracketNotationSerializer: Object }));

/*
 * Random workspaces and conditions. Three answers must be the same: what is filtered here, what the
 * service has narrowed before, and what the rules say in the plainest words, below.
 */

const WORKSPACES = caseCount({ few: 30, many: 200 });

const NOW = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

/**
 * How many minutes zones are ahead of UTC, in 2026, and from when on. In the last two, clocks leave
 * out a midnight.
 */
const zones = {
	UTC: [['', 0]],
	'Asia/Kolkata': [['', 330]],
	'America/Phoenix': [['', -420]],
	'America/Santiago': [
		['', -180],
		['2026-04-05T03:00Z', -240],
		['2026-09-06T04:00Z', -180],
	],
	'Africa/Cairo': [
		['', 120],
		['2026-04-23T22:00Z', 180],
		['2026-10-29T21:00Z', 120],
	],
} satisfies Record<string, Array<[from: string, minutes: number]>>;
type Zone = keyof typeof zones;

/** What clocks in a zone show at a moment, as a moment of UTC. */
function shownAt(at: number, zone: Zone): number {
	const offsets = zones[zone].filter(([from]) => from === '' || at >= Date.parse(String(from)));
	return at + Number(offsets[offsets.length - 1][1]) * minute;
}

/**
 * The first moment at which clocks in a zone show this, or else what it is after the change that
 * leaves it out.
 */
function firstShowing(shown: number, zone: Zone): number {
	const candidates = zones[zone]
		.map(([, ahead]) => shown - Number(ahead) * minute)
		.sort((a, b) => a - b);
	return candidates.find((at) => shownAt(at, zone) === shown) ?? candidates[candidates.length - 1];
}
const unitMs = {
	minutes: minute,
	hours: 60 * minute,
	days: 1440 * minute,
	weeks: 7 * 1440 * minute,
};

/** A service that lists its contacts, filtered as it does. */
function serviceOf(workspace: Workspace): Requester {
	const list = ({ contactFilter: sent }: IDataObject) => {
		const filter = typeof sent === 'string' ? contactFilter.parse(JSON.parse(sent)) : undefined;
		const rows = [...workspace.contacts.values()];
		return {
			data: (filter ? rows.filter(serviceMatcherOf(workspace, filter)) : rows).map(({ id }) => ({
				id,
			})),
		};
	};
	return {
		service: new Service(),
		request: async ({ path }, { query = {} } = {}) =>
			path.endsWith('filter-fields') ? describeFilterFields(workspace) : list(query),
	};
}

/** What a condition looks at, as texts. */
function held(row: IDataObject, field: Condition['field'], type: ValueType): string[] {
	const present = (values: unknown[]) =>
		values.filter((value) => typeof value === 'string' && value.trim() !== '') as string[];
	if (typeof field === 'object') {
		const values = row.contactCustomFields as Array<{ customFieldId: string; value: string }>;
		return present(
			values.filter((each) => each.customFieldId === field.customFieldId).map(({ value }) => value),
		);
	}
	if (field === 'tags') return (row.tags as Array<{ id: string }>).map(({ id }) => id);
	if (field === 'inboxes')
		return (row.contactInboxes as Array<{ inboxId: string }>).map(({ inboxId }) => inboxId);
	if (field === 'channels')
		return (row.contactInboxes as Array<{ channel: string }>).map(({ channel }) => channel);
	const { contactRepliedAt, assignedUserId, assignedInboxTeamId } = (row.conversation ??
		{}) as IDataObject;
	if (field === 'sequences') return row.sequenceIds as string[];
	if (field === 'assigned') {
		if (assignedUserId) return [`u_${assignedUserId as string}`];
		return [assignedInboxTeamId ? `t_${assignedInboxTeamId as string}` : 'unassigned'];
	}
	if (field === 'lastInteraction') return present([contactRepliedAt]);
	const times: Record<string, string> = {
		blocked: 'blockedAt',
		subscribed: 'subscribedAt',
		subscribedToBroadcasts: 'broadcastSubscribedAt',
	};
	if (field in times) return [row[times[field]] ? 'true' : 'false'];
	if (type === 'boolean') return [row[field] === true ? 'true' : 'false'];
	return present([row[field]]);
}

/** The rules, said plainly. */
function meets(
	row: IDataObject,
	{ field, type, operator, values }: Condition,
	zone: Zone,
): boolean {
	const texts = held(row, field, type);
	if (operator === 'isEmpty') return texts.length === 0;
	if (operator === 'isNotEmpty') return texts.length !== 0;
	const opposites: Partial<Record<Operator, Operator>> = {
		ne: 'eq',
		notContains: 'contains',
		notIn: 'in',
		notInLast: 'inLast',
	};
	const opposite = opposites[operator];
	if (opposite) return !meets(row, { field, type, operator: opposite, values }, zone);
	const small = (text: string) => text.toLowerCase().trim();
	if (type === 'list')
		return operator === 'inAll'
			? values.every((value) => texts.includes(value))
			: values.some((value) => texts.includes(value));
	if (texts.length === 0) return false;
	const [text] = texts.map(small);
	const [a, b] = values.map(small);
	if (type === 'text') {
		if (operator === 'eq') return text === a;
		if (operator === 'contains') return text.indexOf(a) >= 0;
		if (operator === 'startsWith') return text.indexOf(a) === 0;
		return text.slice(-a.length) === a;
	}
	if (type === 'boolean') return text === a;

	const moment = (written: string) => {
		if (/(z|[+-]\d\d:\d\d)$/.test(written) && written.includes(':'))
			return Date.parse(written.toUpperCase());
		const shown = Date.parse(
			`${written.replace(' ', 't').toUpperCase()}${written.includes(':') ? 'Z' : 'T00:00Z'}`,
		);
		return firstShowing(shown, zone);
	};
	const read = type === 'number' ? Number : moment;
	const x = read(text);
	if (Number.isNaN(x)) return false;
	if (operator === 'inLast') {
		const end = typeof field === 'string' ? NOW + hour : NOW;
		return x >= NOW - Number(a) * unitMs[b as keyof typeof unitMs] && x <= end;
	}
	if (operator === 'inNext')
		return x >= NOW && x <= NOW + Number(a) * unitMs[b as keyof typeof unitMs];
	const day = (at: number) => Math.floor(shownAt(at, zone) / (24 * hour));
	if (type === 'date' && operator === 'eq') return day(x) === day(read(a));
	// A midnight there is its whole day, where something ends with it or begins after it.
	const whole = (at: number) => {
		if (type !== 'date' || day(at - 1) === day(at)) return at;
		const ends = [23, 24, 25].map((hours) => at + hours * hour);
		return ends.find((end) => day(end - 1) === day(at) && day(end) > day(at))! - 1;
	};
	if (operator === 'eq') return x === read(a);
	if (operator === 'lt') return x < read(a);
	if (operator === 'lte') return x <= read(a);
	if (operator === 'gt') return x > whole(read(a));
	if (operator === 'gte') return x >= read(a);
	return x >= read(a) && x <= whole(read(b));
}

function plainly({ match, conditions }: ConditionSet, zone: Zone) {
	return (row: IDataObject) => {
		const met = conditions.filter((condition) => meets(row, condition, zone)).length;
		return match === 'all' ? met === conditions.length : met > 0;
	};
}

const words = [
	'Ann',
	'ann',
	' Ann ',
	'ANN LEE',
	'Lee',
	'Löwe',
	'LÖWE',
	'İz',
	'a%b',
	'A_B',
	'x\\y',
	'',
	'  ',
	'pro',
];
const numbers = ['0', '5', '5.0', '-3', '1e2', ' 7 ', 'many'];
const dates = [
	'2026-11-21',
	'2026-11-20',
	'2026-11-21T00:00:00Z',
	'2026-11-21T12:00:00.000Z',
	'2026-11-21T12:00:05.000Z',
	'2026-11-21T13:00:00.001Z',
	'2026-11-20T10:00',
	'2026-11-20T20:00:00Z',
	'2026-11-14T12:00:00.000Z',
	'2026-11-20T23:30:00+05:30',
	'2026-11-22 03:15',
	'2026-12-31T23:59',
	'2026-04-24',
	'2026-04-23T21:59:59.999Z',
	'2026-09-05',
	'2026-09-06',
	'2026-09-06T00:30',
	'2026-09-06T03:59:59.999Z',
	'2026-09-07T02:59:59.999Z',
	'soon',
];
const readable = (texts: string[]) =>
	texts.filter((text) => !['many', 'soon'].includes(text) && text.trim() !== '');

class Chance {
	constructor(private readonly next: () => number) {}

	pick<T>(values: readonly T[]): T {
		return values[Math.floor(this.next() * values.length)];
	}

	some<T>(values: readonly T[], share = 0.4): T[] {
		return values.filter(() => this.next() < share);
	}

	is(share = 0.5): boolean {
		return this.next() < share;
	}
}

function randomWorkspace(chance: Chance) {
	const workspace = newWorkspace({
		service: 'newer',
		empty: true,
		counts: { tags: 4, customFields: 8, channels: 4 },
	});
	const { tags, customFields, channels } = workspace.tables;
	const value = ({ type }: CustomField) => {
		if (type === 'number') return chance.pick(numbers);
		// Excel writes TRUE.
		if (type === 'boolean') return chance.pick(['true', 'false', 'TRUE', ' True ', 'False']);
		return chance.pick(['date', 'datetime'].includes(type) ? dates : words);
	};
	const time = () => chance.pick([null, ...dates.filter((text) => text.endsWith('Z'))]);
	for (let count = 0; count < 12; count++) {
		const contact = workspace.addContact({
			firstName: chance.pick([null, ...words]),
			lastName: chance.pick([null, ...words]),
			email: chance.pick([null, 'ann@x.io', 'ANN@X.IO', 'lee@example.com']),
			phoneNumber: chance.pick([null, '+4915112345678', '+84901234567']),
			country: chance.pick([null, 'de', 'DE', 'Peru']),
			gender: chance.pick([null, 'male', 'female', 'unknown'] as const),
			emailOptIn: chance.is(),
			emailVerified: chance.is(),
			blockedAt: time(),
			subscribedAt: time(),
			broadcastSubscribedAt: time(),
			lastReadAt: time(),
			createdAt: time() ?? '2026-11-21T11:59:59.999Z',
			tagIds: chance.some([...tags.keys()]),
			inboxIds: chance.some([...channels.keys()]),
			sequenceIds: chance.some(['1', '2', '3']),
		});
		if (chance.is(0.8)) {
			const conversation = {
				...newConversation(workspace, contact.id),
				contactRepliedAt: time(),
				assignedUserId: chance.pick([null, '51', '52']),
				assignedInboxTeamId: chance.pick([null, '9']),
			};
			workspace.changeContact(contact, { conversation });
		}
		const values = chance
			.some([...customFields.values()], 0.6)
			.map((field) => [field.id, { ...stored, value: value(field) }] as const);
		workspace.changeContact(contact, { values: new Map(values) });
	}
	return workspace;
}

const stored = {
	id: '1',
	createdAt: '2026-01-01T00:00:00.000Z',
	updatedAt: '2026-01-01T00:00:00.000Z',
};

function randomCondition(chance: Chance, { tables }: Workspace): Condition {
	const customTypes: Record<string, ValueType> = {
		number: 'number',
		boolean: 'boolean',
		date: 'date',
		datetime: 'date',
	};
	const fields = [...tables.customFields.values()];
	const custom = chance.pick(fields);
	const dated = chance.pick(fields.filter(({ type }) => customTypes[type] === 'date'));
	const subjects: Array<[Condition['field'], ValueType]> = [
		[{ customFieldId: custom.id }, customTypes[custom.type] ?? 'text'],
		[{ customFieldId: dated.id }, 'date'],
		[
			chance.pick([
				'firstName',
				'lastName',
				'fullName',
				'email',
				'phoneNumber',
				'country',
				'gender',
			] as const),
			'text',
		],
		[
			chance.pick([
				'createdAt',
				'lastReadAt',
				'subscribedAt',
				'blockedAt',
				'lastInteraction',
			] as const),
			'date',
		],
		[
			chance.pick([
				'blocked',
				'subscribed',
				'subscribedToBroadcasts',
				'emailOptIn',
				'emailVerified',
			] as const),
			'boolean',
		],
		[chance.pick(['tags', 'inboxes', 'channels'] as const), 'list'],
		[chance.pick(['sequences', 'assigned'] as const), 'list'],
	];
	const [field, type] = chance.pick(subjects);
	const isAsked = field === 'sequences' || field === 'assigned';
	const operator = chance.pick(
		(operators[type] as readonly Operator[]).filter((each) => !isAsked || each !== 'inAll'),
	);
	const span = () => [
		chance.pick(['0', '1', '7', '36']),
		chance.pick(['minutes', 'hours', 'days', 'weeks']),
	];
	const ids = {
		tags: [...tables.tags.keys()],
		inboxes: [...tables.channels.keys()],
		channels: ['whatsapp', 'webchat', 'smtp', 'telegram'],
		sequences: ['1', '2', '4'],
		assigned: ['u_51', 't_9', 'unassigned'],
	};
	const values = (): string[] => {
		if (operator === 'isEmpty' || operator === 'isNotEmpty') return [];
		if (operator.startsWith('in') || operator === 'notInLast' || operator === 'notIn') {
			if (type === 'date') return span();
			const [first, ...others] = ids[field as keyof typeof ids];
			return [first, ...chance.some(others)];
		}
		const pool = {
			text: readable(words),
			number: readable(numbers),
			date: readable(dates),
			boolean: ['true', 'false'],
			list: [],
		}[type];
		return operator === 'isBetween' ? [chance.pick(pool), chance.pick(pool)] : [chance.pick(pool)];
	};
	return { field, type, operator, values: values() };
}

test(`${WORKSPACES} random workspaces give the same contacts by createContactFilter, with the filter of the service and by the plain rules`, async () => {
	let narrowed = 0;
	let matching = 0;
	for (let seed = 1; seed <= WORKSPACES; seed++) {
		const chance = new Chance(sequenceOf(seed));
		const workspace = randomWorkspace(chance);
		const rowOf = (contact: Parameters<typeof showRow>[1]) =>
			JSON.parse(
				JSON.stringify({
					...showRow(workspace, contact, inclusions),
					sequenceIds: contact.sequenceIds,
				}),
			) as IDataObject;
		const contacts = [...workspace.contacts.values()];
		const service = serviceOf(workspace);
		const fields = await readFilterFields(service);
		for (let count = 0; count < 5; count++) {
			const match = chance.pick(['all', 'any'] as const);
			const conditions = [1, 2, 3]
				.slice(0, chance.pick([1, 2, 3]))
				.map(() => randomCondition(chance, workspace));
			const timezone = chance.pick(Object.keys(zones) as Zone[]);
			const conditionSet = { match, conditions, clock: { now: NOW, timezone } };
			const matches = createContactMatcher(
				conditionSet,
				await askServerConditions(service, conditionSet),
			);
			const here = contacts
				.map(rowOf)
				.filter(matches)
				.map(({ id }) => id);

			const filter = toServerFilter(conditionSet, fields);
			if (filter) narrowed++;
			const isListed = filter
				? serviceMatcherOf(workspace, contactFilter.parse(filter))
				: () => true;
			const there = contacts
				.filter(isListed)
				.map(rowOf)
				.filter(matches)
				.map(({ id }) => id);
			const plain = contacts
				.map(rowOf)
				.filter(plainly(conditionSet, timezone))
				.map(({ id }) => id);

			const context = JSON.stringify({ seed, conditionSet, filter });
			expect([context, here]).toEqual([context, plain]);
			expect([context, there]).toEqual([context, plain]);
			matching += plain.length;
		}
	}
	// The service has something to do, and neither nobody nor everybody matches.
	expect(narrowed / WORKSPACES / 5).toBeGreaterThan(0.2);
	expect(matching / WORKSPACES / 60).toBeGreaterThan(0.1);
	expect(matching / WORKSPACES / 60).toBeLessThan(0.9);
});
