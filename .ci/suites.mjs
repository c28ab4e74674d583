// Runs all suites, and ends with one line: "N passed, N failed, N skipped". Whatever did not run counts as failed: a file without a
// result, a suite that was killed, a skipped test. Only where a version of n8n excludes tests are they counted apart.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const N8N_VERSIONS = ['2.41.1', '1.123.81'];

/** On n8n 1, one file for each node and each way of waiting, polling and calling; all with `ALL=true`. */
const N8N_1_FILES = [
	'new-leads',
	'answer-message',
	'send-and-wait',
	'answer-in-chat',
	'trigger-publication.e2e',
	'instant-trigger',
	'custom-api-call',
	'examples',
];

const runsAll = process.env.ALL === 'true';
const results = mkdtempSync(path.join(tmpdir(), 'results-'));
mkdirSync(path.join(results, 'home'));
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * Npm scripts, in their order. Those that end with jest say which test files they run. `npm test` comes first and builds the package
 * for all.
 */
const suites = [
	// As on a fresh machine: in an empty home folder.
	{ script: 'test', command: `HOME=${path.join(results, 'home')} npm test --` },
	{ script: 'lint', isCheck: true },
	{ script: 'test:package' },
	{ script: 'test:security' },
	{ script: 'test:load' },
	{ script: 'test:e2e', mayExclude: true },
	{ script: 'test:e2e:n8n-1', mayExclude: true, files: runsAll ? [] : N8N_1_FILES },
	{ script: 'test:browser' },
	{ script: 'test:scale' },
];

const children = new Set();

/** Runs a command line in a process group of its own, which `endAll` can end. Returns its exit code and what it printed. */
async function run(command, { isQuiet = false } = {}) {
	const stdio = ['ignore', isQuiet ? 'pipe' : 'inherit', 'inherit'];
	const child = spawn('bash', ['-c', command], { stdio, detached: true });
	children.add(child);
	let output = '';
	child.stdout?.on('data', (chunk) => (output += chunk));
	const code = await new Promise((resolve) => {
		child.once('error', () => resolve(null));
		child.once('close', resolve);
	});
	children.delete(child);
	return { code, output };
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
	const { output } = await run([jest, ...files, '--listTests', '--json'].join(' '), {
		isQuiet: true,
	});
	return JSON.parse(output.slice(output.indexOf('[')));
}

/** Runs a suite. Returns how many of its tests passed, failed and were skipped; a file without a result is one that failed. */
async function runSuite(suite) {
	const { script, isCheck } = suite;
	if (isCheck) {
		const { code } = await run(`npm run --silent ${script}`);
		return { passed: Number(code === 0), failed: Number(code !== 0), skipped: 0 };
	}
	const file = path.join(results, `${script.replaceAll(':', '-')}.json`);
	const expected = await listFiles(suite);
	const { code } = await run(`${jestCommand(suite)} --json --outputFile=${file}`);
	const { testResults = [] } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
	const counts = { passed: 0, failed: 0, skipped: 0 };
	const withResult = new Set();
	for (const { name, assertionResults } of testResults) {
		for (const { status } of assertionResults) {
			withResult.add(name);
			if (status === 'passed') counts.passed++;
			else if (status === 'failed') counts.failed++;
			else counts[suite.mayExclude ? 'skipped' : 'failed']++;
		}
	}
	const missing = expected.filter((name) => !withResult.has(name));
	for (const name of missing) console.log(`${path.relative('.', name)} has no result`);
	counts.failed += missing.length;
	if (counts.failed === 0 && (code !== 0 || counts.passed === 0)) {
		console.log(`npm run ${script} ended with exit code ${code}, though no test failed`);
		counts.failed++;
	}
	return counts;
}

/** Prints the last line and ends this process: with 0 only if all has run and passed. */
function finish(totals) {
	endAll();
	rmSync(results, { recursive: true, force: true });
	for (const script of totals.notGreen) console.log(`Not green: npm run ${script}`);
	const { passed, failed, skipped } = totals;
	console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
	process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

const totals = { passed: 0, failed: 0, skipped: 0, notGreen: [] };
const waiting = new Set(suites);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		console.log(`The run was ended from outside (${signal})`);
		for (const { script } of waiting) totals.notGreen.push(script);
		totals.failed += waiting.size;
		finish(totals);
	});
}

for (const suite of suites) {
	const { script } = suite;
	console.log(`== npm run ${script}`);
	const startedAt = Date.now();
	const counts = await runSuite(suite);
	const seconds = Math.round((Date.now() - startedAt) / 1000);
	console.log(
		`== npm run ${script}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s`,
	);
	for (const key of ['passed', 'failed', 'skipped']) totals[key] += counts[key];
	if (counts.failed > 0) totals.notGreen.push(script);
	waiting.delete(suite);
	// The suites with a real n8n come last, so both versions are installed beside those that need none.
	if (script === 'test') {
		for (const version of N8N_VERSIONS)
			void run(`nice tsx scripts/n8n/install.ts ${version} 2>/dev/null`, { isQuiet: true });
	}
}
finish(totals);
