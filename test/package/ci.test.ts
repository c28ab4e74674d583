import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT } from '../support/package/packed';

/*
 * The script that decides whether a change may land, run with a stand-in for jest, which has one
 * test file for each suite.
 */

const folder = mkdtempSync(join(tmpdir(), 'ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program on the PATH of the script. */
function addCommand(name: string, lines: string[]) {
	mkdirSync(join(folder, 'bin'), { recursive: true });
	writeFileSync(join(folder, 'bin', name), ['#!/usr/bin/env bash', ...lines, ''].join('\n'));
	chmodSync(join(folder, 'bin', name), 0o755);
}

const names = ['test', 'test:package', 'test:security', 'test:load', 'test:e2e'];
const suites = [...names, 'test:e2e:n8n-1', 'test:browser', 'test:scale'];
const script = (name: string) => [name, `jest --selectProjects ${name}`];
writeFileSync(
	join(folder, 'package.json'),
	JSON.stringify({ scripts: { ...Object.fromEntries(suites.map(script)), lint: 'exit $LINT' } }),
);
addCommand('tsx', ['exit 0']);
// `npm test -- --json …` and `npm run lint`, without npm's own second of time.
addCommand('npm', ['[ "$2" = --silent ] && exit $LINT', 'exec jest --selectProjects test "$@"']);
addCommand('jest', [
	'suite=$2; output=${@: -1}; output=${output#--outputFile=}',
	'case "$*" in *--listTests*) echo "[\\"/$suite.test.ts\\"]"; exit 0;; esac',
	'status=passed; [ "$suite" != "$BAD" ] || status=$HOW',
	'case $status in killed) kill -9 $$;; waiting) sleep 60;; unwritten) exit 0;; esac',
	'tests="{\\"status\\":\\"$status\\"}"; [ $status != empty ] || tests=',
	'[ $status != excluding ] || tests="{\\"status\\":\\"passed\\"},{\\"status\\":\\"pending\\"}"',
	'echo "{\\"testResults\\":[{\\"name\\":\\"/$suite.test.ts\\",\\"assertionResults\\":[$tests]}]}" >"$output"',
	'[ $status != failed ]',
]);

/** Runs the script. Returns its exit code and its last line. */
async function runCi(settings: NodeJS.ProcessEnv, onOutput?: (text: string, pid: number) => void) {
	const PATH = [join(folder, 'bin'), process.env.PATH].join(delimiter);
	const child = spawn(process.execPath, [join(ROOT, '.ci/suites.mjs')], {
		cwd: folder,
		env: { ...process.env, LINT: '0', ALL: 'false', ...settings, PATH },
	});
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => {
		output += chunk.toString();
		onOutput?.(output, child.pid!);
	});
	const code = await new Promise((resolve) => child.once('close', resolve));
	return { code, lastLine: output.trimEnd().split('\n').at(-1) };
}

test('CI is green if all suites have run and passed', async () => {
	expect(await runCi({})).toEqual({ code: 0, lastLine: '9 passed, 0 failed, 0 skipped' });
});

test.each([
	['fails', 'failed'],
	['is killed in the middle', 'killed'],
	['ends well without a result', 'unwritten'],
	['has a file in which no test ran', 'empty'],
	['skips a test', 'pending'],
])('CI is red if a suite %s', async (_, HOW) => {
	for (const BAD of ['test', 'test:browser']) {
		expect(await runCi({ BAD, HOW })).toEqual({
			code: 1,
			lastLine: '8 passed, 1 failed, 0 skipped',
		});
	}
});

test('CI is red if the linter finds something', async () => {
	const { code, lastLine } = await runCi({ LINT: '1' });
	expect({ code, lastLine }).toEqual({ code: 1, lastLine: '8 passed, 1 failed, 0 skipped' });
});

test('CI counts tests apart that a version of n8n excludes', async () => {
	const result = await runCi({ BAD: 'test:e2e:n8n-1', HOW: 'excluding' });
	expect(result).toEqual({ code: 0, lastLine: '9 passed, 0 failed, 1 skipped' });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
	'CI is red, and says so in its last line, if %s ends it',
	async (signal) => {
		const end = (text: string, pid: number) => {
			if (text.includes('begins')) process.kill(pid, signal);
		};
		const result = await runCi({ BAD: 'test', HOW: 'waiting' }, end);
		expect(result).toEqual({ code: 1, lastLine: '0 passed, 9 failed, 0 skipped' });
	},
);
