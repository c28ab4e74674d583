import { z } from 'zod/v4';
import { broadcastKinds } from '../../../../nodes/WorkspaceMessaging/contract/broadcast';
import { anyChannel, choices, limits } from '../../../../nodes/WorkspaceMessaging/contract/limits';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { contactFilter, matcherOf } from '../contactFilter';
import { timesOf } from '../contactRecord';
import { id, strictPaging } from '../inputs';
import type { Target } from './plan';

type BroadcastKind = keyof typeof broadcastKinds;
const kinds = Object.keys(broadcastKinds) as BroadcastKind[];

/** What says whom a broadcast reaches. */
export const audience = {
	channel: z.enum(choices.contactChannels),
	subaction: z.enum(kinds),
	/** When a broadcast is made, it is accepted, and not applied. */
	inboxIds: z.array(id).optional(),
	integrationWhatsappId: id.optional(),
	/** Accepted, and not applied: the sandbox has no templates of Messenger. */
	integrationMessengerId: id.optional(),
	contactFilter: contactFilter.optional(),
};

type Audience = Partial<z.output<z.ZodObject<typeof audience>>>;

const hourMs = 3_600_000;

/** Whether a contact has written on an inbox within the hours in which every channel delivers. */
export function isActive(workspace: Workspace, contact: StoredContact, inboxId: string): boolean {
	const { lastIncomingMessageAt } = timesOf(workspace, contact, inboxId);
	if (lastIncomingMessageAt === null) return false;
	return Date.now() - Date.parse(lastIncomingMessageAt) < limits.activeHours * hourMs;
}

/** The inbox of a number of WhatsApp, which only its templates name. */
const inboxOfNumber = ({ tables }: Workspace, integrationId: string) =>
	[...tables.templates.values()].find((each) => each.integrationWhatsappId === integrationId)
		?.integrationWhatsapp.inboxId;

/** What the preview takes: channels in place of the channel, and a page. */
export const previewed = z
	.object({ ...audience, channels: z.array(audience.channel) })
	.omit({ channel: true })
	.partial()
	.extend(strictPaging);

/**
 * On which inboxes a broadcast would reach contacts now, the oldest contact first. A contact on two
 * of the channels is there twice.
 */
export function inboxesReached(
	workspace: Workspace,
	{ channels: asked = [], ...sent }: Omit<Audience, 'channel'> & { channels?: string[] },
): Target[] {
	const { inboxIds, integrationWhatsappId: number } = sent;
	// Who names no channel and no inbox reaches nobody.
	if (asked.length === 0 && inboxIds === undefined && number === undefined) return [];
	const kind = sent.subaction && broadcastKinds[sent.subaction];
	const { channels } = workspace.tables;
	const ofNumber = number === undefined ? undefined : inboxOfNumber(workspace, number);
	const isOnAny = asked.length === 0 || asked.includes(anyChannel);
	const matches = sent.contactFilter ? matcherOf(workspace, sent.contactFilter) : () => true;
	const fits = (contact: StoredContact) => (inboxId: string) =>
		channels.has(inboxId) &&
		(isOnAny || asked.includes(channels.get(inboxId)?.channel ?? '')) &&
		(inboxIds === undefined || inboxIds.includes(inboxId)) &&
		(number === undefined || inboxId === ofNumber) &&
		(kind?.reaches !== 'active' || isActive(workspace, contact, inboxId));
	return [...workspace.contacts.values()].flatMap((contact) => {
		if (contact.conversation === null || !matches(contact)) return [];
		const fitting = contact.inboxIds.filter(fits(contact));
		return fitting.map((inboxId) => ({ contactId: contact.id, inboxId }));
	});
}

/** Whom a broadcast reaches now: each contact once, on the first inbox that fits. */
export function targetsOf(
	workspace: Workspace,
	{ channel, subaction, integrationWhatsappId, contactFilter: filter }: Audience,
): Target[] {
	const targets = inboxesReached(workspace, {
		channels: channel === undefined ? [] : [channel],
		subaction,
		integrationWhatsappId,
		contactFilter: filter,
	});
	const seen = new Set<string>();
	return targets.filter(({ contactId }) => seen.size < seen.add(contactId).size);
}
