import { isObject } from '../transport/guards';
import type { Field } from './operation';

/** The value of a resource locator in any mode; other values unchanged. */
export const unwrapLocator = (value: unknown): unknown =>
	isObject(value) && 'mode' in value ? value.value : value;

/** The fields inside a collection; none for other fields. */
export function getInnerFields(field: Field): Field[] {
	return field.type === 'collection' ? (field.options as Field[]) : [];
}
