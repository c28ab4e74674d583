import { isObject } from '../transport/guards';
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
	const problem = item.findInexactProblem(text, unwrapLocator(entered));
	if (problem) throw new Error(`${label} ${problem}`);
}
