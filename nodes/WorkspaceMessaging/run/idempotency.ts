import { createHash, randomBytes } from 'node:crypto';
import type { ApiRequest } from '../transport/request';
import { oncePerRun, type Run } from './run';

/**
 * Returns the function that makes the idempotency keys of an item's requests (the reference has no
 * `Idempotency-Key`, but services use it). The key is the same for the same request of the same
 * item in the same execution, so neither a retry nor n8n's "Retry On Fail" does anything twice;
 * another body or other files have another key. Services only keep the keys of successes, so a
 * refused request can be sent again. What the item itself undoes has another key in each try of n8n,
 * because the service does nothing for a key that it knows.
 *
 * @param index number of the item
 */
export function idempotencyKeys(run: Run, index: number): (request: ApiRequest) => string {
	return ({ endpoint, path, body, form, dedupeKey }) => {
		const owner = dedupeKey ?? `${makeSeed({ run })}:${index}`;
		const { method, isUndone } = endpoint;
		const parts = [owner, method, path, JSON.stringify(body), form?.filesHash];
		if (isUndone && run.tries?.before) parts.push(`${run.tries.before}`);
		return createHash('sha256').update(parts.join(':')).digest('hex');
	};
}

/**
 * Returns the ID by which the service drops a repeated message (`clientId`, part 4.1): 19 digits,
 * below 2^63. It is the same for the same item in the same execution, as for `idempotencyKeys`.
 *
 * @param index number of the item
 * @param part which of several messages of the item
 * @param own the user's ID for the item; its first message keeps it
 */
export function makeClientId(run: Run, index: number, part: number, own?: string): string {
	if (own !== undefined && part === 0) return own;
	const owner = own ?? `${makeSeed({ run })}:${index}`;
	return digits(`${owner}:${part}`);
}

/** A text that is the same for all items of one run of a node, and differs from any other run. */
const makeSeed = oncePerRun(
	({ run }: { run: Run }) => nameRun(run) ?? randomBytes(16).toString('hex'),
);

/**
 * Returns a text that is the same in each try of n8n's "Retry On Fail", and differs from any other
 * run of any node; undefined if nothing tells it from others.
 */
export function nameRun({ context, isToolCall }: Run): string | undefined {
	const executionId = context.getExecutionId();
	// An agent may send several messages in one run of n8n: only the call itself tells them apart.
	if (isToolCall || !executionId) return undefined;
	// Every n8n numbers its executions from 1, and people copy workflows: the IDs of the n8n and the
	// workflow tell them apart.
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	return [
		context.getInstanceId(),
		context.getWorkflow().id,
		executionId,
		context.getNode().name,
		runIndex,
	].join(':');
}

const SMALLEST_ID = 10n ** 18n;
const ID_LIMIT = 2n ** 63n;

/**
 * Makes an ID of a hash. It always has 19 digits, so that the length of a link with it does not
 * depend on the n8n.
 */
export const toClientId = (hash: bigint) => String(SMALLEST_ID + (hash % (ID_LIMIT - SMALLEST_ID)));

const digits = (text: string) =>
	toClientId(createHash('sha256').update(text).digest().readBigUInt64BE());
