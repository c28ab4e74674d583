import {
	at,
	conversation,
	failure,
	message,
	OddService,
} from '../../../support/fakes/oddConversations';

/* Conversations that the service cannot return, beside others. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** n8n's clock; from then on, tests say how much time passes. */
let clock = 0;

beforeEach(() => {
	clock = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => clock);
});
afterEach(() => jest.restoreAllMocks());

/** A trigger that watches the conversations of these contacts, who all write then. */
async function writtenBy(...ids: string[]) {
	const service = new OddService();
	service.conversations = ids.map((id) => conversation(id, at(-600)));
	await service.poll();
	service.conversations = ids.map((id) => conversation(id, at(-60)));
	service.messages = Object.fromEntries(ids.map((id) => [id, [message(`From ${id}`, at(-60))]]));
	return service;
}

const pollAfter = async (service: OddService, ms: number) => {
	clock += ms;
	return await service.poll();
};

test('A conversation that cannot be read does not hold up the others, and its messages come later', async () => {
	const ids = Array.from({ length: 10 }, (_, index) => String(index));
	const service = await writtenBy(...ids);
	service.broken.set('0', failure());
	expect((await service.poll()).sort()).toEqual(ids.slice(1).map((id) => `From ${id}`));
	expect(service.warnings).toEqual([
		'n8n could not read the messages of the contact 0. Later polls try again. Failed',
	]);
	service.conversations[0] = conversation('0', at(-30));
	service.messages['0'].unshift(message('More', at(-30)));
	service.broken.clear();
	expect(await pollAfter(service, MINUTE)).toEqual(['From 0', 'More']);
	expect(await pollAfter(service, MINUTE)).toEqual([]);
});

test('A poll succeeds if the only conversation with news cannot be read', async () => {
	const service = await writtenBy('1');
	service.broken.set('1', failure(404));
	expect(await service.poll()).toEqual([]);
	expect(service.warnings).toHaveLength(1);
	service.broken.clear();
	expect(await pollAfter(service, MINUTE)).toEqual(['From 1']);
});

test('A poll fails if two conversations that never failed cannot be read and no other can', async () => {
	const service = await writtenBy('1', '2');
	for (const id of ['1', '2']) service.broken.set(id, failure());
	await expect(service.poll()).rejects.toThrow('Failed');
	service.broken.clear();
	expect(await service.poll()).toEqual(['From 1', 'From 2']);
});

test('A poll succeeds if only conversations that failed before cannot be read', async () => {
	const service = await writtenBy('1', '2', '3');
	for (const id of ['1', '2']) service.broken.set(id, failure());
	expect(await service.poll()).toEqual(['From 3']);
	expect(await pollAfter(service, MINUTE)).toEqual([]);
});

test.each([
	['the token is wrong', failure(401)],
	['the token lacks a scope', failure(403, { reason: 'scope', isAboutRun: true })],
	['the service only accepts people', failure(400, { reason: 'forPeopleOnly', isAboutRun: true })],
])('A poll fails if %s, whatever other conversations return', async (_, error) => {
	const service = await writtenBy('1', '2');
	service.broken.set('1', error);
	await expect(service.poll()).rejects.toThrow('Failed');
	service.broken.clear();
	expect(await service.poll()).toEqual(['From 1', 'From 2']);
});

test("A poll that reaches the service's limit returns what it has read, and the next poll goes on", async () => {
	const service = await writtenBy('1', '2');
	service.broken.set('1', failure(429));
	expect(await service.poll()).toEqual(['From 2']);
	service.broken.clear();
	expect(await service.poll()).toEqual(['From 1']);
	expect(service.warnings).toEqual([]);
});

test("A poll fails if the service's limit lets it read nothing", async () => {
	const service = await writtenBy('1');
	service.broken.set('1', failure(429));
	await expect(service.poll()).rejects.toThrow('Failed');
	service.broken.clear();
	expect(await service.poll()).toEqual(['From 1']);
});

test('A failed conversation is read after the others', async () => {
	const service = await writtenBy('1', '2', '3');
	service.broken.set('1', failure());
	await service.poll();
	service.read = [];
	for (const id of ['1', '2', '3']) {
		service.messages[id].unshift(message(`More from ${id}`, at(-50)));
		service.conversations[Number(id) - 1] = conversation(id, at(-50));
	}
	service.broken.clear();
	expect((await pollAfter(service, MINUTE)).sort()).toEqual([
		'From 1',
		'More from 1',
		'More from 2',
		'More from 3',
	]);
	expect(service.read).toEqual(['2', '3', '1']);
});

test('A failed conversation is tried ever more rarely, then once an hour, and dropped with a warning after a week', async () => {
	const service = await writtenBy('1', '2');
	service.broken.set('1', failure());
	await service.poll();
	const tries: number[] = [];
	const began = clock;
	while (service.countMarksOf('1') > 0 && clock - began < 10 * 24 * HOUR) {
		service.read = [];
		await pollAfter(service, tries.length < 8 ? MINUTE : 15 * MINUTE);
		if (service.read.includes('1')) tries.push((clock - began) / MINUTE);
	}
	expect(tries.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 124]);
	expect(tries.at(-1)).toBeGreaterThanOrEqual(7 * 24 * 60);
	expect(tries.at(-1)).toBeLessThan(7 * 24 * 60 + 60);
	expect(service.warnings.at(-1)).toBe(
		'n8n could not read the messages of the contact 1. After a week of tries, the trigger skips them. Failed',
	);
	service.broken.clear();
	expect(await pollAfter(service, HOUR)).toEqual([]);
	service.conversations[0] = conversation('1', at(100));
	service.messages['1'].unshift(message('New', at(100)));
	expect(await pollAfter(service, HOUR)).toEqual(['New']);
});

test('A conversation that fails for hours in a busy workspace is still read, and its channel and state are known', async () => {
	const service = new OddService();
	const rows = [conversation('0', at(-90_000))];
	service.conversations = rows;
	await service.poll();
	service.broken.set('0', failure());
	service.messages['0'] = [message('Missed', at(-80_000))];
	rows[0] = conversation('0', at(-80_000));
	for (let poll = 1; poll <= 9; poll++) {
		for (let each = 0; each < 100; each++)
			rows.unshift(conversation(`${poll}-${each}`, at(-80_000 + poll * 1000 + each)));
		service.conversations = [...rows];
		await pollAfter(service, 15 * MINUTE);
	}
	expect(service.countMarks()).toBeLessThanOrEqual(501);
	service.broken.clear();
	// It is no longer among those that a poll reads.
	const contactInboxes = [{ id: '31', inboxId: '5', channel: 'telegram' }];
	service.record = { conversation: { id: '70', botEnabled: false }, contactInboxes };
	expect(await pollAfter(service, HOUR)).toEqual(['Missed']);
	expect(service.items).toMatchObject([
		{ conversation: { id: '70', answeredBy: 'person' }, channel: { id: '5', type: 'telegram' } },
	]);
	expect(await pollAfter(service, HOUR)).toEqual([]);
});

test('Conversations that fail are tried four at a time as long as some fail, so that they do not take the whole poll', async () => {
	const broken = Array.from({ length: 12 }, (_, index) => `b${index}`);
	const service = await writtenBy('1', ...broken);
	for (const id of broken) service.broken.set(id, failure());
	await service.poll();
	service.read = [];
	await pollAfter(service, MINUTE);
	expect(service.read.filter((id) => id !== '1')).toHaveLength(4);
	service.broken.clear();
	expect(await pollAfter(service, MINUTE)).toHaveLength(12);
});

test.each([25, 59])(
	'A message that shows up %i seconds late is found by polls every ten seconds',
	async (late) => {
		const service = await writtenBy('1');
		const [hidden] = service.messages['1'].splice(0);
		const found: unknown[] = [];
		for (let seconds = 0; seconds <= 90; seconds += 10) {
			if (seconds >= late) service.messages['1'] = [hidden];
			found.push(...(await pollAfter(service, 10_000)));
		}
		expect(found).toEqual(['From 1']);
		service.read = [];
		await pollAfter(service, 10_000);
		expect(service.read).toEqual([]);
	},
);

test('A conversation whose messages wait for others is read again after it failed', async () => {
	const service = new OddService({ options: { groupMessages: 600 } });
	service.conversations = [conversation('1', at(-900))];
	await service.poll();
	service.conversations = [conversation('1', at(-60))];
	service.messages['1'] = [message('One', at(-60))];
	expect(await service.poll()).toEqual([]);
	service.broken.set('1', failure());
	expect(await pollAfter(service, MINUTE)).toEqual([]);
	service.broken.clear();
	expect(await pollAfter(service, HOUR)).toEqual(['One']);
});

test('A message that waits for others comes although so many contacts write meanwhile that the list no longer shows its conversation', async () => {
	const service = new OddService({ options: { groupMessages: 600 } });
	service.conversations = [conversation('0', at(-900))];
	await service.poll();
	const waiting = conversation('0', at(-60));
	service.conversations = [waiting];
	service.messages['0'] = [message('Waits', at(-60))];
	expect(await service.poll()).toEqual([]);
	for (let round = 1; round <= 4; round++) {
		const others = Array.from({ length: 60 }, (_, index) =>
			conversation(`${round}-${index}`, at(round * 120 - 10 * index)),
		);
		service.conversations = [...others, waiting];
		expect(await pollAfter(service, 2 * MINUTE)).toEqual([]);
	}
	expect(await pollAfter(service, 5 * MINUTE)).toEqual(['Waits']);
	expect(await pollAfter(service, MINUTE)).toEqual([]);
});

test('After a poll that finds the messages of many contacts, the trigger remembers 500 conversations, and repeats none', async () => {
	const service = new OddService({ options: { executionPerContact: false } });
	const ids = Array.from({ length: 600 }, (_, index) => String(index));
	service.conversations = ids.map((id) => conversation(id, at(-6000)));
	await service.poll();
	service.conversations = ids.map((id) => conversation(id, at(-Number(id) / 100)));
	service.messages = Object.fromEntries(
		ids.map((id) => [id, [message(id, at(-Number(id) / 100))]]),
	);
	expect(await service.poll()).toHaveLength(600);
	expect(service.countMarks()).toBe(500);
	expect(await pollAfter(service, MINUTE)).toEqual([]);
});
