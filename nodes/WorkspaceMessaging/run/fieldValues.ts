import type { IDataObject } from 'n8n-workflow';
import { isObject, toObject } from '../transport/guards';
import { checkValue } from '../values/checkValue';
import type { AnyItem } from './item';
import type { Field } from './operation';

/** The value of a resource locator in any mode; other values unchanged. */
export const unwrapLocator = (value: unknown): unknown =>
	isObject(value) && 'mode' in value ? value.value : value;

/** The fields inside a collection; none for other fields. */
export function getInnerFields(field: Field): Field[] {
	return field.type === 'collection' ? (field.options as Field[]) : [];
}

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
