const { TestEnvironment } = require('jest-environment-node');

// A worker that has nothing left to do ends at once. Otherwise Node.js first frees its memory,
// hundreds of megabytes; Jest waits half a second for that, then kills the worker and says that a
// test may have left something open. A worker with something open does not get here, so Jest still
// finds it.
process.once('beforeExit', () => process.exit());

/**
 * Gives tests `nodeRequire`, which loads a module once for all test files of a process; Jest itself
 * would load the 1,900 modules of n8n and of our node again for each file, and take seconds for it.
 * These modules and the tests share one Date, so that a test can set the clock for all of them.
 */
module.exports = class EngineEnvironment extends TestEnvironment {
	constructor(...options) {
		super(...options);
		Object.assign(this.global, { nodeRequire: require, Date });
	}
};
