import type { IDataObject } from 'n8n-workflow';
import { getChannelType, getInboxes, getInboxId } from '../../channels/channel';
import { isAbout } from '../../contacts/output';
import { readContactOf } from '../../conversations/find';
import { contactApi } from '../../contract/contact';
import { limits } from '../../contract/limits';
import { displayName } from '../../panel/fields';
import type { AnyItem, Item } from '../../run/item';
import type { Field } from '../../run/operation';
import { oncePerRun } from '../../run/run';
import { rejected } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { parseTime, readServiceTime, unitMs } from '../../values/dates';
import { counted, describeValue } from '../../values/labels';
import { findShown } from './otherChannel';

/* Some channels deliver no message to a contact who has been silent for too long. The service accepts it anyway. */

/** What to do about a contact who has been silent for too long. */
export const ifSilent: Field = {
	displayName: 'If the Contact Has Been Silent',
	name: 'ifSilent',
	type: 'options',
	options: [
		{ name: 'Fail Before Sending', value: 'fail' },
		{ name: 'Send Anyway', value: 'send', description: 'With a hint at the output' },
	],
	default: 'send',
	description:
		'WhatsApp delivers for 24 hours after the contact wrote, Messenger and Instagram for 7 days. If unknown, n8n sends.',
};

type SilentItem = Item<{ identifier: string }, object, { inboxId?: string }>;

/** A channel that no longer delivers messages to a contact. */
interface ClosedChannel {
	/** Its name, such as `WhatsApp`. */
	name: string;
	/** For how long it delivers after the contact wrote, such as `24 hours`. */
	time: string;
	/** Whether it delivers templates. */
	hasTemplates: boolean;
}

/** Throws an error if the user chose something else by an expression. */
export function checkIfSilent(item: AnyItem): void {
	const choice = item.parameter(`options.${ifSilent.name}`, 'send');
	if (choice !== 'send' && choice !== 'fail')
		throw new Error(`${ifSilent.displayName} must be one of send, fail, but ${describeValue(choice)}`);
}

/**
 * Throws an `ApiError` if the contact of an item has been silent for too long and the user does not want to send then; or
 * else shows a hint. Reads the contact only if the user added the option.
 */
export async function heedSilence(item: SilentItem): Promise<void> {
	const choice = item.parameter(`options.${ifSilent.name}`, undefined);
	const { inboxId } = item.body;
	if (hasJustWritten(item)) return;
	const record = choice === undefined ? findShown(item) : await readContactOf(item);
	const closed = record && findClosedChannel(record, inboxId);
	if (!closed) return;
	if (choice === 'fail') throw silentError(closed);
	const counts = countSilent(item);
	if (!counts.has(closed.name)) item.hint(() => describeSilent(closed, counts.get(closed.name)!));
	counts.set(closed.name, (counts.get(closed.name) ?? 0) + 1);
}

/** Counts the contacts of a run who have been silent, by channel. */
const countSilent = oncePerRun<AnyItem, [], Map<string, number>>(() => new Map());

/** Whether the input is a message that this contact wrote on this channel a short time ago. */
function hasJustWritten({ input: { json }, params, body }: SilentItem): boolean {
	const { channel, contact, receivedAt } = json;
	if (!isObject(channel) || String(channel.id) !== body.inboxId) return false;
	if (!isObject(contact) || !isAbout(contact as IDataObject, params.identifier)) return false;
	const hours = getHours(getChannelType({ channel: String(channel.type) }));
	return hours !== undefined && Date.now() - parseTime(receivedAt) < hours * unitMs.hours;
}

/** Returns a channel that no longer delivers, if that is certain of each channel that the message can go out on. */
function findClosedChannel(record: IDataObject, inboxId: string | undefined): ClosedChannel | undefined {
	const { conversation, contactRepliedAt } = record;
	const lastWrittenAt = isObject(conversation) ? conversation.contactRepliedAt : contactRepliedAt;
	const inboxes = getInboxes(record).filter(
		(inbox) => inboxId === undefined || getInboxId(inbox) === inboxId,
	);
	const closed = inboxes.map((inbox): ClosedChannel | undefined => {
		const type = getChannelType(inbox);
		const hours = getHours(type);
		if (type === undefined || hours === undefined) return undefined;
		// Only the newest services show the time of each channel: null if the contact never wrote there, or before they did.
		const hasNeverWritten = inbox.lastIncomingMessageAt === null && lastWrittenAt === null;
		const at = hasNeverWritten ? 0 : readServiceTime(inbox.lastIncomingMessageAt);
		if (at === undefined || Date.now() - at < hours * unitMs.hours) return undefined;
		const time = hours > 24 ? counted(hours / 24, 'day') : counted(hours, 'hour');
		return { name: displayName(type), time, hasTemplates: type === 'whatsapp' };
	});
	return closed.every(Boolean) ? closed[0] : undefined;
}

const getHours = (type: string | undefined) =>
	Object.entries(limits.answerHours).find(([channel]) => channel === type)?.[1];

function silentError({ name, time, hasTemplates }: ClosedChannel) {
	return rejected(
		`The contact has not written on ${name} for ${time}, so ${name} would not deliver this message.`,
		hasTemplates
			? 'It still delivers templates: use Send Template, or Trigger Flow with a flow that holds one.'
			: 'The contact must write first.',
		{ endpoint: contactApi.sendMessage },
	);
}

function describeSilent({ name, time, hasTemplates }: ClosedChannel, count: number): string {
	const have = counted(count, 'contact has', 'contacts have');
	const way = hasTemplates ? ' Send Template reaches them.' : '';
	return `${have} not written on ${name} for ${time}, so ${name} may not deliver these messages. To stop before sending, set If the Contact Has Been Silent under Options.${way}`;
}
