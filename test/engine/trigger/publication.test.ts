import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { TriggerHost } from '../../support/engine/triggerHost';
import type { Engine } from '../../support/engine/triggerHost';
import { identifier, people } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';

/** The time of a slow service for a request, longer than a publication takes. */
const LATENCY_MS = 200;

/**
 * A slow service, and a workflow with two triggers: tags that contacts get, and tags that they
 * lose.
 */
async function tagTriggers(engine: Engine) {
	const { workspace } = await testWorkspace({ contacts: 20 });
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const added = new TriggerHost(credential, { event: 'tagAdded' }, engine, undefined, 'Added');
	const removed = new TriggerHost(
		credential,
		{ event: 'tagRemoved' },
		engine,
		added.database,
		'Removed',
	);
	const { tags } = await workspace.state();
	const contacts = await workspace.addContacts(people(6));
	const setTags = async (index: number, tagIds: string[]) =>
		await workspace.changeContacts([
			{ identifier: identifier(contacts[index]), changes: { tagIds } },
		]);
	await setTags(0, [tags[0].id]);
	await TriggerHost.publish([added, removed], 'activate');
	return {
		added,
		removed,
		/** Polls while the service is slow. The poll must not end before `meanwhile` has begun. */
		async pollWhile(host: TriggerHost, meanwhile: () => Promise<unknown>): Promise<void> {
			let hasEnded = false;
			await workspace.faults({ latencyMs: LATENCY_MS });
			const poll = host.poll().finally(() => (hasEnded = true));
			await sleep(LATENCY_MS / 2);
			expect(hasEnded).toBe(false);
			await meanwhile();
			await poll;
			await workspace.faults({ latencyMs: null });
		},
		/** A contact gets a tag. */
		tag: async (index: number) => await setTags(index, [tags[0].id]),
		/** A contact loses its tag. */
		untag: async (index: number) => await setTags(index, []),
		/** The contacts that a trigger reported, by their places. */
		found: (host: TriggerHost) =>
			host.items.map(({ id }) => contacts.findIndex((contact) => contact.id === id)),
	};
}

/**
 * The same trigger with another form of its items: n8n registers it again, and it still watches the
 * same.
 */
const edited = (event: string): INodeParameters => ({ event, simplify: false });

test.each(
	pairs<Engine, 'added' | 'removed'>(
		['inMemory', 'n8n1', 'durable', 'scheduled'],
		['added', 'removed'],
	),
)(
	'an event comes out once if the user publishes the workflow while a poll finds it (%s, %s first)',
	async (engine, first) => {
		const { added, removed, pollWhile, tag, untag, found } = await tagTriggers(engine);
		await tag(1);
		await untag(0);
		await pollWhile(added, async () => {
			added.change(edited('tagAdded'));
			removed.change(edited('tagRemoved'));
			await TriggerHost.publish(first === 'added' ? [added, removed] : [removed, added]);
		});
		for (const host of [removed, added, removed, added]) await host.poll();
		expect({ added: found(added), removed: found(removed) }).toEqual({ added: [1], removed: [0] });

		for (const host of [added, removed]) host.end();
		await tag(2);
		await TriggerHost.publish([added, removed], 'init');
		for (const host of [removed, added]) await host.poll();
		expect({ added: found(added), removed: found(removed) }).toEqual({
			added: [1, 2],
			removed: [0],
		});
	},
);

test.each(['inMemory', 'n8n1', 'scheduled', 'durable'] as const)(
	'an event comes out once if the user publishes a workflow with one trigger while a poll finds it (%s)',
	async (engine) => {
		const { added, pollWhile, tag, found } = await tagTriggers(engine);
		await tag(1);
		await pollWhile(added, async () => await added.republish(edited('tagAdded')));
		await added.poll();
		expect(found(added)).toEqual([1]);
	},
);

test.each(['inMemory', 'scheduled', 'durable'] as const)(
	'no event is lost if n8n restarts before the trigger polls again, and another trigger saved meanwhile (%s)',
	async (engine) => {
		const { added, removed, pollWhile, tag, untag, found } = await tagTriggers(engine);
		await tag(1);
		// The other trigger did not change, so it still works on the object of before.
		await pollWhile(added, async () => await added.republish(edited('tagAdded')));
		await untag(0);
		await removed.poll();
		await TriggerHost.publish([added, removed], 'init');
		await added.poll();
		expect({ added: found(added), removed: found(removed) }).toEqual({ added: [1], removed: [0] });
	},
);

test.each(['inMemory', 'scheduled', 'durable'] as const)(
	'a trigger that got new filters goes on after a restart, although another trigger saved last (%s)',
	async (engine) => {
		const { added, removed, tag, untag, found } = await tagTriggers(engine);
		await added.republish({ event: 'tagAdded', filters: { keyword: 'Person' } });
		await tag(1);
		await added.poll();
		await untag(0);
		await removed.poll();
		for (const host of [added, removed]) host.end();
		await tag(2);
		await TriggerHost.publish([added, removed], 'init');
		await added.poll();
		expect({ added: found(added), removed: found(removed) }).toEqual({
			added: [1, 2],
			removed: [0],
		});
	},
);

test.each(['inMemory', 'n8n1', 'scheduled', 'durable'] as const)(
	'watching begins when the user publishes the workflow, even while an old poll goes on (%s)',
	async (engine) => {
		const { added, pollWhile, tag, found } = await tagTriggers(engine);
		await pollWhile(added, async () => {
			await added.republish({ event: 'tagAdded', filters: { keyword: 'Person' } });
			await tag(1);
		});
		await added.poll();
		expect(found(added)).toEqual([1]);

		await pollWhile(added, async () => {
			added.deactivate();
			await added.activate();
			await tag(2);
		});
		await added.poll();
		expect(found(added)).toEqual([1, 2]);
	},
);

test.each(['inMemory', 'n8n1', 'scheduled', 'durable'] as const)(
	'two triggers of a workflow that find events at the same time return them once (%s)',
	async (engine) => {
		const { added, removed, tag, untag, found } = await tagTriggers(engine);
		await tag(1);
		await untag(0);
		await Promise.all([added.poll(), removed.poll()]);
		await Promise.all([added.poll(), removed.poll()]);
		expect({ added: found(added), removed: found(removed) }).toEqual({ added: [1], removed: [0] });
	},
);

test.each([
	['ends before n8n has taken its items', true],
	['ends after n8n has taken its items', false],
])(
	'an event comes out once if a poll begins between the end of the last one and its items, and %s',
	async (_, endsBefore) => {
		const { added, tag, found } = await tagTriggers('scheduled');
		await tag(1);
		let second: Promise<unknown> = Promise.resolve();
		let takeSecond = () => {};
		added.beforeEmit = async () => {
			const firstIsTaken = new Promise<void>((resolve) => (takeSecond = resolve));
			const secondHasEnded = new Promise<void>((resolve) => {
				added.beforeEmit = async () => {
					resolve();
					if (!endsBefore) await firstIsTaken;
				};
			});
			second = added.poll();
			await (endsBefore ? second : secondHasEnded);
		};
		await added.poll();
		takeSecond();
		await second;
		added.beforeEmit = async () => {};
		expect(found(added)).toEqual([1]);
		await tag(2);
		await added.poll();
		expect(found(added)).toEqual([1, 2]);
	},
);
