import type { INodeParameters } from 'n8n-workflow';
import type { StoredContact } from '../../../sandbox/services/reference/contacts';
import { by, received, writesOf, parametersFor } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { workspaceWithAnn } from '../../support/engine/workspace';

/** The most sequences that the API takes in one request (services in the wild, part 11). */
const MOST = 100;

const change = parametersFor('contact', { identifier: by('email', 'ann@example.com') });
const add = (...sequenceIds: string[]) => change('addToSequences', { sequenceIds });
const addByName = (sequenceNames: string) =>
	change('addToSequences', { sequencesBy: 'names', sequenceNames });

async function withSequences() {
	const made = await workspaceWithAnn({ service: 'newer' });
	const { workspace, ann } = made;
	const { sequences } = await workspace.state();
	return {
		...made,
		sequences,
		sequencesOf: async () =>
			(
				(await workspace.contact(`id:${ann.id}`)) as unknown as StoredContact & {
					sequenceIds?: string[];
				}
			).sequenceIds,
	};
}

describe('Add to Sequences and Remove From Sequences', () => {
	test('take IDs from the list', async () => {
		const { run, workspace, sequences } = await withSequences();
		const [one, two] = sequences;
		const { json, error } = await run(add(one.id, two.id));
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				success: true,
				contact: 'email:ann@example.com',
				email: 'ann@example.com',
				addedSequenceIds: [one.id, two.id],
				addedSequenceNames: [one.name, two.name],
			},
		]);
		const removed = await run(change('removeFromSequences', { sequenceIds: [one.id] }));
		expect(removed.json).toMatchObject([
			{ removedSequenceIds: [one.id], removedSequenceNames: [one.name] },
		]);
		expect(await writesOf(workspace)).toMatchObject([
			{ method: 'POST', body: { sequenceIds: [one.id, two.id] } },
			{ method: 'DELETE', body: { sequenceIds: [one.id] } },
		]);
	});

	test('find names in any case, and read the list once for all items', async () => {
		const { run, workspace, sequences } = await withSequences();
		const [one, two] = sequences;
		const add = addByName(`${one.name.toUpperCase()}; ${two.name}`);
		await run(add, [{}]);
		const { byOperation: forOne } = await workspace.summary();
		await workspace.clearJournal();
		const { json } = await run(add, [{}, {}, {}]);
		expect(json).toHaveLength(3);
		expect(json[0]).toMatchObject({ addedSequenceIds: [one.id, two.id] });
		const { byOperation: forThree } = await workspace.summary();
		expect(forThree.addContactSequences).toBe(3);
		expect(forThree.listSequences).toBeLessThanOrEqual(forOne.listSequences!);
	});

	test('suggest a name if there is none, and choose none of two', async () => {
		const { run, workspace, sequences } = await withSequences();
		const [one] = sequences;
		const { error } = await run(addByName(`${one.name}x`));
		expect(error?.message).toContain(
			`There is no sequence named "${one.name}x". Nothing was changed.`,
		);
		expect(error?.message).toContain(one.name);
		const two = await workspace.add('sequences', { name: one.name });
		const several = await run(addByName(one.name));
		expect(several.error?.message).toContain(
			`2 sequences fit the name "${one.name}": "${one.name}" (${two.id}), "${one.name}" (${one.id}). Nothing was changed.`,
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('refuse a sequence that no longer exists when it is added, and only mention it when it is removed', async () => {
		const { run, workspace, sequences } = await withSequences();
		const { error } = await run(add(sequences[0].id, '4711'));
		expect(error?.message).toContain('The sequence 4711 no longer exists. Nothing was changed.');
		expect(await writesOf(workspace)).toEqual([]);
		const removed = await run(change('removeFromSequences', { sequenceIds: ['4711'] }));
		expect(removed.error).toBeUndefined();
		expect(removed.hints).toContain('The sequence 4711 no longer exists.');
	});

	test(`take ${MOST} sequences, and refuse none and one more`, async () => {
		const { run, workspace } = await withSequences();
		await workspace.faults({ missing: { listSequences: 404 } });
		const ids = Array.from({ length: MOST + 1 }, (_, index) => String(index + 1));
		expect((await run(add(...ids.slice(1)))).error).toBeUndefined();
		await workspace.clearJournal();
		expect((await run(add(...ids))).error?.message).toBe(
			'Sequence Names or IDs must be a list of 1 to 100 sequences, but has 101 entries [item 0]',
		);
		const none = change('addToSequences', { sequenceIds: '={{ [] }}' });
		expect((await run(none)).error?.message).toContain('must be a list of 1 to 100 sequences');
		expect((await run(addByName(' ; '))).error?.message).toContain(
			'must be a list of 1 to 100 sequences',
		);
		expect(await received(workspace)).toEqual([]);
	});

	const withoutBroadcasts = async () => {
		const made = await workspaceWithAnn({ service: 'newer', token: { scopes: ['contacts'] } });
		const [sequence] = (await made.workspace.state()).sequences;
		return { ...made, sequence };
	};

	test.each<[string, (sequence: { id: string; name: string }) => INodeParameters]>([
		['by ID', ({ id }) => add(id)],
		['by name', ({ name }) => addByName(name)],
	])('name the scope that the token lacks to list sequences chosen %s', async (_, parametersOf) => {
		const { run, workspace, sequence } = await withoutBroadcasts();
		const { error } = await run(parametersOf(sequence));
		expect(error?.message).toContain(
			'The access token is missing the scope "broadcasts" (403). Nothing was changed.',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('remove a sequence by its ID without the scope to list sequences', async () => {
		const { run, sequence } = await withoutBroadcasts();
		const removed = await run(change('removeFromSequences', { sequenceIds: [sequence.id] }));
		expect(removed.json).toMatchObject([{ removedSequenceNames: [sequence.id] }]);
	});

	test('are sent again after a lost answer, because that changes nothing', async () => {
		const { run, workspace, sequences } = await withSequences();
		await workspace.faults({
			dropAfter: { match: { operation: 'addContactSequences' }, times: 1 },
		});
		expect((await run(add(sequences[0].id))).error).toBeUndefined();
	});

	test('take names from an agent', async () => {
		const { workspace, ann, sequences } = await withSequences();
		const tool = { resource: 'contact', operation: 'addToSequences', contact: `id:${ann.id}` };
		const call = toolOf(workspace, {
			...tool,
			sequencesBy: 'names',
			sequenceNames: '={{ $json.names }}',
		});
		expect(await call({ names: sequences[0].name })).toMatchObject([
			{ addedSequenceIds: [sequences[0].id] },
		]);
	});
});
