import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { Contact } from '../../../sandbox/records';
import type { Faults } from '../../../sandbox/options';
import { caseCount } from '../../support/cases';
import { engines, type TriggerHost } from '../../support/engine/triggerHost';
import { active, identifier, people } from '../../support/engine/triggerSupport';

/*
 * Changes at random between polls, some of which fail, on a service with changing faults, with
 * restarts and publications. What comes out is compared with what the workspace itself says has
 * happened.
 */

const ROUNDS = caseCount({ few: 2, many: 8 });
const SEEDS = [1];

type State = Map<string, Contact>;

interface Plan {
	event: string;
	/** Changes of one round. */
	change(workspace: SandboxWorkspace, contacts: Contact[], random: Random): Promise<void>;
	/** What is news between two polls that succeeded, one text each. */
	news(before: State, after: State): string[];
	/** The text of an item. */
	textOf(item: IDataObject): string;
}

class Random {
	private readonly next: () => number;

	constructor(seed: number) {
		this.next = sequenceOf(seed);
	}

	chance(share: number): boolean {
		return this.next() < share;
	}

	below(count: number): number {
		return Math.floor(this.next() * count);
	}

	pick<T>(values: readonly T[]): T {
		return values[this.below(values.length)];
	}

	some<T>(values: readonly T[], most: number): T[] {
		const chosen = new Set(Array.from({ length: this.below(most + 1) }, () => this.pick(values)));
		return [...chosen].filter((value) => value !== undefined);
	}
}

const addSome = async (workspace: SandboxWorkspace, random: Random, tagIds: string[] = []) => {
	const count = random.pick([0, 0, 1, 2, 5, 130]);
	// Some of them at one and the same time.
	const createdAt = new Date().toISOString();
	const same = random.chance(0.3) ? { createdAt, updatedAt: createdAt } : {};
	await workspace.addContacts(people(count).map((person) => ({ ...person, ...same, tagIds })));
};

const removeSome = async (workspace: SandboxWorkspace, contacts: Contact[], random: Random) => {
	if (random.chance(0.3)) await workspace.removeContacts(random.some(contacts, 4).map(identifier));
};

const tagPlan = (event: string, isAdded: boolean): Plan => ({
	event,
	async change(workspace, contacts, random) {
		const { tags } = await workspace.state();
		const tagIds = tags.map(({ id }) => id);
		await workspace.changeContacts(
			random.some(contacts, 12).map((contact) => ({
				identifier: identifier(contact),
				changes: {
					tagIds: random.some(tagIds, 3),
					...(random.chance(0.5) && { updatedAt: contact.updatedAt }),
				},
			})),
		);
		await addSome(workspace, random, random.some(tagIds, 2));
		await removeSome(workspace, contacts, random);
	},
	news(before, after) {
		const pairs = (state: State) =>
			new Set([...state.values()].flatMap(({ id, tags }) => tags.map((tag) => `${id} ${tag.id}`)));
		const [old, now] = [pairs(before), pairs(after)];
		if (isAdded) return [...now].filter((pair) => !old.has(pair));
		return [...old].filter((pair) => !now.has(pair) && after.has(pair.split(' ')[0]));
	},
	textOf: ({ id, tag }) => `${String(id)} ${(tag as { id: string }).id}`,
});

const plans: Plan[] = [
	{
		event: 'contactCreated',
		async change(workspace, contacts, random) {
			await addSome(workspace, random);
			await removeSome(workspace, contacts, random);
		},
		news: (before, after) => [...after.keys()].filter((id) => !before.has(id)),
		textOf: ({ id }) => String(id),
	},
	{
		event: 'contactUpdated',
		async change(workspace, contacts, random) {
			await workspace.changeContacts(
				random.some(contacts, random.pick([0, 3, 20])).map((contact) => ({
					identifier: identifier(contact),
					changes: { city: `City ${random.below(1e6)}` },
				})),
			);
			await addSome(workspace, random);
			await removeSome(workspace, contacts, random);
		},
		news: (before, after) =>
			[...after.values()]
				.filter(
					({ id, createdAt, updatedAt }) => (before.get(id)?.updatedAt ?? createdAt) !== updatedAt,
				)
				.map(({ id, updatedAt }) => `${id} ${updatedAt}`),
		textOf: ({ id, updatedAt }) => `${String(id)} ${String(updatedAt)}`,
	},
	tagPlan('tagAdded', true),
	tagPlan('tagRemoved', false),
];

const stateOf = async (workspace: SandboxWorkspace): Promise<State> =>
	new Map((await workspace.state()).contacts.map((contact) => [contact.id, contact]));

async function setFaults(workspace: SandboxWorkspace, random: Random) {
	const faults: Faults = {
		maxPerPage: random.pick([null, null, 20, 45]),
		pageCount: random.pick([null, null, 'nowhere', 'fromAsked'] as const),
		bareArrays: random.chance(0.2),
		fail: random.chance(0.4)
			? [{ match: { operation: 'listContacts' }, rate: 0.4, status: random.pick([403, 404]) }]
			: null,
	};
	await workspace.faults({ ...faults, seed: random.below(1000) });
}

/** Polls in one of the ways in which n8n does; it may fail. */
async function poll(host: TriggerHost, random: Random): Promise<void> {
	const again = () => (host.engine === 'durable' ? host.pollTwice() : host.poll());
	const ways = [() => host.poll(), again, () => host.restart(), () => host.republish()];
	await random
		.pick<() => Promise<unknown>>(ways)()
		.catch(() => {});
}

describe.each(plans)('$event', ({ event, change, news, textOf }) => {
	test.each(engines.flatMap((engine) => SEEDS.map((seed) => ({ engine, seed }))))(
		'polled by the $engine engine, with the seed $seed',
		async ({ engine, seed }) => {
			const random = new Random(seed);
			const ignoreSort = random.chance(0.4);
			const { workspace, host } = await active(
				{ event },
				{ contacts: 160, faults: { ignoreSort } },
				engine,
			);
			let before = await stateOf(workspace);
			let known = 0;
			for (let round = 0; round < ROUNDS; round++) {
				await change(workspace, [...(await stateOf(workspace)).values()], random);
				await setFaults(workspace, random);
				const { succeeded } = host;
				await poll(host, random);
				await poll(host, random);
				if (round === ROUNDS - 1) {
					await workspace.faults({ fail: null });
					await host.poll();
				}
				if (host.succeeded === succeeded) continue;

				const after = await stateOf(workspace);
				const found = host.items.slice(known).map(textOf);
				expect({ round, found: found.sort() }).toEqual({
					round,
					found: news(before, after).sort(),
				});
				before = after;
				known = host.items.length;
			}
		},
	);
});
