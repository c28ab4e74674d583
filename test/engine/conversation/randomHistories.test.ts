import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import type { Message } from '../../../sandbox/services/newer/conversations/messageStore';
import { caseCount } from '../../support/cases';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { conversation } from './helpers';

/*
 * Random histories of conversations on two channels: people write, answer, edit and delete, and a
 * workflow hands over, assigns and archives. After each round, the lists and messages that the node
 * returns must be those of a plain model.
 */

const HISTORIES = caseCount({ few: 3, many: 100 });
const PER_TEST = 5;
const ROUNDS = 3;
const CONTACTS = 5;

/** A conversation as it must be. */
interface Talk {
	contactId: string;
	inCharge: 'bot' | 'person';
	assignedId: string | null;
	archived: boolean;
	followed: boolean;
	unread: boolean;
	/** The larger, the later. */
	activity: number;
	/** Oldest first. */
	messages: Array<{ id: string; text: string | null; messageType: string; isDeleted: boolean }>;
}

type Pick = <T>(...values: T[]) => T;

/** Changes that a workflow makes, and what each does to the model. */
const changes: Record<string, (talk: Talk) => void> = {
	archive: (talk) => (talk.archived = true),
	unarchive: (talk) => (talk.archived = false),
	follow: (talk) => (talk.followed = true),
	unfollow: (talk) => (talk.followed = false),
	read: (talk) => (talk.unread = false),
	unread: (talk) => (talk.unread = true),
};

class History {
	readonly talks: Talk[] = [];

	private activity = 0;

	private constructor(
		private readonly test: Awaited<ReturnType<typeof testWorkspace>>,
		private readonly pick: Pick,
		private readonly inboxIds: string[],
		private readonly assignees: string[],
	) {}

	static async start(number: number): Promise<History> {
		const random = sequenceOf(number * 5003 + 17);
		const pick: Pick = (...values) => values[Math.floor(random() * values.length)];
		const test = await testWorkspace({ contacts: 0, service: 'newer' });
		const { channels, members, teams } = await test.workspace.state();
		const inboxIds = channels.slice(0, 2).map(({ id }) => id);
		const assignees = [
			...members.map(({ user }) => `u_${user.id}`),
			...teams.map(({ id }) => `t_${id}`),
		];
		const history = new History(test, pick, inboxIds, assignees);
		const people = Array.from({ length: CONTACTS }, (_, index) => ({
			firstName: `Person ${index}`,
			inboxIds,
		}));
		for (const { id } of await test.workspace.addContacts(people)) {
			history.talks.push({
				contactId: id,
				inCharge: 'bot',
				assignedId: null,
				archived: false,
				followed: false,
				unread: false,
				activity: 0,
				messages: [],
			});
			await history.write(history.talks.at(-1)!);
		}
		await test.workspace.faults({ maxPerPage: pick(1, 2, 3, 50) });
		return history;
	}

	private add(talk: Talk, { id, text, messageType }: Message) {
		talk.activity = ++this.activity;
		talk.messages.push({ id, text, messageType, isDeleted: false });
	}

	async write(talk: Talk) {
		const message = { text: `Text ${this.activity}`, inboxId: this.pick(...this.inboxIds) };
		this.add(talk, await this.test.workspace.write(`id:${talk.contactId}`, message));
		talk.unread = true;
	}

	/** Something happens in the inbox, not by the workflow. */
	async happen() {
		const { pick, test } = this;
		const talk = pick(...this.talks);
		const identifier = `id:${talk.contactId}`;
		const message = pick(...talk.messages);
		const kind = pick('write', 'write', 'reply', 'note', 'edit', 'delete', 'remove');
		if (kind === 'write') await this.write(talk);
		if (kind === 'reply')
			this.add(talk, await test.workspace.reply(identifier, `Reply ${this.activity}`));
		if (kind === 'note')
			this.add(talk, await test.workspace.note(identifier, `Note ${this.activity}`));
		if (kind === 'edit') {
			message.text = `Edited ${this.activity}`;
			await test.workspace.changeMessage(message.id, { text: message.text });
		}
		if (kind === 'delete') {
			message.isDeleted = true;
			await test.workspace.changeMessage(message.id, { deletedAt: new Date().toISOString() });
		}
		if (kind === 'remove' && talk.messages.length > 1) {
			talk.messages.splice(talk.messages.indexOf(message), 1);
			await test.workspace.removeMessage(message.id);
		}
	}

	/** Runs an operation for some contacts, some of them several times; a later change wins. */
	async changeMany() {
		const { pick } = this;
		const operation = pick('assign', 'handOver', 'changeState');
		const items = Array.from({ length: pick(1, 4, 8) }, () => ({
			contactId: pick(...this.talks).contactId,
			...this.choose(),
		}));
		// The clock tells what is read.
		await sleep(10);
		const { json } = await this.run(operation, changeFields[operation], items);
		await sleep(10);
		expect(json.map(({ contactId }) => contactId)).toEqual(items.map(({ contactId }) => contactId));
		for (const { contactId, change, inCharge, assignedId } of items) {
			const talk = this.talks.find((each) => each.contactId === contactId)!;
			if (operation === 'changeState') changes[change](talk);
			if (operation === 'handOver') talk.inCharge = inCharge;
			if (operation === 'assign') talk.assignedId = assignedId;
		}
	}

	private choose() {
		const assignedId = this.pick(null, ...this.assignees);
		return {
			assignedId,
			assignTo:
				assignedId === null ? 'nobody' : ({ u: 'member', t: 'team' }[assignedId[0]] as string),
			assignee: assignedId?.slice(2) ?? '',
			inCharge: this.pick<'bot' | 'person'>('bot', 'person'),
			change: this.pick(...Object.keys(changes)),
		};
	}

	/** Compares a list of conversations with the model, by random filters. */
	async checkList() {
		const { pick } = this;
		const filters = pick<IDataObject>(
			{},
			{ inCharge: pick('bot', 'person') },
			{ assignedId: pick('unassigned', ...this.assignees) },
			{ states: pick(['archived'], ['unread'], ['followUp'], ['archived', 'followUp']) },
			{ inCharge: 'person', states: ['unread'] },
		);
		const limit = pick(1, 2, 50);
		const states = (filters.states ?? []) as string[];
		const expected = this.talks
			.filter((talk) => talk.archived === states.includes('archived'))
			.filter((talk) => filters.inCharge === undefined || talk.inCharge === filters.inCharge)
			.filter(
				(talk) =>
					filters.assignedId === undefined ||
					(talk.assignedId ?? 'unassigned') === filters.assignedId,
			)
			.filter((talk) => !states.includes('unread') || talk.unread)
			.filter((talk) => !states.includes('followUp') || talk.followed)
			.sort((a, b) => b.activity - a.activity)
			.slice(0, limit)
			.map(({ contactId }) => contactId);
		const { json } = await this.run('getAll', { limit, filters: filters as INodeParameters });
		expect([filters, json.map(({ contactId }) => contactId)]).toEqual([filters, expected]);
	}

	/** Compares the messages of a conversation with the model. */
	async checkMessages() {
		const { pick } = this;
		const talk = pick(...this.talks);
		const limit = pick(1, 3, 50);
		const [order, messageType] = [
			pick('newestFirst', 'oldestFirst'),
			pick(undefined, 'incoming', 'outgoing'),
		];
		const expected = talk.messages
			.filter(
				(message) => !message.isDeleted && [undefined, message.messageType].includes(messageType),
			)
			.slice(-limit)
			.map(({ id, text }) => ({ id, text }));
		if (order === 'newestFirst') expected.reverse();
		const parameters = { limit, filters: { messageType: messageType ?? '' }, options: { order } };
		const { json } = await this.run('getMessages', parameters, [{ contactId: talk.contactId }]);
		expect(json.map(({ id, text }) => ({ id, text }))).toEqual(expected);
	}

	/** Reads while contacts write: nothing from before may be missing, twice, or out of order. */
	async checkMoving() {
		const talk = this.pick(...this.talks);
		const before = talk.messages.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id);
		const open = this.talks.filter(({ archived }) => !archived).map(({ contactId }) => contactId);
		const all = { returnAll: true };
		const [list, messages] = await Promise.all([
			this.run('getAll', all),
			this.run('getMessages', { ...all, options: { order: 'oldestFirst' } }, [
				{ contactId: talk.contactId },
			]),
			(async () => {
				for (let times = 0; times < 4; times++) await this.write(this.pick(...this.talks));
			})(),
		]);
		expect(list.json.map(({ contactId }) => contactId).sort()).toEqual(open.sort());
		const ids = messages.json.map(({ id }) => String(id));
		expect(ids.slice(0, before.length)).toEqual(before);
		expect(new Set(ids).size).toBe(ids.length);
	}

	async checkAll() {
		for (const talk of this.talks) {
			const { json } = await this.run('get', { simplify: false }, [{ contactId: talk.contactId }]);
			const { botEnabled, archivedAt, followed, assignedUserId, assignedInboxTeamId } = json[0];
			const assignee =
				(assignedUserId && `u_${String(assignedUserId)}`) ||
				(assignedInboxTeamId && `t_${String(assignedInboxTeamId)}`);
			expect({
				inCharge: botEnabled ? 'bot' : 'person',
				archived: archivedAt !== null,
				followed,
				assignedId: assignee ?? null,
			}).toEqual({
				inCharge: talk.inCharge,
				archived: talk.archived,
				followed: talk.followed,
				assignedId: talk.assignedId,
			});
		}
	}

	private async run(operation: string, parameters: INodeParameters, items?: IDataObject[]) {
		const identifier = by('id', '={{ $json.contactId }}');
		const result = await this.test.run(
			conversation(operation, { identifier, ...parameters }),
			items,
		);
		expect(result.error?.message).toBeUndefined();
		return result;
	}
}

const changeFields: Record<string, INodeParameters> = {
	assign: {
		assignTo: '={{ $json.assignTo }}',
		memberId: by('id', '={{ $json.assignee }}'),
		teamId: by('id', '={{ $json.assignee }}'),
	},
	handOver: { inCharge: '={{ $json.inCharge }}' },
	changeState: { change: '={{ $json.change }}' },
};

const numbers = Array.from({ length: HISTORIES }, (_, number) => number);
const groups = numbers
	.filter((number) => number % PER_TEST === 0)
	.map((first) => numbers.slice(first, first + PER_TEST));

test.each(groups.map((group) => [group[0], group] as const))(
	'Random histories from number %i on end as a plain model says',
	async (_, group) => {
		for (const number of group) {
			const history = await History.start(number);
			for (let round = 0; round < ROUNDS; round++) {
				for (let times = 0; times < 6; times++) await history.happen();
				await history.changeMany();
				await history.checkList();
				await history.checkMessages();
			}
			await history.checkMoving();
			await history.checkAll();
		}
	},
);
