import type { Requester, Service } from '../transport/request';

/* What n8n remembers of services: all that they were asked, and all that their answers have shown. */

/** Whatever knows its service, such as a requester. */
export interface HasService {
	readonly service: Service;
}

/**
 * Returns a function that gives each service its own memory. It is lost when n8n forgets the
 * service, an hour after it met it.
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
 * @param ask gets what the question is about after the client
 * @param toKey returns what two questions with the same answer have in common
 */
export function oncePerService<About extends unknown[], T>(
	ask: (client: Requester, ...about: About) => Promise<T>,
	toKey: (...about: About) => string = (...about) => JSON.stringify(about),
): (client: Requester, ...about: About) => Promise<T> {
	const answersOf = memoryPerService(() => new Map<string, Promise<T>>());
	return async (client, ...about) => {
		const answers = answersOf(client);
		const key = toKey(...about);
		let answer = answers.get(key);
		if (!answer) {
			answer = ask(client, ...about);
			answers.set(key, answer);
			answer.catch(() => answers.delete(key));
		}
		return await answer;
	};
}
