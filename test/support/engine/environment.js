const SharingEnvironment = require('../environment');

// A worker that has nothing left to do ends at once. Otherwise Node.js first frees its memory,
// hundreds of megabytes; Jest waits half a second for that, then kills the worker and says that a
// test may have left something open. A worker with something open does not get here, so Jest still
// finds it.
process.once('beforeExit', () => process.exit());

/**
 * Lets the modules of n8n and of our node, which `nodeRequire` loads, share one Date with the tests,
 * so that a test can set the clock for all of them. Loading these 1,900 modules again for each file
 * would take seconds.
 */
module.exports = class EngineEnvironment extends SharingEnvironment {
	constructor(...options) {
		super(...options);
		this.global.Date = Date;
	}
};
