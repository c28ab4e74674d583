import { credentialFor } from '../../scripts/examples';
import type { Contact } from '../../sandbox/records';
import type { ContactChange } from '../../sandbox/options';
import type { WrittenMessage } from '../../sandbox/services/newer/conversations/write';
import { seen, setStage, type Stage } from '../support/browser/stage';

/* A workflow that a user builds by mouse sorts an inbox of 500 conversations. */

const CONVERSATIONS = 500;
const HOUR_MS = 3_600_000;

const longMessage =
	`About the invoice: ${'it has two lines for the same order. '.repeat(40)}`.trim();

/** What contacts wrote last. The one without a message has never written. */
const lastMessages: Array<WrittenMessage | undefined> = [
	{ text: 'Where is my invoice?' },
	{ text: 'Thank you, all is fine now.' },
	{ text: 'INVOICE 2026-17 has the wrong address' },
	{ text: 'When do you open tomorrow?' },
	{ attachments: [{ name: 'parcel.jpg', mimeType: 'image/jpeg', content: 'AAAA' }] },
	{ text: longMessage },
	{ attachments: [{ name: 'Invoice-17.pdf', mimeType: 'application/pdf', content: 'AAAA' }] },
	{ text: 'Bonjour, une question sur ma commande' },
	undefined,
];
const hoursAgo = [1, 30, 3, 20, 23, 25, 49, 200];
/** When somebody read the conversation, in hours after the contact's last message. */
const readAfterHours = [undefined, -2, 0.5, undefined, -0.5];

/** One conversation before the workflow runs. */
interface Talk {
	name: string;
	message: WrittenMessage | undefined;
	hoursAgo: number;
	readAfterHours: number | undefined;
	/** What a person answered, which is then the last message. */
	reply: string | undefined;
	isArchived: boolean;
	isBlocked: boolean;
	/** Whether it is assigned to a member, and to no team. */
	hasMember: boolean;
	hasTwoChannels: boolean;
}

/**
 * The lists have lengths without a common factor, so that what they say comes in all combinations.
 */
const talks = Array.from({ length: CONVERSATIONS }, (_, index): Talk => {
	const message = lastMessages[index % lastMessages.length];
	return {
		name: `Contact ${index + 1}`,
		message,
		hoursAgo: hoursAgo[index % hoursAgo.length],
		readAfterHours: readAfterHours[index % readAfterHours.length],
		reply: message && index % 17 === 0 ? 'Your invoice is on its way.' : undefined,
		isArchived: index % 19 === 3,
		isBlocked: index % 23 === 5,
		hasMember: index % 7 === 2,
		hasTwoChannels: index % 11 === 4,
	};
});

/** What the workflow must leave of a conversation. */
interface Sorted {
	followed: boolean;
	archived: boolean;
	team: string | null;
	member: string | null;
	notes: string[];
}

/**
 * The rules in plain words. Archived conversations and those of blocked contacts are not in the
 * inbox, so they stay as they are. Who has waited for a day is followed up, even if the message is
 * about an invoice. An invoice goes to the team Billing, with a note. The rest is archived.
 */
function sort(talk: Talk, { team, member }: { team: string; member: string }): Sorted {
	const before = {
		followed: false,
		archived: talk.isArchived,
		team: null,
		member: talk.hasMember ? member : null,
		notes: [],
	};
	if (talk.isArchived || talk.isBlocked) return before;
	const isUnread = talk.message !== undefined && (talk.readAfterHours ?? -1) < 0;
	if (isUnread && talk.hoursAgo > 24) return { ...before, followed: true };
	const files =
		talk.message?.attachments?.map((file) => String('name' in file ? file.name : '')) ?? [];
	const last =
		talk.reply ?? talk.message?.text ?? (files.length > 0 ? `[attachments: ${files.join()}]` : '');
	if (!/invoice/i.test(last)) return { ...before, archived: true };
	return { ...before, team, member: null, notes: [`Asks about an invoice: ${last}`] };
}

let stage: Stage;
let contacts: Contact[];
/** What the workflow must leave of each conversation. */
let expected: Sorted[];

const count = (isCounted: (sorted: Sorted, talk: Talk) => boolean) =>
	expected.filter((sorted, index) => isCounted(sorted, talks[index])).length;

beforeAll(async () => {
	stage = await setStage('token-of-sorting', { service: 'newer', contacts: 0 });
	const { workspace } = stage;
	await stage.n8n.client.importCredential(credentialFor(workspace));
	const { channels, members } = await workspace.state();
	const team = await workspace.add('teams', { name: 'Billing' });
	const assignees = { team: team.id, member: members[0].user.id };
	expected = talks.map((talk) => sort(talk, assignees));
	const [first, second] = channels.map(({ id }) => id);
	contacts = await workspace.addContacts(
		talks.map(
			({ name, hasTwoChannels }): ContactChange => ({
				firstName: name,
				inboxIds: hasTwoChannels ? [first, second] : [first],
			}),
		),
	);
	const seeding = { channel: second, member: assignees.member };
	await Promise.all(
		talks.map(async (talk, index) => await seed(talk, `id:${contacts[index].id}`, seeding)),
	);
});

afterAll(async () => {
	await stage?.stop();
});

/**
 * Makes a conversation what it is before the workflow runs. Who writes on two channels wrote last
 * on the second one.
 */
async function seed(
	talk: Talk,
	identifier: string,
	{ channel, member }: { channel: string; member: string },
): Promise<void> {
	const { workspace } = stage;
	const timeAfter = (hours: number) =>
		new Date(Date.now() - (talk.hoursAgo - hours) * HOUR_MS).toISOString();
	if (talk.message) {
		const inboxId = talk.hasTwoChannels ? channel : undefined;
		await workspace.write(identifier, { text: 'My first invoice was fine.', at: timeAfter(-100) });
		await workspace.write(identifier, { ...talk.message, inboxId, at: timeAfter(0) });
	}
	if (talk.reply !== undefined) await workspace.reply(identifier, talk.reply, timeAfter(0.1));
	await workspace.changeConversation(identifier, {
		agentLastReadAt: talk.readAfterHours === undefined ? null : timeAfter(talk.readAfterHours),
		archivedAt: talk.isArchived ? timeAfter(0.2) : null,
		assignedUserId: talk.hasMember ? member : null,
	});
	// After the message, because a message ends a block.
	if (talk.isBlocked)
		await workspace.changeContacts([{ identifier, changes: { blockedAt: timeAfter(0.2) } }]);
}

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

describe('The user sorts the inbox by mouse', () => {
	it(
		'by following up what nobody has read for a day',
		see(async ({ editor }) => {
			await editor.newWorkflowWith('Get many conversations');
			await editor.field('returnAll').click();
			await editor.addOption('Contact Wrote Before');
			await editor.fill('contactWroteBefore', '24 hours');
			// A tip of n8n covers the button while the field is in use.
			await editor.release();
			await editor.addOption('States');
			await editor.select('states', 'Unread');
			await editor.page.keyboard.press('Escape');
			await editor.execute();
			await editor.output
				.getByText(`${count(({ followed }) => followed)} items`)
				.first()
				.waitFor();
			await editor.picture('unread-for-a-day', editor.parameters, editor.output);
			await editor.closeNode();

			await editor.addAction('Change state of conversation');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.select('change', 'Follow');
			await editor.execute();
			await editor.closeNode();
		}),
	);

	it(
		'by reading all other conversations in a second branch',
		see(async ({ editor }) => {
			await editor.branchFrom('When clicking ‘Execute workflow’');
			await editor.addAction('Get many conversations');
			await editor.field('returnAll').click();
			await editor.execute();
			const shown = talks.filter(({ isArchived, isBlocked }) => !isArchived && !isBlocked).length;
			await editor.output.getByText(`${shown} items`).first().waitFor();
			await editor.closeNode();

			await editor.addNode('filter', 'Filter');
			await editor.drag(editor.inputField('followed'), 'left');
			await editor.compare('Boolean', 'is false');
			await editor.executeConditions(/^Kept/);
			const others = shown - count(({ followed }) => followed);
			await editor.output.getByText(`Kept (${others} items)`).waitFor();
			await editor.closeNode();
		}),
	);

	it(
		'by assigning invoices to the team Billing, with a note',
		see(async ({ editor }) => {
			await editor.addNode('if', 'If');
			await editor.addOption('Ignore Case');
			await editor.drag(editor.inputField('lastMessage'), 'left');
			await editor.compare('String', 'contains');
			await editor.fill('right', 'invoice');
			await editor.executeConditions();
			await editor.output
				.getByText(`True Branch (${count(({ team }) => team !== null)} items)`)
				.waitFor();
			await editor.closeNode();

			await editor.startAt('If', 0);
			await editor.addAction('Assign conversation');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.select('assignTo', 'Team');
			await editor.pick('teamId', 'Billing');
			await editor.closeNode();

			await editor.startAt('Assign conversation');
			await editor.addAction('Add note to contact');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.fill('text', 'Asks about an invoice:');
			// The node before knows the contact, and the one before that what the contact wrote.
			await editor.part('ndv-input-panel').getByText('If', { exact: true }).click();
			await editor.drag(editor.inputField('lastMessage'), 'text');
			// There is one option, Split Long Text, so n8n shows no list.
			await editor.part('collection-parameter-add').click();
			await editor.field('splitLongText').waitFor();
			await editor.closeNode();
		}),
	);

	it(
		'by archiving the rest',
		see(async ({ editor }) => {
			await editor.startAt('If', 1);
			await editor.addAction('Change state of conversation');
			await editor.drag(editor.inputField('contact'), 'identifier');
			await editor.closeNode();
		}),
	);

	it(
		'and each conversation is where the rules put it, by one request for each change',
		see(async ({ editor, workspace }) => {
			await workspace.clearJournal();
			await editor.part('execute-workflow-button').click();
			await editor.part('canvas-node-status-success').nth(8).waitFor();
			expect(await editor.part('node-issues').count()).toBe(0);

			expect(named(await readSorted())).toEqual(named(expected));

			const changes = {
				followConversation: count(({ followed }) => followed),
				assignConversation: count(({ team }) => team !== null),
				archiveConversation: count(({ archived }, talk) => archived && !talk.isArchived),
				// A note has 1,000 characters at most.
				addNote: expected
					.flatMap(({ notes }) => notes)
					.reduce((sum, { length }) => sum + Math.ceil(length / 1000), 0),
			};
			for (const changed of Object.values(changes)) expect(changed).toBeGreaterThan(30);
			const { requests, byStatus, byOperation } = await workspace.summary();
			const { listConversations, listTeams, ...others } = byOperation;
			expect(others).toEqual(changes);
			expect(listConversations).toBeLessThanOrEqual(12);
			expect(listTeams).toBe(1);
			expect(byStatus).toEqual({ 200: requests });
		}),
	);

	it(
		'without typing an ID, and without an expression',
		see(async ({ editor }) => {
			expect(editor.typed).toEqual(['24 hours', 'invoice', 'Asks about an invoice:']);
		}),
	);
});

/** Reads what has become of the conversations. */
async function readSorted(): Promise<Sorted[]> {
	const { contacts: now } = await stage.workspace.state();
	const byId = new Map(now.map((contact) => [contact.id, contact]));
	return contacts.map(({ id }) => {
		const { conversation, contactNotes } = byId.get(id) as unknown as {
			conversation: Record<
				'archivedAt' | 'assignedInboxTeamId' | 'assignedUserId',
				string | null
			> & {
				followed: boolean;
			};
			contactNotes: Array<{ text: string }>;
		};
		return {
			followed: conversation.followed,
			archived: conversation.archivedAt !== null,
			team: conversation.assignedInboxTeamId,
			member: conversation.assignedUserId,
			notes: contactNotes.length > 0 ? [contactNotes.map(({ text }) => text).join(' ')] : [],
		};
	});
}

/** Names the conversations, so that a failed test says which ones differ. */
const named = (all: Sorted[]) =>
	all.map((sorted, index) => ({ name: talks[index].name, ...sorted }));
