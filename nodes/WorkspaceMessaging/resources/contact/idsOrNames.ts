import { z } from 'zod/v4';
import { patterns, rules } from '../../contract/limits';
import { listOf, resourceName } from '../../contract/values';
import { inBody } from '../../panel/fields';
import { withToolDefault } from '../../panel/toolFields';
import { multiSelect } from '../../panel/locators';
import { type PanelLookup } from '../../panel/lookups';
import type { AnyItem, Item } from '../../run/item';
import type { Field, RequestInput } from '../../run/operation';

/* Tags and sequences are selected by ID, from the list, or by name. */

const titles = { tag: 'Tag', sequence: 'Sequence' };
type Noun = keyof typeof titles;

/** Whether the user selects records by name. */
export const selectsByName = (item: AnyItem, noun: Noun): boolean =>
	item.parameter(`${noun}sBy`, 'ids') === 'names';

/** Returns the fields that select records, such as `tagsBy`, `tagIds` and `tagNames`. */
export function idsOrNamesFields(
	lookup: PanelLookup & { noun: Noun; optionsMethod: string },
	placeholder: string,
): Field[] {
	const { noun } = lookup;
	const by = `${noun}sBy`;
	const title = titles[noun];
	return [
		withToolDefault(
			{
				displayName: `Select ${title}s By`,
				name: by,
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'From List',
						value: 'ids',
						description: 'Choose from the list, or enter IDs by an expression',
					},
					{
						name: 'By Name',
						value: 'names',
						description: 'Enter names, for example from another app',
					},
				],
				default: 'ids',
			},
			// A model knows the names, not the IDs.
			'names',
		),
		inBody(
			multiSelect(lookup, `${noun}Ids`, {
				displayOptions: { show: { [by]: ['ids'] } },
				required: true,
			}),
		),
		inBody({
			displayName: `${title} Names`,
			name: `${noun}Names`,
			type: 'string',
			displayOptions: { show: { [by]: ['names'] } },
			default: '',
			required: true,
			placeholder,
			description: 'Separated by commas or semicolons, or a list',
		}),
	];
}

/** Returns how an operation reads and checks these fields: IDs or names. */
export function idsOrNamesInput(noun: Noun, size: { min: number; max: number }) {
	const title = titles[noun];
	const orNames = ` (to enter names, set Select ${title}s By to By Name)`;
	const idRule = `must be ${rules.numericId}${orNames}`;
	const id = z.string(idRule).regex(patterns.numericId, idRule);
	const names = `${noun}Names`;
	const bodies = {
		ids: z.strictObject({ [`${noun}Ids`]: listOf(id, size, [`${noun}s`, `${noun} IDs`], orNames) }),
		names: z.strictObject({ [names]: listOf(resourceName, size, [`${noun}s`, `${noun} names`]) }),
	};
	return {
		schema: (item: Item) => ({ body: selectsByName(item, noun) ? bodies.names : bodies.ids }),
		normalize: ({ body: { [names]: entered, ...body } }: RequestInput) => ({
			body: entered === undefined ? body : { ...body, [names]: readNames(entered) },
		}),
	};
}

/**
 * Returns names as a list, without white space around them and without empty ones. Text is a JSON
 * list, or names separated by commas or semicolons; a name can begin with a bracket, too.
 */
export function readNames(input: unknown): string[] {
	const names: unknown[] = [typeof input === 'string' ? namesInText(input) : input].flat();
	return names
		.map((name) => (typeof name === 'string' ? name.trim() : name))
		.filter((name): name is string => name !== '' && name !== null && name !== undefined);
}

/**
 * Returns a name in the form in which names are compared: case and white space around it do not
 * count.
 */
export const foldName = (name: string) => name.trim().toLocaleLowerCase();

function namesInText(text: string): unknown[] {
	try {
		const parsed: unknown = JSON.parse(text);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// It is not JSON.
	}
	return text.split(/[,;]/);
}
