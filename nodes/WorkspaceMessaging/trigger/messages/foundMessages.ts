import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getInboxes, getInboxId } from '../../channels/channel';
import { downloadMessageFiles, type FileSaver } from '../../conversations/attachments';
import { findMessageInbox } from '../../conversations/messages';
import { ApiError } from '../../transport/errors/ApiError';
import type { ContactItems } from '../contactItems';
import { makeMessageItem } from './messageItems';
import type { MessageSettings } from './settings';
import { idsOf } from '../../transport/guards';

/** Messages that become one item. */
export interface FoundMessages {
	/** The contact. */
	record: IDataObject;
	conversation: IDataObject;
	/** Oldest first. */
	messages: IDataObject[];
}

/**
 * Returns the groups of messages with their contact, without messages on channels that the user did
 * not choose.
 *
 * @param inboxIds the chosen channels; all if empty
 */
export function addContact(
	inboxIds: string[],
	record: IDataObject,
	conversation: IDataObject,
	groups: IDataObject[][],
): FoundMessages[] {
	if (groups.length === 0) return [];
	const contactInboxes = joinInboxes(conversation, record);
	if (inboxIds.length > 0 && contactInboxes.length === 0) throw noChannels();
	const complete = { ...conversation, contactInboxes };
	const isOnChosenChannel = (message: IDataObject) =>
		inboxIds.length === 0 ||
		inboxIds.includes(getInboxId(findMessageInbox(complete, message)) ?? '');
	return groups.flatMap((group) => {
		const messages = group.filter(isOnChosenChannel);
		return messages.length > 0 ? [{ record, conversation: complete, messages }] : [];
	});
}

/** Makes the trigger's items of messages, with their files. */
export async function makeMessageItems(
	found: FoundMessages[],
	contacts: ContactItems,
	settings: MessageSettings,
	saver: FileSaver,
): Promise<Array<IDataObject | INodeExecutionData>> {
	const items = await contacts.makeOf(found, ({ conversation, messages }, contact) => [
		makeMessageItem(conversation, messages, contact, settings),
	]);
	if (!settings.parameters.options.downloadAttachments) return items;
	const complete: INodeExecutionData[] = [];
	for (const item of items) complete.push(await downloadMessageFiles(item, saver));
	return complete;
}

/** Returns the channels of a contact: one can be new since the list of conversations was read. */
function joinInboxes(conversation: IDataObject, record: IDataObject) {
	const listed = getInboxes(conversation);
	const known = new Set(idsOf(listed));
	const added = getInboxes(record).filter(({ id }) => !known.has(String(id)));
	return [...listed, ...added];
}

const noChannels = () =>
	new ApiError('This service lists conversations without their channels.', {
		outcome: 'refused',
		advice: 'Leave Channel Names or IDs empty.',
	});
