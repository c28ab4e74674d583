import type { INodeParameters } from 'n8n-workflow';
import { chatWithAnn } from '../../support/engine/chat';
import { clock, setClock } from '../../support/engine/skipPauses';
import { TriggerHost, type Engine } from '../../support/engine/triggerHost';
import { identifier, people } from '../../support/engine/triggerSupport';
import { limitWait } from '../../support/limitWait';

/* Skip Older Than of Message Received, beside all that can make messages wait. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An active workflow that skips messages of more than two hours. */
async function chat(options: INodeParameters = {}, engine?: Engine) {
	const test = await chatWithAnn({ contacts: 0, service: 'newer' });
	const { workspace } = test;
	const parameters = { event: 'messageReceived', options: { skipOlderThan: 2, ...options } };
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const host = new TriggerHost(credential, parameters, engine);
	await host.activate();
	await host.poll();
	// With durable cursors, one that saves what the first poll remembers.
	host.executions.length = 0;
	const texts = async () => (await host.poll()).map(({ text }) => text);
	return { ...test, host, texts };
}

const hoursAgo = (hours: number) => new Date(clock() - hours * HOUR).toISOString();

test.each(['inMemory', 'scheduled', 'durable'] as const)(
	'After a downtime, messages older than so many hours are skipped for good, stay unread, and start no execution without items (%s)',
	async (engine) => {
		const { workspace, ann, host, write, texts } = await chat({ markAsRead: true }, engine);
		const [bob] = await workspace.addContacts(people(1));
		await host.restart(async () => {
			setClock(clock() + 5 * HOUR);
			await write({ text: 'Old', at: hoursAgo(2.1) });
			await workspace.write(identifier(bob), { text: 'New', at: hoursAgo(1.9) });
		});
		await texts();
		await texts();
		await host.restart();
		await texts();
		expect(host.executions.map((items) => items.map(({ text }) => text))).toEqual([['New']]);
		const { conversation } = await workspace.contact(identifier(ann));
		expect(conversation?.agentLastReadAt).toBeNull();
	},
);

test.each([
	['inMemory', 0, ['Old', 'New']],
	['n8n1', 0, ['Old', 'New']],
	['scheduled', 0, ['Old', 'New']],
	['inMemory', 2, ['New']],
] as const)(
	'A trigger that was disabled for a month goes on where it was (%s, %d hours)',
	async (engine, skipOlderThan, expected) => {
		const { host, write, texts } = await chat({ skipOlderThan }, engine);
		host.end();
		setClock(clock() + 30 * 24 * HOUR);
		await write({ text: 'Old', at: hoursAgo(24) });
		await write({ text: 'New', at: hoursAgo(1) });
		await host.republish();
		await texts();
		expect(host.items.map(({ text }) => text)).toEqual(expected);
	},
);

test('Of one contact, only the old messages are skipped, and without the option, none', async () => {
	const first = await chat();
	await first.write({ text: 'Old', at: hoursAgo(3) });
	await first.write({ text: 'New', at: hoursAgo(1) });
	expect(await first.texts()).toEqual(['New']);
	const second = await chat({ skipOlderThan: 0 });
	await second.write({ text: 'Old', at: hoursAgo(3) });
	expect(await second.texts()).toEqual(['Old']);
});

test('A message that waits because its conversation cannot be read is not skipped', async () => {
	const { workspace, ann, write, texts } = await chat();
	const [bob] = await workspace.addContacts(people(1));
	const match = { pathPattern: `/contacts/id(:|%3A)${ann.id}/messages` };
	await workspace.faults({ fail: [{ match, status: 404 }] });
	await write({ text: 'Waits', at: hoursAgo(1.9) });
	await write({ text: 'Too old', at: hoursAgo(2.1) });
	await workspace.write(identifier(bob), { text: 'Hello', at: hoursAgo(0) });
	expect(await texts()).toEqual(['Hello']);
	setClock(clock() + 4 * HOUR);
	await workspace.faults({ fail: null });
	expect(await texts()).toEqual(['Waits']);
});

test('A message that waits because polls fail is not skipped', async () => {
	const { workspace, host, write, texts } = await chat();
	await workspace.faults({ fail: [{ match: { pathPattern: '/conversations' }, status: 403 }] });
	await write({ text: 'Waits', at: hoursAgo(1) });
	await write({ text: 'Too old', at: hoursAgo(2.1) });
	for (let polls = 0; polls < 3; polls++) {
		await expect(host.poll()).rejects.toThrow();
		setClock(clock() + HOUR);
	}
	host.errors.length = 0;
	await workspace.faults({ fail: null });
	expect(await texts()).toEqual(['Waits']);
	await write({ text: 'Old again', at: hoursAgo(2.1) });
	expect(await texts()).toEqual([]);
});

test('A message that waits for its turn is not skipped', async () => {
	const { workspace, host, texts } = await chat({}, 'durable');
	const contacts = await workspace.addContacts(people(4));
	await host.restart(async () => {
		for (const [index, contact] of contacts.entries()) {
			const at = hoursAgo(index === 0 ? 2.1 : 1.9 - index / 10);
			await workspace.write(identifier(contact), { text: String(index), at });
		}
	});
	const found: unknown[] = [];
	for (let polls = 0; polls < 5; polls++) {
		found.push(...(await texts()));
		setClock(clock() + HOUR);
	}
	expect(found).toEqual(['1', '2', '3']);
	await workspace.write(identifier(contacts[0]), { text: 'Too old', at: hoursAgo(2.1) });
	expect(await texts()).toEqual([]);
});

test('A message that waits for the end of a question, or for the others of its group, is not skipped', async () => {
	const { ask, write, texts } = await chat({ skipOlderThan: 1 });
	await ask(limitWait({ resumeAmount: 1, resumeUnit: 'hours' }));
	await write({ text: 'Where is my order?', at: hoursAgo(0.9) });
	expect(await texts()).toEqual([]);
	setClock(clock() + 61 * MINUTE);
	expect(await texts()).toEqual(['Where is my order?']);
	const grouped = await chat({ skipOlderThan: 1, groupMessages: 3600 });
	await grouped.write({ text: 'One', at: hoursAgo(0) });
	expect(await grouped.texts()).toEqual([]);
	setClock(clock() + 50 * MINUTE);
	await grouped.write({ text: 'Two', at: hoursAgo(0) });
	expect(await grouped.texts()).toEqual([]);
	setClock(clock() + 61 * MINUTE);
	expect(await grouped.texts()).toEqual(['One\nTwo']);
});

test('A test event shows an old message, too', async () => {
	const { host, write } = await chat();
	await write({ text: 'Old', at: hoursAgo(3) });
	expect((await host.fetchTestEvent()).items).toMatchObject([{ text: 'Old' }]);
});

test.each([-1, 1.5, 8761])('Skip Older Than (Hours) refuses %d hours', async (skipOlderThan) => {
	await expect(chat({ skipOlderThan })).rejects.toThrow(
		'Skip Older Than (Hours) of Options must be a whole number from 0 to 8760',
	);
});
