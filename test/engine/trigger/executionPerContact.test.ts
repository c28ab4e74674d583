import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { recordLog } from '../../support/engine/record';
import type { Engine } from '../../support/engine/triggerHost';
import { active, identifier, people } from '../../support/engine/triggerSupport';

/*
 * Message Received starts one execution for each contact. Only services of the kind "newer" have
 * conversations. With durable cursors, n8n saves the memory with the first execution.
 */

/** The engines that save the memory of a poll before its executions. */
const notDurable = ['inMemory', 'n8n1', 'scheduled'] as const;

/** An active workflow, and some contacts who can write. */
async function chat(count: number, engine?: Engine, parameters: INodeParameters = {}) {
	const { workspace, host } = await active(
		{ event: 'messageReceived', ...parameters },
		{ contacts: 0, service: 'newer' },
		engine,
	);
	await host.poll();
	const contacts = (await workspace.addContacts(people(count))).map(identifier);
	/** The texts of each execution since the last call. */
	let known = host.executions.length;
	const started = () => {
		const news = host.executions.slice(known);
		known = host.executions.length;
		return news.map((items) => items.map(({ text }) => text));
	};
	/** Polls, and returns the texts of each execution that this starts. */
	const poll = async () => {
		await host.poll();
		return started();
	};
	/** All contacts have written their number, five minutes apart, the first one first. */
	const allWrite = async () => {
		for (const [index, contact] of contacts.entries()) {
			const at = new Date(Date.now() - (count - index) * 300_000).toISOString();
			await workspace.write(contact, { text: String(index), at });
		}
	};
	return { workspace, host, contacts, poll, started, allWrite };
}

afterEach(() => jest.restoreAllMocks());

const numbers = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => [String(from + index)]);

test.each(notDurable)(
	'Two contacts who write before the same poll start two executions with one item each (%s)',
	async (engine) => {
		const { workspace, contacts, poll } = await chat(2, engine);
		await workspace.write(contacts[0], 'Hello');
		await workspace.write(contacts[1], 'Good morning');
		expect(await poll()).toEqual([['Hello'], ['Good morning']]);
		expect(await poll()).toEqual([]);
	},
);

test.each([4, 6])(
	'With durable cursors, a poll starts one execution, and the next one goes on with the contact who waits longest (%i contacts)',
	async (count) => {
		const { poll, allWrite } = await chat(count, 'durable');
		await allWrite();
		for (let index = 0; index < count; index++) expect(await poll()).toEqual([[String(index)]]);
		expect(await poll()).toEqual([]);
	},
);

test.each([...notDurable, 'durable'] as const)(
	'If One Execution per Contact is off, all contacts start one execution, oldest message first (%s)',
	async (engine) => {
		const parameters = { options: { executionPerContact: false } };
		const { workspace, contacts, poll } = await chat(2, engine, parameters);
		await workspace.write(contacts[0], 'One');
		await workspace.write(contacts[1], 'Two');
		await workspace.write(contacts[0], 'Three');
		expect(await poll()).toEqual([['One', 'Two', 'Three']]);
	},
);

test('The messages of one contact are one execution, in their order, also in groups', async () => {
	const { workspace, contacts, poll } = await chat(2);
	await workspace.write(contacts[0], 'One');
	await workspace.write(contacts[1], 'Two');
	await workspace.write(contacts[0], 'Three');
	expect(await poll()).toEqual([['One', 'Three'], ['Two']]);
	const grouped = await chat(2, undefined, { options: { groupMessages: 60 } });
	const write = async (index: number, text: string, minutesAgo: number) => {
		const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
		await grouped.workspace.write(grouped.contacts[index], { text, at });
	};
	await grouped.workspace.write(grouped.contacts[0], {
		text: 'a',
		at: new Date(Date.now() - 540_000).toISOString(),
	});
	await write(0, 'b', 8.9);
	await write(1, 'x', 8);
	await write(0, 'c', 5);
	expect(await grouped.poll()).toEqual([['a\nb', 'c'], ['x']]);
});

test.each(notDurable)(
	'Ten contacts who write three messages each start one execution each, with all of them in order (%s)',
	async (engine) => {
		const parameters = { options: { groupMessages: 10 } };
		const { workspace, host, contacts, poll } = await chat(10, engine, parameters);
		const burst = ['Hi', 'I have a question', 'about my order'];
		await Promise.all(
			contacts.map(async (contact) => {
				for (const text of burst) await workspace.write(contact, text);
			}),
		);
		expect(await poll()).toEqual([]);
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11_000);
		expect(await poll()).toEqual(contacts.map(() => [burst.join('\n')]));
		const started = host.executions.map(([{ sessionId }]) => `id:${String(sessionId)}`);
		expect(started.toSorted()).toEqual(contacts.toSorted());
	},
);

test('A poll starts 40 executions at most; the others stay unread in the workspace and come with the next polls', async () => {
	const options = { options: { markAsRead: true } };
	const { workspace, contacts, poll, allWrite } = await chat(85, undefined, options);
	const isRead = async (contact: string) =>
		(await workspace.contact(contact)).conversation?.agentLastReadAt !== null;
	await allWrite();
	expect(await poll()).toEqual(numbers(0, 40));
	expect(await isRead(contacts[39])).toBe(true);
	expect(await isRead(contacts[40])).toBe(false);
	expect(await poll()).toEqual(numbers(40, 80));
	expect(await poll()).toEqual(numbers(80, 85));
	expect(await poll()).toEqual([]);
});

test.each([3, 100])(
	'With Executions per Poll, a poll starts %i executions at most',
	async (executionsPerPoll) => {
		const parameters = { options: { executionsPerPoll } };
		const { poll, allWrite } = await chat(executionsPerPoll + 2, 'inMemory', parameters);
		await allWrite();
		expect(await poll()).toEqual(numbers(0, executionsPerPoll));
		expect(await poll()).toEqual(numbers(executionsPerPoll, executionsPerPoll + 2));
	},
);

test.each([0, 101, 1.5])('Executions per Poll must not be %d', async (executionsPerPoll) => {
	const parameters = { event: 'messageReceived', options: { executionsPerPoll } };
	await expect(active(parameters, { service: 'newer' })).rejects.toThrow(
		'Executions per Poll of Options must be a whole number from 1 to 100',
	);
});

test.each<[Engine, string, IDataObject]>([
	[
		'inMemory',
		'each poll starts 2 executions at most. Raise Executions per Poll, poll more often, turn off One Execution per Contact, or use the Workspace Messaging Instant Trigger.',
		{ executionsPerPoll: 2 },
	],
	[
		'durable',
		'with durable cursors, n8n starts one execution with each poll. Poll more often, turn off One Execution per Contact, or use the Workspace Messaging Instant Trigger.',
		{},
	],
])(
	"If polls have left contacts to the next ones for ten minutes, n8n's log says once an hour what to do (%s)",
	async (engine, advice, options) => {
		const { poll, allWrite } = await chat(16, engine, { options: options as INodeParameters });
		await allWrite();
		const log = recordLog();
		const warnings: string[] = [];
		const started = Date.now();
		const time = jest.spyOn(Date, 'now');
		for (const minutes of [0, 9, 11, 70, 72, 73, 74]) {
			time.mockReturnValue(started + minutes * 60_000);
			log.length = 0;
			await poll();
			const found = log.filter((line) => line.includes('has been behind'));
			warnings.push(...found.map((line) => `${minutes}: ${line}`));
		}
		expect(warnings).toEqual([11, 72].map((minutes) => expect.stringContaining(`${minutes}: `)));
		expect(warnings[0]).toContain(`This trigger has been behind for 11 minutes: ${advice}`);
	},
);

describe('With a poll every minute, of which each starts four executions at most,', () => {
	/** Contacts write each minute; returns the minute of the oldest message of each execution. */
	async function playMinutes(engine: Engine, writing: (minute: number) => number[]) {
		const options = { executionsPerPoll: 4 };
		const { workspace, host, contacts, poll } = await chat(100, engine, { options });
		const begun = Date.now() - 3_600_000;
		const time = jest.spyOn(Date, 'now');
		const log = recordLog();
		const minutes: number[] = [];
		for (let minute = 0; minute < 14; minute++) {
			for (const [place, index] of writing(minute).entries()) {
				const at = new Date(begun + minute * 60_000 + place * 100).toISOString();
				await workspace.write(contacts[index], { text: String(minute), at });
			}
			time.mockReturnValue(begun + minute * 60_000 + 59_000);
			minutes.push(...(await poll()).map(([first]) => Number(first)));
		}
		return { minutes, size: host.size, behind: log.filter((line) => line.includes('behind')) };
	}

	test.each([
		['inMemory', 4],
		['durable', 1],
	] as const)(
		'the contacts who wait longest come first, whether they write again or have had an answer (%s)',
		async (engine, most) => {
			// One contact writes each minute, and six others once.
			const writing = (minute: number) => [1, 2, 3, 4, 5, 6, 0].map((n) => n && n + 6 * minute);
			const waiting = new Map<number, number>();
			const expected: number[] = [];
			for (let minute = 0; minute < 14; minute++) {
				for (const index of writing(minute)) if (!waiting.has(index)) waiting.set(index, minute);
				for (const [index, since] of [...waiting].slice(0, most)) {
					expected.push(since);
					waiting.delete(index);
				}
			}
			expect((await playMinutes(engine, writing)).minutes).toEqual(expected);
		},
	);

	test('four contacts who write each minute do not make it fall behind', async () => {
		const { minutes, size, behind } = await playMinutes('inMemory', (minute) =>
			[0, 1, 2, 3].map((index) => 4 * minute + index),
		);
		expect(minutes).toHaveLength(56);
		expect(behind).toEqual([]);
		expect(size).toBeLessThan(2000);
	});
});

test.each(['inMemory', 'scheduled', 'durable'] as const)(
	'A restart between the polls that catch up loses and repeats nothing (%s)',
	async (engine) => {
		const options = { executionsPerPoll: 20 };
		const { host, poll, started, allWrite } = await chat(30, engine, { options });
		await allWrite();
		const all = await poll();
		await host.restart();
		all.push(...started());
		for (let polls = 0; polls < 40; polls++) all.push(...(await poll()));
		expect(all.every(({ length }) => length === 1)).toBe(true);
		expect(all.flat().map(Number)).toEqual(Array.from({ length: 30 }, (_, index) => index));
	},
);

test('Contacts who do not meet the conditions take no place of the others', async () => {
	const options = { executionsPerPoll: 5 };
	const conditions = { texts: [{ field: 'firstName', textOperator: 'eq', text: 'Person 29' }] };
	const { poll, allWrite } = await chat(30, undefined, { conditions, options });
	await allWrite();
	expect(await poll()).toEqual([['29']]);
});

test('With durable cursors, a contact who writes before each poll does not keep another one waiting', async () => {
	const { workspace, contacts, poll } = await chat(2, 'durable');
	const found: unknown[] = [];
	const start = Date.now() - 600_000;
	for (let minute = 0; minute < 6; minute++) {
		for (const [index, contact] of contacts.entries()) {
			const at = new Date(start + minute * 60_000 + index * 1000).toISOString();
			await workspace.write(contact, { text: `${index}: ${minute}`, at });
		}
		found.push(...(await poll()));
	}
	expect(JSON.stringify(found)).toContain('1: 0');
});

test.each(notDurable)(
	'If n8n cannot start one of the executions, it starts the others and reports the error, and no later poll repeats any (%s)',
	async (engine) => {
		recordLog();
		const { host, poll, started, allWrite } = await chat(3, engine);
		await allWrite();
		host.onStart = ([{ text }]) => {
			if (text === '1') throw new Error('The database is locked');
		};
		await expect(host.poll()).rejects.toThrow('The database is locked');
		expect(started()).toEqual([['0'], ['2']]);
		host.onStart = () => {};
		expect(await poll()).toEqual([]);
	},
);

test.each(notDurable)(
	'n8n saves the memory once, with the first of several executions (%s)',
	async (engine) => {
		const { host, allWrite } = await chat(3, engine);
		await allWrite();
		const { saves } = host;
		const savesAtStart: number[] = [];
		const memories: unknown[] = [];
		host.onStart = () => {
			savesAtStart.push(host.saves - saves);
			memories.push(host.memory);
		};
		await host.poll();
		expect(savesAtStart).toEqual([0, 1, 1]);
		expect(memories[2]).toEqual(memories[1]);
		expect(host.memory).toEqual(memories[1]);
	},
);

test('An execution without items, with which n8n saves what was skipped, is one execution', async () => {
	const { workspace, host, contacts } = await chat(2, 'inMemory', { inCharge: 'person' });
	for (const contact of contacts) await workspace.write(contact, 'To the bot');
	await host.poll();
	expect(host.executions).toEqual([[]]);
});

test('A test event shows one contact', async () => {
	const { host, allWrite } = await chat(3);
	await allWrite();
	const { items } = await host.fetchTestEvent();
	expect(items.map(({ text }) => text)).toEqual(['2']);
});

test.each<[string, INodeParameters]>([
	['Simplify off', { simplify: false }],
	['files', { options: { downloadAttachments: true } }],
])('It also splits items with %s', async (_, parameters) => {
	const { workspace, host, contacts } = await chat(2, undefined, parameters);
	const content = Buffer.from('hello').toString('base64');
	const attachments = [{ name: 'note.txt', mimeType: 'text/plain', content }];
	for (const contact of contacts) await workspace.write(contact, { text: 'Look', attachments });
	await host.poll();
	const idsOf = (items: IDataObject[]) => items.map(({ sessionId }) => sessionId);
	expect(host.executions.map(idsOf)).toEqual(contacts.map((contact) => [contact.slice(3)]));
});
