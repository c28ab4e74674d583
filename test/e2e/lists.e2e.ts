import { NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';

let n8n: RunningN8n;

beforeAll(async () => {
	n8n = await useN8n();
});

afterAll(async () => {
	await n8n?.stop();
});

/** Asks n8n for a list of a node without a credential, as its editor does. */
async function askForList(kind: string, methodName: string, path: string) {
	const currentNodeParameters = { resource: 'contact', operation: 'addTags', tagIds: ['11'] };
	const nodeTypeAndVersion = { name: NODE_TYPE, version: 1 };
	return await fetch(`${n8n.address}/rest/dynamic-node-parameters/${kind}`, {
		method: 'POST',
		headers: { ...n8n.client.headers, 'content-type': 'application/json' },
		body: JSON.stringify({ path, methodName, nodeTypeAndVersion, currentNodeParameters }),
	});
}

it.each([
	['resource-locator-results', 'searchContacts', 'parameters.identifier'],
	['resource-mapper-fields', 'getCustomFieldColumns', 'parameters.customFields'],
])('n8n passes on that the credential is missing (%s)', async (kind, methodName, path) => {
	const response = await askForList(kind, methodName, path);
	expect(response.ok).toBe(false);
	expect(await response.json()).toMatchObject({
		message: 'Choose the credential, then Refresh List.',
	});
});

it('n8n passes on the note of a dropdown without a credential, and the values of its field', async () => {
	const response = await askForList('options', 'getTags', 'parameters.tagIds');
	const note = 'To see the list, choose ⋮ → Refresh List';
	expect(await response.json()).toEqual({
		data: [
			{ name: note, value: note },
			{ name: '11', value: '11' },
		],
	});
});
