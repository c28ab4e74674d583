import { z } from 'zod/v4';
import { broadcastKinds } from '../../../../nodes/WorkspaceMessaging/contract/broadcast';
import { anyChannel, choices, limits } from '../../../../nodes/WorkspaceMessaging/contract/limits';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { contactFilter, matcherOf } from '../contactFilter';
import { timesOf } from '../contactRecord';
import { id } from '../inputs';
import type { Target } from './plan';

type BroadcastKind = keyof typeof broadcastKinds;
const kinds = Object.keys(broadcastKinds) as BroadcastKind[];

/** What says whom a broadcast reaches. */
export const audience = {
	channel: z.enum(choices.contactChannels),
	subaction: z.enum(kinds),
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

/** Whom a broadcast reaches now: each contact once, on the first inbox that fits, oldest first. */
export function targetsOf(workspace: Workspace, sent: Audience): Target[] {
	const { channel = anyChannel, inboxIds, integrationWhatsappId: number } = sent;
	const kind = sent.subaction && broadcastKinds[sent.subaction];
	const { channels } = workspace.tables;
	const ofNumber = number === undefined ? undefined : inboxOfNumber(workspace, number);
	const matches = sent.contactFilter ? matcherOf(workspace, sent.contactFilter) : () => true;
	const fits = (contact: StoredContact) => (inboxId: string) =>
		channels.has(inboxId) &&
		(channel === anyChannel || channels.get(inboxId)?.channel === channel) &&
		(inboxIds === undefined || inboxIds.includes(inboxId)) &&
		(number === undefined || inboxId === ofNumber) &&
		(kind?.reaches !== 'active' || isActive(workspace, contact, inboxId));
	return [...workspace.contacts.values()].flatMap((contact) => {
		const inboxId = contact.inboxIds.find(fits(contact));
		const isReached = inboxId !== undefined && contact.conversation !== null && matches(contact);
		return isReached ? [{ contactId: contact.id, inboxId }] : [];
	});
}
