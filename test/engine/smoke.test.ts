import { testWorkspace } from './workspace';

test('reads all contacts', async () => {
	const { run } = await testWorkspace({ contacts: 130 });
	const { json } = await run({ resource: 'contact', operation: 'getAll', returnAll: true });
	expect(json).toHaveLength(130);
});
