import type { IDataObject } from 'n8n-workflow';
import type { Caller } from '../../nodes/WorkspaceMessaging/routing/client';
import { watchContacts } from '../../nodes/WorkspaceMessaging/trigger/contacts';
import { watchTags } from '../../nodes/WorkspaceMessaging/trigger/tags';
import { sequenceOf } from '../sandbox/random';

/*
 * Contacts that are created, changed, tagged and deleted between the requests of one poll, so that they move between the
 * pages while these are read.
 */

interface Contact extends IDataObject {
	id: string;
	createdAt: string;
	updatedAt: string;
	tags: Array<{ id: string; name: string }>;
}

/** A service whose contacts change with every request. */
class Moving {
	contacts: Contact[] = [];

	/** All there were, with the versions that each had. */
	versions = new Map<string, string[]>();

	isMoving = false;

	private time = Date.UTC(2026, 0, 1);

	private ids = 0;

	constructor(
		private readonly random: () => number,
		private readonly sorts: boolean,
		private readonly cap: number,
	) {}

	readonly caller: Caller = {
		send: async ({ query }) => {
			const { page, perPage, sort } = query as unknown as {
				page: number;
				perPage: number;
				sort?: Array<{ field: 'createdAt' | 'updatedAt'; order: string }>;
			};
			if (this.isMoving) this.move();
			const size = Math.min(perPage, this.cap);
			const list = [...this.contacts];
			if (sort && this.sorts) {
				const [{ field, order }] = sort;
				const sign = order === 'asc' ? 1 : -1;
				list.sort((a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : 0));
			}
			return {
				data: list
					.slice((page - 1) * size, page * size)
					.map((contact) => ({ ...contact, tags: [...contact.tags] })),
				pageCount: Math.ceil(list.length / size),
			};
		},
	};

	private now(): string {
		// Now and then several at the same time.
		if (this.random() < 0.7) this.time += Math.floor(this.random() * 3) * 1000;
		return new Date(this.time).toISOString();
	}

	private pick(): Contact {
		return this.contacts[Math.floor(this.random() * this.contacts.length)];
	}

	add(count: number) {
		for (let index = 0; index < count; index++) {
			const at = this.now();
			const contact = { id: `${++this.ids}`, createdAt: at, updatedAt: at, tags: [] };
			this.contacts.splice(Math.floor(this.random() * this.contacts.length), 0, contact);
			this.versions.set(contact.id, [at]);
		}
	}

	update() {
		const contact = this.pick();
		const at = this.now();
		if (at === contact.updatedAt || at === contact.createdAt) return;
		contact.updatedAt = at;
		this.versions.get(contact.id)!.push(at);
	}

	tag() {
		this.pick().tags.push({ id: `${++this.ids}`, name: 'Tag' });
	}

	private move() {
		for (let change = 0; change < 4; change++) {
			const what = this.random();
			if (what < 0.3) this.add(1);
			else if (what < 0.6) this.contacts.splice(Math.floor(this.random() * this.contacts.length), 1);
			else if (what < 0.9) this.update();
			else this.tag();
		}
	}
}

const shape = async (contacts: IDataObject[]) => contacts.map((contact) => ({ ...contact }));
const stored = <T>(memory: T): T => JSON.parse(JSON.stringify(memory)) as T;

/** Polls while the contacts move, with bursts in between, and in the end until they have come to rest. */
async function watch<M>(
	service: Moving,
	random: () => number,
	poll: (memory: M | undefined) => Promise<{ items: IDataObject[]; memory: M }>,
): Promise<IDataObject[]> {
	let { memory } = await poll(undefined);
	const items: IDataObject[] = [];
	const next = async () => {
		const found = await poll(stored(memory));
		memory = found.memory;
		items.push(...found.items);
	};
	for (let round = 0; round < 12; round++) {
		if (random() < 0.4) service.add(Math.floor(random() * 150));
		for (let update = 0; update < 10; update++) service.update();
		service.isMoving = random() < 0.7;
		await next();
	}
	service.isMoving = false;
	for (let round = 0; round < 3; round++) await next();
	return items;
}

const seeds = Array.from({ length: 20 }, (_, seed) => ({
	seed,
	sorts: seed % 4 !== 0,
	cap: [20, 50, 100][seed % 3],
}));

describe.each(seeds)('seed $seed, sorts: $sorts, $cap a page', ({ seed, sorts, cap }) => {
	const begin = () => {
		const random = sequenceOf(seed + 1);
		const service = new Moving(random, sorts, cap);
		service.add(180);
		return { random, service, before: new Set(service.versions.keys()) };
	};

	test('every contact that is created and stays is found once, and none twice', async () => {
		const { random, service, before } = begin();
		const watcher = watchContacts('contactCreated', service.caller, {}, `created ${seed}`, shape);
		const items = await watch(service, random, watcher.poll);
		const ids = items.map(({ id }) => String(id));
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids.filter((id) => before.has(id))).toEqual([]);
		const expected = service.contacts.map(({ id }) => id).filter((id) => !before.has(id));
		expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
	});

	test('every update that stays is found once, and none twice', async () => {
		const { random, service } = begin();
		const initial = new Map(service.contacts.map(({ id, updatedAt }) => [id, updatedAt]));
		const watcher = watchContacts('contactUpdated', service.caller, {}, `updated ${seed}`, shape);
		const items = await watch(service, random, watcher.poll);
		const found = items.map(({ id, updatedAt }) => `${String(id)} ${String(updatedAt)}`);
		// Of the newest contact everything counts, also a tag.
		const seen = items.map(({ id, updatedAt, tags }) => JSON.stringify([id, updatedAt, tags]));
		expect(new Set(seen).size).toBe(seen.length);
		const expected = service.contacts
			.filter(({ id, createdAt, updatedAt }) => (initial.get(id) ?? createdAt) !== updatedAt)
			.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
		expect(expected.filter((version) => !found.includes(version))).toEqual([]);
	});

	test('every tag that stays is found once, and none twice', async () => {
		const { random, service } = begin();
		const watcher = watchTags('tagAdded', service.caller, {}, [], shape);
		const items = await watch(service, random, watcher.poll);
		const found = items.map(({ id, tag }) => `${String(id)} ${(tag as { id: string }).id}`);
		expect(new Set(found).size).toBe(found.length);
		const expected = service.contacts.flatMap(({ id, tags }) => tags.map((tag) => `${id} ${tag.id}`));
		expect(expected.filter((pair) => !found.includes(pair))).toEqual([]);
	});
});
