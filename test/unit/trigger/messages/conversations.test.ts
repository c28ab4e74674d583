import { at, conversation, message, OddService } from '../../../support/fakes/oddConversations';

/* Conversations of services that do not do what others do. */

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

test('A message is found by the time of its channel if the conversation has no time for it (difference 25)', async () => {
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
	expect(service.items).toMatchObject([
		{ conversation: { contactInboxes: [{ id: '31' }, { id: '32' }] } },
	]);
});

test.each([undefined, null])(
	'A service that never says when a contact wrote (%s) is read by its last activity',
	async (contactRepliedAt) => {
		const service = new OddService();
		const row = (time: string) => conversation('1', time, { contactRepliedAt });
		service.conversations = [row(at(-600))];
		await service.poll();
		service.conversations = [row(at(-60))];
		service.messages['1'] = [message('Hello', at(-60))];
		expect(await service.poll()).toEqual(['Hello']);
	},
);

test('A last message without a time does not bring the whole history', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600), { messages: [{ id: '1', text: 'Old' }] })];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [
		message('New', at(-60)),
		message('Old', at(-600)),
		message('Older', at(-9000)),
	];
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
	service.conversations = [conversation('1', at(-600)), conversation('2', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60)), conversation('2', at(-60))];
	service.messages = { 1: [message('Hello', at(-60))], 2: [message('Hi', at(-60))] };
	await expect(service.poll()).rejects.toThrow(
		'This service lists conversations without their channels.',
	);
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

test('A poll that runs out of time marks no conversation as read, and says so in the log', async () => {
	const service = new OddService({ options: { markAsRead: true } });
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('Hello', at(-60), { conversationId: '71' })];
	expect(await service.poll(() => false)).toEqual(['Hello']);
	expect(service.warnings).toEqual([
		'n8n could not mark 1 of 1 conversations as read. The poll ran out of time.',
	]);
});

test('A conversation to which only others wrote is not read if the service says when contacts wrote', async () => {
	const service = new OddService();
	const silent = (time: string) => conversation('2', time, { contactRepliedAt: null });
	service.conversations = [conversation('1', at(-600)), silent(at(-600))];
	await service.poll();
	service.conversations = [conversation('1', at(-600)), silent(at(-60))];
	await service.poll();
	expect(service.read).toEqual([]);
});

test('Nulls in lists of a conversation, a message and a contact are left out', async () => {
	const service = new OddService();
	service.record = { contactInboxes: [null], tags: [null], contactCustomFields: [null] };
	const row = (time: string) =>
		conversation('1', time, { contactInboxes: [null], messages: [null] });
	service.conversations = [row(at(-600))];
	await service.poll();
	service.conversations = [row(at(-60))];
	service.messages['1'] = [message('Hello', at(-60), { attachments: [null, { name: 'a.txt' }] })];
	expect(await service.poll()).toEqual(['Hello']);
	expect(service.items).toMatchObject([{ channel: null, attachments: [{ name: 'a.txt' }] }]);
	expect(service.warnings).toEqual([]);
});

test('A conversation that a poll misses, because it moves while the poll reads the list, is found by the next poll', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-900))];
	await service.poll();
	service.messages = { 1: [message('Missed', at(-600))], 2: [message('Hello', at(-10))] };
	const [missed, other] = [conversation('1', at(-600)), conversation('2', at(-10))];
	service.conversations = [other];
	expect(await service.poll()).toEqual(['Hello']);
	service.conversations = [other, missed];
	expect(await service.poll()).toEqual(['Missed']);
});

test('A message does not come again if its conversation gets another ID', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.messages['1'] = [message('Hello', at(-60))];
	service.conversations = [conversation('1', at(-60))];
	expect(await service.poll()).toEqual(['Hello']);
	service.conversations = [conversation('1', at(-60), { id: '900' })];
	expect(await service.poll()).toEqual([]);
	service.messages['1'].unshift(message('More', at(-50)));
	service.conversations = [conversation('1', at(-50), { id: '900' })];
	expect(await service.poll()).toEqual(['More']);
});

test('A message does not come again if its contact is merged with another one', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600)), conversation('2', at(-700))];
	await service.poll();
	service.messages['1'] = [message('Hello', at(-60))];
	service.conversations[0] = conversation('1', at(-60));
	expect(await service.poll()).toEqual(['Hello']);
	service.messages = { 2: [message('More', at(-50)), message('Hello', at(-60))] };
	service.conversations = [conversation('2', at(-50), { id: '71' })];
	expect(await service.poll()).toEqual(['More']);
});

test('A contact with an old conversation in the archive is read once', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.messages['1'] = [message('Hello', at(-60))];
	service.conversations = [conversation('1', at(-60)), conversation('1', at(-300), { id: '900' })];
	expect(await service.poll()).toEqual(['Hello']);
	expect(service.items).toMatchObject([{ conversation: { id: '71' } }]);
	expect(service.read).toEqual(['1']);
});

test('A memory whose conversations say other things, as another version kept it, repeats nothing', async () => {
	const service = new OddService();
	service.conversations = [conversation('1', at(-600))];
	await service.poll();
	service.messages['1'] = [message('Hello', at(-60))];
	service.conversations = [conversation('1', at(-60))];
	expect(await service.poll()).toEqual(['Hello']);
	service.memory = JSON.parse(JSON.stringify(service.memory).replaceAll('"lateUntil":', '"is":'));
	expect(JSON.stringify(service.memory)).toContain('"is"');
	expect(await service.poll()).toEqual([]);
	service.messages['1'].unshift(message('More', at(-50)));
	service.conversations = [conversation('1', at(-50))];
	expect(await service.poll()).toEqual(['More']);
});

test.each([{}, [], 'text', { since: 1 }])(
	'A memory of another shape (%j) fails no poll: the trigger starts over',
	async (memory) => {
		const service = new OddService();
		service.conversations = [conversation('1', at(-600))];
		service.messages['1'] = [message('Old', at(-600))];
		service.memory = memory;
		expect(await service.poll()).toEqual([]);
		service.messages['1'].unshift(message('Hello', at(-60)));
		service.conversations = [conversation('1', at(-60))];
		expect(await service.poll()).toEqual(['Hello']);
	},
);
