import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServiceName } from '../../../sandbox/services/names';
import { chatWithAnn } from '../../support/engine/chat';
import { by } from '../../support/engine/helpers';
import { clock, setClock } from '../../support/engine/skipPauses';
import { TriggerHost } from '../../support/engine/triggerHost';
import { limitWait } from '../../support/limitWait';

/* Triggers beside questions that n8n asks in the chat, and beside people who write themselves. */

const MINUTE = 60_000;
const wait = limitWait({ resumeAmount: 1, resumeUnit: 'hours' });

/** Ann, and a published workflow that watches for her. */
async function watchAnn(parameters: INodeParameters = {}, service: ServiceName = 'newer') {
	const test = await chatWithAnn({ service });
	const { workspace } = test;
	const host = new TriggerHost(
		{ baseUrl: workspace.url, accessToken: workspace.token },
		{ event: 'messageReceived', ...parameters },
	);
	await host.activate();
	const texts = async () => (await host.poll()).map(({ text }) => text);
	const reply = async (text: string, at?: string) =>
		await workspace.reply(`id:${test.ann.id}`, text, at);
	return { ...test, host, texts, reply };
}

/** Somebody changes the note of Ann's questions. */
async function changeNote(
	{ workspace, ann, run }: Awaited<ReturnType<typeof watchAnn>>,
	change: (note: string) => string,
) {
	const { customFields, contacts } = await workspace.state();
	const field = customFields.find(({ name }) => name === 'n8n question')!;
	const contact = contacts.find(({ id }) => id === ann.id);
	const values = contact?.contactCustomFields as IDataObject[];
	const before = values.find(({ customFieldId }) => customFieldId === field.id)?.value;
	const { error } = await run({
		resource: 'contact',
		operation: 'setCustomFields',
		identifier: by('id', ann.id),
		customFields: {
			mappingMode: 'defineBelow',
			value: { [field.id]: change(String(before)) },
		},
	});
	expect(error).toBeUndefined();
}

test('An answer starts no workflow, whenever the trigger polls', async () => {
	const { ask, write, texts, subWorkflows } = await watchAnn();
	await ask(wait);
	await write('yes');
	expect(await texts()).toEqual([]);
	await subWorkflows.wake();
	expect(subWorkflows.output[0].json.data).toMatchObject({ approved: true });
	expect(await texts()).toEqual([]);
	await write('One more thing');
	expect(await texts()).toEqual(['One more thing']);
});

test('An answer of more than ten messages starts no workflow', async () => {
	const { ask, write, texts, subWorkflows } = await watchAnn();
	await ask({ ...wait, responseType: 'freeText' });
	for (let line = 0; line < 15; line++) await write(`Line ${line}`);
	await subWorkflows.wake();
	expect(await texts()).toEqual([]);
});

test('If somebody deletes the custom field "n8n question", the answers to later questions start no workflow either', async () => {
	const { workspace, ask, write, texts } = await watchAnn();
	await ask({}, async () => await write('yes'));
	expect(await texts()).toEqual([]);
	const { customFields } = await workspace.state();
	const [field] = customFields.filter(({ name }) => name === 'n8n question');
	await workspace.removeRecord('customFields', field.id);
	await ask({}, async () => await write('no'));
	expect(await texts()).toEqual([]);
});

test('What is no answer starts the workflow when the question is over', async () => {
	const { ask, write, texts, subWorkflows } = await watchAnn();
	await ask(wait);
	await write('Where is my order?');
	expect(await texts()).toEqual([]);
	await write('yes');
	expect(await texts()).toEqual([]);
	await subWorkflows.wake();
	expect(await texts()).toEqual(['Where is my order?']);
	expect(await texts()).toEqual([]);
});

test('A message from before the question is no answer: it starts the workflow while the question is open', async () => {
	const { ask, write, texts, subWorkflows } = await watchAnn();
	await write('I want to order');
	await ask(wait);
	await write('yes');
	expect(await texts()).toEqual(['I want to order']);
	await subWorkflows.wake();
	expect(await texts()).toEqual([]);
});

test('A message that no look has seen waits for 60 minutes at most, each for its own', async () => {
	const { ask, write, texts } = await watchAnn();
	await ask(limitWait({ resumeAmount: 3, resumeUnit: 'hours' }));
	await write('First');
	expect(await texts()).toEqual([]);
	setClock(clock() + 10 * MINUTE);
	await write('Second');
	expect(await texts()).toEqual([]);
	setClock(clock() + 50 * MINUTE - 5000);
	expect(await texts()).toEqual([]);
	setClock(clock() + 5000);
	expect(await texts()).toEqual(['First']);
	setClock(clock() + 10 * MINUTE - 10_000);
	expect(await texts()).toEqual([]);
	setClock(clock() + 10_000);
	expect(await texts()).toEqual(['Second']);
});

test('A look frees what is no answer, also on other channels, and what comes later waits for the next look', async () => {
	const { workspace, ann, ask, write, texts, subWorkflows } = await watchAnn();
	const { channels } = await workspace.state();
	const inboxIds = channels.slice(0, 2).map(({ id }) => id);
	await workspace.changeContacts([{ identifier: `id:${ann.id}`, changes: { inboxIds } }]);
	await ask(wait);
	await write({ text: 'Where is my order?', inboxId: inboxIds[0] });
	await write({ text: 'yes', inboxId: inboxIds[1] });
	await write({ text: 'A comment', inboxId: inboxIds[0], type: 'comment' });
	expect(await texts()).toEqual([]);
	await subWorkflows.wake();
	await write('Hello?');
	expect(await texts()).toEqual(['Where is my order?', 'yes', 'A comment']);
	await subWorkflows.wake();
	expect(await texts()).toEqual(['Hello?']);
	await write('yes');
	await subWorkflows.wake();
	expect(subWorkflows.output[0].json.data).toMatchObject({ answer: 'yes' });
	expect(await texts()).toEqual([]);
});

test.each([
	['fails', 0, 45],
	['comes late', 12, 0],
])('An answer starts no workflow if a look %s', async (_, late, outage) => {
	const { workspace, ask, write, texts, subWorkflows } = await watchAnn();
	await ask({
		...limitWait({ resumeAmount: 5, resumeUnit: 'hours' }),
		requestOptions: { maxRetries: 0 },
	});
	const minutesToLook = () => Math.round((subWorkflows.waitTill!.getTime() - clock()) / MINUTE);
	while (minutesToLook() < 15) {
		setClock(subWorkflows.waitTill!.getTime());
		await subWorkflows.wake();
	}
	await write('yes');
	expect(await texts()).toEqual([]);
	setClock(subWorkflows.waitTill!.getTime() + late * MINUTE);
	expect(await texts()).toEqual([]);
	if (outage > 0) {
		await workspace.faults({ fail: [{ status: 503 }] });
		await subWorkflows.wake();
		await workspace.faults({ fail: null });
		expect(minutesToLook()).toBe(1);
		setClock(subWorkflows.waitTill!.getTime());
	}
	expect(await texts()).toEqual([]);
	await subWorkflows.wake();
	expect(subWorkflows.output[0].json.data).toMatchObject({ approved: true });
	expect(await texts()).toEqual([]);
});

test('After a run that broke, messages come late until 12 minutes after the end of its question, and in time afterwards', async () => {
	const { ask, write, texts } = await watchAnn();
	await ask(wait);
	setClock(clock() + 71 * MINUTE);
	await write('Are you there?');
	expect(await texts()).toEqual([]);
	setClock(clock() + 2 * MINUTE);
	await write('Hello?');
	expect(await texts()).toEqual(['Are you there?', 'Hello?']);
});

test('A trigger for conversations with the bot gets what came while a question paused the bot', async () => {
	const { ask, write, texts, subWorkflows } = await watchAnn({ inCharge: 'bot' });
	await ask(wait);
	await write('By the way');
	expect(await texts()).toEqual([]);
	await write('yes');
	await subWorkflows.wake();
	expect(await texts()).toEqual(['By the way']);
});

describe('While a question pauses the bot, a trigger for conversations with the bot', () => {
	const bot = { inCharge: 'bot' };
	const paused = { botEnabled: false };
	const asked = async (parameters: INodeParameters = bot) => {
		const test = await watchAnn(parameters);
		const { workspace, ann } = test;
		await test.ask(wait);
		const change = async (changes: IDataObject) =>
			await workspace.changeConversation(`id:${ann.id}`, changes);
		const startedLater = async () => {
			expect(await test.texts()).toEqual([]);
			await test.subWorkflows.wake();
			return await test.texts();
		};
		return { ...test, change, startedLater };
	};

	test('gets what the contact writes, and a trigger for conversations with a person does not', async () => {
		const first = await asked();
		await first.write('When will it arrive?');
		expect(await first.startedLater()).toEqual(['When will it arrive?']);
		const second = await asked({ inCharge: 'person' });
		await second.write('When will it arrive?');
		expect(await second.startedLater()).toEqual([]);
	});

	test('gets it at once if it includes answers', async () => {
		const { write, texts } = await asked({ ...bot, options: { answersToQuestions: 'include' } });
		await write('When will it arrive?');
		expect(await texts()).toEqual(['When will it arrive?']);
	});

	test.each<[string, IDataObject]>([
		['has taken over', { ...paused, botResumeAt: null }],
		['has paused the bot again', { ...paused, botResumeAt: '2999-01-01T00:00:00.000Z' }],
		['is assigned', { assignedUserId: '51' }],
	])('does not get what the contact writes after a person %s', async (_, changes) => {
		const { workspace, change, write, startedLater } = await asked();
		const { members } = await workspace.state();
		const assignedUserId = changes.assignedUserId && members[0].user.id;
		await change({ ...changes, ...(assignedUserId && { assignedUserId }) });
		await write('When will it arrive?');
		expect(await startedLater()).toEqual([]);
	});

	test('does not get what the contact writes after a member wrote, however long ago', async () => {
		const { reply, write, startedLater } = await asked();
		await reply('I am looking into it');
		await write('Thanks');
		expect(await startedLater()).toEqual([]);
		setClock(clock() + 20 * MINUTE);
		await write('When will it arrive?');
		expect(await startedLater()).toEqual([]);
	});

	test('gets it if the service has not said when the pause ends', async () => {
		const test = await asked();
		await test.write('When will it arrive?');
		expect(await test.texts()).toEqual([]);
		await test.subWorkflows.wake();
		await changeNote(test, (note) => note.replace(/"resumesAt":"[^"]+",/, ''));
		expect(await test.texts()).toEqual([]);
		setClock(clock() + 60 * MINUTE);
		expect(await test.texts()).toEqual(['When will it arrive?']);
	});
});

test('With Answers to Questions: Include, answers start the workflow at once', async () => {
	const { ask, write, texts } = await watchAnn({ options: { answersToQuestions: 'include' } });
	await ask(wait);
	await write('yes');
	expect(await texts()).toEqual(['yes']);
});

const strange = '{"n8nQuestion":"v1","until":"2999-01-01T00:00:00Z","others":[],"answers":{}}';

test.each([strange, strange.replace('v1', 'v2'), '{"n8nQuestion":', 'what is this', '-'])(
	'A note of "%s" that somebody else has written loses no message',
	async (value) => {
		const test = await watchAnn();
		const { ask, write, texts } = test;
		await ask({}, async () => await write('yes'));
		await texts();
		await changeNote(test, () => value);
		await write('Hello');
		const early = await texts();
		setClock(clock() + 60 * MINUTE);
		expect([...early, ...(await texts())]).toEqual(['Hello']);
	},
);

test.each(['newer', 'older'] as const)(
	'On a service that is %s, Contact Updated does not start for a note, but for a change beside it',
	async (service) => {
		const { workspace, ann, ask, write, host } = await watchAnn(
			{ event: 'contactUpdated' },
			service,
		);
		await ask({}, async () => await write('yes'));
		expect(await host.poll()).toEqual([]);
		await ask(wait);
		const changes = { firstName: 'Anna' };
		await workspace.changeContacts([{ identifier: `id:${ann.id}`, changes }]);
		const changedFields = expect.arrayContaining(['firstName']) as unknown;
		expect(await host.poll()).toMatchObject([{ changedFields }]);
	},
);

test('A poll reads the custom fields once at most, even if many values look like a note', async () => {
	const { workspace, ann, run, write, texts } = await watchAnn();
	const others = await workspace.addContacts([{ firstName: 'Bob' }, { firstName: 'Cy' }]);
	const field = await workspace.add('customFields', { name: 'Mine', type: 'longText' });
	for (const { id } of [ann, ...others]) {
		const value = { [field.id]: '{"n8nQuestion":"v1"}' };
		const customFields = { mappingMode: 'defineBelow', value };
		await run({
			...{ resource: 'contact', operation: 'setCustomFields' },
			...{ identifier: by('id', id), customFields },
		});
		await workspace.write(`id:${id}`, 'Hello');
	}
	await workspace.clearJournal();
	expect(await texts()).toEqual(['Hello', 'Hello', 'Hello']);
	// n8n asks for two pages of them at once.
	expect((await workspace.summary()).byOperation.listCustomFields).toBe(2);
	await write('Again');
	expect(await texts()).toEqual(['Again']);
});

describe('Silent After a Person Wrote', () => {
	const silent = { options: { silentAfterPerson: 30 } };

	test('skips what a contact writes less than so many minutes after a member, for good', async () => {
		const { write, reply, texts } = await watchAnn(silent);
		await reply('I am looking into it');
		await write('Thanks');
		expect(await texts()).toEqual([]);
		setClock(clock() + 31 * MINUTE);
		expect(await texts()).toEqual([]);
	});

	test.each([
		[29, []],
		[31, ['Hello']],
	])('if the member wrote %i minutes before, it starts for %j', async (minutes, started) => {
		const { write, reply, texts } = await watchAnn(silent);
		const { createdAt } = await write('Hello');
		const before = Date.parse(createdAt) - minutes * MINUTE;
		await reply('Good morning', new Date(before).toISOString());
		expect(await texts()).toEqual(started);
	});

	test('skips what a member has answered before the poll', async () => {
		const { write, reply, texts } = await watchAnn(silent);
		await write('Hello');
		await reply('How can I help?');
		expect(await texts()).toEqual([]);
	});

	test('counts from the last message of a group', async () => {
		const options = { ...silent.options, groupMessages: 180 };
		const { workspace, ann, write, reply, texts } = await watchAnn({ options });
		const { createdAt } = await write('Hello');
		const after = (minutes: number) =>
			new Date(Date.parse(createdAt) + minutes * MINUTE).toISOString();
		await reply('Good morning', after(-29));
		await workspace.write(`id:${ann.id}`, { text: 'again', at: after(2) });
		setClock(clock() + 10 * MINUTE);
		expect(await texts()).toEqual(['Hello\nagain']);
	});

	test('does not count what n8n has sent, and without the option, members do not count', async () => {
		const first = await watchAnn(silent);
		await first.run({
			resource: 'message',
			operation: 'send',
			identifier: by('id', first.ann.id),
			text: 'News',
		});
		await first.write('Hello');
		expect(await first.texts()).toEqual(['Hello']);
		const second = await watchAnn();
		await second.reply('Good morning');
		await second.write('Hello');
		expect(await second.texts()).toEqual(['Hello']);
	});

	test.each([-1, 1441, 1.5])('refuses %d minutes', async (silentAfterPerson) => {
		await expect(watchAnn({ options: { silentAfterPerson } })).rejects.toThrow(
			'Silent After a Person (Minutes) of Options must be a whole number from 0 to 1440',
		);
	});
});
