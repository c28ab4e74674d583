import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../scripts/n8n/command';
import { pack, ROOT } from '../support/package/packed';

/** What n8n's scanner says about a folder; it finds fault with what n8n's verification would. */
async function scan(kind: 'source' | 'package', folder: string): Promise<object> {
	// Under jest's NODE_ENV, `test`, its rules take every file for one of their own tests.
	const env = { ...process.env, NODE_ENV: 'production' };
	const found = await runCommand(
		process.execPath,
		[join(__dirname, '../support/package/scan.mjs'), kind, folder],
		{ env },
	);
	return JSON.parse(found) as object;
}

test('The scanner of n8n finds nothing in the source', async () => {
	// Without the tests and tools, which are not published: as the scanner sees a checkout of nodes
	// and credentials.
	const folder = await mkdtemp(join(tmpdir(), 'source-'));
	for (const part of [
		'nodes',
		'credentials',
		'package.json',
		'README.md',
		'LICENSE.md',
		'tsconfig.json',
	]) {
		await cp(join(ROOT, part), join(folder, part), { recursive: true });
	}
	expect(await scan('source', folder)).toEqual({ passed: true });
	await rm(folder, { recursive: true });
});

test('The scanner of n8n finds nothing in the package', async () => {
	const packed = await pack();
	expect(await scan('package', packed.folder)).toEqual({ passed: true });
	await packed.remove();
});

test('The scanner of n8n finds a planted violation', async () => {
	const packed = await pack();
	await writeFile(
		join(packed.folder, 'dist/bad.js'),
		"console.log(process.env.HOME, require('fs'));\n",
	);
	expect(await scan('package', packed.folder)).toMatchObject({ passed: false });
	await packed.remove();
});

test('The tool of n8n calls the package eligible for n8n Cloud', async () => {
	const tool = join(ROOT, 'node_modules/.bin/n8n-node');
	const env = { ...process.env, NO_COLOR: '1' };
	const said = await runCommand(process.execPath, [tool, 'cloud-support'], { cwd: ROOT, env });
	expect(said).toContain('Status: eligible');
});
