// The build step that n8n's own command line tool leaves out: files that are generated from the contract and the node.
require('tsx/cjs');
const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const prettier = require('prettier');
const { z } = require('zod/v4');

const nodeFolder = path.join(__dirname, 'nodes/WorkspaceMessaging');
const schemaFolder = path.join(nodeFolder, '__schema__');

/** Output schemas, from which the editor shows the fields of an answer before anything ran. */
function schemas() {
	const { resources } = require(path.join(nodeFolder, 'resources'));
	const { triggerOutputs } = require(path.join(nodeFolder, 'trigger/events'));
	const fileOf = (name, output) => {
		const schema = { ...forEditor(z.toJSONSchema(output, { unrepresentable: 'any' })), version: 1 };
		return [path.join(schemaFolder, `${name}.json`), `${JSON.stringify(schema, null, '\t')}\n`];
	};
	const files = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, output }) => fileOf(`v1.0.0/${resource}/${value}`, output)),
	);
	// n8n has one schema for a trigger, whatever its event: that of contacts, with what some of their events add.
	const { contactUpdated, tagAdded } = triggerOutputs;
	return [...files, fileOf('v1.0.0', contactUpdated.extend(tagAdded.shape))];
}

/** What the editor reads of a JSON schema: types, fields and entries. A field that can be null is shown by its type. */
function forEditor({ type, anyOf, properties, items }) {
	if (anyOf) return forEditor(anyOf.find((variant) => variant.type !== 'null'));
	if (type === 'object') {
		const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, forEditor(field)]);
		return { type, properties: Object.fromEntries(fields) };
	}
	if (type === 'array') return { type, items: forEditor(items) };
	return { type: type ?? 'string' };
}

/** The page on operations with its table, from the node's description. */
async function operationsPage() {
	const { resources } = require(path.join(nodeFolder, 'resources'));
	const { NOT_DOCUMENTED } = require(path.join(nodeFolder, 'resources/shared/unsupported.ts'));
	const rows = resources.flatMap((resource) =>
		resource.operations.map(({ name, description }) => {
			const [text, undocumented] = description.split(NOT_DOCUMENTED);
			return `| ${resource.name} | ${name}${undocumented === undefined ? '' : ' °'} | ${text.trim().replace(/\.$/, '')} |`;
		}),
	);
	const file = path.join(__dirname, 'docs/operations.md');
	const table = ['| Resource | Operation | What it does |', '|---|---|---|', ...rows].join('\n');
	const written = (await readFile(file, 'utf8')).replace(
		/(<!-- operations:.*?-->\n)[^]*?(<!-- \/operations -->)/,
		`$1\n${table}\n\n$2`,
	);
	return [file, await prettier.format(written, { ...(await prettier.resolveConfig(file)), filepath: file })];
}

/** The contract as an OpenAPI document, as the sandbox serves it. */
async function openapi() {
	const { openApiDocument } = require(path.join(__dirname, 'sandbox/openapi.ts'));
	const document = `${JSON.stringify(await openApiDocument(), null, '\t')}\n`;
	return [path.join(__dirname, 'docs/openapi.json'), document];
}

/** The text of every file that is generated, by its path. */
const generated = async () => new Map([...schemas(), await operationsPage(), await openapi()]);

/** Writes what is generated. */
async function write() {
	await rm(schemaFolder, { recursive: true, force: true });
	for (const [file, text] of await generated()) {
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, text);
	}
}

/** Fails where a file is not what would be generated now: before the build, which would set it right unnoticed. */
async function check() {
	const files = await generated();
	const found = await readdir(schemaFolder, { recursive: true });
	const wrong = found
		.filter((name) => name.endsWith('.json'))
		.map((name) => path.join(schemaFolder, name))
		.filter((file) => !files.has(file));
	for (const [file, text] of files) {
		if ((await readFile(file, 'utf8').catch(() => undefined)) !== text) wrong.push(file);
	}
	if (wrong.length === 0) return;
	const names = wrong.map((file) => path.relative(__dirname, file)).sort();
	throw new Error(`Not as generated: ${names.join(', ')}. \`npm run build\` writes them anew.`);
}

exports.default = write;
exports.check = check;
