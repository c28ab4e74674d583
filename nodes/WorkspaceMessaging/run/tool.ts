import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Endpoint } from '../contract/endpoint';
import { oneOf } from '../contract/values';
import { toObject, isPositiveInteger } from '../transport/guards';
import { counted } from '../values/labels';
import { toNumber, wholeNumberFrom } from '../values/numbers';
import { readByRule } from '../values/validate';
import { readNames } from '../values/list';

/*
 * What is different if the node is a tool of an agent: some of its parameters, and the length of
 * its answer.
 */

/** Reads a parameter of the node for an item. */
type ReadParameter = (name: string, fallback: unknown) => unknown;

/**
 * The node reads at least so many records of a list, to tell the agent how many it does not show.
 */
const LOOK_AHEAD = 100;
/**
 * Max Answer Length in characters: its default, and the least, into which the note about what is
 * missing still fits.
 */
export const answerLength = { preset: 8000, least: 500 };

/** The choices of Output: which fields of a record an agent gets. */
export const toolOutputs = ['simplified', 'raw', 'selected'] as const;

const lengthField = {
	name: 'maxAnswerLength',
	displayName: 'Max Answer Length',
	rule: wholeNumberFrom(answerLength.least),
};
const outputField = { name: 'output', displayName: 'Output', rule: oneOf(toolOutputs) };

/** How much of its output an agent gets. */
export interface AnswerSettings {
	/** Characters of the whole answer, as JSON. */
	length: number;
	/** The maximum number of records; Infinity for all. */
	limit: number;
	/** The fields of a record that the agent gets; undefined for all. */
	fields?: string[];
}

/**
 * Returns a parameter of an operation from the fields that only a tool has: the contact as text,
 * and Output instead of Simplify. A list is read further than the agent's limit, so that the answer
 * can say how much is missing.
 *
 * @param read reads the node's own parameters
 */
export function readToolParameter(read: ReadParameter, name: string, fallback: unknown): unknown {
	switch (name) {
		case 'identifier':
		case 'options.identifier':
			return read('contact', fallback);
		case 'simplify':
			return read('output', 'simplified') === 'simplified';
		case 'limit': {
			const limit = toNumber(read(name, fallback));
			return isPositiveInteger(limit) ? readLimit(limit) : limit;
		}
		default:
			return read(name, fallback);
	}
}

/** Reads how much of its output an agent gets. Throws an error if that is not valid. */
export function readToolAnswerSettings(read: ReadParameter): AnswerSettings {
	const { maxAnswerLength = answerLength.preset } = toObject(read('requestOptions', {}));
	const length = readByRule(lengthField, maxAnswerLength);
	const output = readByRule(outputField, read('output', 'simplified'));
	const fields = output === 'selected' ? namesIn(read('outputFields', '')) : undefined;
	if (fields?.length === 0)
		throw new Error(
			'Enter at least one name under Field Names, such as id, or choose another Output',
		);
	const returnsAll = read('returnAll', true) === true;
	const limit = returnsAll ? Infinity : toNumber(read('limit', 50));
	return { length, limit: isPositiveInteger(limit) ? limit : Infinity, fields };
}

/** How many records the node reads; if there are as many, there may be more. */
const readLimit = (limit: number) => Math.max(limit + 1, LOOK_AHEAD);

function namesIn(value: unknown): string[] {
	const names = readNames(Array.isArray(value) ? value : String(value ?? ''));
	return (names ?? []).map(String);
}

/** Added to the answer of an operation that writes; otherwise a model tries again. */
const DONE = 'The action succeeded. Do not call again.';

/** What the answer of a tool depends on. */
interface ToolOperation {
	endpoint: Endpoint;
	fields: Array<{ name: string }>;
}

/**
 * Shortens a tool's output to the records and characters that the agent gets. It leaves out whole
 * records, from the end, and adds a note about how many are missing and how to get them. Throws an
 * error if the user selected a field that no record has.
 */
export function shortenToolAnswer(
	outputs: INodeExecutionData[],
	{ length, limit, fields }: AnswerSettings,
	operation: ToolOperation,
): INodeExecutionData[] {
	const isRead = operation.endpoint.method === 'GET';
	const records = fields ? selectFields(outputs, fields, isRead) : outputs;
	const allowed = records.slice(0, limit);
	if (countFitting(allowed, length) === records.length) return records;
	const { pairedItem } = outputs[0];
	const noteFor = (shown: number) => ({
		json: createNote(shown, records.length, limit, operation),
		pairedItem,
	});
	// The note is longest if no record is shown.
	const noteLength = JSON.stringify(noteFor(0)).length;
	const left = length - noteLength - ','.length;
	const shown = allowed.slice(0, countFitting(allowed, left));
	return [...shown, noteFor(shown.length)];
}

/** Says how many of the records are not shown, and how to get them. */
function createNote(
	shown: number,
	count: number,
	limit: number,
	{ endpoint, fields }: ToolOperation,
): IDataObject {
	const moreRecords = count - shown;
	const atLeast = count === readLimit(limit) ? 'At least ' : '';
	const records = counted(moreRecords, 'more record is', 'more records are');
	const notShown = `${atLeast}${records} not shown.`;
	if (endpoint.method !== 'GET') return { moreRecords, note: `${notShown} ${DONE}` };
	const has = (name: string) => fields.some((field) => field.name === name);
	const isTooLong = shown < Math.min(count, limit);
	const ways = [
		has('filters') && 'a narrower filter',
		count > limit && 'a higher Limit',
		isTooLong && has('simplify') && 'fewer fields (Output)',
		isTooLong && 'a higher Max Answer Length',
	].filter(Boolean);
	return { moreRecords, note: `${notShown} To get more, use ${ways.join(' or ')}.` };
}

/**
 * Counts the records, from the first, that fit into a JSON list of so many characters. This
 * includes n8n's wrapping of each record, which some agents get, too.
 */
function countFitting(records: INodeExecutionData[], length: number): number {
	let used = '[]'.length - ','.length;
	const first = records.findIndex((record) => {
		used += JSON.stringify(record).length + ','.length;
		return used > length;
	});
	return first === -1 ? records.length : first;
}

function selectFields(
	outputs: INodeExecutionData[],
	fields: string[],
	isRead: boolean,
): INodeExecutionData[] {
	const known = new Set(outputs.flatMap(({ json }) => Object.keys(json)));
	const unknown = fields.filter((name) => !known.has(name));
	if (known.size > 0 && unknown.length > 0) {
		const done = isRead ? '' : ` ${DONE}`;
		throw new Error(
			`No record has the field ${unknown.join(', ')}. The fields are: ${[...known].sort().join(', ')}.${done}`,
		);
	}
	return outputs.map((output) => ({
		...output,
		json: Object.fromEntries(fields.map((name) => [name, output.json[name]])) as IDataObject,
	}));
}
