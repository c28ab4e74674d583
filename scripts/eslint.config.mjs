import { config } from '@n8n/node-cli/eslint';

// Tests and tools are plain Node.js programs that never run inside n8n: n8n's rules for nodes do
// not apply to them.
const n8nRules = config
	.flatMap(({ rules = {} }) => Object.keys(rules))
	.filter((rule) => rule.startsWith('@n8n/community-nodes/'));

export default [
	...config,
	{
		files: ['**/*.ts'],
		rules: { 'no-console': 'off', ...Object.fromEntries(n8nRules.map((rule) => [rule, 'off'])) },
	},
];
