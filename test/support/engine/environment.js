const { TestEnvironment } = require('jest-environment-node');

/**
 * Gives tests `nodeRequire`, which loads a module once for all test files of a process; Jest itself would load the 1,900
 * modules of n8n and of our node again for each file, and take seconds for it. These modules and the tests share one Date,
 * so that a test can set the clock for all of them.
 */
module.exports = class EngineEnvironment extends TestEnvironment {
	constructor(...options) {
		super(...options);
		Object.assign(this.global, { nodeRequire: require, Date });
	}
};
