import { createHash, randomBytes } from 'node:crypto';
import type { IExecuteFunctions, IExecuteSingleFunctions } from 'n8n-workflow';
import { runKey } from './run';

/** What is the same for all items of one run of a node, and different for any other run. */
const seeds = new WeakMap<object, string>();

/**
 * The number for one of several messages that the user gave a single number for.
 *
 * @param clientId the user's number
 * @param part which of the messages it is; the first keeps the number
 */
export function clientIdOfPart(clientId: string, part: number): string {
	return part === 0 ? clientId : digits(createHash('sha256').update(`${clientId}:${part}`).digest());
}

/**
 * A number by which the service recognises a message that it has already had (`clientId`, part 4.1).
 *
 * The same for the same item of the same execution, so that neither a repeated request nor n8n's "Retry On Fail" sends
 * twice; different for a new execution. Below 2^63, as decimal digits.
 *
 * @param part which of several messages of one item it is
 */
export function clientIdOf(context: IExecuteSingleFunctions, part = 0): string {
	return digits(
		createHash('sha256')
			.update(`${seedOf(context)}:${context.getItemIndex()}:${part}`)
			.digest(),
	);
}

function seedOf(context: IExecuteSingleFunctions): string {
	const key = runKey(context);
	const known = seeds.get(key);
	if (known) return known;
	const executionId = context.getExecutionId();
	// An agent may send several messages in what n8n counts as one run: there, nothing but the run's own data tells them
	// apart. Whole runs of a node have hints, single calls of a tool do not.
	const isRun = executionId && 'addExecutionHints' in context;
	// Executions are numbered from 1 by every n8n, and workflows are copied from one to another: the number of the n8n
	// itself and that of the workflow tell them apart.
	const seed = isRun
		? [
				context.getInstanceId(),
				context.getWorkflow().id,
				executionId,
				context.getNode().id,
				evaluate(context, '{{ $runIndex }}'),
			].join(':')
		: randomBytes(16).toString('hex');
	seeds.set(key, seed);
	return seed;
}

function evaluate(context: IExecuteSingleFunctions, expression: string): string {
	return String(
		(context as unknown as IExecuteFunctions).evaluateExpression(expression, context.getItemIndex()),
	);
}

function digits(bytes: Buffer): string {
	const number = bytes.readBigUInt64BE() >> 1n;
	return String(number === 0n ? 1n : number);
}
