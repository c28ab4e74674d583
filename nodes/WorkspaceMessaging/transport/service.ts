/** The kinds of services; see `readServiceAge`. */
export type ServiceAge = 'newer' | 'older' | 'other';

/**
 * What is known about the service of a workspace. Forgotten after an hour, because the service may
 * be updated.
 */
export class Service {
	/** In milliseconds since 1970. */
	readonly createdAt = Date.now();

	/** The largest page that a list returns without an error, by the list's path. */
	readonly largestPages = new Map<string, number>();

	/** What a list leaves out of its records unless `include` asks for it, by the list's path. */
	readonly includes = new Map<string, string[]>();

	/** How many records a list returns if it is known to be cut, by the list's path. */
	readonly cutLists = new Map<string, number>();

	/** What kind of service it is, once it was asked; see `readServiceAge`. */
	age?: ServiceAge;

	/** Whether it has shown that it recognizes a request that it gets again. */
	recognizesRetries = false;
}

/** Whatever knows its service, such as a requester. */
interface HasService {
	readonly service: Service;
}

/**
 * Returns a function that gives each service its own memory. It is lost when the workspace forgets
 * the service.
 *
 * @param create makes the memory, empty
 */
export function memoryPerService<T>(create: () => T): (client: HasService) => T {
	const memories = new WeakMap<Service, T>();
	return ({ service }) => {
		const memory = memories.get(service) ?? create();
		memories.set(service, memory);
		return memory;
	};
}

/**
 * Memoizes a function that asks the service something: every client of the same service gets the
 * same answer. Failures aren't kept.
 *
 * @param ask its arguments after the client are the key
 */
export function oncePerService<C extends HasService, Keys extends string[], T>(
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
