import { config } from '@n8n/node-cli/eslint';
import n8nCommunityNodes from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import { globalIgnores } from 'eslint/config';

// n8n's command line tool brings older releases of both plugins; the newest rules are the ones that count.
const { rules } = n8nCommunityNodes.configs.recommended;
const newest = config.map((entry) => ({
	...entry,
	...(entry.plugins && {
		plugins: {
			...entry.plugins,
			...('n8n-nodes-base' in entry.plugins && { 'n8n-nodes-base': n8nNodesBase }),
			...('@n8n/community-nodes' in entry.plugins && { '@n8n/community-nodes': n8nCommunityNodes }),
		},
	}),
	...('@n8n/community-nodes/no-restricted-imports' in (entry.rules ?? {}) && {
		rules: { ...entry.rules, ...rules },
	}),
}));

export default [
	globalIgnores(['dist', 'node_modules', 'nodes/**/__schema__']),
	...newest,
	{
		files: ['package.json'],
		plugins: { '@n8n/community-nodes': n8nCommunityNodes },
		rules,
	},
	// Tests and tools are plain Node.js programs that never run inside n8n.
	{
		files: ['test/**/*.ts'],
		rules: { 'no-console': 'off', ...Object.fromEntries(Object.keys(rules).map((rule) => [rule, 'off'])) },
	},
];
