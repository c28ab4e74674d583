/** Tests in a real n8n's editor, in a real browser: slow, one after the other. */
module.exports = {
	displayName: 'browser',
	testMatch: ['<rootDir>/test/browser/**/*.browser.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	globalSetup: '<rootDir>/test/support/browser/globalSetup.ts',
	maxWorkers: 1,
	testTimeout: 120_000,
	verbose: true,
};
