import { NodeOperationError } from 'n8n-workflow';
import { getInnerFields } from '../run/fieldValues';
import type { Item } from '../run/item';
import { withMessage } from '../run/nodeError';
import type { Field, Operation } from '../run/operation';
import { endSentence } from '../transport/errors/sentences';
import { explainItemNumber, itemRanges, nameItems } from '../values/labels';

/** Problems of invalid items that an error names besides the first. */
const OTHERS_SHOWN = 5;
const NOTHING_SENT = 'Nothing was sent.';

/**
 * Throws the error of the first invalid item, with the problems of others; not if the operation
 * reports them.
 */
export function refuseInvalid(items: Item[], { reportInvalid, fields, endpoint }: Operation): void {
	const invalid = items.filter((item) => item.problem && !reportInvalid?.(item, item.problem));
	const [firstItem] = invalid;
	if (!firstItem) return;
	const error = invalidError(firstItem, firstItem.problem!);
	const sentences = describeProblems(invalid, hasPreview(fields));
	if (items.length > 1) sentences.unshift(explainItemNumber(firstItem.index));
	// The service's answers to what n8n reads beforehand say so already.
	const saysSo = `${error.message} ${sentences.join(' ')}`.includes(NOTHING_SENT);
	if (!saysSo && endpoint.method !== 'GET') sentences.unshift(NOTHING_SENT);
	error.description = sentences.join(' ');
	throw error;
}

/** Returns sentences about the items with the first problem, and about the other problems. */
function describeProblems(invalid: Item[], canPreview: boolean) {
	const [[, alike], ...others] = byProblem(invalid);
	const sentences = describeOthers(others, canPreview);
	if (alike.length === 1) return sentences;
	return [`Items ${itemRanges(alike)} have the same problem.`, ...sentences];
}

const hasPreview = (fields: Field[]) =>
	fields.flatMap(getInnerFields).some(({ name }) => name === 'preview');

/** Returns sentences about the problems of other items, the first of them in full. */
function describeOthers(others: Problems, canPreview: boolean) {
	if (others.length === 0) return [];
	const sentences = others
		.slice(0, OTHERS_SHOWN)
		.map(([problem, numbers]) => endSentence(`${problem} [${nameItems(numbers)}]`));
	const hidden = others.length - OTHERS_SHOWN;
	if (hidden > 0) {
		sentences.push(`… and ${hidden} more.`);
		if (canPreview) sentences.push('To list all of them, add the option Preview.');
	}
	return ['More problems:', ...sentences];
}

/** Problems of items, each with the numbers of the items that have it. */
type Problems = Array<[problem: string, numbers: number[]]>;

/** Returns the problems of items in their order. */
function byProblem(invalid: Item[]): Problems {
	const numbers = new Map<string, number[]>();
	for (const { problem, index } of invalid) {
		const known = numbers.get(problem!.message);
		if (known) known.push(index);
		else numbers.set(problem!.message, [index]);
	}
	return [...numbers];
}

/** The error of an item that is not valid. */
export function invalidError({ index, run }: Item, error: Error): NodeOperationError {
	const message = `${error.message} [item ${index}]`;
	const node = run.context.getNode();
	return withMessage(new NodeOperationError(node, message, { itemIndex: index }), message);
}
