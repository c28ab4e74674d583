import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes, getInboxId } from '../channels/channel';
import { limits } from '../contract/limits';
import { isObject } from '../transport/guards';
import { readServiceTime, unitMs } from '../values/dates';

/*
 * Some channels deliver messages only for some hours after the contact wrote. The service accepts
 * later ones anyway.
 */

/** A channel that no longer delivers messages to a contact. */
export interface ClosedChannel {
	/** Such as `whatsapp`. */
	type: string;
	/** For how many hours it delivers after the contact wrote. */
	hours: number;
}

/**
 * Returns for how many hours a type of channel delivers messages after the contact wrote; undefined
 * if forever.
 */
const getHours = (type: string | undefined): number | undefined =>
	Object.entries(limits.answerHours).find(([channel]) => channel === type)?.[1];

/**
 * Whether a channel still delivers messages to a contact who last wrote at a time; undefined if it
 * always does, or if nobody knows.
 */
export function isOpenForAnswers(
	type: string | undefined,
	writtenAt: number | undefined,
): boolean | undefined {
	const hours = getHours(type);
	if (hours === undefined || writtenAt === undefined) return undefined;
	return Date.now() - writtenAt < hours * unitMs.hours;
}

/**
 * Whether a contact wrote on a WhatsApp channel so recently that it delivers any message; false if
 * nobody knows.
 */
export function isOpenOnWhatsapp(contact: IDataObject, inboxId: string): boolean {
	const inboxes = getInboxes(contact);
	const inbox = inboxes.find((each) => getInboxId(each) === inboxId);
	const writtenAt = readServiceTime(inbox?.lastIncomingMessageAt);
	return isOpenForAnswers('whatsapp', writtenAt) === true;
}

/**
 * Returns a channel that no longer delivers messages, if that is certain of each channel that a
 * message can go out on.
 *
 * @param record the contact or its conversation
 * @param inboxId the channel that the user chose
 */
export function findClosedChannel(
	record: IDataObject,
	inboxId: string | undefined,
): ClosedChannel | undefined {
	const { conversation, contactRepliedAt } = record;
	const lastWrittenAt = isObject(conversation) ? conversation.contactRepliedAt : contactRepliedAt;
	const inboxes = getInboxes(record).filter((inbox) => {
		if (inboxId === undefined) return true;
		return getInboxId(inbox) === inboxId;
	});
	const closed = inboxes.map((inbox): ClosedChannel | undefined => {
		const type = getChannelType(inbox);
		const hours = getHours(type);
		// Only the newest services show the time of each channel: null if the contact never wrote
		// there, or before they did.
		const { lastIncomingMessageAt } = inbox;
		const hasNeverWritten = lastIncomingMessageAt === null && lastWrittenAt === null;
		const writtenAt = hasNeverWritten ? 0 : readServiceTime(lastIncomingMessageAt);
		if (type === undefined || hours === undefined) return undefined;
		const isClosed = isOpenForAnswers(type, writtenAt) === false;
		return isClosed ? { type, hours } : undefined;
	});
	return closed.every(Boolean) ? closed[0] : undefined;
}
