// The build step that n8n's own command line tool leaves out: files that are generated from the contract.
require('tsx/cjs');
const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { series } = require('gulp');
const prettier = require('prettier');
const { z } = require('zod/v4');

const nodeFolder = path.join(__dirname, 'nodes/WorkspaceMessaging');
const schemaFolder = path.join(nodeFolder, '__schema__/v1.0.0');

/** Output schemas, from which the editor shows the fields of an answer before anything ran. */
async function schemas() {
	const { outputs, triggerOutputs } = require(path.join(nodeFolder, 'contract/outputs'));
	await rm(schemaFolder, { recursive: true, force: true });
	const write = async (file, output) => {
		const schema = { ...forEditor(z.toJSONSchema(output, { unrepresentable: 'any' })), version: 1 };
		await writeFile(file, `${JSON.stringify(schema, null, '\t')}\n`);
	};
	for (const [resource, operations] of Object.entries(outputs)) {
		await mkdir(path.join(schemaFolder, resource), { recursive: true });
		for (const [operation, output] of Object.entries(operations)) {
			await write(path.join(schemaFolder, resource, `${operation}.json`), output);
		}
	}
	// n8n has one schema for a trigger, whatever its event: that of contacts, with what some of their events add.
	const { contactUpdated, tagAdded } = triggerOutputs;
	await write(`${schemaFolder}.json`, contactUpdated.extend(tagAdded.shape));
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

/** The README's table of operations, from the node's description. */
async function docs() {
	const { WorkspaceMessaging } = require(path.join(nodeFolder, 'WorkspaceMessaging.node.ts'));
	const { NOT_DOCUMENTED } = require(path.join(nodeFolder, 'resources/shared/missing.ts'));
	const { properties } = new WorkspaceMessaging().description;
	const names = new Map(
		properties.find(({ name }) => name === 'resource').options.map(({ name, value }) => [value, name]),
	);
	const rows = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			options.map((option) => [names.get(displayOptions.show.resource[0]), option]),
		)
		.map(([resource, { name, description }]) => {
			const [text, undocumented] = description.split(NOT_DOCUMENTED);
			return `| ${resource} | ${name}${undocumented === undefined ? '' : ' °'} | ${text.trim().replace(/\.$/, '')} |`;
		});
	const file = path.join(__dirname, 'README.md');
	const table = ['| Resource | Operation | What it does |', '|---|---|---|', ...rows].join('\n');
	const readme = await readFile(file, 'utf8');
	const written = readme.replace(
		/(<!-- operations:.*?-->\n)[^]*?(<!-- \/operations -->)/,
		`$1\n${table}\n\n$2`,
	);
	await writeFile(
		file,
		await prettier.format(written, { ...(await prettier.resolveConfig(file)), filepath: file }),
	);
}

/** The contract as an OpenAPI document, as the sandbox serves it. */
async function openapi() {
	const { openApiDocument } = require(path.join(__dirname, 'test/sandbox/openapi.ts'));
	const file = path.join(__dirname, 'docs/openapi.json');
	await writeFile(file, `${JSON.stringify(await openApiDocument(), null, '\t')}\n`);
}

exports.schemas = schemas;
exports.docs = docs;
exports.openapi = openapi;
exports.default = series(schemas, docs, openapi);
