import { appendFile, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../support/package/packed';

/*
 * `npm run lint` ends with `gulp check`, which finds generated files that are out of date. Here it
 * checks a copy of the source in which one thing was changed.
 */

const SOURCE = [
	...['nodes', 'docs', 'sandbox', 'scripts'],
	...['gulpfile.js', 'package.json', 'tsconfig.json', '.prettierrc', 'README.md'],
];
const SCHEMAS = 'nodes/WorkspaceMessaging/__schema__';

let copy: string;
beforeEach(async () => {
	copy = await mkdtemp(join(tmpdir(), 'generated-'));
	for (const part of SOURCE) await cp(join(ROOT, part), join(copy, part), { recursive: true });
	await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterEach(async () => await rm(copy, { recursive: true }));

const check = async () =>
	await runCommand(process.execPath, [join(ROOT, 'node_modules/gulp/bin/gulp.js'), 'check'], {
		cwd: copy,
	});
const change = async (file: string, from: string, to: string) => {
	const text = await readFile(join(copy, file), 'utf8');
	expect(text).toContain(from);
	await writeFile(join(copy, file), text.replace(from, to));
};

describe('The command "gulp check"', () => {
	test('accepts the generated files in the repository', async () => {
		await check();
	});

	test.each<[string, string[], () => Promise<void>]>([
		[
			'an OpenAPI document that was changed',
			['docs/internals/openapi.json'],
			async () => await appendFile(join(copy, 'docs/internals/openapi.json'), ' '),
		],
		[
			'a table of operations that was changed',
			['docs/operations.md'],
			async () => await change('docs/operations.md', '| Get Many ', '| Get All  '),
		],
		[
			'a README whose list of operations was changed',
			['README.md'],
			async () => await change('README.md', '- **Flow**: Get Many', '- **Flow**: Get'),
		],
		[
			'numbering plans that were changed',
			['nodes/WorkspaceMessaging/values/phone/numberingPlans.json'],
			async () =>
				await change('nodes/WorkspaceMessaging/values/phone/numberingPlans.json', '"0"', '"1"'),
		],
		[
			'an output schema that was changed',
			[`${SCHEMAS}/v1.0.0/tag/create.json`],
			async () => await change(`${SCHEMAS}/v1.0.0/tag/create.json`, '"string"', '"number"'),
		],
		[
			'an output schema that is missing',
			[`${SCHEMAS}/v1.0.0/tag/create.json`],
			async () => await rm(join(copy, SCHEMAS, 'v1.0.0/tag/create.json')),
		],
		[
			'an output schema of an operation that is gone',
			[`${SCHEMAS}/v1.0.0/tag/get.json`],
			async () => await writeFile(join(copy, SCHEMAS, 'v1.0.0/tag/get.json'), '{}'),
		],
		[
			'an OpenAPI document that is older than the contract',
			['docs/internals/openapi.json'],
			async () =>
				await change(
					'nodes/WorkspaceMessaging/contract/limits.ts',
					'min: 1, max: 1000',
					'min: 1, max: 999',
				),
		],
	])('finds %s', async (_, files, make) => {
		await make();
		await expect(check()).rejects.toThrow(`Out of date: ${files.join(', ')}. `);
	});
});
