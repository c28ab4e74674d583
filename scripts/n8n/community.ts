import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCommand } from './command';

const ROOT = resolve(__dirname, '../..');

/** This package's name, as n8n knows it. */
export const PACKAGE_NAME = 'n8n-nodes-workspace-messaging';

interface PackedFile {
	filename: string;
	version: string;
}

/**
 * Puts this package into the home folder of an n8n as the community package that a user would get:
 * packed as for publishing, so that a file missing from the tarball is missing here too. It has to
 * be built before.
 */
export async function addCommunityPackage(home: string): Promise<void> {
	const nodesFolder = join(home, '.n8n/nodes');
	const target = join(nodesFolder, 'node_modules', PACKAGE_NAME);
	await mkdir(target, { recursive: true });

	const packed = await runCommand(
		'npm',
		['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', home],
		{ cwd: ROOT },
	);
	const [{ filename, version }] = JSON.parse(packed) as PackedFile[];
	await runCommand('tar', ['-xzf', join(home, filename), '-C', target, '--strip-components=1']);
	await writeFile(
		join(nodesFolder, 'package.json'),
		JSON.stringify({
			name: 'installed-nodes',
			private: true,
			dependencies: { [PACKAGE_NAME]: version },
		}),
	);
}
