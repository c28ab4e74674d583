const { TestEnvironment } = require('jest-environment-node');

/**
 * Gives tests `nodeRequire`, which loads a module once for all test files of a process. Jest itself
 * would load it again for each file.
 */
module.exports = class SharingEnvironment extends TestEnvironment {
	constructor(...options) {
		super(...options);
		this.global.nodeRequire = require;
	}
};
