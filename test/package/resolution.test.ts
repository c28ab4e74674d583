import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { runCommand } from '../../scripts/n8n/command';
import { pack, ROOT, type Packed } from '../support/package/packed';

/*
 * Where pnpm installed n8n, as in n8n's Docker image, a community package finds only what n8n
 * itself depends on, not what those packages depend on in turn. Here it finds no more than those of
 * them that it uses.
 */

const FOUND = ['n8n-workflow', 'zod', 'luxon'];

let packed: Packed;
let scripts: string[];

beforeAll(async () => {
	packed = await pack();
	const modules = join(packed.folder, 'node_modules');
	await mkdir(modules);
	for (const name of FOUND) await symlink(join(ROOT, 'node_modules', name), join(modules, name));
	const files = await readdir(join(packed.folder, 'dist'), { recursive: true });
	scripts = files
		.filter((file) => file.endsWith('.js'))
		.map((file) => join(packed.folder, 'dist', file));
});
afterAll(async () => await packed.remove());

test('No file of the package names another package', async () => {
	const named = new Set<string>();
	for (const file of scripts) {
		const source = await readFile(file, 'utf8');
		for (const [, name] of source.matchAll(/(?:require|import)\(["'`]([^"'`]+)["'`]\)/g))
			named.add(name);
	}
	const packages = [...named].filter((name) => !name.startsWith('.'));
	const unknown = packages.filter(
		(name) =>
			!builtinModules.includes(name.replace(/^node:/, '')) && !FOUND.includes(name.split('/')[0]),
	);
	expect(packages).toEqual(expect.arrayContaining(['n8n-workflow', 'zod/v4']));
	expect(unknown).toEqual([]);
});

test('Every file loads and the nodes can be created without any other package', async () => {
	const program = `
		const { createRequire } = require('node:module');
		const fromPackage = createRequire(process.argv[2]);
		for (const absent of ['n8n-core', 'axios', 'form-data', '@orpc/server']) {
			try { fromPackage.resolve(absent); } catch { continue; }
			throw new Error('It could find ' + absent);
		}
		const made = [];
		for (const file of process.argv.slice(2)) {
			for (const [name, value] of Object.entries(require(file))) {
				if (/^WorkspaceMessaging/.test(name)) made.push(new value().description?.name ?? name);
			}
		}
		process.stdout.write(JSON.stringify(made.sort()));
	`;
	const script = join(packed.folder, 'load.cjs');
	await writeFile(script, program);
	const made = await runCommand(process.execPath, [script, ...scripts], {
		cwd: packed.folder,
		env: {},
	});
	expect(JSON.parse(made)).toEqual([
		'WorkspaceMessagingApi',
		'workspaceMessaging',
		'workspaceMessagingInstantTrigger',
		'workspaceMessagingTrigger',
	]);
});
