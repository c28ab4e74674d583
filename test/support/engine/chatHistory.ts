import { sequenceOf } from '../../../sandbox/faults/random';
import type { Faults } from '../../../sandbox/options';
import type { Contact } from '../../../sandbox/records';
import type { Engine, TriggerHost } from './triggerHost';
import { identifier, people, watched } from './triggerSupport';

/*
 * Random histories of Message Received on a newer service, with real requests: contacts write,
 * messages show up late, the service fails for some conversations, polls come every 10 seconds to
 * every 3 minutes, and n8n restarts. The model is the list of what was written.
 */

const ROUNDS = 25;
const CONTACTS = 6;
const MOST_LATE_MS = 59_000;

type Pick = <T>(values: readonly T[]) => T;

/** What is due to show up later. */
interface Late {
	contact: Contact;
	text: string;
	at: number;
	dueAt: number;
}

/** Faults for the messages of some contacts, each in a random form. */
function faultsFor(contacts: Contact[], pick: Pick): Faults {
	const occasionOf = ({ id }: Contact) => ({
		match: { pathPattern: `/contacts/id(:|%3A)${id}/messages` },
	});
	const [redirected, ...others] = contacts;
	const isStatus = others.map(() => pick([true, false]));
	return {
		redirect: redirected ? { ...occasionOf(redirected), status: 302, to: 'other' } : null,
		fail: others
			.filter((_, index) => isStatus[index])
			.map((contact) => ({ ...occasionOf(contact), status: pick([400, 403, 404, 410, 422]) })),
		hostile: others
			.filter((_, index) => !isStatus[index])
			.map((contact) => ({
				...occasionOf(contact),
				mode: 'wrongShape' as const,
				shape: pick(['dataNull', 'listOfNulls'] as const),
			})),
	};
}

/** Polls in one of the ways in which n8n does; a poll fails if it can read no conversation. */
async function poll(host: TriggerHost, pick: Pick): Promise<void> {
	const ways = [() => host.poll(), () => host.poll(), () => host.poll(), () => host.restart()];
	if (host.engine === 'durable') ways.push(() => host.pollTwice());
	await pick<() => Promise<unknown>>(ways)().catch(() => undefined);
}

/** Polls until a poll finds nothing: with durable cursors, each finds one contact. */
async function pollAll(host: TriggerHost): Promise<void> {
	while ((await host.poll()).length > 0);
}

/**
 * Runs a history, and returns the texts that did not start the workflow, those that started it
 * twice, and those that came in one execution with messages of another contact.
 */
export async function findLost(engine: Engine, seed: number) {
	const random = sequenceOf(seed * 6151 + 3);
	const pick: Pick = (values) => values[Math.floor(random() * values.length)];
	const real = Date.now;
	let passed = 0;
	const time = jest.spyOn(Date, 'now').mockImplementation(() => real.call(Date) + passed);
	const { workspace, host } = await watched(
		{ event: 'messageReceived' },
		{ contacts: 0, service: 'newer' },
		engine,
	);
	host.budgetMs = 8000;
	const contacts = await workspace.addContacts(people(CONTACTS));
	await host.activate();

	const everyMs = pick([10_000, 20_000, 60_000, 180_000]);
	const written: string[] = [];
	let late: Late[] = [];
	const write = async (contact: Contact, text: string, at: number) =>
		await workspace.write(identifier(contact), { text, at: new Date(at).toISOString() });
	const showLate = async (now: number) => {
		for (const { contact, text, at } of late.filter(({ dueAt }) => dueAt <= now))
			await write(contact, text, at);
		late = late.filter(({ dueAt }) => dueAt > now);
	};
	let broken: Contact[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		if (random() < 0.3) {
			broken = contacts.filter(() => random() < 0.3);
			await workspace.faults(faultsFor(broken, pick));
		}
		passed += everyMs;
		const now = Date.now();
		for (const contact of contacts.filter(() => random() < 0.3)) {
			const at = now - Math.floor(random() * everyMs);
			const text = `Message ${written.length}`;
			written.push(text);
			if (random() < 0.3) late.push({ contact, text, at, dueAt: at + random() * MOST_LATE_MS });
			else await write(contact, text, at);
		}
		await showLate(now);
		await poll(host, pick);
	}
	await showLate(Infinity);
	await workspace.faults({ fail: null, hostile: null, redirect: null });
	for (let round = 0; round < 4; round++) {
		await pollAll(host);
		passed += 3_600_000;
	}
	const polls = host.succeeded;
	time.mockRestore();

	const found = host.items.map(({ text }) => String(text));
	const mixed = host.executions.filter(
		(items) => new Set(items.map(({ sessionId }) => sessionId)).size > 1,
	);
	return {
		lost: written.filter((text) => !found.includes(text)),
		twice: found.filter((text, index) => found.indexOf(text) !== index),
		mixed: mixed.flat().map(({ text }) => text),
		polls,
	};
}
