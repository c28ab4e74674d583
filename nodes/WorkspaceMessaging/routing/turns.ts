import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { shared } from './run';

/**
 * Lets items of a run that have something in common work one after the other, in the order in which they ask.
 *
 * Turns can be nested as long as the inner ones have other names than the outer ones.
 *
 * @param names what the work is about; it waits for all earlier work that has one of them
 */
export async function inTurn<T>(
	context: IExecuteSingleFunctions,
	names: Iterable<string>,
	work: () => Promise<T>,
): Promise<T> {
	const turns = shared(context, 'turns', () => new Map<string, Promise<unknown>>());
	const own = [...new Set(names)];
	const before = Promise.allSettled(own.map((name) => turns.get(name)));
	const result = before.then(work);
	for (const name of own) turns.set(name, result);
	return await result;
}
