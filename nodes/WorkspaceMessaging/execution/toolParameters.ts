import { toList, toNumber } from '../validation/normalize';
import { toIdentifier } from '../validation/identifier';

/** Reads a parameter of the node for an item. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** So many records of a list are read at least, to tell how many there are beside those that the agent gets. */
const LOOK_AHEAD = 100;
/** Characters of an answer when nothing else is set. */
export const ANSWER_LENGTH = 8000;
/** Fewer would not hold the note on what was left out. */
export const SHORTEST_ANSWER = 500;

/** Which fields of a record an agent gets. */
export const toolOutputs = ['simplified', 'raw', 'selected'] as const;

/** How much of its output an agent gets. */
export interface AnswerSettings {
	/** Characters of the whole answer, as JSON. */
	length: number;
	/** Records at most; undefined for all. */
	limit?: number;
	/** How many records are read, at which point nobody knows whether there are more. */
	readLimit?: number;
	/** The fields of a record that the agent gets; undefined for those that the operation puts out. */
	fields?: string[];
}

/** Reads how much an agent gets. Throws an error whose message says why, when that is not valid. */
export function answerSettings(read: ReadParameter): AnswerSettings {
	const { maxAnswerLength: given = ANSWER_LENGTH } = read('requestOptions', {}) as {
		maxAnswerLength?: unknown;
	};
	const length = toNumber(given);
	if (!isCount(length) || length < SHORTEST_ANSWER) {
		throw new Error(
			`Max Answer Length must be a whole number of at least ${SHORTEST_ANSWER}, but is "${String(given)}"`,
		);
	}
	const output = read('output', 'simplified');
	if (!toolOutputs.some((each) => each === output))
		throw new Error(`Output must be one of ${toolOutputs.join(', ')}, but is "${String(output)}"`);
	const fields = output === 'selected' ? namesIn(read('outputFields', '')) : undefined;
	if (fields?.length === 0)
		throw new Error('Field Names must hold at least one name, such as id, when Output is Selected Fields');
	const limit = read('returnAll', true) === true ? undefined : toNumber(read('limit', 50));
	return {
		length,
		...(isCount(limit) && { limit, readLimit: readLimit(limit) }),
		...(fields && { fields }),
	};
}

/**
 * A parameter of an operation, as the fields say it that only a tool has: the contact as text, and which fields of a record
 * the agent gets. A list is read further than it is shown, so that the answer can tell how much there is besides.
 *
 * @param read reads the node's own parameters
 */
export function toolParameter(read: ReadParameter, name: string, fallback: unknown): unknown {
	switch (name) {
		case 'identifier':
		case 'options.identifier': {
			const contact = read('contact', '');
			return toIdentifier(contact) === '' ? read(name, fallback) : contact;
		}
		case 'simplify':
			return read('output', 'simplified') === 'simplified';
		case 'limit': {
			const limit = toNumber(read(name, fallback));
			return isCount(limit) ? readLimit(limit) : limit;
		}
		default:
			return read(name, fallback);
	}
}

function readLimit(limit: number): number {
	return Math.max(limit + 1, LOOK_AHEAD);
}

function isCount(value: unknown): value is number {
	return Number.isInteger(value) && (value as number) > 0;
}

function namesIn(given: unknown): string[] {
	const names = Array.isArray(given) ? given : toList(String(given ?? ''));
	return (Array.isArray(names) ? names : []).map((name) => String(name).trim()).filter((name) => name !== '');
}
