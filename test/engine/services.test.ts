import { everyOperation, nameOf, operations } from '../support/operations';
import { testWorkspace } from '../support/engine/workspace';

test.each(['reference','newer', 'older'] as const)('%s', async (service) => {
	const { workspace, run } = await testWorkspace({ contacts: 3, service });
	const state = await workspace.state();
	const all = everyOperation(state);
	for (const name of operations.map(nameOf)) {
		await workspace.clearJournal();
		const { error, json } = await run({...all[name], requestOptions: {maxRetries: 0}} as never);
		const { requests } = await workspace.journal();
		console.log(service, name, error ? `ERR ${error.message} | ${error.description}` : JSON.stringify(json).slice(0, 150), requests.map((r) => `${r.method} ${r.path.slice(0,60)} ${r.status}`).join('; '));
	}
});
