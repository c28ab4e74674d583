const transform = {
	'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
};

/** What runs in this process: in one to two minutes, together. Each slower suite has a configuration of its own. */
module.exports = {
	maxWorkers: 2,
	testTimeout: 30_000,
	globalSetup: '<rootDir>/test/support/engine/startSandbox.ts',
	globalTeardown: '<rootDir>/test/support/engine/stopSandbox.ts',
	projects: [
		{ displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'], transform },
		{ displayName: 'engine', testMatch: ['<rootDir>/test/engine/**/*.test.ts'], transform },
	],
};
