import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';
import { by, fromItem, text } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { active } from '../../support/engine/triggerSupport';
import { engines } from '../../support/engine/triggerHost';
import { withTemplates } from '../template/helpers';
import { peopleOf, TAG } from '../../support/engine/sendOnceRounds';

const SENDING = `${TAG} (sending)`;
const faces = ['newer', 'reference', 'older'] as const;

/** Sends to the contact of each item, once. */
const hello = (options: INodeParameters = { sendOnce: TAG }): INodeParameters => ({
	resource: 'message',
	operation: 'send',
	identifier: by('id', fromItem('contact')),
	text: 'Hello',
	options,
	requestOptions: { maxRetries: 1 },
});

/** A workspace with so many contacts, each with an item. */
async function withPeople(contacts: number, options: WorkspaceOptions = {}) {
	const test = await testWorkspace({ contacts, service: 'newer', ...options });
	const state = await test.workspace.state();
	const rows = state.contacts.map(({ id }) => ({ contact: `id:${id}` }));
	await test.workspace.clearJournal();
	return { ...test, rows };
}

type Test = Awaited<ReturnType<typeof testWorkspace>>;

/** What was written of contacts, one line each. */
async function written({ workspace }: Pick<Test, 'workspace'>) {
	const [{ requests }, { tags }] = await Promise.all([workspace.journal(), workspace.state()]);
	const nameOf = (id: string) => tags.find((tag) => tag.id === id)?.name;
	return requests
		.filter(({ method, path }) => method !== 'GET' && path.includes('/contacts/'))
		.map(({ method, path, body, status }) => {
			const { tagIds } = Object(body) as { tagIds?: string[] };
			const what = tagIds ? tagIds.map(nameOf).join(' + ') : path.split('/').at(-1);
			return `${method} ${what} ${status}`;
		});
}

/** What the contacts have, in the order of their items. */
async function outcomeOf(test: Test, rows: Array<{ contact: string }>) {
	const people = await peopleOf(test);
	return rows.map(({ contact }) => {
		const { mark, texts } = people.find(({ id }) => contact === `id:${id}`)!;
		return `${mark} ${texts.length}`;
	});
}

const failing = (status: number, times = 1, more: object = {}): Faults => ({
	fail: [{ status, times, match: { operation: 'sendMessage' }, ...more }],
});

describe.each(faces)('On the %s service', (service) => {
	test('Send Once writes two times more for each contact, and nothing for those who have got it', async () => {
		const test = await withPeople(3, { service });
		const { workspace, run, rows } = test;
		const first = await run(hello(), rows.slice(0, 1));
		expect(await written(test)).toEqual([
			`POST ${TAG} + ${SENDING} 204`,
			'POST messages 204',
			`DELETE ${SENDING} 204`,
		]);
		expect(first.json).toMatchObject([{ success: true, queued: true, contact: rows[0].contact }]);
		expect(first.json[0]).not.toHaveProperty('skipped');
		await workspace.clearJournal();
		const { json, hints } = await run(hello(), rows);
		expect(await written(test)).toHaveLength(6);
		const { contact } = rows[0];
		expect(json[0]).toMatchObject({ success: true, contact, skipped: true, reason: 'sentBefore' });
		expect(json[0]).not.toHaveProperty('queued');
		// What n8n's narrow table shows first.
		expect(Object.keys(json[0]).slice(0, 3)).toEqual(['success', 'skipped', 'reason']);
		expect(hints).toEqual([`Send Once passed over 1 item whose contact had the tag "${TAG}".`]);
	});

	test('what is refused takes both tags, and can be sent again', async () => {
		const test = await withPeople(1, { service });
		await test.workspace.faults(failing(403));
		const { error } = await test.run(hello(), test.rows);
		expect(error?.message).toContain('Nothing was sent');
		expect(await outcomeOf(test, test.rows)).toEqual(['none 0']);
		await test.run(hello(), test.rows);
		expect(await outcomeOf(test, test.rows)).toEqual(['sent 1']);
	});

	const doubtful: Array<[string, Faults]> = [
		['a 500 before the service acts', failing(500)],
		['a 502', failing(502)],
		['a 504 after the service has acted', failing(504, 1, { after: true })],
	];

	test.each(doubtful)('after %s nothing is sent again, and both tags stay', async (_, faults) => {
		const test = await withPeople(2, { service });
		await test.workspace.faults({ ...faults, latencyMs: 5 });
		const how = { onError: 'continueRegularOutput' } as const;
		const { json } = await test.run(hello(), test.rows, how);
		const [error] = json.flatMap((each) => each.error ?? []);
		expect(error).toContain('may or may not have gone through');
		expect(error).toContain('keeps both tags of Send Once, so the next run passes it over');
		expect(error).not.toContain('Always');
		const marks = (await outcomeOf(test, test.rows)).map((line) => line.split(' ')[0]).sort();
		expect(marks).toEqual(['sending', 'sent']);
		await test.workspace.clearJournal();
		const again = await test.run(hello(), test.rows);
		expect(await written(test)).toEqual([]);
		expect(again.json.map(({ reason }) => reason).sort()).toEqual(['sentBefore', 'unknown']);
		expect(again.hints.join()).toContain(
			`Send Once passed over 1 item whose contact had the tag "${SENDING}"`,
		);
	});

	test('after no answer a message is sent again only if the service recognizes it', async () => {
		const test = await withPeople(1, { service });
		await test.workspace.faults({
			dropAfter: { times: 1, match: { operation: 'sendMessage' } },
		});
		await test.run(hello(), test.rows);
		const isRecognized = service === 'newer';
		expect(await outcomeOf(test, test.rows)).toEqual([isRecognized ? 'sent 1' : 'sending 1']);
		const tries = (await written(test)).filter((line) => line.includes('messages'));
		expect(tries).toHaveLength(isRecognized ? 2 : 1);
	});

	test('of three items of one contact, named in three ways, the first that is sent counts', async () => {
		const test = await testWorkspace({ contacts: 0, service });
		const [{ id }] = await test.workspace.addContacts([
			{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
		]);
		const names = ['email:ann@example.com', `id:${id}`, 'phone:+4915100000001'];
		const rows = names.map((contact) => ({ contact }));
		await test.workspace.faults(failing(403));
		const { json } = await test.run(hello(), rows, { onError: 'continueRegularOutput' });
		expect(json.map(({ error, reason }) => reason ?? typeof error)).toEqual([
			'string',
			'undefined',
			'sentBefore',
		]);
		const { messages } = await test.workspace.journal();
		expect(messages).toHaveLength(1);
	});
});

test('Send Once reads the tags of many contacts from their list, and those of a few one by one', async () => {
	const readsOf = async (contacts: number) => {
		const test = await withPeople(contacts);
		await test.run(hello(), test.rows);
		const { byOperation } = await test.workspace.summary();
		const { getContact = 0, listContacts = 0 } = byOperation;
		return [getContact > 0, listContacts > 0 && listContacts < 10];
	};
	expect(await Promise.all([3, 60].map(readsOf))).toEqual([
		[true, false],
		[false, true],
	]);
});

test('a mark whose answer is lost is set again, and if it stays unknown, nothing is sent', async () => {
	const lost = { match: { operation: 'addContactTags' as const } };
	const outcome = async (times: number) => {
		const test = await withPeople(1);
		await test.workspace.faults({ dropBefore: { ...lost, times } });
		const { error } = await test.run(hello(), test.rows);
		return [await outcomeOf(test, test.rows), error?.message.includes('Nothing was sent')];
	};
	expect(await outcome(1)).toEqual([['sent 1'], undefined]);
	expect(await outcome(9)).toEqual([['none 0'], true]);
});

test('who still has the second tag after success is counted by a hint', async () => {
	const test = await withPeople(1);
	await test.workspace.faults({
		fail: [{ status: 403, match: { operation: 'removeContactTags' } }],
	});
	const { json, hints } = await test.run(hello(), test.rows);
	expect(json).toMatchObject([{ queued: true }]);
	expect(hints.join()).toContain(
		`1 contact got the message, but n8n could not remove the tag "${SENDING}"`,
	);
});

test('a tag that does not exist is made, and a hint says that nobody was passed over', async () => {
	const test = await withPeople(1);
	const { hints } = await test.run(hello(), test.rows);
	expect(hints).toEqual([expect.stringContaining(`there was no tag "${TAG}" yet`)]);
	const { tags } = await test.workspace.state();
	expect(tags.map(({ name }) => name)).toEqual(expect.arrayContaining([TAG, SENDING]));
	const other = await test.run(hello({ sendOnce: ` ${TAG.toUpperCase()} ` }), test.rows);
	expect(other.json).toMatchObject([{ reason: 'sentBefore' }]);
});

const refused: Array<[string, unknown, string]> = [
	['of 246 characters', text(246), 'Send Once must be 1 to 245 characters long'],
	['that is empty', '', 'Send Once must be 1 to 245 characters long, but is empty'],
	['of blanks', ' ', 'Send Once must be 1 to 245 characters long, but is empty'],
	['whose expression returns nothing', '={{ $json.missing }}', 'Send Once is empty'],
	['with undefined in it', '={{ "sent: " + $json.missing }}', 'Send Once contains "undefined"'],
	['that is false', '={{ false }}', 'Send Once must be text, but is false'],
	['with NUL', '={{ "a" + String.fromCharCode(0) + "b" }}', 'Send Once contains the character NUL'],
	['that is a list', '={{ ["a", "b"] }}', 'Send Once must'],
];

test.each(refused)('a tag %s is refused before anything is sent', async (_, sendOnce, message) => {
	const test = await withPeople(1);
	const { error } = await test.run(hello({ sendOnce } as INodeParameters), test.rows);
	expect(error?.message).toContain(message);
	expect((await test.workspace.journal()).requests).toEqual([]);
});

test('a tag of 245 characters is taken', async () => {
	const test = await withPeople(1);
	const { error } = await test.run(hello({ sendOnce: text(245) }), test.rows);
	expect(error).toBeUndefined();
});

test('Retry When Outcome Is Unknown cannot be Always beside Send Once', async () => {
	const test = await withPeople(1);
	const requestOptions = { retryWhenOutcomeUnknown: 'always' };
	const { error } = await test.run({ ...hello(), requestOptions }, test.rows);
	expect(error?.message).toContain("Send Once can't keep its promise");
	expect((await test.workspace.journal()).requests).toEqual([]);
});

const unreadable: Array<[string, (test: Test) => Promise<void>, string]> = [
	[
		'does not list its tags',
		async ({ workspace }) => await workspace.faults({ missing: { listTags: 404 } }),
		"can't list its tags",
	],
	[
		'may cut the tags of a contact',
		async ({ workspace }) => {
			const tags = Array.from({ length: 50 }, (_, nth) => ({ name: `Tag ${nth}` }));
			const added = await Promise.all(tags.map(async (tag) => await workspace.add('tags', tag)));
			const [{ id }] = (await workspace.state()).contacts;
			const tagIds = added.map((tag) => tag.id);
			await workspace.changeContacts([{ identifier: `id:${id}`, changes: { tagIds } }]);
		},
		'may show only 50 of the tags',
	],
];

test.each(unreadable)('On a service that %s, Send Once refuses', async (_, make, message) => {
	const test = await withPeople(1);
	await make(test);
	const { error } = await test.run(hello(), test.rows);
	expect(error?.message).toContain(message);
	expect(error?.message).toContain('Nothing was sent');
	expect((await test.workspace.journal()).messages).toEqual([]);
});

test('a second run with the same tag in this process waits, and then passes over', async () => {
	const test = await withPeople(30, { faults: { latencyMs: 5 } });
	const runs = await Promise.all([1, 2].map(async () => await test.run(hello(), test.rows)));
	const skipped = runs.map(({ json }) => json.filter((each) => each.skipped).length);
	expect(skipped.sort()).toEqual([0, 30]);
	expect((await test.workspace.journal()).messages).toHaveLength(30);
});

test('two runs with the same two tags in another order do not wait for each other for ever', async () => {
	const test = await withPeople(4, { faults: { latencyMs: 5 } });
	const rows = test.rows.map((row, nth) => ({ ...row, tag: nth % 2 ? 'one' : 'two' }));
	const parameters = hello({ sendOnce: fromItem('tag') });
	const orders = [rows, [...rows].reverse()];
	await Promise.all(orders.map(async (each) => await test.run(parameters, each)));
	expect((await test.workspace.journal()).messages).toHaveLength(4);
});

test('with Retry On Fail, an item that is sent in part goes on', async () => {
	const test = await withPeople(1);
	await test.workspace.faults({
		fail: [{ status: 403, times: 1, per: 'request', match: { operation: 'sendMessage' } }],
	});
	const parameters = { ...hello({ sendOnce: TAG, splitLongText: true }), text: text(1500) };
	// The first message, the second in the next try.
	const retryOnFail = { maxTries: 5, waitBetweenTries: 1 };
	const { json } = await test.run(parameters, test.rows, { retryOnFail });
	expect(json).toMatchObject([{ messages: 2 }]);
	expect(await outcomeOf(test, test.rows)).toEqual(['sent 2']);
});

test('Send Template sends once, and its preview shows who is passed over and tags nobody', async () => {
	const test = await withTemplates();
	const order = test.send('order_shipped', { body_1: 'Ann', body_2: 'A-100' });
	const template = (options: IDataObject) => ({ ...order, options: { sendOnce: TAG, ...options } });
	const preview = await test.run(template({ preview: true }) as INodeParameters);
	expect(preview.json).toMatchObject([{ sent: 'preview' }]);
	expect(await written(test)).toEqual([]);
	await test.run(template({}) as INodeParameters);
	const again = await test.run(template({}) as INodeParameters);
	const shown = await test.run(template({ preview: true }) as INodeParameters);
	expect([again.json, shown.json]).toMatchObject([
		[{ skipped: true, reason: 'sentBefore' }],
		[{ skipped: true, reason: 'sentBefore' }],
	]);
	expect(await test.sent()).toHaveLength(1);
});

test('Trigger Flow starts a flow once', async () => {
	const test = await withPeople(1);
	const { flows } = await test.workspace.state();
	const parameters: INodeParameters = {
		resource: 'contact',
		operation: 'triggerFlow',
		identifier: by('id', fromItem('contact')),
		flowId: by('id', flows[0].id),
		options: { sendOnce: TAG },
	};
	await test.run(parameters, test.rows);
	const { json } = await test.run(parameters, test.rows);
	expect(json).toMatchObject([{ skipped: true, reason: 'sentBefore' }]);
	expect((await test.workspace.journal()).flowRuns).toHaveLength(1);
});

test.each(['tagAdded', 'tagRemoved'])(
	'the second tag starts no workflow with %s',
	async (event) => {
		const { workspace, host } = await active({ event }, { contacts: 2 }, engines[0]);
		const [{ id, tags }] = (await workspace.state()).contacts;
		const second = await workspace.add('tags', { name: SENDING });
		for (const more of [[second], [], [second]]) {
			const tagIds = [...tags, ...more].map((tag) => tag.id);
			await workspace.changeContacts([{ identifier: `id:${id}`, changes: { tagIds } }]);
			await host.poll();
		}
		expect(host.items).toEqual([]);
	},
);
