import type { Faults } from '../../../sandbox/options';
import { casesOf } from '../../support/cases';
import { findLost } from '../../support/engine/chatHistory';
import { recordLog } from '../../support/engine/record';
import type { Engine } from '../../support/engine/triggerHost';
import { identifier, people, watched } from '../../support/engine/triggerSupport';

/*
 * A newer service that cannot return the messages of some conversations: services of other kinds
 * have none.
 */

/** The share for one conversation is a quarter of it. */
const BUDGET_MS = 8000;

/** An active workflow, and contacts who write; each text is a name. */
async function written(...names: string[]) {
	const { workspace, host } = await watched(
		{ event: 'messageReceived' },
		{ contacts: 0, service: 'newer' },
		'scheduled',
	);
	host.budgetMs = BUDGET_MS;
	const contacts = await workspace.addContacts(people(names.length));
	await host.activate();
	await host.poll();
	for (const [index, name] of names.entries())
		await workspace.write(identifier(contacts[index]), name);
	/** What a fault is about: the messages of one contact. */
	const messagesOf = (index: number) => ({
		match: { pathPattern: `/contacts/id(:|%3A)${contacts[index].id}/messages` },
	});
	return { workspace, host, messagesOf, contacts };
}

const textsOf = (items: object[]) => items.map((item) => (item as { text: string }).text);

type Occasion = Awaited<ReturnType<typeof written>>['messagesOf'] extends (index: number) => infer T
	? T
	: never;

const healthy: Faults = { fail: null, hostile: null, redirect: null, dropBefore: null };

const status = (code: number, body: 'json' | 'html' = 'json') => ({
	form: `the status ${code} (${body})`,
	faultsOf: (occasion: Occasion): Faults => ({ fail: [{ ...occasion, status: code, body }] }),
});
const hostile = (mode: 'notJson' | 'brokenJson' | 'cut' | 'slow' | 'endless') => ({
	form: `an answer that is "${mode}"`,
	faultsOf: (occasion: Occasion): Faults => ({ hostile: [{ ...occasion, mode }] }),
});
const shape = (name: 'dataNull' | 'listOfNulls' | 'null' | 'emptyObject') => ({
	form: `JSON of the shape "${name}"`,
	faultsOf: (occasion: Occasion): Faults => ({
		hostile: [{ ...occasion, mode: 'wrongShape', shape: name }],
	}),
});

const forms = casesOf<{ form: string; faultsOf: (occasion: Occasion) => Faults }>(
	[
		...[403, 404, 422, 503].map((code) => status(code)),
		status(502, 'html'),
		...(['notJson', 'slow', 'endless'] as const).map(hostile),
		...(['dataNull', 'listOfNulls'] as const).map(shape),
		{
			form: 'a redirect',
			faultsOf: (occasion) => ({ redirect: { ...occasion, status: 302, to: 'other' } }),
		},
		{ form: 'a connection that breaks', faultsOf: (occasion) => ({ dropBefore: occasion }) },
	],
	[
		...[400, 405, 409, 410, 500].map((code) => status(code)),
		status(404, 'html'),
		...(['brokenJson', 'cut'] as const).map(hostile),
		...(['null', 'emptyObject'] as const).map(shape),
	],
);

test.each(forms)(
	'Message Received hears the others if the service answers for one conversation with $form, and that one later',
	async ({ faultsOf }) => {
		const log = recordLog();
		const { workspace, host, messagesOf } = await written('Ann', 'Bob');
		await workspace.faults(faultsOf(messagesOf(0)));
		const before = performance.now();
		expect(textsOf(await host.poll())).toEqual(['Bob']);
		// The failed one took no more than its share.
		expect(performance.now() - before).toBeLessThan(0.7 * BUDGET_MS);
		expect(log.filter((line) => line.includes('Later polls try again.'))).toHaveLength(1);
		await workspace.faults(healthy);
		expect(textsOf(await host.poll())).toEqual(['Ann']);
		expect(await host.poll()).toEqual([]);
	},
);

test('A poll of Message Received succeeds if the only conversation with news cannot be read', async () => {
	const { workspace, host, messagesOf } = await written('Ann');
	await workspace.faults({ fail: [{ ...messagesOf(0), status: 400 }] });
	expect(await host.poll()).toEqual([]);
	await workspace.faults(healthy);
	expect(textsOf(await host.poll())).toEqual(['Ann']);
});

test('A poll of Message Received fails if none of two conversations can be read, and the next one finds both', async () => {
	const { workspace, host } = await written('Ann', 'Bob');
	await workspace.faults({ fail: [{ match: { pathPattern: '/messages' }, status: 410 }] });
	await expect(host.poll()).rejects.toThrow('(410)');
	host.errors.length = 0;
	await workspace.faults(healthy);
	expect(textsOf(await host.poll())).toEqual(['Ann', 'Bob']);
});

test.each([
	[
		'the scope that the token lacks',
		403,
		"Token is not authorized for the 'inbox' scope",
		'scope "inbox"',
	],
	['that the token is wrong', 401, 'Invalid or missing workspace API token', 'access token'],
])('A poll of Message Received fails if the service names %s', async (_, code, message, shown) => {
	const { workspace, host, messagesOf } = await written('Ann', 'Bob');
	await workspace.faults({ fail: [{ ...messagesOf(0), status: code, message }] });
	await expect(host.poll()).rejects.toThrow(shown);
	host.errors.length = 0;
	await workspace.faults(healthy);
	expect(textsOf(await host.poll())).toEqual(['Ann', 'Bob']);
});

test('A failed conversation that is no longer among the newest comes with its channel and who is in charge', async () => {
	const { workspace, host, messagesOf, contacts } = await written('Ann', 'Bob');
	await workspace.changeConversation(identifier(contacts[0]), { botEnabled: false });
	await workspace.faults({ fail: [{ ...messagesOf(0), status: 422 }] });
	await host.poll();
	const later = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
	const time = jest.spyOn(Date, 'now');
	const real = time.getMockImplementation() ?? (() => performance.timeOrigin + performance.now());
	for (const minutes of [10, 20, 30]) {
		await workspace.write(identifier(contacts[1]), { text: `Bob ${minutes}`, at: later(10) });
		time.mockImplementation(() => real() + minutes * 60_000);
		await host.poll();
	}
	await workspace.faults(healthy);
	time.mockImplementation(() => real() + 7_200_000);
	const items = await host.poll();
	time.mockRestore();

	expect(items).toMatchObject([
		{ text: 'Ann', conversation: { answeredBy: 'person' }, channel: { type: 'webchat' } },
	]);
});

// The load suite runs more of them, with all engines.
test.each(casesOf<Engine>(['durable'], ['inMemory', 'scheduled']))(
	'Message Received loses and repeats nothing, and starts an execution for each contact, in a random history of failing conversations and late messages (%s)',
	async (engine) => {
		expect(await findLost(engine, 1)).toEqual({
			lost: [],
			twice: [],
			mixed: [],
			polls: expect.any(Number) as unknown,
		});
	},
	60_000,
);
