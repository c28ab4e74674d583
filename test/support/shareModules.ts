declare global {
	/** Loads a module once for all test files of a process; `environment.js` provides it. */
	const nodeRequire: NodeJS.Require;
}

/** Lets all test files of a process import the same instances of these modules. */
export function shareModules(names: string[]): void {
	for (const name of names) jest.doMock(name, () => nodeRequire(name) as object);
}
