import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Operation } from './operation';
import type { AnswerSettings } from './toolParameters';

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
	if (outputs.some(({ error }) => error)) return outputs;
	const records = fields ? selected(outputs, fields) : outputs;
	if (records.length <= (limit ?? Infinity) && fitting(records, length) === records.length) return records;

	const isAtLeast = records.length === readLimit;
	const wanted = records.slice(0, limit);
	const longestNote = JSON.stringify(note(records.length, isAtLeast, operation));
	const shown = wanted.slice(0, fitting(wanted, length - longestNote.length - ','.length));
	const json = note(records.length - shown.length, isAtLeast, operation);
	return [...shown, { json, pairedItem: { item: 0 } }];
}

/** How many of the records, from the first, fit into a JSON list of so many characters. */
function fitting(records: INodeExecutionData[], length: number): number {
	let used = '[]'.length - ','.length;
	const first = records.findIndex(({ json }) => {
		used += JSON.stringify(json).length + ','.length;
		return used > length;
	});
	return first === -1 ? records.length : first;
}

/** Says how many records the agent has not got, and how to get them with this operation. */
function note(count: number, isAtLeast: boolean, { fields, endpoint }: Operation): IDataObject {
	const has = (name: string) => fields.some((field) => field.name === name);
	const ways = [
		...(has('filters') ? ['a narrower filter'] : []),
		...(endpoint.list ? ['a higher Limit'] : []),
		...(has('simplify') ? ['fewer fields (Output)'] : []),
		'a higher Max Answer Length',
	];
	const records = `${isAtLeast ? 'At least ' : ''}${count} more ${count === 1 ? 'record is' : 'records are'}`;
	return { moreRecords: count, note: `${records} not shown. To get more, use ${ways.join(', or ')}.` };
}

function selected(outputs: INodeExecutionData[], fields: string[]): INodeExecutionData[] {
	const known = new Set(outputs.flatMap(({ json }) => Object.keys(json)));
	const unknown = fields.filter((name) => !known.has(name));
	if (known.size > 0 && (fields.length === 0 || unknown.length > 0)) {
		const what =
			fields.length === 0
				? 'Fields must name at least one field'
				: `No record has the field ${unknown.join(', ')}`;
		throw new Error(`${what}. There are: ${[...known].sort().join(', ')}.`);
	}
	return outputs.map((output) => ({
		...output,
		json: Object.fromEntries(fields.map((name) => [name, output.json[name]])) as IDataObject,
	}));
}
