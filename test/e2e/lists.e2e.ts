import { NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';

let n8n: RunningN8n;

beforeAll(async () => {
	n8n = await useN8n();
});

afterAll(async () => {
	await n8n?.stop();
});

it.each([
	['options', 'getTags', 'parameters.tagIds'],
	['resource-locator-results', 'searchContacts', 'parameters.identifier'],
	['resource-mapper-fields', 'getCustomFieldColumns', 'parameters.customFields'],
])('n8n passes on that the credential is missing (%s)', async (kind, methodName, path) => {
	const currentNodeParameters = { resource: 'contact', operation: 'addTags' };
	const nodeTypeAndVersion = { name: NODE_TYPE, version: 1 };
	const response = await fetch(`${n8n.address}/rest/dynamic-node-parameters/${kind}`, {
		method: 'POST',
		headers: { ...n8n.client.headers, 'content-type': 'application/json' },
		body: JSON.stringify({ path, methodName, nodeTypeAndVersion, currentNodeParameters }),
	});
	expect(response.ok).toBe(false);
	expect(await response.json()).toMatchObject({
		message: 'Choose the credential, then Refresh List.',
	});
});
