import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { WorkspaceMessagingApi } from '../../credentials/WorkspaceMessagingApi.credentials';
import { WorkspaceMessaging } from '../../nodes/WorkspaceMessaging/WorkspaceMessaging.node';
import { WorkspaceMessagingInstantTrigger } from '../../nodes/WorkspaceMessaging/trigger/instant/WorkspaceMessagingInstantTrigger.node';
import { pollingEvents } from '../../nodes/WorkspaceMessaging/trigger/events';
import { WorkspaceMessagingTrigger } from '../../nodes/WorkspaceMessaging/WorkspaceMessagingTrigger.node';
import { ROOT } from '../support/package/packed';

const pagesIn = (folder: string) =>
	readdirSync(join(ROOT, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => join(folder, name));
const documents = [
	...['.', 'docs', 'docs/internals'].flatMap(pagesIn),
	...['examples/README.md', 'sandbox/README.md'],
];
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** The names by which GitHub lets links lead to the headings of a document. */
const anchorsOf = (file: string) =>
	[...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\- ]/gu, '')
			.replaceAll(' ', '-'),
	);

/** The links of a document to files of this repository: those that lead nowhere. */
function deadLinks(file: string): string[] {
	const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
	return links.filter((link) => {
		if (/^https?:/.test(link)) return false;
		const [path, anchor] = link.split('#');
		const target = path === '' ? file : join(dirname(file), path);
		return !existsSync(join(ROOT, target)) || (anchor && !anchorsOf(target).includes(anchor));
	});
}

test.each(documents)('The links of %s exist', (file) => {
	expect(deadLinks(file)).toEqual([]);
});

test.each([
	['README.md', 'docs'],
	['docs/internals/README.md', 'docs/internals'],
])('%s links to every page in %s/', (index, folder) => {
	const text = read(index);
	const links = pagesIn(folder).map((file) => relative(dirname(index), file));
	expect(links.filter((link) => link !== 'README.md' && !text.includes(`](${link}`))).toEqual([]);
});

test('A page shows every picture', () => {
	const all = documents.map(read).join('\n');
	const pictures = readdirSync(join(ROOT, 'docs/images'));
	expect(pictures.filter((name) => !all.includes(`images/${name})`))).toEqual([]);
});

test.each(['npm install && npm start', 'npm install && npm test'])(
	'The README has the command %s',
	(command) => {
		expect(read('README.md').split('\n')).toContain(command);
	},
);

const sources = ['nodes', 'credentials', 'sandbox', 'scripts', 'test'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `/${folder}/${String(name)}`),
);

/** Labels of n8n's editor and of its own settings. */
const N8N_LABELS = [
	...[
		'Add Field',
		'Add Form Element',
		'Add Option',
		'Add first step',
		'More details',
		'Always Output Data',
		'Authentication',
	],
	...[
		'Binary',
		'Community nodes',
		'Migration Report',
		'OpenAI Chat Model',
		'OpenAI account',
		'Use Responses API',
		'Contact actions',
		'Continue',
		'Continue (using error output)',
		'Credential',
	],
	...[
		'Credential Type',
		'Execute step',
		'Execute workflow',
		'Fixed',
		'Ignore SSL Issues',
		'Install',
	],
	...[
		'Instance-level MCP',
		'On Error',
		'Poll Times',
		'Predefined Credential Type',
		'Production URL',
	],
	...['New workflow', 'Retry', 'Retry On Fail'],
	...['Boolean', 'contains', 'Ignore Case', 'is false', 'is true', 'matches regex', 'String'],
	...[
		'Save',
		'Settings',
		'Specific Domains',
		'Stop Workflow',
		'Workspace Messaging API',
		'Zoom to Fit',
	],
];

/** Labels and names of options, anywhere in a description. */
function labelsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const { displayName, name } = value as Record<string, unknown>;
	const own = [displayName, name].filter((label) => typeof label === 'string');
	return [...own, ...Object.values(value).flatMap(labelsIn)];
}

const labels = new Set([
	...N8N_LABELS,
	...labelsIn(new WorkspaceMessaging().description),
	...labelsIn(new WorkspaceMessagingTrigger().description),
	...labelsIn(new WorkspaceMessagingInstantTrigger().description),
	...labelsIn(new WorkspaceMessagingApi().properties),
]);

/** Their examples name labels that the package does not have. */
const GUIDES = ['docs/internals/add-an-event.md', 'docs/internals/add-an-operation.md'];

test.each(documents.filter((file) => ![...GUIDES, 'CONTRIBUTING.md'].includes(file)))(
	'Every label that %s names exists',
	(file) => {
		const text = read(file)
			.replaceAll(/`[^`]*`/g, '')
			.replaceAll(/\s+/g, ' ');
		const named = [...text.matchAll(/(?<![\w/])_([A-Z][^_]*)_(?!\w)/g)].flatMap(([, label]) =>
			label.split(/ → |: /),
		);
		expect(named.filter((label) => !labels.has(label))).toEqual([]);
	},
);

/** The files that a reader of the guides writes. */
const EXAMPLES = [
	'/nodes/WorkspaceMessaging/resources/tag/get.ts',
	'/nodes/WorkspaceMessaging/trigger/changes/newBroadcasts.ts',
	'/test/engine/trigger/newBroadcasts.test.ts',
];

test.each(documents)('Every source file that %s names exists', (file) => {
	const names = [...read(file).matchAll(/(?<![\w./-])(?:[\w.-]+\/)*[\w.-]+\.tsx?\b/g)].map(
		([name]) => name,
	);
	const known = [...sources, ...EXAMPLES];
	expect(names.filter((name) => !known.some((source) => source.endsWith(`/${name}`)))).toEqual([]);
});

test.each(documents)('Every folder that %s names exists', (file) => {
	const names = [...read(file).matchAll(/`((?:[\w.-]+\/){2,})`/g)].map(([, name]) => name);
	const isFolder = (name: string) =>
		existsSync(join(ROOT, name)) || sources.some((source) => `${source}/`.endsWith(`/${name}`));
	expect(names.filter((name) => !isFolder(name))).toEqual([]);
});

test('CONTRIBUTING.md has the floors in the order that lint checks', () => {
	const [, layers] = read('eslint.imports.mjs').match(/^const layers = \[([^\]]*)\]/m)!;
	const [, table] = read('CONTRIBUTING.md').match(/^## The floors\n([^]*?)^## /m)!;
	const floors = [...table.matchAll(/^\| `(\w+)\/`/gm)].map(([, name]) => name);
	expect(floors).toEqual([...layers.matchAll(/'(\w+)'/g)].map(([, name]) => name));
	expect(floors).not.toEqual([]);
});

test.each(GUIDES)('The files that the examples of %s import exist', (file) => {
	const blocks = [...read(file).matchAll(/^```ts\n([^]*?)^```/gm)]
		.map(([, code]) => code)
		.join('\n');
	const paths = [...blocks.matchAll(/ from '(?:\.\.?\/)+([^']+)'/g)].map(([, path]) => path);
	expect(paths.length).toBeGreaterThan(2);
	expect(paths.filter((path) => !sources.some((source) => source.endsWith(`/${path}.ts`)))).toEqual(
		[],
	);
});

test.each(pollingEvents)('docs/trigger.md says what a poll for $name costs', ({ name }) => {
	const rows = read('docs/trigger.md')
		.split('\n')
		.filter((line) => line.split('|').length === 5);
	const events = rows.flatMap((row) => row.split('|')[1].split(',')).map((cell) => cell.trim());
	expect(events).toContain(name);
});

test.each([
	['README.md', 8000],
	['CONTRIBUTING.md', 12_000],
])('%s has at most %d bytes', (file, most) => {
	expect(Buffer.byteLength(read(file))).toBeLessThanOrEqual(most);
});

test('The list of pages in the README has at most ten links', () => {
	const [, list] = read('README.md').match(/^## More\n([^#]*)/m)!;
	expect(list.match(/\]\(/g)!.length).toBeLessThanOrEqual(10);
});

// The credential and the nodes link to these.
test.each(['credential', 'trigger'])('The README has the section #%s', (anchor) => {
	expect(anchorsOf('README.md')).toContain(anchor);
});
