import { createHash, randomBytes } from 'node:crypto';
import type { Run } from './run';

/**
 * A number by which the service recognises a message that it has already had (`clientId`, part 4.1).
 *
 * The same for the same item of the same execution, so that neither a repeated request nor n8n's "Retry On Fail" sends
 * twice; different for a new execution. Below 2^63, as decimal digits.
 *
 * @param index number of the item
 * @param part which of several messages of one item it is
 */
export function clientIdOf(run: Run, index: number, part: number): string {
	return digits(`${seedOf(run)}:${index}:${part}`);
}

/**
 * The number for one of several messages that the user gave a single number for.
 *
 * @param clientId the user's number
 * @param part which of the messages it is; the first keeps the number
 */
export function clientIdOfPart(clientId: string, part: number): string {
	return part === 0 ? clientId : digits(`${clientId}:${part}`);
}

/** What is the same for all items of one run of a node, and different for any other run. */
export function seedOf(run: Run): string {
	return run.once('seed', () => makeSeed(run));
}

function makeSeed({ context, isToolCall }: Run): string {
	const executionId = context.getExecutionId();
	// An agent may send several messages in what n8n counts as one run: nothing but the call itself tells them apart.
	if (isToolCall || !executionId) return randomBytes(16).toString('hex');
	// Executions are numbered from 1 by every n8n, and workflows are copied from one to another: the number of the n8n
	// itself and that of the workflow tell them apart.
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const { id } = context.getWorkflow();
	return [context.getInstanceId(), id, executionId, context.getNode().id, runIndex].join(':');
}

function digits(text: string): string {
	const number = createHash('sha256').update(text).digest().readBigUInt64BE() >> 1n;
	return String(number === 0n ? 1n : number);
}
