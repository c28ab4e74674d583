import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack, type Packed } from '../support/package/packed';

interface Manifest {
	name: string;
	license: string;
	keywords: string[];
	repository: { url: string };
	author: { name: string; email: string };
	scripts: Record<string, string>;
	n8n: { n8nNodesApiVersion: number; nodes: string[]; credentials: string[] };
	dependencies?: object;
	optionalDependencies?: object;
	bundledDependencies?: string[];
	overrides?: object;
	peerDependencies: object;
}

let packed: Packed;
let manifest: Manifest;

beforeAll(async () => {
	packed = await pack();
	manifest = JSON.parse(readFileSync(join(packed.folder, 'package.json'), 'utf8')) as Manifest;
});
afterAll(async () => await packed.remove());

test('The package holds the build, its manifest, README and license, and nothing else', () => {
	const others = packed.files.filter((file) => !file.startsWith('dist/'));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	const built = packed.files.filter((file) => file.startsWith('dist/'));
	expect(built.filter((file) => !/\.(js|json|svg|d\.ts)$/.test(file))).toEqual([]);
	expect(built.filter((file) => /test|spec|fixture|\.map$/.test(file))).toEqual([]);
});

test('The package holds everything that n8n loads', () => {
	const loaded = [...manifest.n8n.nodes, ...manifest.n8n.credentials];
	expect(loaded).not.toEqual([]);
	for (const file of loaded) expect(packed.files).toContain(file);
	for (const node of manifest.n8n.nodes)
		expect(packed.files).toContain(node.replace(/\.js$/, '.json'));
	const sources = packed.files.filter((name) => name.endsWith('.js'));
	expect(sources.length).toBeGreaterThan(0);
	for (const file of sources) {
		const source = readFileSync(join(packed.folder, file), 'utf8');
		for (const [, icon] of source.matchAll(/'file:([^']+)'/g)) {
			expect(existsSync(join(packed.folder, file, '..', icon))).toBe(true);
		}
	}
});

test('The package is small', () => {
	expect(packed.size).toBeLessThan(350_000);
	expect(packed.unpackedSize).toBeLessThan(1_400_000);
});

test('The package has no dependencies and no install scripts', () => {
	const { dependencies, optionalDependencies, bundledDependencies, overrides, scripts } = manifest;
	expect({ dependencies, optionalDependencies, bundledDependencies, overrides }).toEqual({});
	expect(Object.keys(manifest.peerDependencies)).toEqual(['n8n-workflow']);
	const hooks = Object.keys(scripts).filter((name) =>
		/^(pre|post)?(install|prepare|uninstall)/.test(name),
	);
	expect(hooks).toEqual([]);
});

test('The manifest of the package holds what n8n reads, with a version of the nodes API that n8n 2 loads', () => {
	expect(manifest).toMatchObject({
		name: expect.stringMatching(/^n8n-nodes-/) as string,
		license: 'MIT',
		keywords: expect.arrayContaining(['n8n-community-node-package']) as string[],
		repository: { url: expect.stringMatching(/^git\+https:\/\/github\.com\/.+\.git$/) as string },
		author: { name: expect.any(String) as string, email: expect.stringContaining('@') as string },
		n8n: { n8nNodesApiVersion: 1 },
	});
});

test('The package reads no files and no environment, and starts no process', () => {
	const sources = packed.files.filter((name) => name.endsWith('.js'));
	expect(sources.length).toBeGreaterThan(0);
	for (const file of sources) {
		const source = readFileSync(join(packed.folder, file), 'utf8');
		const found =
			/process\.(env|cwd|argv|binding)|child_process|node:(fs|os|net|http|vm)|require\(["']fs|\beval\(|new Function|import\(/.exec(
				source,
			);
		expect([file, found?.[0]]).toEqual([file, undefined]);
	}
});
