import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import { limits } from '../../contract/limits';
import {
	boolean,
	dateTime,
	numericId,
	pathValue,
	string,
	stringOrNull,
	strings,
	text,
} from '../../contract/values';
import { flowCall, valueChange, webhookCalls } from '../../contract/webhook';
import type { Field } from '../../run/operation';
import { subjectLocator } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import type { Requester } from '../../transport/request';
import type { TriggerEvent } from '../eventPanel';
import {
	messageAtOnceFields,
	messageAtOnceOutput,
	messageAtOnceParameters,
	readMessagesAtOnce,
	unreadMessage,
} from './messageAtOnce';
import { comparisonFields, comparisonParameters, makeComparison } from './comparison';
import { readConditions } from '../contactItems';
import { toNamedOptions } from '../../panel/fields';

/**
 * What the service is to call n8n for; the rest of a webhook's condition is in the settings of its
 * event.
 */
type ConditionType = keyof typeof webhookCalls;

/** The values of an event's own fields, by their names. */
export type Parameters = IDataObject;

/** An event that the service calls n8n for. */
export interface InstantEvent extends TriggerEvent {
	/** Returns the condition of the webhook; an event without one comes from a step of a flow. */
	condition?(parameters: Parameters): { type: string } & IDataObject;
	/** What the service posts. */
	call: z.ZodObject;
	/** The schemas of the fields that the event adds to an item. */
	output: z.ZodRawShape;
	/** Makes these fields of a call. */
	toFields(call: IDataObject, parameters: Parameters): IDataObject;
	/** Returns what a call says about its contact, under the names of a simplified contact. */
	toContact(call: IDataObject): IDataObject;
	/** Throws if a setting needs something that the workspace does not have. */
	check?(context: IHookFunctions, client: Requester): Promise<unknown>;
	/** Reads the items of a call itself; without it, an item has what the call says. */
	readItems?: typeof readMessagesAtOnce;
	/** The event of the polling trigger that does the same, if there is one. */
	polling?: string;
}

/** The fields that the items of all events have. */
export const commonOutput = {
	event: string,
	contact: simpleContact,
	contactRead: boolean,
	receivedAt: dateTime,
};

/** Returns an event of the service; by default, its items have the posted fields in camel case. */
function systemEvent(
	type: ConditionType,
	name: string,
	description: string,
	more: Partial<InstantEvent> = {},
): InstantEvent {
	const keys = Object.keys(webhookCalls[type].shape)
		.filter((key) => key !== 'event' && key !== 'contact_id')
		.map((key) => [key, toCamelCase(key)]);
	return {
		value: type,
		name,
		description,
		fields: [],
		parameters: z.object({}),
		condition: () => ({ type }),
		call: webhookCalls[type],
		output: Object.fromEntries(keys.map(([, inItem]) => [inItem, stringOrNull])),
		toFields: (call) => Object.fromEntries(keys.map(([key, inItem]) => [inItem, call[key]])),
		toContact: ({ contact_id: id }) => ({ id }),
		...more,
	};
}

const toCamelCase = (key: string) =>
	key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What an event can be about: how the user chooses one, and under which key its name is posted. */
const subjects = {
	tag: {
		fields: [
			subjectLocator(lookups.tags, 'tagId', { description: 'Tag that starts the workflow' }),
		],
		parameters: z.object({ tagId: numericId }),
		nameKey: 'tag',
	},
	sequence: {
		fields: [
			subjectLocator(lookups.sequences, 'sequenceId', {
				description: 'Sequence that starts the workflow',
			}),
		],
		parameters: z.object({ sequenceId: pathValue }),
		nameKey: 'sequence_name',
	},
};

/** Returns an event of one tag or sequence. */
function eventAbout(
	noun: keyof typeof subjects,
	type: ConditionType,
	name: string,
	description: string,
	polling?: string,
): InstantEvent {
	const { fields, parameters, nameKey } = subjects[noun];
	return systemEvent(type, name, description, {
		fields,
		parameters,
		condition: ({ [`${noun}Id`]: sourceId }) => ({ type, sourceId }),
		output: { [noun]: z.object({ id: string, name: stringOrNull }) },
		toFields: ({ [nameKey]: own }, { [`${noun}Id`]: id }) => ({ [noun]: { id, name: own } }),
		polling,
	});
}

const eventNameField: Field = {
	displayName: 'Event Name',
	name: 'eventName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. order_paid',
	description:
		"Must match the event name in the flow's step exactly, including upper and lower case",
};

const infoTypeField: Field = {
	displayName: 'Changed Field',
	name: 'infoType',
	type: 'options',
	options: toNamedOptions({ email: 'Email', phone: 'Phone Number' }),
	default: 'email',
};

const customFieldField = subjectLocator(lookups.customFields, 'customFieldId', {
	description: 'Custom field that starts the workflow when its value changes',
});

/** An event whose call comes from a step of a flow. */
const flowSendsData: InstantEvent = {
	name: 'Flow Sends Data',
	value: 'flowSendsData',
	description: 'When a contact reaches the step Trigger n8n (Make on some services) of a flow',
	fields: [eventNameField],
	parameters: z.object({
		eventName: z.string('must be text').trim().pipe(text(1, limits.flowEvent.max)),
	}),
	call: flowCall,
	output: {
		eventName: string,
		customFields: z.record(string, z.unknown()),
		tags: strings,
		sequences: z.array(z.object({ id: string, name: stringOrNull })),
	},
	toFields: (call, { eventName }) => {
		const { contact_sequences, ...rest } = flowCall.parse(call);
		const sequences = contact_sequences.map((each) => ({
			id: each.sequenceId,
			name: each.sequenceName,
		}));
		return { eventName, ...tagsAndCustomFields(rest), sequences };
	},
	toContact: (call) => {
		const { contact, ...rest } = flowCall.parse(call);
		const known = Object.keys(simpleContact.shape).filter((name) => name in contact);
		const values = known.map((name) => [name, contact[name]]);
		return {
			...Object.fromEntries(values),
			...tagsAndCustomFields(rest),
		};
	},
};

/** The same call for what a contact writes: the flow is the default reply, or starts by a keyword. */
const messageReceivedAtOnce: InstantEvent = {
	...flowSendsData,
	name: 'Message Received',
	value: 'messageReceivedAtOnce',
	description: 'When a contact writes and a flow answers, at once',
	fields: [{ ...eventNameField, placeholder: 'e.g. contact_wrote' }, ...messageAtOnceFields],
	parameters: flowSendsData.parameters.extend(messageAtOnceParameters),
	output: messageAtOnceOutput,
	toFields: (call) => unreadMessage(flowCall.parse(call).contact.id),
	check: readConditions,
	readItems: readMessagesAtOnce,
	polling: 'Message Received',
};

/** Returns what a flow posts about a contact in the form of a simplified contact. */
function tagsAndCustomFields({
	tags,
	custom_fields,
}: Pick<z.infer<typeof flowCall>, 'tags' | 'custom_fields'>) {
	const values = custom_fields.map(({ name, value }) => [name, value]);
	const customFields: IDataObject = Object.fromEntries(values);
	return { tags, customFields };
}

const systemEvents: InstantEvent[] = [
	systemEvent(
		'contactInfoUpdated',
		'Contact Info Updated',
		"When a contact's email or phone number changes in a conversation",
		{
			fields: [infoTypeField],
			parameters: z.object({ infoType: z.enum(['email', 'phone']) }),
			condition: ({ infoType }) => ({ type: 'contactInfoUpdated', sourceId: infoType }),
			polling: 'Contact Updated',
		},
	),
	systemEvent(
		'newContact',
		'Contact Created on a Channel',
		'When somebody new writes on a channel',
		{
			output: {},
			toFields: () => ({}),
			toContact: (call) => ({
				id: call.contact_id,
				fullName: call.name,
				firstName: call.first_name,
				lastName: call.last_name,
				email: call.email,
				phoneNumber: call.phone,
				customFields: call.custom_fields,
			}),
			polling: 'Contact Created',
		},
	),
	systemEvent(
		'contactUnsubscribedFormBroadcast',
		'Contact Unsubscribed From Broadcasts',
		'When a contact no longer wants broadcasts',
		{ value: 'contactUnsubscribedFromBroadcast' },
	),
	systemEvent('archived', 'Conversation Archived', 'When a conversation is archived'),
	systemEvent(
		'conversationAssigned',
		'Conversation Assigned',
		'When a conversation gets a member or team',
	),
	systemEvent(
		'conversationTransferredToBot',
		'Conversation Handed to Bot',
		'When a person hands a conversation back to the bot',
	),
	systemEvent(
		'conversationTransferredToHuman',
		'Conversation Handed to Person',
		'When the bot hands a conversation over to a person',
	),
	systemEvent(
		'followUp',
		'Conversation Marked for Follow-Up',
		'When a conversation is marked for follow-up',
	),
	systemEvent(
		'conversationUnassigned',
		'Conversation Unassigned',
		'When a conversation loses its member or team',
	),
	systemEvent(
		'customFieldValueChanged',
		'Custom Field Changed',
		'When a custom field of a contact gets another value',
		{
			fields: [customFieldField, ...comparisonFields],
			parameters: comparisonParameters.extend({ customFieldId: numericId }),
			condition: ({ customFieldId, ...comparison }) => ({
				type: 'customFieldValueChanged',
				sourceId: customFieldId,
				...makeComparison(comparison),
			}),
			output: {
				customField: z.object({
					id: string,
					name: stringOrNull,
					oldValue: z.unknown(),
					newValue: z.unknown(),
				}),
			},
			toFields: (call, { customFieldId: id }) => {
				const { name, old_value, new_value } = valueChange.parse(call.custom_field);
				return {
					customField: { id, name, oldValue: old_value ?? null, newValue: new_value ?? null },
				};
			},
			polling: 'Contact Updated',
		},
	),
	eventAbout(
		'tag',
		'tagApplied',
		'Tag Added in a Flow or on a Channel',
		'When a contact gets a tag there',
		'Tag Added to Contact',
	),
	eventAbout(
		'tag',
		'tagRemoved',
		'Tag Removed in a Flow or on a Channel',
		'When a contact loses a tag there',
		'Tag Removed From Contact',
	),
	eventAbout(
		'sequence',
		'subscribedToSequence',
		'Contact Subscribed to Sequence',
		'When a contact is subscribed to a sequence',
	),
	eventAbout(
		'sequence',
		'unsubscribedFromSequence',
		'Contact Unsubscribed From Sequence',
		'When a contact is no longer subscribed to a sequence',
	),
];

/** All events: those that come from a step of a flow, then those of the service by their names. */
export const instantEvents: InstantEvent[] = [
	flowSendsData,
	messageReceivedAtOnce,
	...systemEvents.sort((a, b) => a.name.localeCompare(b.name)),
];
