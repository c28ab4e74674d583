const { projects, globalSetup, globalTeardown } = require('./jest.config');

/** What an attacker, or a service that misbehaves, could try. */
module.exports = {
	displayName: 'security',
	testMatch: ['<rootDir>/test/security/**/*.test.ts'],
	transform: projects[0].transform,
	globalSetup,
	globalTeardown,
	maxWorkers: 2,
	testTimeout: 60_000,
};
