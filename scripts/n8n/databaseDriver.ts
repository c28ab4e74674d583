import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installPackages } from './apt';
import { hasCommand, runCommand } from './command';
import { step } from './progress';

/** n8n's database driver, in the version that all supported versions of n8n have. */
const SQLITE = '5.1.7';
const NODE_GYP = '12.2.0';

/** What compiles the driver. */
const BUILD_TOOLS = ['python3', 'make', 'g++'];

/** Where the driver is in the folder of its package. */
const BINARY = 'build/Release/node_sqlite3.node';

const NPM_INSTALL = [
	'install',
	'--ignore-scripts',
	'--legacy-peer-deps',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

/** Installs the packages that a folder's package.json names, without their scripts. */
export async function npmInstall(folder: string, manifest: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), manifest);
	await runCommand('npm', NPM_INSTALL, { cwd: folder });
}

async function ensureBuildTools() {
	const missing: string[] = [];
	for (const tool of BUILD_TOOLS) if (!(await hasCommand(tool))) missing.push(tool);
	if (missing.length === 0) return;

	if (await installPackages(missing)) return;
	throw new Error(
		`n8n's database driver is compiled on this machine, which needs ${missing.join(', ')}. ` +
			`Install it first, for example with: sudo apt-get install ${missing.join(' ')}`,
	);
}

/** A driver in a folder of its own, which later installs of n8n share. */
export interface DatabaseDriver {
	/** Puts the driver into an install of n8n. */
	addTo(n8nFolder: string): Promise<void>;
}

/**
 * Makes n8n's database driver, while n8n itself is being installed: downloads the one that its
 * authors built, or compiles it if that is out of reach.
 *
 * @param cache the folder for what is kept between installs
 * @param nodePackage the npm package with the Node.js that n8n runs in, and its version
 */
export async function makeDatabaseDriver(
	cache: string,
	{ name, version }: { name: string; version: string },
): Promise<DatabaseDriver> {
	const kept = join(cache, `sqlite3-${SQLITE}-node-${version}.node`);
	if (!existsSync(kept)) {
		await step('Making its database driver', async () => {
			const folder = join(cache, `sqlite3.unfinished-${process.pid}`);
			const dependencies = { sqlite3: SQLITE, 'node-gyp': NODE_GYP, [name]: version };
			await npmInstall(folder, JSON.stringify({ private: true, dependencies }, null, '\t'));
			await rename(await buildDriver(join(folder, 'node_modules'), name), kept);
			await rm(folder, { recursive: true });
		});
	}
	return {
		async addTo(n8nFolder) {
			const target = join(n8nFolder, 'node_modules/sqlite3', BINARY);
			await mkdir(dirname(target), { recursive: true });
			await copyFile(kept, target);
		},
	};
}

/** Returns where the driver is after it was downloaded or compiled. */
async function buildDriver(modules: string, nodePackage: string): Promise<string> {
	const cwd = join(modules, 'sqlite3');
	const node = join(modules, nodePackage, 'bin/node');
	const script = (file: string, ...args: string[]) =>
		runCommand(node, [join(modules, file), ...args], { cwd });
	await script('prebuild-install/bin.js', '-r', 'napi').catch(async () => {
		await ensureBuildTools();
		// With the headers that come with that Node.js nothing has to be downloaded.
		await script(
			'node-gyp/bin/node-gyp.js',
			'rebuild',
			'--jobs=max',
			`--nodedir=${join(modules, nodePackage)}`,
		);
	});
	return join(cwd, BINARY);
}
