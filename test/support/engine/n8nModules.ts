declare global {
	/** Loads a module once for all test files of a process; `environment.js` provides it. */
	const nodeRequire: NodeJS.Require;
}

// Tests import the same instances that our compiled node uses.
for (const name of [
	'@n8n/backend-common',
	'@n8n/di',
	'n8n-core',
	'n8n-workflow',
	'reflect-metadata',
])
	jest.doMock(name, () => nodeRequire(name) as object);

export {};
