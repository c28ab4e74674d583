import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes, getInboxId } from '../../channels/channel';
import { readContactOf } from '../../contacts/lookUp';
import { templateApi } from '../../contract/template';
import type { FoundTemplate } from '../../templates/find';
import { getTemplateChannel, isOfChannel, nameTemplate } from '../../templates/template';
import type { Item } from '../../run/item';
import { rejected } from '../../transport/errors/ApiError';
import { readServiceTime } from '../../values/dates';
import { findWithChannels, refuseOtherChannel } from './otherChannel';

/** What the user can choose to send a template on. */
export const WHATSAPP_CHANNEL = 'WhatsApp channel';

/** An item that sends a template. */
export type TemplateItem = Item<{ identifier: string }, object, { inboxId?: string }>;

/**
 * Returns the channel that a template goes out on: the one that the user chose, the contact's only
 * WhatsApp channel, or the one used last. Throws an `ApiError` if there is none, if the contact is
 * not on the one that the user chose, or if the template belongs to another one: services accept
 * such a template and lose it.
 */
export async function findChannel(
	item: TemplateItem,
	{ template }: FoundTemplate,
): Promise<string> {
	const inboxId = item.body.inboxId ?? (await findOwnChannel(item, getTemplateChannel(template)));
	refuseOtherNumber(template, inboxId);
	if (item.body.inboxId !== undefined)
		await refuseOtherChannel(
			item,
			findWithChannels(item) ?? (await readContactOf(item)),
			WHATSAPP_CHANNEL,
		);
	return inboxId;
}

/** Throws an `ApiError` if a template cannot be sent on a channel. */
export function refuseOtherNumber(template: IDataObject, inboxId: string | undefined): void {
	if (isOfChannel(template, inboxId)) return;
	throw rejected(
		`The template ${nameTemplate(template)} belongs to another channel.`,
		`Choose a template of this channel, or the channel with the ID ${String(getTemplateChannel(template))}.`,
		{ endpoint: templateApi.sendTemplate },
	);
}

async function findOwnChannel(item: TemplateItem, preferred: string | undefined): Promise<string> {
	const inboxes = getInboxes(await readContactOf(item)).filter(
		(inbox) => getChannelType(inbox) === 'whatsapp',
	);
	const [last] = [...inboxes].sort((a, b) => (getLastUse(b) ?? 0) - (getLastUse(a) ?? 0));
	if (!last)
		throw rejected(
			'This contact has no WhatsApp channel.',
			'A template needs the phone number on WhatsApp.',
			{ endpoint: templateApi.sendTemplate },
		);
	const times = inboxes.map(getLastUse);
	const isUnclear = times.includes(undefined) || times.every((time) => time === 0);
	const ofTemplate = inboxes.find((inbox) => getInboxId(inbox) === preferred);
	return getInboxId(isUnclear && ofTemplate ? ofTemplate : last)!;
}

/** Returns when a channel was last used, 0 if never; undefined if n8n cannot read the time. */
function getLastUse({ lastMessageAt }: IDataObject): number | undefined {
	return lastMessageAt === undefined || lastMessageAt === null ? 0 : readServiceTime(lastMessageAt);
}
