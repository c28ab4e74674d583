import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { faults, type Fault } from './faults';

/*
 * Plants the faults of `faults.ts`, one at a time, and writes down which tests catch each. The fault
 * is planted in a copy of this folder, never in the sources. `npm run test:faults`; `--only=text` for
 * the faults whose name or file contains the text; `--continue` to go on with a run that was ended.
 */

const root = path.resolve(__dirname, '../..');
const sources = 'nodes/WorkspaceMessaging';
const [, only = ''] = /--only=([^\0]*)/.exec(process.argv.slice(2).join('\0')) ?? [];
const isContinued = process.argv.includes('--continue');

/** The copy; the same one in each run, so that Jest knows its files. */
const copy = path.join(
	tmpdir(),
	`faults-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`,
);
const progressFile = path.join(root, 'node_modules/.cache/test-faults.json');
const caughtFile = path.join(__dirname, 'caught.json');

/** A fault can make a test wait for ever. */
const LONGEST_MS = 600_000;
/** Stands for the files of a run that had to be ended. */
const NEVER_ENDED = '(the tests never ended)';
/** So many titles of a file say enough. */
const MOST_TITLES = 2;

/** The tests of one file that failed. */
interface FailedFile {
	file: string;
	failed: number;
	/** The titles of the first ones. */
	first: string[];
}

/** What is written down for a fault. */
interface Caught {
	file: string;
	/** Empty if no test catches it. */
	caughtBy: FailedFile[];
}

/** By the names of the faults. */
type CaughtByName = Record<string, Caught>;

interface Measured extends Caught {
	/** The fault as it was measured: what has changed since is measured again. */
	fault: Fault;
}

/** What this run, or one that was ended, has found out so far. */
interface Progress {
	/** The files of tests that have passed without a fault. */
	passed: string[];
	measured: Record<string, Measured>;
}

async function readJson<T>(file: string, ifMissing: T): Promise<T> {
	if (!existsSync(file)) return ifMissing;
	return JSON.parse(await readFile(file, 'utf8')) as T;
}

async function writeJson(file: string, value: unknown) {
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, `${JSON.stringify(value, null, '\t')}\n`);
}

/** Returns a source with its fault. Throws an error if the line is not in the source exactly once. */
function withFault(source: string, { name, file, before, after }: Fault): string {
	const lines = source.split('\n');
	const places = lines.flatMap((line, index) => (line.trim() === before ? [index] : []));
	if (places.length !== 1)
		throw new Error(`"${name}": ${file} has its line ${places.length} times, not once: ${before}`);
	const [place] = places;
	lines[place] = lines[place].replace(before, () => after);
	return lines.join('\n');
}

/** Throws an error if a fault cannot be planted, or names tests that do not exist. */
async function checkFaults() {
	const names = new Set(faults.map(({ name }) => name));
	if (names.size < faults.length) throw new Error('Two faults have the same name');
	for (const fault of faults) {
		withFault(await readFile(path.join(root, sources, fault.file), 'utf8'), fault);
		const missing = fault.tests.find((test) => !existsSync(path.join(root, 'test', test)));
		if (missing) throw new Error(`"${fault.name}": there is no test/${missing}`);
	}
}

async function makeCopy() {
	await rm(copy, { recursive: true, force: true });
	const names = 'credentials dist docs examples nodes sandbox scripts test'.split(' ');
	for (const name of [...names, 'jest.config.js', 'package.json', 'tsconfig.json', 'README.md'])
		await cp(path.join(root, name), path.join(copy, name), { recursive: true });
	await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
}

/** Writes a source file of the copy, and compiles it. The engine tests run the compiled file. */
async function writeSource(file: string, source: string) {
	const config = await readFile(path.join(root, 'tsconfig.json'), 'utf8');
	const options = ts.parseConfigFileTextToJson('tsconfig.json', config).config.compilerOptions;
	const { outputText } = ts.transpileModule(source, {
		compilerOptions: ts.convertCompilerOptionsFromJson(options, root).options,
	});
	const name = path.join(sources, file);
	await writeFile(path.join(copy, name), source);
	await writeFile(path.join(copy, 'dist', name.replace(/\.ts$/, '.js')), outputText);
}

/** The part of Jest's report that says what failed. */
interface JestReport {
	numTotalTests: number;
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

/**
 * Runs tests in the copy, and returns the files with tests that failed, in the order of their names.
 * Throws an error if there are no tests.
 *
 * @param tests files and folders of test/
 */
async function runTests(tests: string[], longestMs?: number): Promise<FailedFile[]> {
	const reportFile = path.join(copy, 'report.json');
	await rm(reportFile, { force: true });
	const jest = path.join(root, 'node_modules/jest/bin/jest.js');
	const suites = [...new Set(tests.map((test) => test.split('/')[0]))];
	const paths = tests.map((test) => `/test/${test}${test.endsWith('.ts') ? '$' : '/'}`);
	// Few files are faster in one process, which loads n8n once.
	const workers = tests.length > 3 ? '--maxWorkers=2' : '--runInBand';
	const options = [workers, '--json', `--outputFile=${reportFile}`, '--silent'];
	const child = spawn(
		process.execPath,
		[jest, ...options, '--selectProjects', ...suites, '--testPathPatterns', ...paths],
		{ cwd: copy, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
	);
	let output = '';
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	// With its workers.
	const end = () => process.kill(-child.pid!, 'SIGKILL');
	process.once('exit', end);
	const late = longestMs && setTimeout(end, longestMs);
	await new Promise((resolve) => child.once('close', resolve));
	if (late) clearTimeout(late);
	process.off('exit', end);
	if (!existsSync(reportFile)) {
		if (child.signalCode !== null) return [{ file: NEVER_ENDED, failed: 1, first: [] }];
		throw new Error(`Jest has written no report:\n${output}`);
	}
	const { numTotalTests, testResults } = await readJson<JestReport>(reportFile, {
		numTotalTests: 0,
		testResults: [],
	});
	if (numTotalTests === 0 && testResults.length === 0)
		throw new Error(`There are no tests in ${tests.join(', ')}`);
	const failedFiles: FailedFile[] = [];
	for (const { name, status, assertionResults } of testResults) {
		if (status === 'passed') continue;
		const failed = assertionResults.filter((test) => test.status === 'failed');
		const titles = failed.map(({ fullName }) => fullName);
		// Not even its imports worked.
		if (titles.length === 0) titles.push('(the whole file)');
		const file = path.relative(path.join(copy, 'test'), name);
		failedFiles.push({ file, failed: titles.length, first: titles.slice(0, MOST_TITLES) });
	}
	return failedFiles.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Says in a line what caught a fault. */
function describe({ caughtBy }: Caught): string {
	if (caughtBy.length === 0) return 'ESCAPED';
	return caughtBy.map(({ file, failed }) => `${failed} in ${file}`).join(', ');
}

/** Plants a fault, runs its tests and takes it back. */
async function measure(fault: Fault): Promise<Measured> {
	const source = await readFile(path.join(root, sources, fault.file), 'utf8');
	try {
		await writeSource(fault.file, withFault(source, fault));
		return { file: fault.file, caughtBy: await runTests(fault.tests, LONGEST_MS), fault };
	} finally {
		await writeSource(fault.file, source);
	}
}

/** Writes what is known of all faults, in the order of the list. */
async function writeCaught(measured: Record<string, Measured>) {
	const before = await readJson<CaughtByName>(caughtFile, {});
	const entries = faults.flatMap(({ name }) => {
		const known = measured[name] ?? before[name];
		return known ? [[name, { file: known.file, caughtBy: known.caughtBy }] as const] : [];
	});
	const text = JSON.stringify(Object.fromEntries(entries));
	const style = await resolveConfig(caughtFile);
	await writeFile(caughtFile, await format(text, { ...style, filepath: caughtFile }));
}

/**
 * Runs the tests that caught something without a fault: one that fails then, too, has caught nothing.
 * Throws an error if there is such a test; `--continue` then measures its faults again.
 */
async function proveTests(progress: Progress, chosen: Fault[]) {
	const { passed, measured } = progress;
	const caught = chosen.flatMap(({ name }) => measured[name].caughtBy.map(({ file }) => file));
	const unproven = [...new Set(caught)].filter(
		(file) => file !== NEVER_ENDED && !passed.some((each) => file.startsWith(each)),
	);
	if (unproven.length === 0) return;
	console.log(`${unproven.length} files of tests have to pass without a fault …`);
	const failed = await runTests(unproven);
	const wrong = new Set(failed.map(({ file }) => file));
	passed.push(...unproven.filter((file) => !wrong.has(file)));
	for (const { name } of chosen) {
		if (measured[name].caughtBy.some(({ file }) => wrong.has(file))) delete measured[name];
	}
	await writeJson(progressFile, progress);
	if (wrong.size > 0)
		throw new Error(`Tests fail without a fault: ${JSON.stringify(failed, null, '\t')}`);
}

async function main() {
	setPriority(10);
	await checkFaults();
	const chosen = faults.filter(({ name, file }) => name.includes(only) || file.includes(only));
	if (chosen.length === 0) throw new Error(`No fault has "${only}" in its name or file`);
	const progress = await readJson<Progress>(progressFile, { passed: [], measured: {} });
	const { measured } = progress;
	if (!isContinued) {
		progress.passed = [];
		for (const { name } of chosen) delete measured[name];
	}
	const isMeasured = (fault: Fault) =>
		JSON.stringify(measured[fault.name]?.fault) === JSON.stringify(fault);
	const due = chosen.filter((fault) => !isMeasured(fault));

	await makeCopy();
	for (const [index, fault] of due.entries()) {
		const result = await measure(fault);
		measured[fault.name] = result;
		await writeJson(progressFile, progress);
		console.log(`${index + 1} of ${due.length}: ${fault.name}: ${describe(result)}`);
	}
	await proveTests(progress, chosen);
	await writeCaught(measured);

	const results = chosen.map((fault) => ({ ...measured[fault.name], fault }));
	const escaped = results.filter(({ caughtBy }) => caughtBy.length === 0);
	const unknown = escaped.filter(({ fault }) => fault.knownToEscape === undefined);
	for (const { fault } of unknown) console.log(`Escaped: ${fault.name} (${fault.file})`);
	console.log(`${results.length - escaped.length} caught, ${escaped.length} escaped`);
	if (only === '') await rm(progressFile, { force: true });
	await rm(copy, { recursive: true, force: true });
	if (unknown.length > 0) process.exitCode = 1;
}

// With the tests that run.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
void main();
