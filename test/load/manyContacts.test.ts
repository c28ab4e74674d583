import { by, fromItem, received } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';

const CONTACTS = 10_000;

test('Ten thousand rows by ID get a tag in at most thirty requests, each with an output of its own', async () => {
	const { workspace, run } = await testWorkspace({
		...{ contacts: CONTACTS, counts: { tags: 0 } },
		...{ service: 'newer', newest: true },
	});
	await workspace.add('tags', { name: 'VIP' });
	const { contacts } = await workspace.state();
	await workspace.clearJournal();
	const { error, json } = await run(
		{
			...{ resource: 'contact', operation: 'addTags', identifier: by('id', fromItem('id')) },
			...{ tagsBy: 'names', tagNames: 'vip' },
		},
		contacts.map(({ id }) => ({ id })),
	);
	expect(error).toBeUndefined();
	expect(new Set(json.map(({ contactId }) => contactId)).size).toBe(CONTACTS);
	expect(json).toHaveLength(CONTACTS);
	expect((await received(workspace)).length).toBeLessThanOrEqual(30);
	const after = await workspace.state();
	expect(after.contacts.filter(({ tags }) => tags.length === 1)).toHaveLength(CONTACTS);
	expect(after.tags).toHaveLength(1);
});
