const { projects } = require('./jest.config');

/** The package as it is published; it has to be built. */
module.exports = {
	displayName: 'package',
	testMatch: ['<rootDir>/test/package/**/*.test.ts'],
	transform: projects[0].transform,
	maxWorkers: 2,
	testTimeout: 120_000,
};
