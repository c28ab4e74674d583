/**
 * One suite of tests: a folder of test/.
 *
 * @param name of the folder, by which `--selectProjects` finds the suite
 * @param seconds that a test may take which does not say otherwise. Jest reads `testTimeout` of the whole run only, so a
 * setup file sets it
 * @param options that differ from the other suites
 */
function suite(name, seconds, options) {
	return {
		displayName: name,
		testMatch: [`<rootDir>/test/${name}/**/*.{test,e2e,browser}.ts`],
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		globals: { TEST_TIMEOUT_MS: seconds * 1000 },
		setupFilesAfterEnv: ['<rootDir>/test/support/timeout.ts'],
		...options,
	};
}

/** The service that stands in for the real one, in the process of the tests. */
const sandbox = {
	globalSetup: '<rootDir>/test/support/engine/startSandbox.ts',
	globalTeardown: '<rootDir>/test/support/engine/stopSandbox.ts',
};

/** The scripts in package.json say which of these run together, and which one file after the other. */
module.exports = {
	maxWorkers: 2,
	projects: [
		suite('unit', 30, sandbox),
		// The node in n8n's engine.
		suite('engine', 30, sandbox),
		// What an attacker, or a service that misbehaves, could try.
		suite('security', 60, sandbox),
		// Thousands of messages under faults and limits.
		suite('load', 30, sandbox),
		// The package as it is published; it has to be built.
		suite('package', 120),
		// A real n8n.
		suite('e2e', 180, { globalSetup: '<rootDir>/test/support/n8n/globalSetup.ts' }),
		// A real n8n's editor, in a real browser.
		suite('browser', 120, { globalSetup: '<rootDir>/test/support/browser/globalSetup.ts' }),
		// n8n on several processes, with a real Redis and a real PostgreSQL.
		suite('scale', 300, { globalSetup: '<rootDir>/test/support/n8n/globalSetup.ts' }),
	],
};
