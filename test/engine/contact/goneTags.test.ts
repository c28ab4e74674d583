import { setTimeout as sleep } from 'node:timers/promises';
import { by, received, resourceOf, shownOf, writesOf } from '../../support/engine/helpers';
import { casesOf } from '../../support/cases';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames } from '../../../sandbox/services/names';
import type { ServiceName } from '../../../sandbox/services/names';

/* Services ignore the ID of a tag that nobody has any more, and older ones that of a flow. */

const GONE = '99999999';

async function withTags(service: ServiceName, names = ['VIP', 'Gold']) {
	const { workspace, run } = await testWorkspace({
		service,
		contacts: 1,
		counts: { tags: 0, flows: 1 },
	});
	const ids: string[] = [];
	for (const name of names) ids.push((await workspace.add('tags', { name })).id);
	const [{ id }] = (await workspace.state()).contacts;
	await workspace.clearJournal();
	const onContact = (operation: string, more: object) => ({
		...{ resource: resourceOf(operation), operation, identifier: by('id', id) },
		...more,
	});
	const writes = async () => await writesOf(workspace);
	return {
		workspace,
		run,
		ids,
		onContact,
		writes,
		tagIds: async () => (await workspace.contact(`id:${id}`)).tags,
	};
}

describe.each(serviceNames.map((name) => [name] as const))('On the %s service', (service) => {
	test('Add Tags refuses a tag that no longer exists, and adds none of the others', async () => {
		const { run, ids, onContact, writes, tagIds } = await withTags(service);
		const shown = shownOf(await run(onContact('addTags', { tagIds: [ids[0], GONE] })));
		expect(shown).toMatch(
			/^The tag 99999999 no longer exists\. Nothing was changed\. Pick it again\. The workspace has: .*"VIP" .*\[item 0\]$/,
		);
		expect(await writes()).toEqual([]);
		expect(await tagIds()).toEqual([]);
	});

	test('Add Tags names all tags that no longer exist', async () => {
		const { run, onContact } = await withTags(service);
		expect(shownOf(await run(onContact('addTags', { tagIds: [GONE, '4711'] })))).toContain(
			'The tags 99999999, 4711 no longer exist. Nothing was changed. Pick them again.',
		);
	});

	test('Set Tags refuses a tag that no longer exists, and changes nothing', async () => {
		const { run, ids, onContact, writes } = await withTags(service);
		await run(onContact('addTags', { tagIds: [ids[1]] }));
		const before = await writes();
		expect(shownOf(await run(onContact('setTags', { tagIds: [ids[0], GONE] })))).toContain(
			'The tag 99999999 no longer exists. Nothing was changed. Pick it again.',
		);
		expect(await writes()).toEqual(before);
	});

	test('Add Tags sends as many requests as the tags and the contacts need', async () => {
		const { run, ids, onContact, workspace } = await withTags(service);
		const { json } = await run(onContact('addTags', { tagIds: ids }), [{}, {}, {}]);
		expect(json.map(({ addedTagNames }) => addedTagNames)).toEqual(Array(3).fill(['VIP', 'Gold']));
		const { byOperation } = await workspace.summary();
		expect(byOperation.addContactTags).toBe(3);
		expect(byOperation.listTags).toBeLessThanOrEqual(3);
	});

	test('Remove Tags removes the others and gives a hint about a tag that no longer exists', async () => {
		const { run, ids, onContact, tagIds } = await withTags(service);
		await run(onContact('addTags', { tagIds: ids }));
		const { error, hints } = await run(onContact('removeTags', { tagIds: [ids[0], GONE] }));
		expect(error?.message).toBeUndefined();
		expect(hints).toEqual(['The tag 99999999 no longer exists, so there was nothing to remove.']);
		expect((await tagIds()).map(({ name }) => name)).toEqual(['Gold']);
	});

	test.each([
		['triggerFlow', {}],
		['send', { text: 'Hello' }],
	])('%s starts no flow that does not exist, and says so', async (operation, more) => {
		const { run, onContact, workspace } = await withTags(service);
		const flowId = by('id', GONE);
		const place = operation === 'triggerFlow' ? { flowId } : { options: { flowId } };
		const shown = shownOf(await run(onContact(operation, { ...more, ...place })));
		expect(shown).toMatch(/flow/);
		expect((await workspace.journal()).flowRuns).toEqual([]);
	});
});

test.each(casesOf<ServiceName>(['newer'], ['reference', 'older']))(
	'Add Tags adds a tag that somebody created while it ran, on the %s service',
	async (service) => {
		const { run, ids, onContact, workspace, tagIds } = await withTags(service);
		const running = run(
			{
				...onContact('addTags', { tagIds: '={{ $json.tagIds }}' }),
				requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1500 } } },
			},
			[{ tagIds: [ids[0]] }, { tagIds: [GONE] }],
		);
		while (((await workspace.summary()).byOperation.addContactTags ?? 0) === 0) await sleep(20);
		await workspace.add('tags', { id: GONE, name: 'New' });
		const { json, error } = await running;
		expect(error?.message).toBeUndefined();
		expect(json.map(({ addedTagNames }) => addedTagNames)).toEqual([['VIP'], ['New']]);
		expect((await tagIds()).map(({ name }) => name).sort()).toEqual(['New', 'VIP']);
	},
);

test('Add Tags sends an ID that the service does not list if it cuts its list, and gives a hint', async () => {
	const names = Array.from({ length: 60 }, (_, n) => `Label ${n}`);
	const { run, ids, onContact, tagIds } = await withTags('older', names);
	const { json, error, hints } = await run(onContact('addTags', { tagIds: [ids[0], ids[59]] }));
	expect(error?.message).toBeUndefined();
	expect(hints).toContain(
		"This service doesn't list some of these tags, so n8n couldn't check whether they exist. The output has their IDs in place of their names.",
	);
	expect(json).toMatchObject([{ addedTagNames: [ids[0], 'Label 59'] }]);
	expect((await tagIds()).map(({ name }) => name).sort()).toEqual(['Label 0', 'Label 59']);
});

describe('An older service, which accepts any flow without a word, (difference 12)', () => {
	test('gets no flow that it does not list, and each run reads the list once', async () => {
		const { run, onContact, writes, workspace } = await withTags('older');
		const [{ id }] = (await workspace.state()).flows;
		const flows = [{ flow: id }, { flow: id }, { flow: GONE }, { flow: id }];
		const parameters = onContact('triggerFlow', { flowId: by('id', '={{ $json.flow }}') });
		const { json } = await run(parameters, flows, { onError: 'continueRegularOutput' });
		expect(json.map(({ triggered }) => triggered)).toEqual([true, true, undefined, true]);
		expect(json[2].error).toContain(
			`The flow ${GONE} no longer exists, or is not active. Nothing was changed for this item. Pick it again.`,
		);
		expect(await writes()).toHaveLength(3);
	});

	test('reads its list of flows once for many items', async () => {
		const { run, onContact, workspace } = await withTags('older');
		const [{ id }] = (await workspace.state()).flows;
		await run(onContact('triggerFlow', { flowId: by('id', id) }), [{}, {}, {}]);
		const { byOperation } = await workspace.summary();
		expect(byOperation.listFlows).toBeLessThanOrEqual(2);
	});
});

test.each(['reference', 'newer'] as const)(
	'Trigger Flow does not read the flows of the %s service, which refuses unknown ones itself',
	async (service) => {
		const { run, onContact, workspace } = await withTags(service);
		const [{ id }] = (await workspace.state()).flows;
		const trigger = async () => await run(onContact('triggerFlow', { flowId: by('id', id) }));
		expect((await trigger()).error).toBeUndefined();
		expect((await workspace.summary()).byOperation.listFlows).toBeUndefined();
		await workspace.clearJournal();
		await trigger();
		expect(await received(workspace)).toHaveLength(1);
	},
);
