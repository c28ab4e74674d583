const transform = {
	'^.+\\.ts$': [
		'@swc/jest',
		{ jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' } },
	],
};

/** Both suites take seconds; what needs a real n8n has a configuration of its own (jest.e2e.config.js). */
module.exports = {
	maxWorkers: 2,
	testTimeout: 30_000,
	globalSetup: '<rootDir>/test/engine/startSandbox.ts',
	globalTeardown: '<rootDir>/test/engine/stopSandbox.ts',
	projects: [
		{ displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'], transform },
		{ displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'], transform },
	],
};
