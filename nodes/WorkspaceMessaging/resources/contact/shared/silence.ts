import { channelTypeOf, inboxesOf, inboxIdOf } from '../../../contacts/list/channels';
import type { Item } from '../../../execution/item';
import { displayName } from '../../shared/fields';
import { isAbout } from './contactOutput';

const HOUR_MS = 3_600_000;

/** After so long without a message of the contact, these channels deliver no ordinary message. The service does not report it. */
const windows: Record<string, { hours: number; words: string }> = {
	whatsapp: { hours: 24, words: '24 hours' },
	messenger: { hours: 168, words: '7 days' },
	instagram: { hours: 168, words: '7 days' },
};

/**
 * Adds a hint if the channel will not deliver the message because the contact has not written for too long. The input item
 * shows that if it is the contact or the conversation; n8n sends no request to find out.
 *
 * @param inboxId the channel that the user chose; without it, the one where the contact wrote last counts
 */
export function hintAtSilence(item: Item<{ identifier: string }, object>, inboxId?: string): void {
	const { json } = item.input;
	if (!isAbout(json, item.params.identifier)) return;
	const [latest] = inboxesOf(json)
		.filter((inbox) => inboxId === undefined || inboxIdOf(inbox) === inboxId)
		.map((inbox) => ({
			channel: channelTypeOf(inbox) ?? '',
			at: Date.parse(String(inbox.lastIncomingMessageAt)),
		}))
		.filter(({ at }) => !Number.isNaN(at))
		.sort((one, other) => other.at - one.at);
	const window = latest && windows[latest.channel];
	if (window && Date.now() - latest.at > window.hours * HOUR_MS)
		item.hint(
			`${displayName(latest.channel)} may not deliver messages to contacts who have not written for more than ${window.words}. The input has such a contact.`,
		);
}
