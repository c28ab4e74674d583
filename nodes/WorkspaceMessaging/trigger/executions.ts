import type { INodeExecutionData } from 'n8n-workflow';

/*
 * Which items of a poll start an execution together. n8n itself starts one for all items of a poll.
 */

/**
 * Returns the items of each execution, in the order of their first items. Without items, that is one
 * execution without items.
 *
 * @param keyOf returns what the items of one execution have in common; undefined for one execution
 */
export function splitItems(
	items: INodeExecutionData[],
	keyOf: ((item: INodeExecutionData) => string) | undefined,
): INodeExecutionData[][] {
	if (!keyOf || items.length === 0) return [items];
	const executions = new Map<string, INodeExecutionData[]>();
	for (const item of items) {
		const key = keyOf(item);
		const others = executions.get(key);
		if (others) others.push(item);
		else executions.set(key, [item]);
	}
	return [...executions.values()];
}

/**
 * Starts executions one after the other. If one cannot be started, the others are, and the first
 * error is thrown at the end: the memory of the poll says that all have started.
 */
export function startEach<Items>(executions: Items[], start: (items: Items) => void): void {
	const errors: unknown[] = [];
	for (const items of executions) {
		try {
			start(items);
		} catch (error) {
			errors.push(error);
		}
	}
	if (errors.length > 0) throw errors[0];
}
