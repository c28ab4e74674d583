const { projects, globalSetup, globalTeardown } = require('./jest.config');

/** Runs of thousands of messages under faults and limits: minutes, one after the other. */
module.exports = {
	displayName: 'load',
	testMatch: ['<rootDir>/test/load/**/*.test.ts'],
	transform: projects[0].transform,
	globalSetup,
	globalTeardown,
	maxWorkers: 1,
};
