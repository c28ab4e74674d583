import type { IDataObject } from 'n8n-workflow';
import { conversationApi } from '../../../nodes/WorkspaceMessaging/contract/conversation';
import { ApiError } from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/service';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import { messageEvents } from '../../../nodes/WorkspaceMessaging/trigger/events/messages';

/* Conversations of services that do not do what others do. */

const now = Date.now();
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

const message = (id: string, createdAt: string, more: IDataObject = {}) => ({
	id,
	text: id,
	messageType: 'incoming',
	createdAt,
	...more,
});

/** A service with these conversations and messages, which tests change between polls. */
class OddService {
	conversations: IDataObject[] = [];

	messages: Record<string, IDataObject[]> = {};

	/** Why the next request for messages fails. */
	failure: ApiError | undefined;

	/** The contacts whose messages the service cannot return. */
	broken = new Set<string>();

	warnings: string[] = [];

	largestPage = Infinity;

	sizes: unknown[] = [];

	simplify = true;

	/** What the service says of a contact. */
	record: IDataObject = {};

	/** The items of the last poll. */
	items: unknown[] = [];

	private memory: unknown;

	countMarks() {
		return Object.keys((this.memory as { marks: object }).marks).length;
	}

	constructor(private readonly parameters: IDataObject = {}) {}

	private readonly client: Requester = {
		service: new Service(),
		request: async (endpoint, { query = {}, params = {} } = {}) => {
			await Promise.resolve();
			const contactId = String(params.identifier).slice('id:'.length);
			if (endpoint === conversationApi.listConversations) return this.list(query);
			if (endpoint !== conversationApi.listContactMessages) return { id: contactId, ...this.record };
			const { failure } = this;
			this.failure = undefined;
			if (failure) throw failure;
			if (this.broken.has(contactId)) throw new ApiError('Failed', { outcome: 'refused', status: 500 });
			return { data: this.messages[contactId] ?? [], nextCursor: null };
		},
	};

	private list({ tags, perPage, cursor = '0' }: IDataObject) {
		if (tags !== undefined) return { data: [], nextCursor: null };
		this.sizes.push(perPage);
		if (Number(perPage) > this.largestPage)
			throw new ApiError('Too large', { outcome: 'refused', status: 422 });
		const end = Number(cursor) + Number(perPage);
		const data = this.conversations.slice(Number(cursor), end);
		return { data, nextCursor: end < this.conversations.length ? String(end) : null };
	}

	/** Polls once, and returns the texts of the items. */
	async poll(hasTime = () => true): Promise<unknown[]> {
		const [event] = messageEvents;
		const watcher = event.watch(
			this.client,
			{ parameters: event.parameters.parse(this.parameters), filters: {}, simplify: this.simplify },
			{
				hasTime,
				hasTimeForFiles: () => true,
				warn: (text) => this.warnings.push(text),
				saveFile: () => Promise.resolve({ data: '', mimeType: 'image/jpeg' }),
			},
		);
		const result = await watcher.poll(this.memory);
		this.memory = JSON.parse(JSON.stringify(result.memory));
		this.items = result.items;
		return result.items.map((item) => ('json' in item ? (item.json as IDataObject) : item).text);
	}
}

const conversation = (contactId: string, time: string, more: IDataObject = {}) => ({
	id: `7${contactId}`,
	contactId,
	lastActivityAt: time,
	contactRepliedAt: time,
	contactInboxes: [],
	...more,
});

test('A message that shows up after the time of its conversation comes with the next poll', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	expect(await service.poll()).toEqual([]);
	service.messages['1'] = [message('Late', at(-60))];
	expect(await service.poll()).toEqual(['Late']);
	expect(await service.poll()).toEqual([]);
});

test('A 404 of a proxy fails the poll, and the message comes with the next one', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('Hello', at(-60))];
	service.failure = new ApiError('Not found', { outcome: 'refused', status: 404 });
	await expect(service.poll()).rejects.toThrow();
	expect(await service.poll()).toEqual(['Hello']);
});

test('A conversation that cannot be read does not hold up the others, and its messages come later', async () => {
	const service = new OddService();
	const ids = Array.from({ length: 10 }, (_, index) => String(index));
	service.conversations = ids.map((id) => conversation(id, at(-600)));
	await service.poll();
	service.broken.add('0');
	for (const round of [1, 2]) {
		service.conversations = ids.map((id) => conversation(id, at(-100 + round)));
		for (const id of ids)
			service.messages[id] = [message(`${id}.${round}`, at(-100 + round)), ...(service.messages[id] ?? [])];
		expect((await service.poll()).sort()).toEqual(ids.slice(1).map((id) => `${id}.${round}`));
		expect(service.warnings).toHaveLength(round);
	}
	service.broken.clear();
	expect(await service.poll()).toEqual(['0.1', '0.2']);
	expect(await service.poll()).toEqual([]);
});

test('A poll fails if it can read no conversation', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('Hello', at(-60))];
	service.broken.add('1');
	await expect(service.poll()).rejects.toThrow('Failed');
	service.broken.clear();
	expect(await service.poll()).toEqual(['Hello']);
});

test('A conversation that is broken for long does not make the memory grow without end', async () => {
	const service = new OddService();
	service.conversations = [conversation('0', at(-90_000))];
	await service.poll();
	service.broken.add('0');
	service.messages['0'] = [message('Missed', at(-80_000))];
	const rows = [conversation('0', at(-80_000))];
	for (let poll = 1; poll <= 9; poll++) {
		for (let each = 0; each < 100; each++)
			rows.unshift(conversation(`${poll}-${each}`, at(-80_000 + poll * 1000 + each)));
		service.conversations = [...rows];
		await service.poll();
	}
	expect(service.countMarks()).toBeLessThan(620);
	service.broken.clear();
	service.conversations = [conversation('0', at(-10)), ...rows.filter(({ contactId }) => contactId !== '0')];
	service.messages['0'].unshift(message('New', at(-10)));
	expect(await service.poll()).toEqual(['Missed', 'New']);
});

test('A message is found by the time of its channel if the conversation has no time for it', async () => {
	const service = new OddService();
	const row = (time: string) =>
		conversation('1', time, {
			contactRepliedAt: null,
			contactInboxes: [{ id: '31', lastIncomingMessageAt: time }],
		});
	service.conversations = [row(at(-600))];
	await service.poll();
	service.conversations = [row(at(-60))];
	service.messages['1'] = [message('Hello', at(-60))];
	expect(await service.poll()).toEqual(['Hello']);
});

test('Messages on two channels are never in one group', async () => {
	const service = new OddService({ options: { groupMessages: 10 } });
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [
		message('c', at(-60), { contactInboxId: '32' }),
		message('b', at(-61), { contactInboxId: '31' }),
		message('a', at(-62), { contactInboxId: '31' }),
	];
	expect(await service.poll()).toEqual(['a\nb', 'c']);
});

test('The record of the conversation names each channel once', async () => {
	const contactInboxes = [{ id: '31', inboxId: '5' }];
	const service = new OddService();
	service.simplify = false;
	service.record = { contactInboxes: [...contactInboxes, { id: '32', inboxId: '9' }] };
	service.conversations = [conversation('1', at(-600), { contactInboxes })];
	await service.poll();
	service.conversations = [conversation('1', at(-60), { contactInboxes })];
	service.messages['1'] = [message('Hello', at(-60))];
	await service.poll();
	expect(service.items).toMatchObject([{ conversation: { contactInboxes: [{ id: '31' }, { id: '32' }] } }]);
});

test('A service that does not say when the contact wrote is read by its last activity', async () => {
	const service = new OddService();
	const row = (time: string) => conversation('1', time, { contactRepliedAt: undefined });
	service.conversations = [row(at(-600))];
	await service.poll();
	service.conversations = [row(at(-60))];
	service.messages['1'] = [message('Hello', at(-60))];
	expect(await service.poll()).toEqual(['Hello']);
});

test('A last message without a time does not bring the whole history', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600), { messages: [{ id: '1', text: 'Old' }] })];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('New', at(-60)), message('Old', at(-600)), message('Older', at(-9000))];
	expect(await service.poll()).toEqual(['New']);
});

test('A conversation with a time in the future hides no others', async () => {
	const service = new OddService();
	const future = conversation('2', at(30 * 86_400));
	service.conversations = [future, conversation('1', at(-600))];
	for (let poll = 0; poll < 3; poll++) await service.poll();
	service.conversations = [future, conversation('1', at(-1))];
	service.messages['1'] = [message('Hello', at(-1))];
	expect(await service.poll()).toEqual(['Hello']);
});

test.each([[['9']], [['5', '9']]])(
	'A channel whose ID is a number passes the filter for channels: %j',
	async (inboxIds) => {
		const service = new OddService({ inboxIds });
		const contactInboxes = [
			{ id: 31, inboxId: 5 },
			{ id: 32, inboxId: 9 },
		];
		service.conversations = [conversation('1', at(-600), { contactInboxes })];
		await service.poll();
		service.conversations = [conversation('1', at(-60), { contactInboxes })];
		service.messages['1'] = [message('Hello', at(-60), { contactInboxId: '32' })];
		expect(await service.poll()).toEqual(['Hello']);
	},
);

test('A filter for channels is an error if no conversation shows its channels', async () => {
	const service = new OddService({ inboxIds: ['9'] });
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('Hello', at(-60))];
	await expect(service.poll()).rejects.toThrow('This service lists conversations without their channels.');
});

test('A long list is read in large pages, or in smaller ones if the service refuses them', async () => {
	for (const [largestPage, sizes] of [
		[Infinity, [50, 200, 200]],
		[100, [50, 200, 50, 50]],
	] as const) {
		const service = new OddService();
		service.largestPage = largestPage;
		await service.poll();
		service.sizes = [];
		service.conversations = Array.from({ length: 450 }, (_, index) =>
			conversation(String(index), at(-60 - index), { contactRepliedAt: null }),
		);
		await service.poll();
		expect(service.sizes.slice(0, sizes.length)).toEqual(sizes);
	}
});

test('A poll that runs out of time still downloads the files of what it has read', async () => {
	const service = new OddService({ options: { downloadAttachments: true } });
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	const attachments = [{ url: 'https://files.example.com/photo.jpg' }];
	service.messages['1'] = [message('Look', at(-60), { attachments })];
	await service.poll(() => false);
	expect(service.items).toMatchObject([{ binary: { attachment_0: { mimeType: 'image/jpeg' } } }]);
});
