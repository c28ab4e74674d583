import { endpointNames, endpoints } from '../../sandbox/endpoints';
import { startSandbox, type Sandbox } from '../../sandbox/client';

interface Document {
	openapi: string;
	paths: Record<string, Record<string, { description?: string }>>;
}

let sandbox: Sandbox;
let document: Document;
beforeAll(async () => {
	sandbox = await startSandbox();
	document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Document;
});
afterAll(async () => await sandbox.stop());

test('The OpenAPI 3.1 document of the contract holds every operation', () => {
	expect(document.openapi).toMatch(/^3\.1\./);
	for (const name of endpointNames) {
		const { method, path } = endpoints[name];
		expect(document.paths[path]).toHaveProperty(method.toLowerCase());
	}
});

test('The OpenAPI document marks the operations that the reference only names', () => {
	for (const name of endpointNames) {
		const { method, path, undocumented } = endpoints[name];
		const { description = '' } = document.paths[path][method.toLowerCase()];
		const marked = description.startsWith('The reference does not show this operation');
		expect([name, marked]).toEqual([name, undocumented !== undefined]);
		if (undocumented?.instead) expect(description).toContain(undocumented.instead);
	}
});

test('The patterns of the OpenAPI document work outside of JavaScript', () => {
	expect(JSON.stringify(document)).not.toContain('[^]');
});
