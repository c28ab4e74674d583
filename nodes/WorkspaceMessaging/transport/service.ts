import { undocumentedApi } from '../contract/undocumented';
import { recover } from './errors/ApiError';
import type { ApiError } from './errors/ApiError';
import type { Requester, Service, ServiceAge } from './request';

/**
 * Returns a function that gives each service its own memory. It is lost when the workspace forgets the service.
 *
 * @param create makes the memory, empty
 */
export function memoryPerService<T>(create: () => T): (client: Pick<Requester, 'service'>) => T {
	const memories = new WeakMap<Service, T>();
	return ({ service }) => {
		const memory = memories.get(service) ?? create();
		memories.set(service, memory);
		return memory;
	};
}

/**
 * Memoizes a function that asks the service something: every client of the same service gets the same answer. Failures
 * aren't kept.
 *
 * @param ask its arguments after the client are the key
 */
export function oncePerService<C extends Requester, Keys extends string[], T>(
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

/**
 * Returns which kind of service this is, for what no answer shows: newer ones list inboxes, and older ones say in plain text
 * that they have no such path; `other` for all others. Costs one request an hour. Throws an `ApiError` if the answer is about
 * something else.
 */
export const readServiceAge = async (client: Requester): Promise<ServiceAge> =>
	client.service.age ?? (await askOnce(client));

/** Asks the service what `readServiceAge` returns, even if that is known. */
export async function askServiceAge(client: Requester): Promise<ServiceAge> {
	const age = await client
		.request(undocumentedApi.listInboxes, { query: { perPage: 1 } })
		.then(() => 'newer' as const, recover(saysAge, ageByError));
	client.service.age = age;
	return age;
}

const askOnce = oncePerService(askServiceAge);

const saysAge = ({ details: { status, reason } }: ApiError) =>
	status === 404 || status === 405 || reason === 'scope';

function ageByError({ details: { reason } }: ApiError): ServiceAge {
	if (reason === 'scope') return 'newer';
	return reason === 'operationMissing' ? 'older' : 'other';
}
