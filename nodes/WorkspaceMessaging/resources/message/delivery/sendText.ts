import { contactApi } from '../../../contract/contact';
import { limits } from '../../../contract/limits';
import type { Item } from '../../../run/item';
import { explainOtherChannel } from './contactChannels';

/* A message that is one text. */

/**
 * Throws a sentence if a text is too long for a message.
 *
 * @param parts what it contains besides the field Message, such as `its link`
 */
export function checkTextLength({ length }: string, parts: string): void {
	const { max } = limits.text;
	if (length > max)
		throw new Error(
			`Message must have at most ${max.toLocaleString('en-US')} characters with ${parts}, but has ${length.toLocaleString('en-US')}`,
		);
}

/**
 * Sends a text to the contact of an item. Throws an `ApiError`, which names the channel if the
 * contact is not on it.
 *
 * @param kind of channel that the user can choose
 */
export async function sendText(
	item: Item<{ identifier: string }, object, { inboxId?: string }>,
	text: string,
	inboxId = item.body.inboxId,
	kind?: string,
): Promise<void> {
	const { identifier } = item.params;
	const body = { text, clientId: item.clientId(0), ...(inboxId !== undefined && { inboxId }) };
	await item
		.request(contactApi.sendMessage, { params: { identifier }, body })
		.catch(explainOtherChannel(item, inboxId, kind));
}
