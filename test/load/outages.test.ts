import { setTimeout as sleep } from 'node:timers/promises';
import type { IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';
import type { Faults } from '../../sandbox/options';
import type { ServiceName } from '../../sandbox/services/names';
import { fileInMemory } from '../support/engine/files';
import { by, fromItem } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';

/*
 * A service that restarts in the middle of a run, so that a proxy answers in its place, or nobody
 * does.
 */

const CONTACTS = 200;
/** How many requests the service has answered when the outage begins. */
const ANSWERED_BEFORE = 50;

type Test = Awaited<ReturnType<typeof workspaceOf>>;

/** What a run does for each contact, and how often that happened for a contact afterwards. */
interface Campaign {
	service: ServiceName;
	newest?: boolean;
	parameters(test: Test): INodeParameters;
	files?: IBinaryKeyData;
	/** The outages that it survives; all if empty. */
	outages?: Array<keyof typeof outages>;
	/** The contact of each time that it was done. */
	done(test: Test): Promise<string[]>;
}

const messagesOf = async ({ workspace }: Test) =>
	(await workspace.journal()).messages.map(({ contactId }) => contactId);

const send = { resource: 'message', operation: 'send', identifier: by('id', fromItem('id')) };
const text = 'Hello {{ $json.id }}';

/** After these, no request of before is still under way. */
const SERVICE_DOWN: Campaign['outages'] = ['answers with 502', 'answers with 503'];

/** Creates a contact for each item. */
const newContacts = (service: ServiceName, survived?: Campaign['outages']): Campaign => ({
	service,
	outages: survived,
	parameters: () => ({
		resource: 'contact',
		operation: 'upsert',
		email: '=new{{ $json.id }}@example.com',
		phoneNumber: '=+4915{{ 200000000 + $itemIndex }}',
	}),
	done: async ({ workspace }) =>
		(await workspace.state()).contacts.flatMap(({ email }) =>
			email?.startsWith('new') ? [email] : [],
		),
});

const campaigns: Record<string, Campaign> = {
	'messages to a service of the reference': {
		service: 'reference',
		parameters: () => ({ ...send, text }),
		done: messagesOf,
	},
	'messages to a newer service': {
		service: 'newer',
		parameters: () => ({ ...send, text }),
		done: messagesOf,
	},
	'messages to an older service': {
		service: 'older',
		parameters: () => ({ ...send, text }),
		done: messagesOf,
	},
	'messages with a file to a newer service': {
		service: 'newer',
		parameters: () => ({ ...send, text, attachments: 'data' }),
		files: { data: fileInMemory('Hello', { fileName: 'hello.pdf' }) },
		done: messagesOf,
	},
	'messages with a file to an older service': {
		service: 'older',
		parameters: () => ({ ...send, text, attachments: 'data' }),
		files: { data: fileInMemory('Hello', { fileName: 'hello.pdf' }) },
		done: messagesOf,
	},
	'templates to one of the newest services': {
		service: 'newer',
		newest: true,
		parameters: ({ templates }) => ({
			resource: 'message',
			operation: 'sendTemplate',
			identifier: by('id', fromItem('id')),
			templateId: by('id', templates[0].id),
			templateParams: { mappingMode: 'defineBelow', value: { body_1: 'Ann', body_2: 'A-100' } },
		}),
		done: async ({ workspace }) =>
			(await workspace.journal()).templates.map(({ contactId }) => contactId),
	},
	'tags on a service of the reference': {
		service: 'reference',
		parameters: ({ tags }) => ({
			resource: 'contact',
			operation: 'addTags',
			identifier: by('id', fromItem('id')),
			tagIds: [tags[0].id],
		}),
		done: async ({ workspace, tags }) =>
			(await workspace.state()).contacts
				.filter((contact) => contact.tags.some(({ id }) => id === tags[0].id))
				.map(({ id }) => id),
	},
	'new contacts on a service of the reference': newContacts('reference', SERVICE_DOWN),
	'new contacts on a newer service': newContacts('newer'),
	'new contacts on an older service': newContacts('older', SERVICE_DOWN),
};

const outages: Record<string, Faults> = {
	'answers with 502': { fail: [{ status: 502, body: 'html' }] },
	'answers with 503': { fail: [{ status: 503, body: 'html' }] },
	'answers with 504 after it has acted': { fail: [{ status: 504, body: 'html', after: true }] },
	'breaks connections': { dropBefore: {} },
	'breaks connections after it has acted': { dropAfter: {} },
};
const noOutage: Faults = { fail: null, dropBefore: null, dropAfter: null };

async function workspaceOf({ service, newest }: Campaign) {
	const test = await testWorkspace({ contacts: 0, service, newest });
	const { channels, templates, tags } = await test.workspace.state();
	const whatsapp = channels.find(({ channel }) => channel === 'whatsapp');
	const contacts = await test.workspace.addContacts(
		Array.from({ length: CONTACTS }, (_, index) => ({
			firstName: `Person ${index}`,
			...(whatsapp && service !== 'reference' && { inboxIds: [whatsapp.id] }),
		})),
	);
	await test.workspace.clearJournal();
	return { ...test, contacts, templates, tags };
}

/**
 * Runs a campaign with an outage of so many seconds after its first answers. Returns how often each
 * contact was reached.
 */
async function runThroughOutage(campaign: Campaign, outage: Faults, seconds: number) {
	const test = await workspaceOf(campaign);
	const { workspace, run, contacts } = test;
	await workspace.faults({ rateLimit: null, latencyMs: 150 });
	const running = run(
		// In batches, so that the outage begins in the middle, also on a busy machine.
		{
			...campaign.parameters(test),
			requestOptions: { batching: { batch: { batchSize: 25, batchInterval: 2000 } } },
		},
		contacts.map(({ id }): IDataObject => ({ id })),
		{ files: campaign.files && contacts.map(() => campaign.files!) },
	);
	const isOver = running.then(() => true);
	while ((await answeredBy(workspace)) < ANSWERED_BEFORE) {
		if (await Promise.race([isOver, sleep(20, false)]))
			throw new Error('The run ended before the outage');
	}
	await workspace.faults(outage);
	await sleep(seconds * 1000);
	await workspace.faults(noOutage);
	const { error, json } = await running;
	const times = new Map<string, number>();
	for (const contact of await campaign.done(test))
		times.set(contact, (times.get(contact) ?? 0) + 1);
	const questions = (await workspace.journal()).requests.filter(({ path }) =>
		path.includes('/inboxes'),
	);
	return {
		error: error?.message,
		items: json.length,
		reached: times.size,
		mostTimes: Math.max(...times.values()),
		questions: questions.length,
	};
}

async function answeredBy(workspace: Test['workspace']) {
	const { byStatus } = await workspace.summary();
	return Object.entries(byStatus)
		.filter(([status]) => status.startsWith('2'))
		.reduce((sum, [, count]) => sum + count, 0);
}

const casesOf = (names: string[]) =>
	names.flatMap((name) => {
		const survived = campaigns[name].outages ?? Object.keys(outages);
		return survived.map((outage) => [name, outage] as const);
	});

/**
 * What an outage may do to a campaign: nobody is lost, and only an older service may reach somebody
 * twice.
 */
function expectAllReached(
	result: Awaited<ReturnType<typeof runThroughOutage>>,
	{ service }: Campaign,
) {
	expect(result).toMatchObject({ error: undefined, items: CONTACTS, reached: CONTACTS });
	expect(result.mostTimes).toBeLessThanOrEqual(service === 'older' ? 2 : 1);
}

// It takes longest, so it begins first.
const onlyMessages = [
	'messages to a service of the reference',
	'messages to a newer service',
	'messages to an older service',
];
let longest: Array<ReturnType<typeof runThroughOutage>>;
beforeAll(() => {
	longest = onlyMessages.map(async (name) => {
		return await runThroughOutage(campaigns[name], outages['answers with 502'], 240);
	});
});

// All at once, because they mostly wait.
describe.each([
	[3, Object.keys(campaigns)],
	[30, onlyMessages],
])('An outage of %d seconds costs a run nothing but the time', (seconds, names) => {
	const cases = casesOf(names);
	let results: Map<string, ReturnType<typeof runThroughOutage>>;

	beforeAll(() => {
		results = new Map(
			cases.map(([name, outage]) => [
				`${name} ${outage}`,
				runThroughOutage(campaigns[name], outages[outage], seconds),
			]),
		);
	});

	test.each(cases)(
		'%s, while it %s',
		async (name, outage) => {
			const result = await results.get(`${name} ${outage}`)!;
			expectAllReached(result, campaigns[name]);
			// One question at a time, for all messages together.
			expect(result.questions).toBeLessThan(10 + 2 * seconds);
		},
		// The first case waits for nearly all of them.
		900_000,
	);
});

test('Files arrive although the storage is down for 30 seconds', async () => {
	const campaign = campaigns['templates to one of the newest services'];
	const test = await workspaceOf(campaign);
	const { workspace, run, contacts, templates } = test;
	const invoice = templates.find(({ name }) => name === 'invoice')!;
	await workspace.faults({ rateLimit: null, failUploads: 503 });
	const running = run(
		{
			resource: 'message',
			operation: 'sendTemplate',
			identifier: by('id', contacts[0].id),
			templateId: by('id', invoice.id),
			templateParams: {
				mappingMode: 'defineBelow',
				value: { header: 'data', body_1: 'Ann', button_0: 'A-100' },
			},
		},
		[{}],
		{ files: [{ data: fileInMemory('A bill', { fileName: 'bill.pdf' }) }] },
	);
	await sleep(30_000);
	await workspace.faults({ failUploads: null });
	expect((await running).error?.message).toBeUndefined();
	expect((await workspace.journal()).uploads).toHaveLength(1);
}, 400_000);

test('Nobody is lost in an outage of four minutes', async () => {
	const results = await Promise.all(longest);
	for (const [index, result] of results.entries())
		expectAllReached(result, campaigns[onlyMessages[index]]);
}, 900_000);
