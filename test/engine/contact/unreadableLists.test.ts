import { setTimeout as sleep } from 'node:timers/promises';
import { by, once, shownOf, writesOf, parametersFor } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';
import type { Faults, WorkspaceOptions } from '../../../sandbox/options';

/* Nobody knows whether an ID exists if the list cannot be read: then n8n adds nothing. */

const GONE = '99999999';
const onAnn = parametersFor('contact', { identifier: by('email', 'ann@example.com') });

type Listing = 'listTags' | 'listSequences' | 'listFlows';

const toSequences = (id: string) => onAnn('addToSequences', { sequenceIds: [id] });
const additions = [
	['Add to Sequences', 'listSequences', toSequences],
	['Add Tags', 'listTags', (id: string) => onAnn('addTags', { tagIds: [id] })],
	['Set Tags', 'listTags', (id: string) => onAnn('setTags', { tagIds: [id] })],
] as const;

/** How a list fails, with what the user reads. */
const failures: Array<[what: string, faults: (operation: Listing) => Faults, shown: string]> = [
	[
		'403',
		(operation) => ({ fail: [{ match: { operation }, status: 403, message: 'Forbidden' }] }),
		"The access token isn't allowed to do this (403): Forbidden. Nothing was changed.",
	],
	[
		'500',
		(operation) => ({ fail: [{ match: { operation }, status: 500, message: 'Oops' }] }),
		'The service failed (500): Oops. Nothing was changed. Try again later.',
	],
	[
		'a web page',
		(operation) => ({ hostile: [{ match: { operation }, mode: 'notJson' }] }),
		'The service answered with something other than JSON, such as a web page. Nothing was changed.',
	],
];

async function withFaults(faults: Faults, options: WorkspaceOptions = {}) {
	const made = await workspaceWithAnn({ service: 'newer', ...options });
	const [{ id: tag }] = (await made.workspace.state()).tags;
	await made.workspace.faults(faults);
	return { ...made, tag };
}

describe.each(additions)('%s by ID', (_, operation, add) => {
	test.each(failures)('changes nothing if its list answers %s', async (_, faults, shown) => {
		const { run, workspace } = await withFaults(faults(operation));
		expect(shownOf(await run({ ...add(GONE), ...once }))).toContain(shown);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('changes nothing if its list fails, even with an ID that exists', async () => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const { tags, sequences } = await workspace.state();
		const [{ id }] = operation === 'listTags' ? tags : sequences;
		await workspace.faults({ fail: [{ match: { operation }, status: 502 }] });
		expect(shownOf(await run({ ...add(id), ...once }))).toContain('(502)');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('adds if its list failed only once', async () => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const { tags, sequences } = await workspace.state();
		const [{ id }] = operation === 'listTags' ? tags : sequences;
		await workspace.faults({ fail: [{ match: { operation }, status: 500, times: 1 }] });
		expect((await run(add(id))).error).toBeUndefined();
		expect(await writesOf(workspace)).toHaveLength(1);
	});
});

test.each([
	['Add Tags', 'listTags', 'addTags', { tagsBy: 'names', tagNames: 'VIP' }],
	[
		'Add to Sequences',
		'listSequences',
		'addToSequences',
		{ sequencesBy: 'names', sequenceNames: 'Onboarding' },
	],
] as const)(
	'%s by names that cannot be looked up says that nothing was changed',
	async (...row) => {
		const [, operation, add, names] = row;
		const { run } = await withFaults({
			fail: [{ match: { operation }, status: 500, message: 'Oops' }],
		});
		expect(shownOf(await run({ ...onAnn(add, names), ...once }))).toContain(
			'The service failed (500): Oops. Nothing was changed.',
		);
	},
);

describe('A service that does not offer its list of sequences', () => {
	const hint =
		"This service doesn't list some of these sequences, so n8n couldn't check whether they exist. The output has their IDs in place of their names.";

	test.each<[what: string, faults: Faults]>([
		['lacks it', { missing: { listSequences: 404 } }],
		[
			'shows it to logged-in users only (difference 2)',
			{
				fail: [
					{
						match: { operation: 'listSequences' },
						status: 400,
						message: 'User is not associated with this workspace',
					},
				],
			},
		],
	])('gets the IDs that the user entered if it %s, with a hint', async (_, faults) => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const [{ id }] = (await workspace.state()).sequences;
		await workspace.faults(faults);
		const { json, error, hints } = await run(toSequences(id));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ addedSequenceIds: [id], addedSequenceNames: [id] }]);
		expect(hints).toEqual([hint]);
	});
});

test.each([
	['Remove Tags', 'listTags', 'removeTags', 'tagIds'],
	['Remove From Sequences', 'listSequences', 'removeFromSequences', 'sequenceIds'],
] as const)(
	'%s removes by ID although %s fails: then the IDs take the place of the names',
	async (...row) => {
		const [, operation, remove, field] = row;
		const { run, workspace } = await withFaults({ fail: [{ match: { operation }, status: 500 }] });
		const { error, json, hints } = await run({ ...onAnn(remove, { [field]: [GONE] }), ...once });
		expect(error).toBeUndefined();
		expect(Object.values(json[0])).toContainEqual([GONE]);
		expect(hints).toEqual([]);
		expect(await writesOf(workspace)).toHaveLength(1);
	},
);

test('a flow is not started on an older service that cannot list its flows, which would accept any (difference 12)', async () => {
	const { run, workspace } = await withFaults(
		{ fail: [{ match: { operation: 'listFlows' }, status: 500, message: 'Oops' }] },
		{ service: 'older' },
	);
	const shown = shownOf(
		await run({ ...onAnn('triggerFlow', { flowId: by('id', GONE) }), ...once }),
	);
	expect(shown).toContain('The service failed (500): Oops. Nothing was changed.');
	expect(await writesOf(workspace)).toEqual([]);
});

test('Add Tags refuses an ID that the first list lacked if the list cannot be read again', async () => {
	const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
	const [{ id }] = (await workspace.state()).tags;
	const running = run(
		{
			...onAnn('addTags', { tagIds: '={{ $json.tagIds }}' }),
			requestOptions: {
				batching: { batch: { batchSize: 1, batchInterval: 1500 } },
				...(once.requestOptions as object),
			},
		},
		[{ tagIds: [id] }, { tagIds: [GONE] }],
	);
	while ((await writesOf(workspace)).length === 0) await sleep(20);
	await workspace.faults({
		fail: [{ match: { operation: 'listTags' }, status: 500, message: 'Oops' }],
	});
	expect(shownOf(await running)).toContain(
		'The service failed (500): Oops. Nothing was changed for this item.',
	);
	expect(await writesOf(workspace)).toHaveLength(1);
});
