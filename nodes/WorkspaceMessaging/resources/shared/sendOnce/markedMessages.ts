import { oncePerRun } from '../../../run/run';
import { mayHaveChanged, onApiError } from '../../../transport/errors/ApiError';
import { chooseRecords, MANY } from '../changeTogether';
import { Blocks } from '../slots';
import {
	changeMarks,
	ensureMarks,
	nothingSent,
	type ContactItem,
	type NamedTag,
	type Sender,
} from './marks';

/*
 * Messages that are sent while their contacts have the two tags of Send Once. Where the service
 * takes many contacts in one request, those of a block get both tags together before the first of
 * their messages, and lose the second tag together after the last one.
 */

/** So many contacts are in a block. If n8n is killed, those of two blocks are in doubt at most. */
const IN_BLOCK = 100;
const BLOCKS = 2;

/** So many are in doubt at most where each contact has requests of its own. */
const ALONE = 100;

/** How long n8n goes on removing tags after the execution is cancelled. */
const AFTER_CANCEL_MS = 30_000;

/** What the contact of an item has. */
export type ContactState =
	/** Neither of the tags. */
	| 'unmarked'
	/** Maybe both tags, and no message. */
	| 'maybeMarked'
	/** Both tags, and no message. */
	| 'marked'
	/** Both tags, and maybe the messages, or some of them. */
	| 'inDoubt'
	/** The messages, and maybe still both tags. */
	| 'stillSending'
	/** The messages, and the first tag. */
	| 'sent';

/** The messages of an item. */
export interface Messages {
	readonly item: ContactItem;
	readonly send: () => Promise<void>;
	state: ContactState;
	/** Ends when they have been sent, or fails. */
	sending?: Promise<void>;
}

/**
 * Sends the messages of an item while its contact has the second tag. If nothing was sent, n8n
 * removes both tags. `state` says what it has in the end, also if this throws an error.
 */
export async function sendMarked(messages: Messages, tag: string): Promise<void> {
	const blocks = messageBlocks(messages.item, tag);
	await blocks.then(async (ofRun) => await ofRun.run(messages)).catch(nothingSent());
	await messages.sending;
}

const messageBlocks = oncePerRun(async (item: ContactItem, tag: string) => {
	const { sent, sending } = await ensureMarks(item, tag);
	const ids = [sent, sending];
	const isMany = item.run.openItems.length >= MANY;
	const choice = isMany ? await chooseRecords(item, 'tag', ids) : undefined;
	const { tags = [] } = choice ?? {};
	const both = ids.map((id, place) => ({ id, name: tags[place] }));
	const work = async (block: Messages[]) => await sendInBlock(block, both);
	// A tag that the service does not list has no name.
	return tags.length === ids.length
		? new Blocks(IN_BLOCK, BLOCKS, work)
		: new Blocks(1, ALONE, work);
});

/** Sends the messages of a block. Throws an `ApiError` if its contacts can't get the tags together. */
async function sendInBlock(block: Messages[], both: NamedTag[]): Promise<void> {
	const [{ item }] = block;
	const unmarked = block.filter(({ state }) => state === 'unmarked');
	if (unmarked.length > 1) {
		// If nobody knows whether they have the tags, each gets them once more.
		const goOn = onApiError(mayHaveChanged, () => {});
		await mark(item, unmarked, both).catch(goOn);
	}
	for (const messages of block) {
		const send = async () => await sendWithMarks(messages, both);
		// A failure stops the run now, and not when the block has ended.
		messages.sending = item.run.runOrStop(send);
	}
	const all = block.map(({ sending }) => sending);
	await Promise.allSettled(all);
	await unmark(block, both);
}

async function sendWithMarks(messages: Messages, both: NamedTag[]): Promise<void> {
	// An earlier try of n8n has left the contact in doubt, with both tags.
	const isReady = messages.state === 'marked' || messages.state === 'inDoubt';
	if (!isReady) await mark(messages.item, [messages], both).catch(nothingSent());
	const before = messages.state;
	messages.state = 'inDoubt';
	messages.item.isSentOnce = true;
	await messages.send().catch(
		onApiError(
			(error) => !mayHaveChanged(error),
			(error): never => {
				messages.state = before;
				throw error;
			},
		),
	);
	messages.state = 'stillSending';
}

/** Adds both tags to contacts, and notes who has them now or may have them. */
async function mark(sender: ContactItem, group: Messages[], both: NamedTag[]): Promise<void> {
	const noteDoubt = onApiError(mayHaveChanged, (error): never => {
		for (const messages of group) messages.state = 'maybeMarked';
		throw error;
	});
	const marked = await changeMarks(sender, 'add', group, both).catch(noteDoubt);
	for (const messages of group)
		messages.state = marked.includes(messages) ? 'marked' : 'maybeMarked';
}

/**
 * Removes the second tag from those who got the messages, and both tags from those who got nothing.
 * Those in doubt keep both.
 */
async function unmark(block: Messages[], both: NamedTag[]): Promise<void> {
	const [{ item }] = block;
	const { client, context, cancelSignal } = item.run;
	// n8n sends what an item that has begun still has to do, also if the run stops, but not after a
	// cancel.
	let sender: Sender = item;
	if (cancelSignal?.aborted) sender = client!.createBriefRequester(context, AFTER_CANCEL_MS, 0);
	const inState = (...states: ContactState[]) =>
		block.filter(({ state }) => states.includes(state));
	const [, sending] = both;
	const sent = inState('stillSending');
	await removeMarks(sender, sent, [sending], 'sent');
	const unsent = inState('maybeMarked', 'marked');
	await removeMarks(sender, unsent, both, 'unmarked');
}

/**
 * Removes tags from contacts in one request, and then from each whom it did not change. `after` is
 * the state of those who have lost them.
 */
async function removeMarks(
	sender: Sender,
	group: Messages[],
	marks: NamedTag[],
	after: ContactState,
): Promise<void> {
	const removeFrom = async (some: Messages[]) => {
		const changed = await changeMarks(sender, 'remove', some, marks).catch(() => []);
		for (const messages of changed) messages.state = after;
	};
	if (group.length > 1) await removeFrom(group);
	const left = group.filter(({ state }) => state !== after);
	await Promise.all(left.map(async (messages) => await removeFrom([messages])));
}
