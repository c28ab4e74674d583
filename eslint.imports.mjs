import { config } from '@n8n/node-cli/eslint';

/*
 * Who may import whom. A configuration of its own, because n8n's strict mode wants eslint.config.mjs untouched;
 * `npm run lint` runs both.
 */

/** The folders of the nodes. Each may import from itself and from those before it; the node files, from all. */
const layers = [
	'contract',
	'transport',
	'validation',
	'execution',
	'contacts',
	'resources',
	'methods',
	'trigger',
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
		message: 'n8n gives the nodes their credential.',
	},
];

const typescript = config.find(({ languageOptions }) => languageOptions?.parser).languageOptions.parser;

/**
 * The parser of n8n's configuration, which calls an import of types an import of values: `no-cycle` passes over the
 * former, but whoever reads the code goes round in a circle of types as well.
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
	// The plugins and the resolver of n8n's configuration, without its rules.
	...config.map(({ rules, ...entry }) => entry),
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser },
		// Without this the plugin does not read TypeScript, and finds no circle.
		settings: { 'import-x/extensions': ['.ts'] },
		rules: {
			'import-x/no-restricted-paths': ['error', { zones }],
			'import-x/no-cycle': 'error',
		},
	},
];
