// Runs all suites, and ends with one line: "N passed, N failed, N skipped". Whatever did not run counts as failed: a file without a
// result, a suite that was killed, a skipped test. Only where a version of n8n excludes tests are they counted apart.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const N8N_VERSIONS = ['2.41.1', '1.123.81'];

/** On n8n 1, one file for each node and each way of waiting, polling and calling; all with `ALL=true`. */
const N8N_1_FILES = [
	'answer-in-chat',
	'answer-message',
	'custom-api-call',
	'examples',
	'instant-trigger',
	'new-leads',
	'send-and-wait',
	'trigger-publication.e2e',
];

const runsAll = process.env.ALL === 'true';
const results = mkdtempSync(path.join(tmpdir(), 'results-'));
mkdirSync(path.join(results, 'home'));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/** It comes first, in an empty home folder as on a fresh machine, and builds the package for all others. */
const first = { script: 'test', command: `HOME=${path.join(results, 'home')} npm test --` };

/** Npm scripts. The lists run side by side, because the suites with a real n8n mostly wait for it. */
const lanes = [
	[
		{ script: 'lint', isCheck: true },
		{ script: 'test:package' },
		{ script: 'test:security' },
		{ script: 'test:load' },
	],
	[
		{ script: 'test:e2e', mayExclude: true },
		{ script: 'test:e2e:n8n-1', mayExclude: true, files: runsAll ? [] : N8N_1_FILES },
		{ script: 'test:browser' },
		{ script: 'test:scale' },
	],
];

const children = new Set();

/** Runs a command line in a process group of its own, which `endAll` can end. Returns its exit code and what it printed. */
async function run(command) {
	const child = spawn('bash', ['-c', command], {
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	children.add(child);
	const printed = [];
	let output = '';
	child.stdout.on('data', (chunk) => {
		output += chunk;
		printed.push(chunk);
	});
	child.stderr.on('data', (chunk) => printed.push(chunk));
	const code = await new Promise((resolve) => {
		child.once('error', () => resolve(null));
		child.once('close', resolve);
	});
	children.delete(child);
	return { code, output, printed: Buffer.concat(printed).toString() };
}

/** Ends all that still runs. */
function endAll() {
	for (const { pid } of children) {
		try {
			process.kill(-pid, 'SIGKILL');
		} catch {
			// It has just ended.
		}
	}
}

/** The jest command of a script, without the build that `npm test` has made. */
const jestCommand = ({ script, command, files = [] }) =>
	[command ?? scripts[script].replace('npm run build && ', ''), ...files].join(' ');

/** Returns the test files of a suite, without running them. */
async function listFiles({ script, files = [] }) {
	const jest = scripts[script].replace(/^.*&& (?:\w+=\S+ )*jest/, 'jest');
	const { output } = await run([jest, ...files, '--listTests', '--json'].join(' '));
	return JSON.parse(output.slice(output.indexOf('[')));
}

/** Counts the results that jest wrote of a suite. A file without a result is one that failed. */
function countResults({ mayExclude }, expected, file) {
	const { testResults = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const counts = { passed: 0, failed: 0, skipped: 0 };
	const withResult = new Set();
	for (const { name, assertionResults } of testResults) {
		for (const { status } of assertionResults) {
			withResult.add(name);
			if (status === 'passed') counts.passed++;
			else if (status === 'failed') counts.failed++;
			else counts[mayExclude ? 'skipped' : 'failed']++;
		}
	}
	const missing = expected.filter((name) => !withResult.has(name));
	for (const name of missing) console.log(`${path.relative('.', name)} has no result`);
	counts.failed += missing.length;
	return counts;
}

/** Runs a suite. Returns how many of its tests passed, failed and were skipped. */
async function runSuite(suite) {
	const { script, isCheck } = suite;
	if (isCheck) {
		const { code, printed } = await run(`npm run --silent ${script}`);
		if (code !== 0) console.log(printed);
		return { passed: Number(code === 0), failed: Number(code !== 0), skipped: 0 };
	}
	const file = path.join(results, `${script.replaceAll(':', '-')}.json`);
	const expected = await listFiles(suite);
	const { code, printed } = await run(`${jestCommand(suite)} --json --outputFile=${file}`);
	console.log(printed);
	const counts = countResults(suite, expected, file);
	if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) {
		console.log(`npm run ${script} ended with exit code ${code}, though no test failed`);
		counts.failed++;
	}
	return counts;
}

const totals = { passed: 0, failed: 0, skipped: 0 };
const notGreen = new Set([first, ...lanes.flat()]);

/** Runs a suite, says how it ended, and adds it to the totals. */
async function addSuite(suite) {
	const { script } = suite;
	console.log(`== npm run ${script} begins`);
	const startedAt = Date.now();
	const counts = await runSuite(suite);
	const { passed, failed, skipped } = counts;
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(
		`== npm run ${script}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s`,
	);
	for (const key of Object.keys(totals)) totals[key] += counts[key];
	if (failed === 0) notGreen.delete(suite);
}

/** Prints the last line and ends this process: with 0 only if all has run and passed. */
function finish() {
	endAll();
	rmSync(results, { recursive: true, force: true });
	for (const { script } of notGreen) console.log(`Not green: npm run ${script}`);
	const { passed, failed, skipped } = totals;
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		console.log(`The run was ended from outside (${signal})`);
		totals.failed += notGreen.size;
		finish();
	});
}

// Both versions are installed one after the other beside the suite that needs none. A suite that needs one waits for it, and says why if
// that fails.
void run(N8N_VERSIONS.map((version) => `nice tsx scripts/n8n/install.ts ${version}`).join('; '));
await addSuite(first);
await Promise.all(
	lanes.map(async (suites) => {
		for (const suite of suites) await addSuite(suite);
	}),
);
finish();
