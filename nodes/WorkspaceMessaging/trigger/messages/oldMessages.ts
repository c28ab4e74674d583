import type { IDataObject } from 'n8n-workflow';
import { getMessageTime } from '../../conversations/messages';
import { unitMs } from '../../values/dates';
import { hashMessageId } from '../changes/fingerprints';
import type { Mark } from './mark';

/**
 * Leaves out messages that were too old when the trigger could first read them. What waits here,
 * because something failed or for its turn, grows no older meanwhile.
 *
 * @param hours how old a message may be; 0 for any age
 * @param mark what the trigger remembers of the conversation
 * @param waitingSince since when messages wait for the trigger, in milliseconds since 1970
 */
export function leaveOutOld(
	messages: IDataObject[],
	hours: number,
	{ waiting = {}, failed }: Mark,
	waitingSince: number,
): IDataObject[] {
	if (hours === 0) return messages;
	const readableSince = Math.min(waitingSince, failed?.since ?? Infinity);
	const oldest = readableSince - hours * unitMs.hours;
	return messages.filter((message) => {
		const hasWaited = hashMessageId(message) in waiting;
		return hasWaited || getMessageTime(message) >= oldest;
	});
}
