import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '../sandbox/client';
import { ROOT } from './packed';

interface Document {
	openapi: string;
	paths: Record<string, Record<string, object>>;
}

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());

test('docs/openapi.json is the contract as it is now; `npx gulp openapi` writes it anew', async () => {
	const document = JSON.parse(await readFile(join(ROOT, 'docs/openapi.json'), 'utf8')) as Document;
	const served = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as Document;
	expect(document).toEqual(served);
	expect(document.openapi).toMatch(/^3\.1\./);
	expect(document.paths['/api/v1/contacts/{identifier}/messages']).toHaveProperty('post');
});
