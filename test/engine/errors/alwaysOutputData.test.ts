import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * n8n adds an empty item itself: n8n 2 if the first output is empty, n8n 3 only if all outputs are.
 */

const get = { resource: 'contact', operation: 'get', identifier: by('id', fromItem('id')) };
const settings = { alwaysOutputData: true, onError: 'continueErrorOutput' } as const;

test('With Always Output Data, an item that fails leaves by the error output with its row', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1 });
	const [{ id }] = (await workspace.state()).contacts;
	const { outputs, error } = await run(get, [{ id }, { id: '17', row: 2 }], settings);
	expect(error).toBeUndefined();
	const [[found], failed] = outputs.map((output) => output.map(({ json }) => json));
	expect(found).toMatchObject({ id });
	expect(failed).toEqual([
		{ id: '17', row: 2, error: expect.stringContaining('No contact has the ID 17.') },
	]);
});

test('If all items fail, Always Output Data adds nothing to the error output', async () => {
	const { run } = await testWorkspace({ contacts: 1 });
	const { outputs } = await run(get, [{ id: '17' }, { id: '18' }], settings);
	expect(outputs[1].map(({ json }) => json.id)).toEqual(['17', '18']);
	// Whatever n8n adds to the first output is not from this node.
	expect(outputs[0].every(({ json }) => Object.keys(json).length === 0)).toBe(true);
});

test('If no item fails, Always Output Data leaves the error output empty', async () => {
	const { run } = await testWorkspace({ contacts: 0 });
	const { outputs, json } = await run({ resource: 'contact', operation: 'getAll' }, [{}], settings);
	expect(json).toEqual([{}]);
	expect(outputs[1] ?? []).toEqual([]);
});
