import type { IDataObject } from 'n8n-workflow';
import { isObject, toObject } from '../transport/guards';
import { checkValue } from '../values/checkValue';
import type { AnyItem } from './item';
import type { Field, FieldGroup } from './operation';

/** The value of a resource locator in any mode; other values unchanged. */
export const unwrapLocator = (value: unknown): unknown =>
	isObject(value) && 'mode' in value ? value.value : value;

/** The fields inside a collection; none for other fields. */
export function getInnerFields(field: Field): Field[] {
	return field.type === 'collection' ? (field.options as Field[]) : [];
}

/** The groups of fields inside a fixed collection; none for other fields. */
export const getGroups = (field: Field): FieldGroup[] =>
	field.type === 'fixedCollection' ? (field.options as FieldGroup[]) : [];

/** A field where the user entered it. */
export interface EnteredField {
	field: Field;
	/** The names of what it is in, and its own: `options.limitWaitTime.values.resumeAmount`. */
	path: string;
	/** Its value, with the expression. */
	raw: unknown;
}

/** Returns the fields of an item that have a value, also those inside collections. */
export function listEntered(
	fields: Field[],
	values: Record<string, unknown>,
	parent = '',
): EnteredField[] {
	const entries: EnteredField[] = [];
	for (const field of fields) {
		if (!(field.name in values)) continue;
		const raw = values[field.name];
		const path = `${parent}${field.name}`;
		entries.push({ field, path, raw });
		const inside = toObject(raw);
		entries.push(...listEntered(getInnerFields(field), inside, `${path}.`));
		for (const group of getGroups(field)) {
			const ofGroup = inside[group.name];
			const within = `${path}.${group.name}.`;
			if (Array.isArray(ofGroup)) entries.push(...listRows(field, group, ofGroup, within));
			else entries.push(...listEntered(group.values, toObject(ofGroup), within));
		}
	}
	return entries;
}

/** Returns the fields in the rows of a group, by the label of the whole, such as Conditions. */
const listRows = ({ displayName }: Field, group: FieldGroup, rows: unknown[], parent: string) =>
	rows
		.flatMap((row, place) => listEntered(group.values, toObject(row), `${parent}${place}.`))
		.map((entry) => ({ ...entry, field: { ...entry.field, displayName } }));

/** Whether a model fills in the field. */
export const isFromModel = (raw: unknown) =>
	JSON.stringify(raw ?? '')
		.toLowerCase()
		.includes('$fromai');

/**
 * Returns the values in a mapper by their keys, as the user entered them, with their expressions;
 * none if the mapper maps columns automatically.
 */
export function getEnteredMapping({ run }: AnyItem, name: string): IDataObject {
	const { mappingMode, value } = toObject(run.entered[name]);
	return mappingMode === 'autoMapInputData' ? {} : toObject(value);
}

/**
 * Throws an error if the text in a field was made of a number whose digits are not exact, because
 * it would find another contact. A value that is such a number is refused by its schema.
 *
 * @param path of the field, such as `options.identifier`
 */
export function refuseInexactText(item: AnyItem, path: string, label: string): void {
	const text = unwrapLocator(item.parameter(path, ''));
	if (typeof text !== 'string') return;
	const names = path.split('.');
	const entered = names.reduce<unknown>((at, name) => Object(at)[name], item.run.entered);
	checkValue(label, text, { getSources: () => item.getSources(unwrapLocator(entered)) });
}
