import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes, getInboxId } from '../../../channels/channel';
import { lookUpContactOf } from '../../../contacts/findByIdentifier';
import { templateApi } from '../../../contract/template';
import type { FoundTemplate } from '../../../templates/find';
import {
	getTemplateChannelName,
	getTemplateInboxId,
	isTemplateOfChannel,
	getTemplateName,
} from '../../../templates/template';
import type { Item } from '../../../run/item';
import { refusedError } from '../../../transport/errors/ApiError';
import { readServiceTime } from '../../../values/dates';
import { findWithChannels, nameContact, refuseOtherChannel } from '../delivery/contactChannels';

/** What the user can choose to send a template on. */
export const WHATSAPP_CHANNEL = 'WhatsApp channel';

/** An item that sends a template. */
export type TemplateItem = Item<{ identifier: string }, IDataObject, { inboxId?: string }>;

/**
 * Returns the channel that a template goes out on: the one that the user chose, the contact's only
 * WhatsApp channel, or the one used last. Throws an `ApiError` if there is none, if the contact is
 * not on the one that the user chose, or if the template belongs to another one: services accept
 * such a template and lose it.
 */
export async function findWhatsappChannel(
	item: TemplateItem,
	{ template }: FoundTemplate,
): Promise<string> {
	const { inboxId } = item.body;
	if (inboxId === undefined) {
		const ofTemplate = getTemplateInboxId(template);
		await refuseTemplateOfOthers(item, template, ofTemplate);
		const own = await findOwnChannel(item, ofTemplate);
		refuseOtherWhatsappChannel(template, own);
		return own;
	}
	refuseOtherWhatsappChannel(template, inboxId);
	const record = findWithChannels(item) ?? (await lookUpContactOf(item));
	await refuseOtherChannel(item, record, WHATSAPP_CHANNEL);
	return inboxId;
}

/** Throws an `ApiError` if a template belongs to another channel than this one. */
export function refuseOtherWhatsappChannel(
	template: IDataObject,
	inboxId: string | undefined,
): void {
	if (isTemplateOfChannel(template, inboxId)) return;
	const channel = getTemplateChannelName(template);
	throw refusedError(
		`The template ${getTemplateName(template)} can only be sent on the channel ${channel}.`,
		'Choose that channel, or a template of this one.',
		{ endpoint: templateApi.sendTemplate },
	);
}

/**
 * Throws an `ApiError` if a contact on WhatsApp is not on the channel of a template, however the
 * channel is chosen.
 */
async function refuseTemplateOfOthers(
	item: TemplateItem,
	template: IDataObject,
	ofTemplate: string | undefined,
) {
	const contact = await lookUpContactOf(item);
	const ids = getWhatsappInboxes(contact).map(getInboxId);
	const isKnown = ofTemplate !== undefined && ids.length > 0 && !ids.includes(undefined);
	if (!isKnown || ids.includes(ofTemplate)) return;
	const channel = getTemplateChannelName(template);
	throw refusedError(
		`${nameContact(item, contact)} is not on ${channel}.`,
		'Choose a template of a channel that the contact is on; the list shows these first.',
		{
			endpoint: templateApi.sendTemplate,
			cause: `The template ${getTemplateName(template)} can only be sent on the channel ${channel}.`,
		},
	);
}

const getWhatsappInboxes = (contact: IDataObject) =>
	getInboxes(contact).filter((inbox) => getChannelType(inbox) === 'whatsapp');

async function findOwnChannel(item: TemplateItem, preferred: string | undefined) {
	const own = getWhatsappInboxes(await lookUpContactOf(item));
	if (own.length === 0)
		throw refusedError(
			'This contact has no WhatsApp channel.',
			'A template needs the phone number on WhatsApp.',
			{ endpoint: templateApi.sendTemplate },
		);
	const times = own.map(getLastUse);
	const areUnused = times.every((time) => time === 0);
	if (areUnused || times.includes(undefined)) {
		const ofTemplate = own.find((inbox) => getInboxId(inbox) === preferred);
		if (ofTemplate) return getInboxId(ofTemplate)!;
	}
	const [last] = own.sort((one, other) => (getLastUse(other) ?? 0) - (getLastUse(one) ?? 0));
	return getInboxId(last)!;
}

/** Returns when a channel was last used, 0 if never; undefined if n8n cannot read the time. */
function getLastUse({ lastMessageAt }: IDataObject) {
	if (lastMessageAt === undefined || lastMessageAt === null) return 0;
	return readServiceTime(lastMessageAt);
}
