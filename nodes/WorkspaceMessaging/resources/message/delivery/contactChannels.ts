import type { IDataObject } from 'n8n-workflow';
import { getInboxes, getInboxId } from '../../../channels/channel';
import { describeChannel } from '../../../channels/list';
import { describeContact } from '../../../contacts/output';
import { hasIdentifier } from '../../../values/identifier';
import { withSingleSpaces } from '../../../values/names';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { ApiError, onApiError, refusedError } from '../../../transport/errors/ApiError';
import { objectsIn } from '../../../transport/guards';
import { readRecord } from '../../../service/lists/records';
import { nameRequestSubjects } from '../../../transport/request';

/*
 * A message on a channel that the contact is not on. Services refuse it, but name an ID that nobody
 * entered.
 */

type ChannelItem = Item<{ identifier: string }, object, { inboxId?: string }>;

/** Returns the contact or its conversation as the input shows it, with its channels. */
export function findChannelsInInput({
	input: { json },
	params,
}: ChannelItem): IDataObject | undefined {
	const records = objectsIn([json.conversation, json.contact, json]);
	const withChannels = records.filter((record) => 'contactInboxes' in record);
	return withChannels.find((record) => hasIdentifier(record, params.identifier));
}

/**
 * Returns a record that shows channels of the contact: what the item has read of the contact, or
 * else its input.
 */
export function findWithChannels(item: ChannelItem): IDataObject | undefined {
	const read = item.knownContacts.get(item.params.identifier);
	// A contact that has just been created may have channels that its record does not show yet.
	return [read, findChannelsInInput(item)].find(
		(record) => record && getInboxes(record).length > 0,
	);
}

/**
 * Throws an `ApiError` if a contact is not on the channel that the user chose.
 *
 * @param record the contact, or its conversation; without its channels, nobody knows
 * @param kind of channel that the user can choose
 */
export async function refuseOtherChannel(
	item: ChannelItem,
	record: IDataObject | undefined,
	kind = 'channel',
): Promise<void> {
	const { inboxId } = item.body;
	if (inboxId === undefined || !Array.isArray(record?.contactInboxes)) return;
	const own = getInboxes(record).map(getInboxId);
	// A channel without an ID can be the chosen one.
	const mayBeOnIt = own.includes(inboxId) || own.includes(undefined);
	if (mayBeOnIt) return;
	const channel = await describeChannel(item, inboxId);
	throw refusedError(
		`${nameContact(item)} is not on the ${channel}.`,
		adviceFor(kind),
		// The channel may not exist at all.
		{ endpoint: contactApi.sendMessage, status: 404 },
	);
}

/**
 * Returns a handler for `catch()` of a send: names the contact and the channel if a service refuses
 * the one on the other.
 */
export const explainOtherChannel = (
	item: ChannelItem,
	inboxId: string | undefined,
	kind = 'channel',
) =>
	onApiError(
		({ details: { status, serverMessage = '' } }) =>
			inboxId !== undefined &&
			status === 404 &&
			/^(inbox|conversation) not found/i.test(serverMessage),
		async ({ details }): Promise<never> => {
			const contact = await readAndNameContact(item);
			const channel = await describeChannel(item, inboxId!);
			const what = `${contact} is not on the ${channel}, or has no conversation there (404).`;
			throw new ApiError(what, { ...details, serverMessage: undefined, advice: adviceFor(kind) });
		},
	);

const adviceFor = (kind: string) => `Choose a ${kind} of this contact, or leave Channel empty.`;

/**
 * Returns the name of an item's contact if the item or a record shows it, or else how the user
 * chose the contact.
 */
export function nameContact(item: ChannelItem, record?: IDataObject): string {
	const { fullName } = describeContact(item, record);
	if (fullName !== undefined) return withSingleSpaces(fullName);
	const [subject] = nameRequestSubjects({ ...item.params });
	return `The ${subject}`;
}

/** The same, but asks the service if nothing shows the name. */
async function readAndNameContact(item: ChannelItem) {
	const { params } = item;
	const { fullName } = describeContact(item);
	if (fullName !== undefined) return nameContact(item);
	const record = await readRecord(item, contactApi.getContact, { params }).catch(() => undefined);
	return nameContact(item, record);
}
