const { TestEnvironment } = require('jest-environment-node');

/**
 * Skips a test file that would begin after TESTS_BEGIN_UNTIL (milliseconds since 1970), if that is
 * set: on a slow machine, `.ci/run` gives up the last files rather than the result of all others.
 */
module.exports = class BeginsInTimeEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.file = context.testPath;
	}

	handleTestEvent({ name }, { rootDescribeBlock }) {
		const until = Number(process.env.TESTS_BEGIN_UNTIL ?? Infinity);
		if (name !== 'run_start' || Date.now() <= until) return;
		skipAll(rootDescribeBlock);
		process.stderr.write(`${this.file} was not run, because this machine is slow\n`);
	}
};

/** Skips a test, or all of a describe block with its hooks. */
function skipAll(block) {
	block.mode = 'skip';
	block.children?.forEach(skipAll);
}
