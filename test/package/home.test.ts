import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../support/package/packed';

const runner = join(ROOT, 'node_modules/jest/bin/jest.js');

// n8n's modules read the settings of their n8n as soon as they make the ID of a message, which
// contains the ID of the n8n.
test('The tests neither read nor change the n8n of the user, and need none of its variables and no proxy', async () => {
	const home = await mkdtemp(join(tmpdir(), 'home of a user-'));
	const settings = join(home, '.n8n/config');
	await mkdir(join(home, '.n8n'));
	await writeFile(settings, 'nobody can read this');
	const env = {
		...process.env,
		HOME: home,
		N8N_USER_FOLDER: home,
		N8N_ENCRYPTION_KEY: 'of the user',
		HTTP_PROXY: 'http://127.0.0.1:9',
	};
	const test = 'test/engine/contact/replyTo.test.ts';
	await runCommand(process.execPath, [runner, '--selectProjects', 'engine', '--runInBand', test], {
		cwd: ROOT,
		env,
	});
	expect(await readFile(settings, 'utf8')).toBe('nobody can read this');
	expect(await readdir(join(home, '.n8n'))).toEqual(['config']);
	await rm(home, { recursive: true });
});
