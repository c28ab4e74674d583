const { relative } = require('node:path');

/** Ends a failed run with the command that runs the failed files again: the last lines on the screen. */
module.exports = class RunAgain {
	onRunComplete(_contexts, { testResults }) {
		const failed = testResults.filter(
			({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError,
		);
		if (failed.length === 0) return;
		const files = failed.map(({ testFilePath }) => relative('.', testFilePath)).sort();
		// A file that could not be loaded has no suite; Jest finds the suite of a file by itself, too.
		const suites = failed.map(({ displayName }) => displayName?.name);
		const chosen = suites.includes(undefined)
			? ''
			: ` --selectProjects ${[...new Set(suites)].sort().join(' ')} --`;
		const command = `npx tsc && npx jest${chosen} ${files.join(' ')}`;
		// Jest still prints its summary.
		process.once('exit', () => process.stderr.write(`\nTo run what failed again:\n${command}\n`));
	}
};
