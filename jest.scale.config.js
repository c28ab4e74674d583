const e2e = require('./jest.e2e.config');

/** n8n on several processes, with a real Redis and a real PostgreSQL: minutes, one after the other. */
module.exports = {
	...e2e,
	displayName: 'scale',
	testMatch: ['<rootDir>/test/scale/**/*.test.ts'],
	testTimeout: 300_000,
};
