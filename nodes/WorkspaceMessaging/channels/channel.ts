import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsIn, toObject } from '../transport/guards';

/*
 * What the record of a channel says, in the list of channels or in the record of a contact or a
 * conversation.
 */

/**
 * A channel that a contact is on, as its record shows it (part 2.1 does not say what is inside).
 */
interface ContactInbox extends IDataObject {
	inboxId?: string;
	channel?: string;
	inbox?: { id?: string; name?: string; channel?: string };
}

/** Other names of channel types: services call the email channel `email` or `smtp`. */
const aliases: Record<string, string> = { email: 'smtp' };

/** Returns the channels that a contact or a conversation is on, as its record shows them. */
export const getInboxes = ({ contactInboxes }: { contactInboxes?: unknown }): ContactInbox[] =>
	objectsIn(contactInboxes);

/** Returns the ID of a channel that a contact is on; undefined if the record lacks it. */
export function getInboxId({ inboxId, inbox }: ContactInbox): string | undefined {
	const id = inboxId ?? inbox?.id;
	return id === undefined || id === null ? undefined : String(id);
}

/**
 * Returns the ID of the channel in a record: the trigger's `channel`, one of the list of channels,
 * or a contact's account on one. Other values stay unchanged. Throws an error that names the field
 * if a record is no channel: messages and tags have an `id`, too.
 *
 * @param label the field's name in errors
 */
export function toChannelId(value: unknown, label: string): unknown {
	if (!isObject(value)) return value;
	const { id, name, type, channel, inboxId } = value;
	const hasThreeFields = Object.keys(value).length === 3;
	const hasTypeAndName = typeof type === 'string' && name !== undefined;
	const isFromTrigger = hasThreeFields && hasTypeAndName;
	const isListed = typeof channel === 'string' && inboxId === undefined;
	// Only these have their own ID; that of a contact's account is not the channel's.
	const isChannel = isFromTrigger || isListed;
	const account = toObject(value);
	const found = isChannel ? id : getInboxId(account);
	const isId = typeof found === 'string' || Number.isSafeInteger(found);
	if (isId) return String(found);
	throw new Error(`${label} is a record, but not of a channel. Drag "channel"`);
}

/** Returns the type of a channel, as filters name it; undefined if the record lacks it. */
export function getChannelType({
	channel,
	inbox,
}: Pick<ContactInbox, 'channel' | 'inbox'>): string | undefined {
	const type = channel ?? inbox?.channel;
	return typeof type === 'string' ? (aliases[type] ?? type) : undefined;
}
