import { caseCount, casesOf, turnsOf } from '../../support/cases';
import { active, identifier, idsOf, people, watched } from '../../support/engine/triggerSupport';
import { engines, TriggerHost } from '../../support/engine/triggerHost';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const created = { event: 'contactCreated' };
const updated = { event: 'contactUpdated' };

/** For tests in which n8n neither restarts nor publishes anew. */
const oneEngine = turnsOf([...engines]);

/** Contacts that take several pages. */
const MANY = caseCount({ few: 300, many: 1000 });

describe.each(engines)('Contact Created, polled by the %s engine', (engine) => {
	test('finds each new contact once', async () => {
		const { workspace, host } = await active(created, { contacts: 30 }, engine);
		const [ann, bob] = await workspace.addContacts([{ firstName: 'Ann' }, { firstName: 'Bob' }]);
		expect(idsOf(await host.poll())).toEqual(idsOf([ann, bob]));
		expect(await host.poll()).toEqual([]);
		const [cay] = await workspace.addContacts([{ firstName: 'Cay' }]);
		expect(idsOf(await host.poll())).toEqual([cay.id]);
		expect(await host.poll()).toEqual([]);
	});

	test('finds contacts that were created while n8n was down', async () => {
		const { workspace, host } = await active(created, { contacts: 30 }, engine);
		const before = await workspace.addContacts(people(3));
		await host.poll();
		await host.poll();
		let meanwhile: Array<{ id: string }> = [];
		await host.restart(
			async () => (meanwhile = await workspace.addContacts([{ firstName: 'Dee' }])),
		);
		await host.poll();
		expect(idsOf(host.items)).toEqual(idsOf([...before, ...meanwhile]));
	});

	test('loses and repeats nothing when a user publishes the workflow again', async () => {
		const { workspace, host } = await active(created, { contacts: 30 }, engine);
		const added = await workspace.addContacts(people(2));
		await host.republish();
		await host.poll();
		added.push(...(await workspace.addContacts([{ firstName: 'Eve' }])));
		await host.republish();
		await host.republish();
		await host.poll();
		expect(idsOf(host.items)).toEqual(idsOf(added));
	});

	test('starts over when a user switches the workflow off and on', async () => {
		const { workspace, host } = await active(created, { contacts: 30 }, engine);
		host.deactivate();
		await workspace.addContacts(people(5));
		await host.activate();
		await host.poll();
		expect(host.items).toEqual([]);
		const [ann] = await workspace.addContacts([{ firstName: 'Ann' }]);
		await host.poll();
		expect(idsOf(host.items)).toEqual([ann.id]);
	});
});

describe('Contact Created', () => {
	test('finds the first contacts of an empty workspace', async () => {
		const { workspace, host } = await active(created, { contacts: 0 });
		expect(await host.poll()).toEqual([]);
		const [ann] = await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(idsOf(await host.poll())).toEqual([ann.id]);
		const [bob] = await workspace.addContacts([{ firstName: 'Bob' }]);
		expect(idsOf(await host.poll())).toEqual([bob.id]);
		expect(await host.poll()).toEqual([]);
	});

	test('finds contacts that fill several pages at once, oldest first', async () => {
		const { workspace, host } = await active(created, { contacts: 250 });
		const added = await workspace.addContacts(people(MANY));
		const items = await host.poll();
		expect(idsOf(items)).toEqual(idsOf(added));
		const times = items.map(({ createdAt }) => String(createdAt));
		expect(times).toEqual([...times].sort());
		expect(await host.poll()).toEqual([]);
		expect(await host.poll()).toEqual([]);
	});

	test('finds all contacts after polls that failed in the middle', async () => {
		const { workspace, host } = await active(created, { contacts: 250 });
		const added = await workspace.addContacts(people(300));
		await workspace.faults({ fail: [{ match: { pathPattern: 'page=3' }, status: 403 }] });
		await expect(host.poll()).rejects.toThrow('403');
		await expect(host.poll()).rejects.toThrow('403');
		await workspace.faults({ fail: null });
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		expect(await host.poll()).toEqual([]);
	});

	test('takes two requests if nothing is new', async () => {
		const { workspace, requestsOfPoll } = await active(created, { contacts: MANY });
		expect(await requestsOfPoll()).toBe(2);
		await workspace.addContacts(people(3));
		expect(await requestsOfPoll()).toBe(2);
		expect(await requestsOfPoll()).toBe(2);
	});

	test.each(casesOf([0, 1, 2, 50, 51], [3, 49, 101]))(
		'takes at most two requests in a workspace with %i contacts',
		async (contacts) => {
			const { requestsOfPoll } = await active(created, { contacts });
			expect(await requestsOfPoll()).toBe(contacts < 2 ? 1 : 2);
		},
	);

	test('takes two requests again after many contacts came at once', async () => {
		const { workspace, host, requestsOfPoll } = await active(created, { contacts: 100 });
		await workspace.addContacts(people(MANY));
		// The second poll leaves requests under way that it sent ahead.
		for (let round = 0; round < 3; round++) await host.poll();
		expect(await requestsOfPoll()).toBe(2);
		expect(host.size).toBeLessThan(50_000);
		await workspace.addContacts(people(1));
		await host.poll();
		expect(host.size).toBeLessThan(5000);
	});

	test('finds contacts of the same time over several polls', async () => {
		const { workspace, host } = await active(created, { contacts: 120 });
		const createdAt = new Date().toISOString();
		const found: string[] = [];
		for (let round = 0; round < 6; round++) {
			const added = await workspace.addContacts(
				people(7).map((person) => ({ ...person, createdAt })),
			);
			const items = await host.poll();
			expect(idsOf(items)).toEqual(idsOf(added));
			found.push(...idsOf(items));
			expect(await host.poll()).toEqual([]);
		}
		expect(new Set(found).size).toBe(42);
	});

	test('finds many contacts of the same time', async () => {
		const { workspace, host } = await active(created, { contacts: 120 });
		const createdAt = new Date().toISOString();
		const added = await workspace.addContacts(
			people(MANY).map((person) => ({ ...person, createdAt })),
		);
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		const more = await workspace.addContacts([{ firstName: 'Ann', createdAt }]);
		expect(idsOf(await host.poll())).toEqual(idsOf(more));
		expect(await host.poll()).toEqual([]);
		const later = await workspace.addContacts(people(2));
		expect(idsOf(await host.poll())).toEqual(idsOf(later));
	});

	test('finds a contact that appears in the list after newer ones', async () => {
		const { workspace, host } = await active(created, { contacts: 20 });
		const now = Date.now();
		const at = (ms: number) => new Date(now + ms).toISOString();
		await workspace.addContacts([{ createdAt: at(2000) }]);
		await host.poll();
		const late = await workspace.addContacts([{ createdAt: at(1000) }]);
		expect(idsOf(await host.poll())).toEqual(idsOf(late));
	});

	test.each([
		['years behind', '2024-06-01T00:00:00.000Z'],
		['years ahead', '2040-06-01T00:00:00.000Z'],
	])('finds contacts of a service whose clock is %s', async (_, start) => {
		const { workspace, host } = await active(created, { contacts: 60 });
		for (let minute = 0; minute < 3; minute++) {
			const createdAt = new Date(Date.parse(start) + minute * 60_000).toISOString();
			const added = await workspace.addContacts([{ createdAt }]);
			expect(idsOf(await host.poll())).toEqual(idsOf(added));
		}
	});

	test.each([
		['caps its pages', { maxPerPage: 20 }],
		[
			'caps its pages but counts them by the requested size',
			{ maxPerPage: 30, pageCount: 'fromAsked' as const },
		],
		['does not count its pages', { pageCount: 'nowhere' as const }],
		['answers with bare arrays', { bareArrays: true }],
		['ignores the requested order', { ignoreSort: true }],
		['does all of that', { ignoreSort: true, maxPerPage: 25, bareArrays: true }],
	])('finds all contacts of a service that %s', async (_, faults) => {
		const { workspace, host } = await active(created, { contacts: 60, faults });
		const added = await workspace.addContacts(people(130));
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		expect(await host.poll()).toEqual([]);
		const more = await workspace.addContacts(people(1));
		await host.restart();
		expect(idsOf(host.items)).toEqual(idsOf([...added, ...more]));
	});

	test('finds contacts of a service that refuses to sort', async () => {
		const { workspace, host } = await active(created, {
			contacts: 110,
			faults: {
				fail: [{ match: { pathPattern: 'sort' }, status: 400, message: 'sort.0.field is invalid' }],
			},
		});
		const added = await workspace.addContacts(people(3));
		expect(idsOf(await host.poll())).toEqual(idsOf(added));
		expect(await host.poll()).toEqual([]);
	});

	test('finds contacts that come while it reads the list, in this poll or the next', async () => {
		const { workspace, host } = await active(created, { contacts: 500 });
		const before = new Set(idsOf((await workspace.state()).contacts));
		await workspace.addContacts(people(320));
		await workspace.faults({ growWhilePaging: true });
		await host.poll();
		await workspace.faults({ growWhilePaging: null });
		await host.poll();
		await host.poll();
		const { contacts } = await workspace.state();
		expect(idsOf(host.items)).toEqual(idsOf(contacts.filter(({ id }) => !before.has(id))));
	});

	test('finds only contacts that match the filters', async () => {
		const { workspace, host } = await active(
			{ ...created, filters: { keyword: 'ann' } },
			{ contacts: 0 },
		);
		await workspace.addContacts([{ firstName: 'Ann' }, { firstName: 'Bob' }]);
		expect((await host.poll()).map(({ firstName }) => firstName)).toEqual(['Ann']);
	});

	test('starts over with other filters or another event, but not with another output', async () => {
		const { workspace, host } = await active(
			{ ...created, filters: { keyword: 'a' } },
			{ contacts: 0 },
		);
		await workspace.addContacts([{ firstName: 'Ann' }]);
		await host.republish({ ...created, filters: { keyword: 'n' } });
		await host.poll();
		expect(host.items).toEqual([]);
		await workspace.addContacts([{ firstName: 'Nia' }]);
		await host.republish({ ...created, filters: { keyword: 'n' }, simplify: false });
		expect(host.items).toMatchObject([{ firstName: 'Nia', contactNotes: [] }]);
		await workspace.addContacts([{ firstName: 'Ned' }]);
		await host.republish({ ...updated, filters: { keyword: 'n' } });
		await host.poll();
		expect(host.items).toHaveLength(1);
	});

	test('finds new contacts after others were deleted', async () => {
		const { workspace, host } = await active(created, { contacts: 150 });
		const added = await workspace.addContacts(people(40));
		await host.poll();
		await workspace.removeContacts(added.slice(5).map(identifier));
		expect(await host.poll()).toEqual([]);
		const { contacts } = await workspace.state();
		await workspace.removeContacts(contacts.slice(-100).map(identifier));
		expect(await host.poll()).toEqual([]);
		const [ann] = await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(idsOf(await host.poll())).toEqual([ann.id]);
	});
});

describe.each(engines)('Contact Updated, polled by the %s engine', (engine) => {
	test('finds contacts that changed while n8n was down', async () => {
		const { workspace, host } = await active(updated, { contacts: 30 }, engine);
		const { contacts } = await workspace.state();
		const change = async (index: number) =>
			await workspace.changeContacts([
				{ identifier: identifier(contacts[index]), changes: { city: `City ${host.items.length}` } },
			]);
		await change(0);
		await host.poll();
		await host.poll();
		await host.restart(async () => await change(0));
		await host.restart(async () => await change(1));
		await host.poll();
		expect(host.items.map(({ id }) => id)).toEqual([
			contacts[0].id,
			contacts[0].id,
			contacts[1].id,
		]);
	});
});

describe('Contact Updated', () => {
	test.each(oneEngine())(
		'finds each update once, with the names of the changed fields (%s engine)',
		async (engine) => {
			const { workspace, host } = await active(updated, { contacts: 300 }, engine);
			const { contacts, tags } = await workspace.state();
			await workspace.changeContacts([
				{
					identifier: identifier(contacts[3]),
					changes: { firstName: 'Changed', blockedAt: new Date().toISOString() },
				},
				{ identifier: identifier(contacts[250]), changes: { tagIds: [tags[0].id, tags[1].id] } },
			]);
			const items = await host.poll();
			expect(items.map(({ id, changedFields }) => ({ id, changedFields }))).toEqual(
				expect.arrayContaining([
					{ id: contacts[3].id, changedFields: ['firstName', 'blockedAt'] },
					{ id: contacts[250].id, changedFields: ['tags'] },
				]),
			);
			expect(items).toHaveLength(2);
			expect(await host.poll()).toEqual([]);
			await workspace.changeContacts([
				{ identifier: identifier(contacts[3]), changes: { firstName: 'Again' } },
			]);
			expect(await host.poll()).toMatchObject([
				{ id: contacts[3].id, changedFields: ['firstName'] },
			]);
		},
	);

	test.each(oneEngine())(
		'does not count a new contact as updated unless it changed since (%s engine)',
		async (engine) => {
			const { workspace, host } = await active(updated, { contacts: 30 }, engine);
			const [ann, bob] = await workspace.addContacts([{ firstName: 'Ann' }, { firstName: 'Bob' }]);
			await workspace.changeContacts([
				{ identifier: identifier(bob), changes: { city: 'Berlin' } },
			]);
			expect(await host.poll()).toMatchObject([{ id: bob.id, changedFields: [] }]);
			await workspace.changeContacts([
				{ identifier: identifier(ann), changes: { city: 'Berlin' } },
			]);
			expect(idsOf(await host.poll())).toEqual([ann.id]);
			expect(await host.poll()).toEqual([]);
		},
	);

	const update = { operation: 'update', identifier: by('id', '={{ $json.id }}') };
	const sameName = '={{ $json.firstName }}';
	const again = { ...update, updateFields: { firstName: sameName } };
	const upsert = {
		operation: 'upsert',
		email: '={{ $json.email }}',
		additionalFields: { firstName: sameName },
	};

	test.each([
		['starts itself again, even for the same value', 'contactUpdated', false, again, 2],
		['starts once if it uses Create or Update', 'contactUpdated', false, upsert, 0],
		['starts once if that ends a condition', 'contactUpdated', true, { operation: 'addTags' }, 0],
		['starts once with Tag Added to Contact', 'tagAdded', false, again, 0],
	] as const)(
		'A workflow that updates its contact %s',
		async (_, event, isConditional, write, expected) => {
			const { workspace, run } = await testWorkspace({ contacts: 3 });
			const { tags, contacts } = await workspace.state();
			const tagIds = [tags[5].id];
			const conditions = { tags: [{ listOperator: 'notIn', tagIds }] };
			const parameters = { event, ...(isConditional && { conditions }) };
			const credential = { baseUrl: workspace.url, accessToken: workspace.token };
			const host = new TriggerHost(credential, parameters);
			await host.activate();
			const changes = event === 'tagAdded' ? { tagIds } : { city: 'Oslo' };
			await workspace.changeContacts([{ identifier: identifier(contacts[0]), changes }]);
			const pollAndWrite = async () => {
				const items = await host.poll();
				const call = { resource: 'contact', ...update, tagIds, ...write };
				if (items.length > 0) expect((await run(call, items)).error).toBeUndefined();
				return items.length;
			};
			expect(await pollAndWrite()).toBe(1);
			expect((await pollAndWrite()) + (await pollAndWrite())).toBe(expected);
		},
	);

	test('takes two requests if nothing is new', async () => {
		const { workspace, host, requestsOfPoll } = await active(updated, { contacts: MANY });
		expect(await requestsOfPoll()).toBe(2);
		const { contacts } = await workspace.state();
		const change = (index: number) => ({
			identifier: identifier(contacts[index]),
			changes: { city: 'X' },
		});
		await workspace.changeContacts([change(0), change(MANY / 2)]);
		expect(await requestsOfPoll()).toBe(2);
		expect(host.items).toHaveLength(2);
		expect(await requestsOfPoll()).toBe(2);
	});

	test('finds the update of an old contact on a service that does not sort', async () => {
		const { workspace, host } = await active(updated, {
			contacts: MANY,
			faults: { ignoreSort: true },
		});
		const { contacts } = await workspace.state();
		for (const index of [0, MANY / 2, MANY - 1]) {
			await workspace.changeContacts([
				{ identifier: identifier(contacts[index]), changes: { city: 'X' } },
			]);
			expect(idsOf(await host.poll())).toEqual([contacts[index].id]);
			expect(await host.poll()).toEqual([]);
		}
	});

	test('notices when the service stops sorting', async () => {
		const { workspace, host } = await active(updated, { contacts: MANY });
		const { contacts } = await workspace.state();
		const change = async (index: number) =>
			await workspace.changeContacts([
				{ identifier: identifier(contacts[index]), changes: { city: 'X' } },
			]);
		await change(5);
		await host.poll();
		await workspace.faults({ ignoreSort: true });
		await change(10);
		expect(idsOf(await host.poll())).toEqual([contacts[10].id]);
	});

	test('finds a second change within the same second on a service that rounds times', async () => {
		const { workspace, host } = await active(updated, { contacts: 30 });
		const [{ id }] = (await workspace.state()).contacts;
		const updatedAt = new Date(Math.ceil(Date.now() / 1000) * 1000).toISOString();
		for (const city of ['Rome', 'Oslo', 'Bonn']) {
			await workspace.changeContacts([{ identifier: `id:${id}`, changes: { city, updatedAt } }]);
			expect(await host.poll()).toMatchObject([{ id, changedFields: ['city'] }]);
			expect(await host.poll()).toEqual([]);
		}
	});

	test('finds many contacts that change at once', async () => {
		const { workspace, host } = await active(updated, { contacts: 1.5 * MANY });
		const { contacts } = await workspace.state();
		const some = contacts.filter((_, index) => index % 3 !== 0);
		await workspace.changeContacts(
			some.map((contact) => ({ identifier: identifier(contact), changes: { city: 'X' } })),
		);
		expect(idsOf(await host.poll())).toEqual(idsOf(some));
		expect(await host.poll()).toEqual([]);
	});

	test('remembers less than 60,000 characters in a large workspace', async () => {
		const { host } = await active(updated, { contacts: 5 * MANY });
		expect(host.size).toBeLessThan(60_000);
	});
});

describe('Fetch Test Event', () => {
	test('shows the newest contact and remembers nothing', async () => {
		const { workspace, host } = await watched(created, { contacts: 30 });
		const [ann] = await workspace.addContacts([{ firstName: 'Ann' }]);
		expect(await host.fetchTestEvent()).toMatchObject({
			items: [{ id: ann.id, firstName: 'Ann' }],
		});
		expect(host.memory).toEqual({});
		expect((await workspace.summary()).requests).toBe(1);
	});

	test('reports that no record matches', async () => {
		const { host } = await watched({ ...updated, filters: { keyword: 'nobody' } }, { contacts: 3 });
		const { items, error } = await host.fetchTestEvent();
		expect(items).toEqual([]);
		expect(error?.message).toBe('There is nothing to show as a test event yet.');
	});

	test.each([
		['contactCreated', /^Create a contact that meets the conditions/],
		['contactUpdated', /^Change a contact so that it meets the conditions/],
		['messageReceived', /^Write to a channel, as a contact would/],
		['tagAdded', /^Add one of the tags to a contact/],
		['tagRemoved', /^Add one of the tags to a contact.* without the tag\./],
		['broadcastStatusChanged', /^Create a broadcast/],
		['channelStatusChanged', /^Connect a channel/],
		['sequenceActiveChanged', /^Create a sequence/],
	])('says in an empty workspace what to do for %s', async (event, advice) => {
		const { host } = await watched({ event }, { empty: true, service: 'newer' });
		const { items, error } = await host.fetchTestEvent();
		expect(items).toEqual([]);
		expect(error?.message).toBe('There is nothing to show as a test event yet.');
		expect(error?.description).toMatch(advice);
		expect(error?.description).toMatch(
			/ Once published, the trigger works without a test event, too\.$/,
		);
	});
});

test('a poll that starts during another one does not find the same contacts again', async () => {
	const { workspace, host } = await active(created, { contacts: 30, faults: { latencyMs: 50 } });
	await workspace.addContacts(people(2));
	await Promise.all([host.poll(), host.poll(), host.poll()]);
	expect(host.items).toHaveLength(2);
});

test.each(engines)(
	'publishing the workflow during a poll finds no contact twice, and loses none (%s)',
	async (engine) => {
		const { workspace, host } = await active(created, { contacts: 30 }, engine);
		const added = await workspace.addContacts(people(2));
		await workspace.faults({ latencyMs: 50 });
		await Promise.all([host.republish({ ...created, simplify: false }), host.poll()]);
		await host.poll();
		expect(idsOf(host.items)).toEqual(idsOf(added));
	},
);

test('a failed poll reports the status but not the token', async () => {
	const { workspace, host } = await active(created, { contacts: 3 });
	await workspace.faults({ fail: [{ status: 401, echoToken: true }] });
	await expect(host.poll()).rejects.toThrow('The service rejected the access token (401)');
	expect(host.errors[0].httpCode).toBe('401');
	expect(JSON.stringify(host.errors[0])).not.toContain(workspace.token);
	await expect(host.republish()).rejects.toThrow('access token');
});

test('an invalid filter is an error that names its field', async () => {
	const { host } = await watched({ ...created, filters: { inboxIds: ['abc'] } });
	await expect(host.activate()).rejects.toThrow('Channel Names or IDs');
	expect(host).toBeInstanceOf(TriggerHost);
});
