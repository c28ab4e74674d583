import { z } from 'zod/v4';

/*
 * What services post to webhooks. Nothing in a call proves who sent it. Services differ in details, so a text that is missing,
 * or is no text, counts as null; unknown keys are dropped.
 */

const textOrNull = z.string().nullable().catch(null);

/** The ID of a contact, 64 bits as text; a number in JSON would have lost its last digits. */
const calledContactId = z.string().regex(/^\d{1,20}$/);

/** A list without the entries that have another form. */
const validEntries = <Entry extends z.ZodType>(entry: Entry) =>
	z
		.array(z.unknown())
		.catch([])
		.transform((entries) =>
			entries.map((each) => entry.safeParse(each)).flatMap(({ success, data }) => (success ? [data] : [])),
		);

const call = (event: string, fields: z.ZodRawShape = {}) =>
	z.object({ event: z.literal(event), contact_id: calledContactId, ...fields });

const ofConversation = (event: string, ...names: string[]) =>
	call(event, Object.fromEntries(['conversation_id', ...names].map((name) => [name, textOrNull])));

const sequenceFields = { sequence_id: textOrNull, sequence_name: textOrNull };

const valueChange = z.object({
	name: textOrNull,
	old_value: z.unknown(),
	new_value: z.unknown(),
});

/** The calls of webhooks, by the type of condition that a webhook has. */
export const webhookCalls = {
	archived: ofConversation('conversation_archived', 'archived_by'),
	contactInfoUpdated: call('contact_info_updated', {
		info_type: textOrNull,
		old_value: textOrNull,
		new_value: textOrNull,
	}),
	/** Services spell it so. */
	contactUnsubscribedFormBroadcast: call('contact_unsubscribed'),
	conversationAssigned: ofConversation('conversation_assigned', 'assigned_to', 'assigned_by'),
	conversationTransferredToBot: ofConversation('conversation_transferred_to_bot', 'transferred_by'),
	conversationTransferredToHuman: ofConversation('conversation_transferred_to_human', 'transferred_by'),
	conversationUnassigned: ofConversation('conversation_unassigned', 'unassigned_by'),
	customFieldValueChanged: call('custom_field_changed', { custom_field: valueChange }),
	followUp: ofConversation('marked_as_follow_up', 'marked_by'),
	newContact: call('new_contact', {
		name: textOrNull,
		first_name: textOrNull,
		last_name: textOrNull,
		phone: textOrNull,
		email: textOrNull,
		custom_fields: z.record(z.string(), z.unknown()).catch({}),
	}),
	subscribedToSequence: call('subscribed_to_sequence', sequenceFields),
	tagApplied: call('tag_applied', { tag: textOrNull }),
	tagRemoved: call('tag_removed', { tag: textOrNull }),
	unsubscribedFromSequence: call('unsubscribed_from_sequence', sequenceFields),
} satisfies Record<string, z.ZodObject>;

/** The call of a flow's step. Its event has the name that the step gives it. */
export const flowCall = z.object({
	event: z.string(),
	contact: z.looseObject({ id: calledContactId }),
	custom_fields: validEntries(z.object({ name: z.string(), value: z.unknown() })),
	tags: validEntries(z.string()),
	contact_sequences: validEntries(z.object({ sequenceId: z.coerce.string(), sequenceName: textOrNull })),
});
