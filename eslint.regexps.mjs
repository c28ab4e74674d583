import { config } from '@n8n/node-cli/eslint';
import regexp from 'eslint-plugin-regexp';

/*
 * The rules for regular expressions. They are in a file of their own because n8n's strict mode does
 * not allow changes to eslint.config.mjs. `npm run lint` runs both.
 */

export default [
	// The parser of n8n's configuration without its rules.
	...config.map(({ rules, ...entry }) => entry),
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { regexp },
		rules: {
			// A text of a user or of the service can make such an expression run for minutes.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': 'error',
		},
	},
];
