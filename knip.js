/*
 * Finds what nobody needs. `npm run lint:unused` runs it twice: with the tests, for exports that no
 * other file imports, and without them, for files and functions of the package that only tests use.
 */
const isWithoutTests = process.argv.includes('--production');

const include = ['files', 'exports', 'types', 'duplicates'];
const entry = ['nodes/**/*.node.ts', 'credentials/*.ts', 'gulpfile.js', 'scripts/*.ts'];

module.exports = isWithoutTests
	? {
			include,
			entry: [...entry, 'sandbox/**/*.ts', 'scripts/**/*.ts'].map((pattern) => `${pattern}!`),
			project: ['nodes/**/*.ts!'],
			// A test may import a function that its own file uses.
			ignoreExportsUsedInFile: true,
		}
	: {
			include,
			// What n8n starts, and what Jest runs only if it is asked to.
			entry: [...entry, 'scripts/n8n/stopWithParent.ts', 'test/**/*.{test,e2e,browser,types}.ts'],
			project: ['{nodes,credentials,sandbox,scripts,test}/**/*.ts'],
		};
