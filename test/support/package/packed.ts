import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../../../scripts/n8n/command';

export const ROOT = resolve(__dirname, '../../..');

/** The package as it would be published. */
export interface Packed {
	/** Where it was unpacked, far from the dependencies of its source. */
	folder: string;
	/** Paths of its files. */
	files: string[];
	/** Bytes of the download, and on disk. */
	size: number;
	unpackedSize: number;
	remove(): Promise<void>;
}

/** Packs the package, which has to be built, and unpacks it. */
export async function pack(): Promise<Packed> {
	const home = await mkdtemp(join(tmpdir(), 'packed-'));
	const args = [
		'pack',
		'--json',
		'--ignore-scripts',
		'--loglevel=error',
		'--pack-destination',
		home,
	];
	const [packed] = JSON.parse(await runCommand('npm', args, { cwd: ROOT })) as [
		{ filename: string; files: Array<{ path: string }>; size: number; unpackedSize: number },
	];
	// As npm does it, in a folder named `package`.
	await runCommand('tar', ['-xzf', join(home, packed.filename), '-C', home]);
	return {
		folder: join(home, 'package'),
		files: packed.files.map(({ path }) => path),
		size: packed.size,
		unpackedSize: packed.unpackedSize,
		remove: async () => await rm(home, { recursive: true, force: true }),
	};
}
