import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes, getInboxId } from '../../../contacts/channels';
import { readContactOf } from '../../../conversations/find';
import { limits } from '../../../contract/limits';
import type { FoundTemplate } from '../../../templates/find';
import { getTemplateChannel, isOfChannel, nameTemplate } from '../../../templates/template';
import type { Item } from '../../../run/item';
import { rejected } from '../../../transport/errors/ApiError';
import { parseTime, unitMs } from '../../../values/dates';

type TemplateItem = Item<{ identifier: string }, object, { inboxId?: string }>;

/**
 * Returns the channel that a template goes out on: the one that the user chose, the contact's only WhatsApp channel, or the one
 * used last. Throws an `ApiError` if there is none, or if the template belongs to another one: services accept such a template
 * and lose it.
 */
export async function findChannel(item: TemplateItem, { template }: FoundTemplate): Promise<string> {
	const own = getTemplateChannel(template);
	const inboxId = item.body.inboxId ?? (await findOwnChannel(item, own));
	if (!isOfChannel(template, inboxId))
		throw rejected(
			`The template ${nameTemplate(template)} belongs to another WhatsApp number than the channel.`,
			`Choose a template of this number, or the channel with the ID ${String(own)}.`,
		);
	return inboxId;
}

async function findOwnChannel(item: TemplateItem, preferred: string | undefined): Promise<string> {
	const inboxes = getInboxes(await readContactOf(item)).filter(
		(inbox) => getChannelType(inbox) === 'whatsapp',
	);
	const [last] = [...inboxes].sort((a, b) => parseTime(b.lastMessageAt) - parseTime(a.lastMessageAt));
	if (!last)
		throw rejected('This contact has no WhatsApp channel.', 'A template needs the phone number on WhatsApp.');
	const isUnclear =
		inboxes.length > 1 && inboxes.every(({ lastMessageAt }) => parseTime(lastMessageAt) === 0);
	const ofTemplate = inboxes.find((inbox) => getInboxId(inbox) === preferred);
	return getInboxId(isUnclear && ofTemplate ? ofTemplate : last)!;
}

/** Whether a contact wrote on a channel so recently that it delivers any message; false if nobody knows. */
export async function hasWrittenRecently(item: TemplateItem, inboxId: string): Promise<boolean> {
	const inbox = getInboxes(await readContactOf(item)).find((each) => getInboxId(each) === inboxId);
	const at = parseTime((inbox as IDataObject | undefined)?.lastIncomingMessageAt);
	return Date.now() - at < limits.answerHours.whatsapp * unitMs.hours;
}
