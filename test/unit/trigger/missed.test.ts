import type { IDataObject } from 'n8n-workflow';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/service';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Watch } from '../../../nodes/WorkspaceMessaging/trigger/types';
import type { ContactMemory } from '../../../nodes/WorkspaceMessaging/trigger/events/contacts';
import { watchAll } from '../../support/fakes/movingCase';

/*
 * Records that a reading misses, because others are deleted between its requests, or that come twice, because others are
 * created: each case as small as it can be.
 */

const CAP = 20;

/** A service that gives 20 records a page. `meanwhile` is what happens before it answers for a page. */
class List {
	rows: IDataObject[] = [];
	asked: number[] = [];
	meanwhile: (page: number, isSortCheck: boolean) => void = () => {};
	private ids = 0;

	constructor(
		/** Whether it keeps the order asked for, or one order only. */
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
			this.asked.push(page);
			this.meanwhile(page, order === 'asc' || (sort !== undefined && !this.sorts));
			const rows = [...this.rows];
			const sign = order === 'asc' ? 1 : -1;
			if (this.sorts === true ? sort : order === this.sorts)
				rows.sort((a, b) => sign * (String(a.createdAt) < String(b.createdAt) ? -1 : 1));
			return { data: rows.slice((page - 1) * CAP, page * CAP), pageCount: Math.ceil(rows.length / CAP) };
		},
	};

	/** A record that is a second younger than the one before, or of a given second. */
	create(second?: number): IDataObject {
		const id = ++this.ids;
		const at = new Date(Date.UTC(2026, 0, 1, 0, 0, second ?? id)).toISOString();
		return { id: `${id}`, createdAt: at, updatedAt: at, status: 'sent', tags: [{ id: '1', name: 'VIP' }] };
	}

	/** Puts new records in front of all others. */
	add(count: number): IDataObject[] {
		const added = Array.from({ length: count }, () => this.create());
		this.rows.unshift(...[...added].reverse());
		return added;
	}
}

/** A trigger, which remembers as n8n does. */
function polling(watch: Watch) {
	let memory: unknown;
	return async (): Promise<string[]> => {
		const found = await watch.poll(memory);
		memory = JSON.parse(JSON.stringify(found.memory));
		return found.items.map(({ id }) => String(id));
	};
}

const created = ({ client }: List) => polling(watchAll('contactCreated', client));

const idsOf = (rows: IDataObject[]) => rows.map(({ id }) => String(id)).sort();

test.each<[string, (service: List) => () => Promise<string[]>]>([
	['Contact Created', created],
	['Tag Added', ({ client }) => polling(watchAll('tagAdded', client))],
	['Broadcast Status Changed', ({ client }) => polling(watchAll('broadcastStatusChanged', client))],
])('%s: a record that was missed when watching began is not new', async (_, pollOf) => {
	const service = new List(false, 50);
	const poll = pollOf(service);
	let isDue = true;
	service.meanwhile = (page) => {
		// The first record of the second page comes to stand on the first, which has been read.
		if (page === 2 && isDue) service.rows.shift();
		if (page === 2) isDue = false;
	};
	await poll();
	expect(await poll()).toEqual([]);
});

test.each([
	['sorts', true, 0],
	// There it takes more for the trigger to forget older ones.
	['does not sort', false, 300],
])(
	'a contact that poll after poll misses is found at last, on a service that %s',
	async (_, sorts, others) => {
		const service = new List(sorts, 3);
		const poll = created(service);
		await poll();
		const [missed] = service.add(1);
		service.add(CAP - 1);
		// Before each reading a contact comes, and goes while it is read: so the missed one is never on the page that is read.
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
	['some', 2],
	['more than a page', 2 * CAP],
])('new contacts that push others to the next page do not count as disorder: %s', async (_, count) => {
	const service = new List(true, 1000);
	const poll = created(service);
	await poll();
	const added = service.add(50);
	let isDue = true;
	service.meanwhile = (page) => {
		if (page === 2 && isDue) added.push(...service.add(count));
		if (page === 2) isDue = false;
	};
	const found = await poll();
	if (count < CAP) expect(Math.max(...service.asked)).toBeLessThan(10);
	for (let round = 0; round < 3; round++) found.push(...(await poll()));
	expect(found.sort()).toEqual(idsOf(added));
	service.asked = [];
	expect(await poll()).toEqual([]);
	expect(service.asked).toEqual([1, 1]);
});

test('a service is not taken for one that does not sort because older contacts are deleted', async () => {
	const service = new List(true, 3);
	service.meanwhile = (_, isSortCheck) => {
		if (isSortCheck) service.rows.splice(1);
	};
	const poll = created(service);
	await poll();
	service.meanwhile = () => {};
	service.add(1000);
	for (let round = 0; round < 3; round++) await poll();
	service.asked = [];
	expect(await poll()).toEqual([]);
	expect(service.asked).toEqual([1, 1]);
});

test('a contact that leaves the list and comes back is not new again', async () => {
	const service = new List(true, 50);
	const poll = created(service);
	await poll();
	const [ann] = service.add(1);
	expect(await poll()).toEqual([ann.id]);
	service.rows.shift();
	expect(await poll()).toEqual([]);
	service.asked = [];
	expect(await poll()).toEqual([]);
	expect(service.asked).toEqual([1, 1]);
	service.rows.push(ann);
	expect(await poll()).toEqual([]);
});

test('contacts that come and go do not fill the memory', async () => {
	const service = new List(true, 50);
	const watch = watchAll('contactCreated', service.client);
	let { memory } = await watch.poll(undefined);
	for (let round = 0; round < 100; round++) {
		service.add(1);
		({ memory } = await watch.poll(memory));
		service.rows.shift();
		({ memory } = await watch.poll(memory));
	}
	expect((memory as ContactMemory).entries.length).toBeLessThan(2 * CAP);
});

test('contacts of the newest time count as new, though one came twice when watching began', async () => {
	const service = new List(false, 0);
	service.rows = Array.from({ length: CAP + 1 }, () => service.create(0));
	const poll = created(service);
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

test('a contact that becomes visible after many newer ones were found is found, too', async () => {
	const service = new List(true, 100);
	const poll = created(service);
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

test('the whole list is read where only the oldest come first as asked', async () => {
	const service = new List('asc', 0);
	service.rows = Array.from({ length: 3 * CAP }, () => service.create());
	service.rows.unshift(service.rows.pop()!);
	const poll = created(service);
	await poll();
	const added = service.create();
	service.rows.push(added);
	expect(await poll()).toEqual([added.id]);
});
