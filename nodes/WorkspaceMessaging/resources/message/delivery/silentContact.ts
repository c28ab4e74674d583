import { getChannelType } from '../../../channels/channel';
import { lookUpContactOf } from '../../../contacts/findByIdentifier';
import { hasIdentifier } from '../../../values/identifier';
import {
	findClosedChannel,
	isOpenForAnswers,
	type ClosedChannel,
} from '../../../conversations/answerHours';
import { contactApi } from '../../../contract/contact';
import { oneOf } from '../../../contract/values';
import { toOptionName } from '../../../panel/fields';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { oncePerRun } from '../../../run/run';
import { refusedError } from '../../../transport/errors/ApiError';
import { toObject } from '../../../transport/guards';
import { readRecord } from '../../../service/lists/records';
import { parseTime } from '../../../values/dates';
import { counted } from '../../../values/labels';
import { findChannelsInInput } from './contactChannels';

/*
 * What to do if the channel no longer delivers messages to the contact;
 * `conversations/answerHours.ts` knows when.
 */

/** What to do about a contact who has been silent for too long. */
export const ifSilent: Field<'send' | 'fail' | undefined> = {
	displayName: 'If the Contact Has Been Silent',
	name: 'ifSilent',
	type: 'options',
	options: [
		{ name: 'Fail Before Sending', value: 'fail' },
		{ name: 'Send Anyway', value: 'send', description: 'With a hint at the output' },
	],
	default: 'send',
	rule: oneOf(['send', 'fail']).optional(),
	description:
		"WhatsApp only delivers within 24 hours of the contact's last message, Messenger and Instagram within 7 days. If that time is unknown, n8n sends.",
};

type SilentItem = Item<{ identifier: string }, object, { inboxId?: string }>;

/**
 * Throws an `ApiError` if the contact of an item has been silent for too long and the user does not
 * want to send then; or else shows a hint. Reads the contact only if the user added the option, or
 * tries the node out.
 */
export async function heedSilence(item: SilentItem): Promise<void> {
	if (hasJustWritten(item)) return;
	const choice = item.value(ifSilent);
	// The look-up can take a request, so in production only a choice of the user leads to it.
	const record =
		choice === undefined
			? (findChannelsInInput(item) ?? (await lookInEditor(item)))
			: await lookUpContactOf(item);
	if (!record) return;
	const closed = findClosedChannel(record, item.body.inboxId);
	if (!closed) return;
	if (choice === 'fail') throw silentError(closed);
	hintAtSilence(item, closed);
}

/** In larger manual runs, looking each contact up would take too long. */
const MOST_LOOKED_UP = 20;
const LOOK_MS = 5000;

/**
 * Returns the contact of an item in a manual run of a few items; undefined if it can't be read soon.
 * The item knows no more afterwards, so that its output is that of production.
 */
async function lookInEditor({ run, params }: SilentItem) {
	const { context, items, isTool, client } = run;
	const isTrial = context.getMode() === 'manual' && items.length <= MOST_LOOKED_UP;
	if (!isTrial || isTool || !client) return undefined;
	const requester = client.createBriefRequester(context, LOOK_MS, 0);
	return await readRecord(requester, contactApi.getContact, { params }).catch(() => undefined);
}

/** Shows one hint for all contacts of a run who have been silent on a type of channel. */
function hintAtSilence(item: SilentItem, closed: ClosedChannel) {
	const { type } = closed;
	const counts = countSilent(item);
	const earlier = counts.get(type) ?? 0;
	counts.set(type, earlier + 1);
	// The first hint counts the later ones, too.
	if (earlier > 0) return;
	item.hint(() => describeSilent(closed, counts.get(type)!));
}

/** Counts the contacts of a run who have been silent, by channel. */
const countSilent = oncePerRun(() => new Map<string, number>());

/** Whether the input is a message that this contact wrote on this channel a short time ago. */
function hasJustWritten({ input: { json }, params, body }: SilentItem) {
	const { id, type } = toObject(json.channel);
	if (String(id) !== body.inboxId) return false;
	const contact = toObject(json.contact);
	if (!hasIdentifier(contact, params.identifier)) return false;
	const channelType = getChannelType({ channel: String(type) });
	const writtenAt = parseTime(json.receivedAt);
	return isOpenForAnswers(channelType, writtenAt) === true;
}

/**
 * Names a channel that no longer delivers messages, and for how long it did after the contact
 * wrote.
 */
function describeClosed({ type, hours }: ClosedChannel) {
	const time = hours > 24 ? counted(hours / 24, 'day') : counted(hours, 'hour');
	return { name: toOptionName(type), time };
}

/** Whether a channel delivers templates to a contact who has been silent. */
const deliversTemplates = ({ type }: ClosedChannel) => type === 'whatsapp';

function silentError(closed: ClosedChannel) {
	const { name, time } = describeClosed(closed);
	let advice = 'The contact must write first.';
	if (deliversTemplates(closed))
		advice =
			'It still delivers templates: use Send Template, or Trigger Flow with a flow that sends one.';
	return refusedError(
		`The contact has not written on ${name} for ${time}, so ${name} would not deliver this message.`,
		advice,
		{ endpoint: contactApi.sendMessage },
	);
}

function describeSilent(closed: ClosedChannel, count: number) {
	const { name, time } = describeClosed(closed);
	const have = counted(count, 'contact has', 'contacts have');
	const way = deliversTemplates(closed) ? ' Send Template reaches them.' : '';
	return `${have} not written on ${name} for ${time}, so ${name} may not deliver these messages. To stop before sending, set If the Contact Has Been Silent under Options.${way}`;
}
