import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Operation } from './operation';
import type { AnswerSettings } from './toolParameters';

/** For what writes: a model would try again. */
const DONE = 'What was asked for was done all the same: do not repeat the call.';

/**
 * What an agent gets of a tool's output: at most as many records, and as many characters of JSON, as are set. Records are
 * left out whole, from the end, and a note in their place says how many they are and how to get them.
 *
 * Throws when fields were selected that no record has.
 */
export function toolAnswer(
	outputs: INodeExecutionData[],
	{ length, limit, readLimit, fields }: AnswerSettings,
	operation: Operation,
): INodeExecutionData[] {
	const isRead = operation.endpoint.method === 'GET';
	const records = fields ? selected(outputs, fields, isRead) : outputs;
	if (records.length <= (limit ?? Infinity) && fitting(records, length) === records.length) return records;

	const isAtLeast = records.length === readLimit;
	const wanted = records.slice(0, limit);
	const noteFor = (shown: number): IDataObject =>
		note(
			records.length - shown,
			isAtLeast,
			isRead,
			waysToMore(operation, wanted.length < records.length, shown < wanted.length),
		);
	// The note for none is the longest.
	const { pairedItem } = outputs[0];
	const room = length - JSON.stringify({ json: noteFor(0), pairedItem }).length - ','.length;
	const shown = wanted.slice(0, fitting(wanted, room));
	return [...shown, { json: noteFor(shown.length), pairedItem }];
}

/**
 * How many of the records, from the first, fit into a JSON list of so many characters. What n8n puts around a record counts,
 * because some of its agents get that as well.
 */
function fitting(records: INodeExecutionData[], length: number): number {
	let used = '[]'.length - ','.length;
	const first = records.findIndex((record) => {
		used += JSON.stringify(record).length + ','.length;
		return used > length;
	});
	return first === -1 ? records.length : first;
}

/** Says how many records the agent has not got, and how to get them. */
function note(count: number, isAtLeast: boolean, isRead: boolean, ways: string[]): IDataObject {
	const records = `${isAtLeast ? 'At least ' : ''}${count} more ${count === 1 ? 'record is' : 'records are'}`;
	const more = isRead ? `To get more, use ${ways.join(' or ')}.` : DONE;
	return { moreRecords: count, note: `${records} not shown. ${more}` };
}

/** What helps where there are more records than wanted, or they are too long. */
function waysToMore({ fields }: Operation, isLimited: boolean, isTooLong: boolean): string[] {
	const has = (name: string) => fields.some((field) => field.name === name);
	return [
		...(has('filters') ? ['a narrower filter'] : []),
		...(isLimited ? ['a higher Limit'] : []),
		...(isTooLong && has('simplify') ? ['fewer fields (Output)'] : []),
		...(isTooLong ? ['a higher Max Answer Length'] : []),
	];
}

function selected(outputs: INodeExecutionData[], fields: string[], isRead: boolean): INodeExecutionData[] {
	const known = new Set(outputs.flatMap(({ json }) => Object.keys(json)));
	const unknown = fields.filter((name) => !known.has(name));
	if (known.size > 0 && unknown.length > 0) {
		const done = isRead ? '' : ` ${DONE}`;
		throw new Error(
			`No record has the field ${unknown.join(', ')}. There are: ${[...known].sort().join(', ')}.${done}`,
		);
	}
	return outputs.map((output) => ({
		...output,
		json: Object.fromEntries(fields.map((name) => [name, output.json[name]])) as IDataObject,
	}));
}
