import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { instantEvents } from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';
import { instantPanel } from '../../../../nodes/WorkspaceMessaging/trigger/instant/settings';
import { pollingEvents } from '../../../../nodes/WorkspaceMessaging/trigger/events';
import type { Parameters } from '../../../../nodes/WorkspaceMessaging/trigger/instant/events';

const eventOf = (value: string) => instantEvents.find((event) => event.value === value)!;

const conversation = { conversation_id: '7' };

/**
 * What the service posts beside `event`, `contact_id` and `timestamp`, and the fields that an item
 * gets of it.
 */
const cases: Array<
	[value: string, posted: IDataObject, fields: IDataObject, parameters?: Parameters]
> = [
	[
		'archived',
		{ event: 'conversation_archived', ...conversation, archived_by: 'system' },
		{ conversationId: '7', archivedBy: 'system' },
	],
	[
		'contactInfoUpdated',
		{ event: 'contact_info_updated', info_type: 'email', old_value: null, new_value: 'a@b.co' },
		{ infoType: 'email', oldValue: null, newValue: 'a@b.co' },
	],
	['contactUnsubscribedFromBroadcast', { event: 'contact_unsubscribed' }, {}],
	[
		'conversationAssigned',
		{ event: 'conversation_assigned', ...conversation, assigned_to: 'u_1', assigned_by: 'u_2' },
		{ conversationId: '7', assignedTo: 'u_1', assignedBy: 'u_2' },
	],
	[
		'conversationTransferredToBot',
		{ event: 'conversation_transferred_to_bot', ...conversation, transferred_by: 'system' },
		{ conversationId: '7', transferredBy: 'system' },
	],
	[
		'conversationTransferredToHuman',
		{ event: 'conversation_transferred_to_human', ...conversation, transferred_by: 'bot' },
		{ conversationId: '7', transferredBy: 'bot' },
	],
	[
		'conversationUnassigned',
		{ event: 'conversation_unassigned', ...conversation },
		{ conversationId: '7', unassignedBy: null },
	],
	[
		'customFieldValueChanged',
		{
			event: 'custom_field_changed',
			custom_field: { name: 'Plan', old_value: 'free', new_value: [1] },
		},
		{ customField: { id: '5', name: 'Plan', oldValue: 'free', newValue: [1] } },
		{ customFieldId: '5' },
	],
	[
		'customFieldValueChanged',
		{ event: 'custom_field_changed', custom_field: { name: 'Plan', new_value: 'pro' } },
		{ customField: { id: '5', name: 'Plan', oldValue: null, newValue: 'pro' } },
		{ customFieldId: '5' },
	],
	[
		'followUp',
		{ event: 'marked_as_follow_up', ...conversation, marked_by: 'u_1' },
		{ conversationId: '7', markedBy: 'u_1' },
	],
	[
		'newContact',
		{
			event: 'new_contact',
			name: 'Ann Lee',
			phone: '+491',
			email: null,
			custom_fields: { City: 'Hue' },
		},
		{},
	],
	[
		'subscribedToSequence',
		{ event: 'subscribed_to_sequence', sequence_id: '9', sequence_name: 'Onboarding' },
		{ sequence: { id: '9', name: 'Onboarding' } },
		{ sequenceId: '9' },
	],
	[
		'tagApplied',
		{ event: 'tag_applied', tag: 'VIP' },
		{ tag: { id: '3', name: 'VIP' } },
		{ tagId: '3' },
	],
	['tagRemoved', { event: 'tag_removed', tag: '' }, { tag: { id: '3', name: '' } }, { tagId: '3' }],
	[
		'unsubscribedFromSequence',
		{ event: 'unsubscribed_from_sequence', sequence_id: '9', sequence_name: 'Onboarding' },
		{ sequence: { id: '9', name: 'Onboarding' } },
		{ sequenceId: '9' },
	],
];

test.each(cases)(
	'A call for %s becomes the fields of its item',
	(value, posted, fields, parameters = {}) => {
		const event = eventOf(value);
		const call = event.call.parse({
			contact_id: '7311111111111111111',
			timestamp: '2026-09-01T08:05:00.123Z',
			unknown: { anything: true },
			...posted,
		});
		expect(call).not.toHaveProperty('unknown');
		const item = event.toFields(call as IDataObject, parameters);
		expect(item).toEqual(fields);
		expect(z.strictObject(event.output).safeParse(item).error).toBeUndefined();
		expect(event.toContact(call as IDataObject)).toMatchObject({ id: '7311111111111111111' });
	},
);

test('All events of the service have a test here', () => {
	expect(instantEvents.map(({ value }) => value).sort()).toEqual(
		[
			...new Set(['flowSendsData', 'messageReceivedAtOnce', ...cases.map(([value]) => value)]),
		].sort(),
	);
});

test("What comes from the step of a flow is first, and then the service's events by their names", () => {
	const [first, second, ...names] = instantEvents.map(({ name }) => name);
	expect([first, second]).toEqual(['Flow Sends Data', 'Message Received']);
	expect(names).toEqual([...names].sort());
});

test("The panel names the flow's step as newer and as earlier services do", () => {
	const [{ description }] = instantEvents;
	const notice = instantPanel.fields.find(({ name }) => name === 'flowNotice');
	for (const text of [description, notice?.displayName])
		expect(text).toMatch(/\bTrigger n8n\b.*\bMake\b/);
});

test('Only a message has the same name in both triggers, and events that both find name each other', () => {
	const polled = pollingEvents.map(({ name }) => name);
	const inBoth = instantEvents.map(({ name }) => name).filter((name) => polled.includes(name));
	expect(inBoth).toEqual(['Message Received']);
	const alternatives = instantEvents.flatMap(({ polling = [] }) => polling);
	expect(alternatives.length).toBeGreaterThan(3);
	expect(polled).toEqual(expect.arrayContaining(alternatives));
});

test("The condition of a webhook has the service's own spelling, and the ID that the user chose", () => {
	const conditionOf = (value: string, parameters: Parameters = {}) => {
		const event = eventOf(value);
		return event.condition!(event.parameters.parse(parameters) as Parameters);
	};
	expect(conditionOf('contactUnsubscribedFromBroadcast')).toEqual({
		type: 'contactUnsubscribedFormBroadcast',
	});
	expect(conditionOf('tagRemoved', { tagId: '3' })).toEqual({ type: 'tagRemoved', sourceId: '3' });
	expect(conditionOf('contactInfoUpdated', { infoType: 'phone' })).toEqual({
		type: 'contactInfoUpdated',
		sourceId: 'phone',
	});
	const customField = { type: 'customFieldValueChanged', sourceId: '5' };
	expect(conditionOf('customFieldValueChanged', { customFieldId: '5' })).toEqual({
		...customField,
		operator: '',
	});
	expect(
		conditionOf('customFieldValueChanged', {
			customFieldId: '5',
			operator: 'isEmpty',
			value: 'left over',
		}),
	).toEqual({
		...customField,
		operator: 'isEmpty',
	});
	expect(
		conditionOf('customFieldValueChanged', { customFieldId: '5', operator: 'eq', value: 'pro' }),
	).toEqual({
		...customField,
		operator: 'eq',
		value: 'pro',
	});
});

describe('The call of a flow', () => {
	const { call: schema, toFields, toContact, output } = eventOf('flowSendsData');
	const posted = {
		event: 'order_paid',
		contact: {
			id: '7311111111111111111',
			workspaceId: '73',
			fullName: 'Ann Lee',
			email: 'ann@example.org',
		},
		custom_fields: [{ name: 'Plan', value: 'pro' }],
		tags: ['VIP'],
		contact_sequences: [{ sequenceId: '75', sequenceName: 'Onboarding', more: 1 }],
	};

	test('becomes tags, custom fields and sequences by their names', () => {
		const item = toFields(schema.parse(posted) as IDataObject, { eventName: 'order_paid' });
		expect(item).toEqual({
			eventName: 'order_paid',
			customFields: { Plan: 'pro' },
			tags: ['VIP'],
			sequences: [{ id: '75', name: 'Onboarding' }],
		});
		expect(z.strictObject(output).safeParse(item).error).toBeUndefined();
	});

	test('says what a simplified contact says', () => {
		expect(toContact(schema.parse(posted) as IDataObject)).toEqual({
			id: '7311111111111111111',
			fullName: 'Ann Lee',
			email: 'ann@example.org',
			tags: ['VIP'],
			customFields: { Plan: 'pro' },
		});
	});

	test('may lack all but its event and its contact', () => {
		const item = toFields(schema.parse({ event: 'x', contact: { id: '1' } }) as IDataObject, {
			eventName: 'x',
		});
		expect(item).toEqual({ eventName: 'x', customFields: {}, tags: [], sequences: [] });
	});
});

test.each<[string, unknown]>([
	['a number', 7311111111111111000],
	['not digits', 'abc'],
	['a path', '1/messages'],
	['empty', ''],
	['21 digits', '1'.repeat(21)],
	['digits of another script', '٣'],
	['missing', undefined],
])('A call is none if the ID of its contact is %s', (_, id) => {
	expect(
		eventOf('archived').call.safeParse({ event: 'conversation_archived', contact_id: id }).success,
	).toBe(false);
	expect(eventOf('flowSendsData').call.safeParse({ event: 'x', contact: { id } }).success).toBe(
		false,
	);
});
