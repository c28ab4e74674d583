import type { IDataObject } from 'n8n-workflow';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Watcher } from '../../../nodes/WorkspaceMessaging/trigger/types';
import type { NewestMemory } from '../../../nodes/WorkspaceMessaging/trigger/changes/newest';
import { watchAll } from '../../support/fakes/movingCase';

/*
 * Records that a reading misses because others are deleted between its requests, or that come twice
 * because others are created. Each case is as small as possible.
 */

const CAP = 20;

/**
 * A service that returns 20 records per page. `meanwhile` is what happens before it answers for a
 * page.
 */
class List {
	rows: IDataObject[] = [];
	requestedPages: number[] = [];
	meanwhile: (page: number, isSortCheck: boolean) => void = () => {};
	countsPages = true;
	private ids = 0;

	constructor(
		/** Whether it sorts as requested, or in one order only. */
		private readonly sorts: boolean | 'asc',
		count: number,
	) {
		this.add(count);
	}

	readonly client: Requester = {
		service: new Service(),
		request: async (_, { query } = {}) => {
			const { page, sort } = query as unknown as { page: number; sort?: Array<{ order: string }> };
			const order = sort?.[0].order;
			this.requestedPages.push(page);
			this.meanwhile(page, order === 'asc' || (sort !== undefined && !this.sorts));
			const rows = [...this.rows];
			const sign = order === 'asc' ? 1 : -1;
			if (this.sorts === true ? sort : order === this.sorts)
				rows.sort((a, b) => sign * (String(a.createdAt) < String(b.createdAt) ? -1 : 1));
			return {
				data: rows.slice((page - 1) * CAP, page * CAP),
				...(this.countsPages && { pageCount: Math.ceil(rows.length / CAP) }),
			};
		},
	};

	/** A record that is a second younger than the one before, or of a given second. */
	create(second?: number): IDataObject {
		const id = ++this.ids;
		const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second ?? id)).toISOString();
		return {
			id: `${id}`,
			createdAt: at,
			updatedAt: at,
			status: 'sent',
			tags: [{ id: '1', name: 'VIP' }],
		};
	}

	/** Puts new records in front of all others. */
	add(count: number): IDataObject[] {
		const added = Array.from({ length: count }, () => this.create());
		this.rows.unshift(...[...added].reverse());
		return added;
	}
}

/** Returns a function that polls and keeps the memory as JSON, as n8n does. */
function pollingWith(watcher: Watcher) {
	let memory: unknown;
	return async (): Promise<string[]> => {
		const found = await watcher.poll(memory);
		memory = JSON.parse(JSON.stringify(found.memory));
		return found.items.map(({ id }) => String(id));
	};
}

const contactCreated = ({ client }: List) => pollingWith(watchAll('contactCreated', client));

const idsOf = (rows: IDataObject[]) => rows.map(({ id }) => String(id)).sort();

test.each<[string, (service: List) => () => Promise<string[]>]>([
	['Contact Created', contactCreated],
	['Tag Added', ({ client }) => pollingWith(watchAll('tagAdded', client))],
	[
		'Broadcast Status Changed',
		({ client }) => pollingWith(watchAll('broadcastStatusChanged', client)),
	],
])('%s does not emit a record that the first poll missed', async (_, pollOf) => {
	const service = new List(false, 50);
	const poll = pollOf(service);
	let isDue = true;
	service.meanwhile = (page) => {
		// The first record of page 2 moves to page 1, which was already read.
		if (page === 2 && isDue) service.rows.shift();
		if (page === 2) isDue = false;
	};
	await poll();
	expect(await poll()).toEqual([]);
});

test.each([
	['sorts', true, 0],
	// Without sorting, the trigger forgets a record only after more others.
	['does not sort', false, 300],
])(
	'Contact Created emits a contact that several polls missed, on a service that %s',
	async (_, sorts, others) => {
		const service = new List(sorts, 3);
		const poll = contactCreated(service);
		await poll();
		const [missed] = service.add(1);
		service.add(CAP - 1);
		// Before each reading a contact comes, and during the reading one goes: so each page just
		// misses the contact.
		service.meanwhile = (page, isSortCheck) => {
			if (page === 1 && !isSortCheck) service.add(1);
			if (page === 2) service.rows.shift();
		};
		const found: string[] = [];
		for (let round = 0; round < 5; round++) {
			found.push(...(await poll()));
			service.rows.push(...Array.from({ length: others }, () => service.create()));
		}
		expect(found.includes(String(missed.id))).toBe(false);
		service.meanwhile = () => {};
		for (let round = 0; round < 3; round++) found.push(...(await poll()));
		expect(found.filter((id) => id === missed.id)).toEqual([missed.id]);
		expect(new Set(found).size).toBe(found.length);
	},
);

test.each([
	['2 new contacts', 2],
	['40 new contacts', 2 * CAP],
])(
	'%s that push others to the next page do not look like a service that cannot sort',
	async (_, count) => {
		const service = new List(true, 1000);
		const poll = contactCreated(service);
		await poll();
		const added = service.add(50);
		let isDue = true;
		service.meanwhile = (page) => {
			if (page === 2 && isDue) added.push(...service.add(count));
			if (page === 2) isDue = false;
		};
		const found = await poll();
		if (count < CAP) expect(Math.max(...service.requestedPages)).toBeLessThan(10);
		for (let round = 0; round < 3; round++) found.push(...(await poll()));
		expect(found.sort()).toEqual(idsOf(added));
		service.requestedPages = [];
		expect(await poll()).toEqual([]);
		expect(service.requestedPages).toEqual([1, 1]);
	},
);

test('Deleted contacts do not look like a service that cannot sort', async () => {
	const service = new List(true, 3);
	service.meanwhile = (_, isSortCheck) => {
		if (isSortCheck) service.rows.splice(1);
	};
	const poll = contactCreated(service);
	await poll();
	service.meanwhile = () => {};
	service.add(1000);
	for (let round = 0; round < 3; round++) await poll();
	service.requestedPages = [];
	expect(await poll()).toEqual([]);
	expect(service.requestedPages).toEqual([1, 1]);
});

test('Contact Created does not emit a contact twice that leaves the list and returns', async () => {
	const service = new List(true, 50);
	const poll = contactCreated(service);
	await poll();
	const [ann] = service.add(1);
	expect(await poll()).toEqual([ann.id]);
	service.rows.shift();
	expect(await poll()).toEqual([]);
	service.requestedPages = [];
	expect(await poll()).toEqual([]);
	expect(service.requestedPages).toEqual([1, 1]);
	service.rows.push(ann);
	expect(await poll()).toEqual([]);
});

test('Contacts that leave and return do not fill the memory of Contact Created', async () => {
	const service = new List(true, 50);
	const watcher = watchAll('contactCreated', service.client);
	let { memory } = await watcher.poll(undefined);
	for (let round = 0; round < 100; round++) {
		service.add(1);
		({ memory } = await watcher.poll(memory));
		service.rows.shift();
		({ memory } = await watcher.poll(memory));
	}
	expect((memory as NewestMemory).entries.length).toBeLessThan(2 * CAP);
});

test('Contact Created emits a contact of the newest time, although the first poll read one of them twice', async () => {
	const service = new List(false, 0);
	service.rows = Array.from({ length: CAP + 1 }, () => service.create(0));
	const poll = contactCreated(service);
	let isDue = true;
	service.meanwhile = (page) => {
		if (page === 2 && isDue) service.rows.unshift(service.create(0));
		if (page === 2) isDue = false;
	};
	await poll();
	await poll();
	const late = service.create(0);
	service.rows.push(late);
	expect(await poll()).toEqual([late.id]);
});

test('Contact Created emits a contact that appears in the list after many newer ones', async () => {
	const service = new List(true, 100);
	const poll = contactCreated(service);
	await poll();
	service.add(200);
	await poll();
	const late = service.create();
	const added = service.add(200);
	expect((await poll()).sort()).toEqual(idsOf(added));
	service.rows.push(late);
	expect(await poll()).toEqual([late.id]);
	for (let round = 0; round < 3; round++) expect(await poll()).toEqual([]);
});

test('Contact Created emits a contact that is older than the only one there was, on a service that counts no pages', async () => {
	const service = new List(true, 0);
	service.rows = [service.create(60)];
	service.countsPages = false;
	const poll = contactCreated(service);
	await poll();
	const late = service.create(30);
	service.rows.push(late);
	expect(await poll()).toEqual([late.id]);
});

test('Contact Created reads the whole list of a service that can only sort the oldest first', async () => {
	const service = new List('asc', 0);
	service.rows = Array.from({ length: 3 * CAP }, () => service.create());
	service.rows.unshift(service.rows.pop()!);
	const poll = contactCreated(service);
	await poll();
	const added = service.create();
	service.rows.push(added);
	expect(await poll()).toEqual([added.id]);
});
