import { z } from 'zod/v4';
import { limits, patterns, rules } from '../../../contract/limits';
import { listOf, matchingText, resourceName } from '../../../contract/values';
import { inBody, textField } from '../../../panel/fields';
import { withToolDefault } from '../../../panel/toolFields';
import { multiSelectLocator } from '../../../panel/lookups/locators';
import { lookups } from '../../../panel/lookups';
import type { AnyItem, Item } from '../../../run/item';
import type { Field, RequestInput } from '../../../run/operation';
import { readNames } from '../../../values/list';

/* Tags and sequences are selected by ID, from the list, or by name. */

const selections = {
	tag: {
		title: 'Tag',
		lookup: lookups.tags,
		size: limits.tagIds,
		placeholder: 'e.g. VIP, Newsletter',
	},
	sequence: {
		title: 'Sequence',
		lookup: lookups.sequences,
		size: limits.sequenceIds,
		placeholder: 'e.g. Onboarding, Win-back',
	},
};

/** What is selected by list, ID or name. */
export type Noun = keyof typeof selections;

/** Returns the word for tags or sequences in the labels of their fields. */
export const getSelectionTitle = (noun: Noun): string => selections[noun].title;

/** Whether the user selects tags or sequences by name. */
export const selectsByName = (item: AnyItem, noun: Noun): boolean =>
	item.parameter(`${noun}sBy`, 'ids') === 'names';

/** Returns the fields that select records, such as `tagsBy`, `tagIds` and `tagNames`. */
export function selectionFields(noun: Noun): Field[] {
	const { title, lookup, placeholder } = selections[noun];
	const by = `${noun}sBy`;
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
			multiSelectLocator(lookup, `${noun}Ids`, {
				displayOptions: { show: { [by]: ['ids'] } },
				required: true,
			}),
		),
		textField({
			displayName: `${title} Names`,
			name: `${noun}Names`,
			displayOptions: { show: { [by]: ['names'] } },
			required: true,
			placeholder,
			description: 'Separated by commas, semicolons or line breaks, or a list',
		}),
	];
}

/** Returns how an operation reads and checks these fields: IDs or names. */
export function selectionInput(noun: Noun) {
	const bodies = { ids: idsBody(noun), names: namesBody(noun) };
	const names = `${noun}Names`;
	return {
		schema: (item: Item) => {
			const body = selectsByName(item, noun) ? bodies.names : bodies.ids;
			return { body };
		},
		normalize: ({ body: { [names]: entered, ...body } }: RequestInput) => {
			if (entered === undefined) return { body };
			const entries = readNames(entered) ?? entered;
			return { body: { ...body, [names]: entries } };
		},
	};
}

function idsBody(noun: Noun) {
	const { title, size } = selections[noun];
	const orNames = ` (to enter names, set Select ${title}s By to By Name)`;
	const id = matchingText(patterns.numericId, `must be ${rules.numericId}${orNames}`);
	const ids = listOf(id, size, [`${noun}s`, `${noun} IDs`], orNames);
	return z.strictObject({ [`${noun}Ids`]: ids });
}

function namesBody(noun: Noun) {
	const { size } = selections[noun];
	const names = listOf(resourceName, size, [`${noun}s`, `${noun} names`]);
	return z.strictObject({ [`${noun}Names`]: names });
}
