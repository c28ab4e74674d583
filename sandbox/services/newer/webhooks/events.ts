import { z } from 'zod/v4';
import { malformed } from '../../../http/problems';
import type { WebhookCall } from '../../../journal';
import type { Workspace } from '../../../workspace';
import { fullNameOf, type StoredContact } from '../../reference/contacts';
import { withValues } from '../../reference/customFieldValues';
import { showValues } from '../contactRecord';
import {
	changeConversation,
	conversationOf,
	type Conversation,
} from '../conversations/conversation';
import { condition, meets, type Condition } from './conditions';
import { deliver } from './deliver';

type EventType = Condition['type'];

const eventTypes = condition.options.flatMap(({ shape }) => shape.type.options);

/** Something that happens to a contact on a channel. */
export const happening = z.strictObject({
	type: z.enum(eventTypes),
	identifier: z.string(),
	/** The tag, sequence or custom field; `phone` or `email` for `contactInfoUpdated`. */
	sourceId: z.string().optional(),
	/** The new value of a custom field, phone number or email. */
	value: z.string().nullish(),
	/** Who did it. */
	by: z.string().optional(),
	/** To whom a conversation is assigned. */
	to: z.string().optional(),
});
export type Happening = z.input<typeof happening>;

/** What an event does to a contact, and what its webhooks get besides the usual. */
interface Effect {
	event: string;
	take(workspace: Workspace, contact: StoredContact, happened: Happening): Record<string, unknown>;
}

function sourceOf({ type, sourceId }: Happening): string {
	if (sourceId === undefined) throw malformed(`"${type}" needs a sourceId`);
	return sourceId;
}

const changeTag = (event: string, isApplied: boolean): Effect => ({
	event,
	take(workspace, contact, happened) {
		const tagId = sourceOf(happened);
		const others = contact.tagIds.filter((id) => id !== tagId);
		workspace.changeContact(contact, { tagIds: isApplied ? [...others, tagId] : others });
		return { tag: workspace.tables.tags.get(tagId)?.name ?? '' };
	},
});

const changeSequence = (event: string, isSubscribed: boolean): Effect => ({
	event,
	take(workspace, contact, happened) {
		const sequenceId = sourceOf(happened);
		const others = (contact.sequenceIds ?? []).filter((id) => id !== sequenceId);
		workspace.changeContact(contact, {
			sequenceIds: isSubscribed ? [...others, sequenceId] : others,
		});
		const { name } = workspace.recordOf('sequences', sequenceId, 'Sequence');
		return { sequence_id: sequenceId, sequence_name: name };
	},
});

const changeTalk = (
	event: string,
	changes: (happened: Happening) => Partial<Conversation>,
	fields: (happened: Happening) => Record<string, unknown>,
): Effect => ({
	event,
	take(workspace, contact, happened) {
		changeConversation(workspace, contact, changes(happened));
		return { conversation_id: conversationOf(contact)?.id, ...fields(happened) };
	},
});

const referral = (event: string): Effect => ({
	event,
	take: (_workspace, { ref }, { sourceId }) => ({
		ref_name: ref ?? undefined,
		reflink_id: sourceId,
	}),
});

const dayMs = 86_400_000;
const now = () => new Date().toISOString();

const effects: Record<EventType, Effect> = {
	tagApplied: changeTag('tag_applied', true),
	tagRemoved: changeTag('tag_removed', false),
	subscribedToSequence: changeSequence('subscribed_to_sequence', true),
	unsubscribedFromSequence: changeSequence('unsubscribed_from_sequence', false),
	customFieldValueChanged: {
		event: 'custom_field_changed',
		take(workspace, contact, happened) {
			const field = workspace.recordOf('customFields', sourceOf(happened), 'Custom field');
			const old = contact.values.get(field.id)?.value ?? null;
			const value = happened.value ?? '';
			workspace.changeContact(contact, {
				values: withValues(workspace, contact, [{ field, value }]),
			});
			return { custom_field: { name: field.name, old_value: old, new_value: value } };
		},
	},
	contactInfoUpdated: {
		event: 'contact_info_updated',
		take(workspace, contact, { sourceId, value = null }) {
			const field = sourceId === 'email' ? 'email' : 'phoneNumber';
			const old = contact[field];
			workspace.changeContact(contact, { [field]: value });
			return { info_type: sourceId, old_value: old, new_value: value };
		},
	},
	newContact: {
		event: 'new_contact',
		take: (workspace, contact) => ({
			name: fullNameOf(contact),
			first_name: contact.firstName,
			last_name: contact.lastName,
			phone: contact.phoneNumber,
			email: contact.email,
			custom_fields: Object.fromEntries(
				showValues(workspace, contact).map(({ name, value }) => [name, value]),
			),
		}),
	},
	contactUnsubscribedFormBroadcast: {
		event: 'contact_unsubscribed',
		take(workspace, contact) {
			workspace.changeContact(contact, { broadcastSubscribedAt: null });
			return {};
		},
	},
	archived: changeTalk(
		'conversation_archived',
		() => ({ archivedAt: now() }),
		({ by = 'system' }) => ({ archived_by: by }),
	),
	followUp: changeTalk(
		'marked_as_follow_up',
		() => ({ followed: true }),
		({ by }) => ({ marked_by: by }),
	),
	conversationAssigned: changeTalk(
		'conversation_assigned',
		({ to = null }) => ({ assignedUserId: to }),
		({ to, by = 'system' }) => ({ assigned_to: to, assigned_by: by }),
	),
	conversationUnassigned: changeTalk(
		'conversation_unassigned',
		() => ({ assignedUserId: null, assignedInboxTeamId: null }),
		({ by }) => ({ unassigned_by: by }),
	),
	conversationTransferredToHuman: changeTalk(
		'conversation_transferred_to_human',
		() => ({ botEnabled: false, botResumeAt: new Date(Date.now() + dayMs).toISOString() }),
		({ by = 'bot' }) => ({ transferred_by: by }),
	),
	conversationTransferredToBot: changeTalk(
		'conversation_transferred_to_bot',
		() => ({ botEnabled: true, botResumeAt: null }),
		({ by = 'system' }) => ({ transferred_by: by }),
	),
	contactReferredANewContact: referral('contact_referred_a_new_contact'),
	contactReferredExistingContact: referral('contact_referred_existing_contact'),
	dateTimeBasedTrigger: {
		event: 'datetime_based_trigger',
		take: (_workspace, _contact, happened) => ({ sourceId: sourceOf(happened) }),
	},
};

/** Any HTTP answer counts as delivered, and nothing is sent twice. */
const delivery = { timeoutMs: 30_000, headers: { 'user-agent': 'WorkspaceMessaging-Webhook/1.0' } };

/** Changes the contact as the event says, and calls the webhooks that wait for it. */
export async function happen(workspace: Workspace, happened: Happening): Promise<WebhookCall[]> {
	const contact = workspace.contactOf(happened.identifier);
	const { event, take } = effects[happened.type];
	const fields = take(workspace, contact, happened);
	const body = { event, contact_id: contact.id, timestamp: now(), ...fields };
	const waiting = [...workspace.webhooks.values()].filter(
		({ active, conditions }) => active && conditions.some((each) => meets(each, happened)),
	);
	return await Promise.all(
		waiting.map(({ url }) => deliver(workspace, { url, body, ...delivery })),
	);
}
