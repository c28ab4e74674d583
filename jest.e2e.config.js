/** Tests in a real n8n: slow, one after the other. */
module.exports = {
	displayName: 'e2e',
	testMatch: ['<rootDir>/test/e2e/**/*.e2e.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	globalSetup: '<rootDir>/test/support/n8n/globalSetup.ts',
	maxWorkers: 1,
	testTimeout: 180_000,
	verbose: true,
};
