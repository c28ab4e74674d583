/** What is found out about a service by asking it; kept for a workspace for an hour, because releases replace each other. */
export class Service {
	/** When it was begun to find things out, in milliseconds since 1970. */
	readonly since = Date.now();

	/** The largest page that lists give without refusing, by the list's path. */
	readonly largestPages = new Map<string, number>();

	/** What the records of a list lack unless it is asked for, as `include` calls it, by the list's path. */
	readonly includes = new Map<string, string[]>();

	/** How many records a list shows where it is known to be cut, by the list's path. */
	readonly cutLists = new Map<string, number>();

	private readonly findings = new Map<string, Promise<unknown>>();

	/** The older form of `oncePerService`. */
	async once<T>(what: string, ask: () => Promise<T>): Promise<T> {
		let finding = this.findings.get(what) as Promise<T> | undefined;
		if (!finding) {
			finding = ask();
			this.findings.set(what, finding);
			finding.catch(() => this.findings.delete(what));
		}
		return await finding;
	}
}

/** Whatever sends requests to one service. */
interface Client {
	readonly service: Service;
}

/**
 * Returns a function that gives each service a memory of its own, which is lost when the service is forgotten.
 *
 * @param create makes the memory, empty
 */
export function memoryPerService<T>(create: () => T): (client: Client) => T {
	const memories = new WeakMap<Service, T>();
	return ({ service }) => {
		const memory = memories.get(service) ?? create();
		memories.set(service, memory);
		return memory;
	};
}

/**
 * Memoizes a function that asks the service something: every client of the same service gets the same answer. Failures
 * are not kept.
 *
 * @param ask its arguments after the client are the key
 */
export function oncePerService<C extends Client, Keys extends string[], T>(
	ask: (client: C, ...keys: Keys) => Promise<T>,
): (client: C, ...keys: Keys) => Promise<T> {
	const answersOf = memoryPerService(() => new Map<string, Promise<T>>());
	return async (client, ...keys) => {
		const answers = answersOf(client);
		const key = JSON.stringify(keys);
		let answer = answers.get(key);
		if (!answer) {
			answer = ask(client, ...keys);
			answers.set(key, answer);
			answer.catch(() => answers.delete(key));
		}
		return await answer;
	};
}
