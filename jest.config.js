require('./test/support/home');

/**
 * Returns the configuration of one suite of tests, a folder of test/.
 *
 * @param name of the folder, and of the suite for `--selectProjects`
 * @param seconds that a test may take by default, many times what it takes: a busy machine must not
 * fail it. A setup file sets them, because Jest reads `testTimeout` for all suites at once
 * @param options that only this suite has
 */
function suite(name, seconds, options) {
	return {
		displayName: name,
		testMatch: [`<rootDir>/test/${name}/**/*.{test,e2e,browser}.ts`],
		transform: {
			'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
		},
		// All random cases of a test take several times as long as the few of `npm test`.
		globals: { TEST_TIMEOUT_MS: seconds * 1000 * (process.env.ALL === 'true' ? 4 : 1) },
		setupFilesAfterEnv: ['<rootDir>/test/support/timeout.ts'],
		// One setting for all suites, because a worker has files of several.
		testEnvironmentOptions: { globalsCleanup: 'off' },
		...options,
	};
}

/** Lets a suite send requests to the sandbox. */
const withSandbox = {
	globalSetup: '<rootDir>/test/support/startSandbox.ts',
	globalTeardown: '<rootDir>/test/support/stopSandbox.ts',
};

/** Lets a suite run the compiled node in n8n's engine, against the sandbox. */
const engine = {
	...withSandbox,
	testEnvironment: '<rootDir>/test/support/engine/environment.js',
	setupFilesAfterEnv: [
		'<rootDir>/test/support/timeout.ts',
		'<rootDir>/test/support/engine/n8nModules.ts',
	],
};

/**
 * The scripts in package.json say which suites run together, and which run one file after the
 * other.
 */
module.exports = {
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/support/slowestFirst.js',
	reporters: ['default', '<rootDir>/test/support/runAgain.js'],
	// Test files leave something behind in n8n's modules, which a worker loads once. A large heap
	// makes all later files slow.
	workerIdleMemoryLimit: '900MB',
	projects: [
		suite('unit', 120, {
			testEnvironment: '<rootDir>/test/support/environment.js',
			setupFilesAfterEnv: [
				'<rootDir>/test/support/timeout.ts',
				'<rootDir>/test/support/unitModules.ts',
			],
		}),
		// The stand-in for the service, by requests that no node sends.
		suite('sandbox', 120, withSandbox),
		// The node in n8n's engine.
		suite('engine', 120, engine),
		// What an attacker or a misbehaving service could try.
		suite('security', 180, engine),
		// Thousands of messages under faults and limits.
		suite('load', 180, engine),
		// The packed package, the generated files and the documents.
		suite('package', 300),
		// A real n8n.
		suite('e2e', 600, {
			globalSetup: '<rootDir>/test/support/n8n/startShared.ts',
			globalTeardown: '<rootDir>/test/support/n8n/stopShared.ts',
		}),
		// The editor of a real n8n in a real browser.
		suite('browser', 600, {
			globalSetup: '<rootDir>/test/support/browser/globalSetup.ts',
			globalTeardown: '<rootDir>/test/support/n8n/stopShared.ts',
		}),
		// n8n in several processes, with a real Redis and a real PostgreSQL.
		suite('scale', 300, { globalSetup: '<rootDir>/test/support/n8n/globalSetup.ts' }),
	],
};
