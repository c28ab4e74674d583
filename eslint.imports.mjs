import { config } from '@n8n/node-cli/eslint';

/*
 * The rules for imports. They are in a file of their own because n8n's strict mode does not allow
 * changes to eslint.config.mjs. `npm run lint` runs both.
 */

/**
 * The folders of the nodes. Each may import from itself and from the folders above it in this list.
 */
const layers = [
	'contract',
	'transport',
	'values',
	'service',
	'run',
	'channels',
	'contacts',
	'templates',
	'conversations',
	'panel',
	'resources',
	'trigger',
	'node',
];

const nodes = './nodes/WorkspaceMessaging';

const zones = [
	...layers.map((layer, index) => {
		const allowed = layers.slice(0, index + 1);
		return {
			target: `${nodes}/${layer}`,
			from: nodes,
			except: allowed.map((name) => `./${name}`),
			message: `${layer}/ may import from ${allowed.join(', ')}.`,
		};
	}),
	{
		target: './credentials',
		from: nodes,
		except: ['./contract', './transport'],
		message: 'The credential may import from contract, transport.',
	},
	{
		target: nodes,
		from: './credentials',
		message: 'n8n passes the credential to the nodes.',
	},
];

/** What `npm start` and the build run. Both work without the tests. */
const toolZones = [
	{
		target: './sandbox',
		from: '.',
		except: ['./sandbox', './node_modules', `${nodes}/contract`],
		message: 'sandbox/ may import from the contract.',
	},
	{
		target: './scripts',
		from: './test',
		message: 'scripts/ may not import from test/.',
	},
];

const typescript = config.find(({ languageOptions }) => languageOptions?.parser).languageOptions
	.parser;

/**
 * The parser of n8n's configuration, with each import of types changed to an import of values:
 * `no-cycle` skips imports of types, but a circle of types is as hard to read as any other.
 */
const parser = {
	...typescript,
	parseForESLint(code, options) {
		const parsed = typescript.parseForESLint(code, options);
		for (const statement of parsed.ast.body) {
			for (const node of [statement, ...(statement.specifiers ?? [])]) {
				if (node.importKind) node.importKind = 'value';
			}
		}
		return parsed;
	},
};

export default [
	// The plugins and the resolver of n8n's configuration without its rules.
	...config.map(({ rules, ...entry }) => entry),
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'sandbox/**/*.ts', 'scripts/**/*.ts'],
		languageOptions: { parser },
		// Without this setting the plugin reads no TypeScript and finds no circle.
		settings: { 'import-x/extensions': ['.ts'] },
		rules: {
			'import-x/no-restricted-paths': ['error', { zones: [...zones, ...toolZones] }],
			// Packages import no file of ours.
			'import-x/no-cycle': ['error', { ignoreExternal: true }],
		},
	},
];
