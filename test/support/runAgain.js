const { relative } = require('node:path');

/** Ends a failed run with the command that runs the failed files again. */
module.exports = class RunAgain {
	onRunComplete(_contexts, { testResults }) {
		const failed = testResults.filter(
			({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError,
		);
		if (failed.length === 0) return;
		const files = failed.map(({ testFilePath }) => relative('.', testFilePath)).sort();
		const suites = [...new Set(failed.map(({ displayName }) => displayName.name))].sort();
		console.log(
			`\nTo run what failed again:\nnpx tsc && npx jest --selectProjects ${suites.join(' ')} -- ${files.join(' ')}`,
		);
	}
};
