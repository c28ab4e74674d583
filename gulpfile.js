// `npm run generate` writes the tracked files that are made from the contract and the node; `npm
// run lint` checks them. `npm test` runs its steps before the tests from here, side by side.
require('tsx/cjs');
const { spawn } = require('node:child_process');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { parallel } = require('gulp');
const prettier = require('prettier');
const { z } = require('zod/v4');

const nodeFolder = path.join(__dirname, 'nodes/WorkspaceMessaging');
const schemaFolder = path.join(nodeFolder, '__schema__');
/** Of the instant trigger: n8n takes one schema for all triggers of a folder. */
const instantSchemaFolder = path.join(nodeFolder, 'trigger/instant/__schema__');

/**
 * Returns the output schemas. From them the editor shows the fields of an output before the node
 * has run.
 */
function schemas() {
	const { resources } = require('./nodes/WorkspaceMessaging/resources');
	const { pollingEvents } = require('./nodes/WorkspaceMessaging/trigger/events');
	const {
		commonOutput,
		instantEvents,
	} = require('./nodes/WorkspaceMessaging/trigger/instant/events');
	const fileOf = (name, output, folder = schemaFolder) => {
		const schema = { ...forEditor(z.toJSONSchema(output, { unrepresentable: 'any' })), version: 1 };
		return [path.join(folder, `${name}.json`), `${JSON.stringify(schema, null, '\t')}\n`];
	};
	const files = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, output }) => fileOf(`v1.0.0/${resource}/${value}`, output)),
	);
	// n8n takes one schema for a trigger, whatever its event: a contact with the fields that contact
	// events add.
	const [updated, tagged] = ['contactUpdated', 'tagAdded'].map(
		(name) => pollingEvents.find(({ value }) => value === name).output,
	);
	const { output: message } = instantEvents.find(({ value }) => value === 'messageReceivedAtOnce');
	const instant = Object.assign(
		{},
		message,
		...instantEvents.map(({ output }) => output),
		commonOutput,
	);
	return [
		...files,
		fileOf('v1.0.0', updated.extend(tagged.shape)),
		fileOf('v1.0.0', z.object(instant), instantSchemaFolder),
	];
}

/**
 * Reduces a JSON schema to what the editor reads: types, fields and entries. A field that can be
 * null gets its other type.
 */
function forEditor({ type, anyOf, properties, items }) {
	if (anyOf) return forEditor(anyOf.find((variant) => variant.type !== 'null'));
	if (type === 'object') {
		const fields = Object.entries(properties ?? {}).map(([name, field]) => [
			name,
			forEditor(field),
		]);
		return { type, properties: Object.fromEntries(fields) };
	}
	if (type === 'array') return { type, items: forEditor(items) };
	return { type: type ?? 'string' };
}

/** The resources that have a section of their own in docs/operations.md. */
const EXPLAINED = ['message', 'contact', 'conversation'];

/**
 * Returns docs/operations.md and the README with their lists of operations, made from the node's
 * description.
 */
async function operationPages() {
	const { resources } = require('./nodes/WorkspaceMessaging/resources');
	const shownName = ({ name, endpoint }) => (endpoint.undocumented ? `${name} °` : name);
	const lines = resources.map(
		({ name, operations }) => `- **${name}**: ${operations.map(shownName).join(', ')}`,
	);
	const rowsOf = ({ operations }, resource) =>
		operations.map(
			(operation) => `|${resource} ${shownName(operation)} | ${operation.description} |`,
		);
	const tableOf = (heading, rows) => [`| ${heading} | What it does |`, '|---|---|', ...rows];
	const explained = resources.filter(({ value }) => EXPLAINED.includes(value));
	const others = resources.filter((resource) => !explained.includes(resource));
	const tables = [
		...explained.map((resource) => [
			`operations of ${resource.value}`,
			tableOf('Operation', rowsOf(resource, '')),
		]),
		[
			'other operations',
			tableOf(
				'Resource: Operation',
				others.flatMap((resource) => rowsOf(resource, ` ${resource.name}:`)),
			),
		],
	];
	return [
		await pageWith('docs/operations.md', tables),
		await pageWith('README.md', [['operations', lines]]),
	];
}

/** Returns a page with lines between its marks, each list of lines after the mark with its name. */
async function pageWith(name, lists) {
	const file = path.join(__dirname, name);
	let text = await readFile(file, 'utf8');
	for (const [mark, lines] of lists) {
		const between = new RegExp(`(<!-- ${mark}: .*?-->\n)[^]*?(<!-- /operations -->)`);
		if (!between.test(text)) throw new Error(`${name} has no place for the ${mark}`);
		text = text.replace(between, `$1\n${lines.join('\n')}\n\n$2`);
	}
	return [
		file,
		await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file }),
	];
}

/** Returns the contract as an OpenAPI document, the one that the sandbox serves. */
async function openapi() {
	const { openApiDocument } = require('./sandbox/openapi.ts');
	const document = `${JSON.stringify(await openApiDocument(), null, '\t')}\n`;
	return [path.join(__dirname, 'docs/internals/openapi.json'), document];
}

/** Returns the numbering plans of the world as the node reads them. */
function plansOfNumbers() {
	const { numberingPlans } = require('./scripts/numberingPlans.ts');
	return [path.join(nodeFolder, 'values/phone/numberingPlans.json'), numberingPlans()];
}

/** Returns the text of every generated file, by its path. */
const generated = async () =>
	new Map([...schemas(), ...(await operationPages()), await openapi(), plansOfNumbers()]);

/** Writes the generated files. */
async function write() {
	// If the node does not compile, this throws before it deletes anything.
	const files = await generated();
	for (const folder of [schemaFolder, instantSchemaFolder])
		await rm(folder, { recursive: true, force: true });
	for (const [file, text] of files) {
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
	}
}

/**
 * Fails if a generated file is out of date, missing, or left over from an operation that is gone.
 */
async function check() {
	const files = await generated();
	const found = await readdir(schemaFolder, { recursive: true });
	const outdated = found
		.filter((name) => name.endsWith('.json'))
		.map((name) => path.join(schemaFolder, name))
		.filter((file) => !files.has(file));
	for (const [file, text] of files) {
		if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) outdated.push(file);
	}
	if (outdated.length === 0) return;
	const names = outdated.map((file) => path.relative(__dirname, file)).sort();
	throw new Error(`Out of date: ${names.join(', ')}. Run \`npm run generate\`.`);
}

/**
 * Returns a task that runs a script of package.json. If the script fails, the task prints what it
 * said, and fails.
 */
function script(name) {
	const run = () =>
		new Promise((resolve, reject) => {
			const child = spawn('npm', ['run', name], { stdio: ['ignore', 'pipe', 'pipe'] });
			const output = [];
			for (const stream of [child.stdout, child.stderr])
				stream.on('data', (chunk) => output.push(chunk));
			child.once('error', reject);
			child.once('close', (code) => {
				if (code === 0) {
					resolve();
					return;
				}
				process.stdout.write(Buffer.concat(output));
				reject(new Error(`npm run ${name} failed`));
			});
		});
	return Object.assign(run, { displayName: name });
}

exports.default = write;
exports.check = check;
/** What `npm test` does before the tests. */
exports.prepareTest = parallel(script('build'), script('typecheck'));
