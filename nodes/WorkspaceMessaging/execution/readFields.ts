import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { identifier } from '../contract/values';
import { toIdentifier } from '../validation/identifier';
import type { Item } from './item';

/** What the user gave for one item, by the part of the request that it goes into. */
export interface GivenParts {
	params: IDataObject;
	query: IDataObject;
	body: IDataObject;
}

/**
 * Reads the fields of an item's operation as they declare it: `routing.send` says into which part of the request, and under
 * which name, the value of a field goes; a parameter of the endpoint's path comes from the field of its name. Fields that
 * are not shown do not count, whatever they still hold.
 */
export function readFields(item: Item): GivenParts {
	const { operation, shownFields } = item.run;
	const given: GivenParts = { params: {}, query: {}, body: {} };
	for (const [name, schema] of Object.entries(operation.endpoint.params?.shape ?? {})) {
		const value = item.parameter(name, '');
		given.params[name] = (schema === identifier ? toIdentifier(value) : valueOf(value)) as IDataObject;
	}
	for (const field of shownFields) {
		if (sendsSomething(field)) place(given, field, item.parameter(field.name, undefined));
	}
	return given;
}

/** Whether a field, or one inside it, goes into a request. */
function sendsSomething(field: INodeProperties): boolean {
	return field.routing?.send?.property !== undefined || innerFields(field).some(sendsSomething);
}

function innerFields(field: INodeProperties): INodeProperties[] {
	return field.type === 'collection' ? (field.options as INodeProperties[]) : [];
}

/** Puts the value of a field, or of those inside a collection, where its routing says. */
function place(given: GivenParts, field: INodeProperties, raw: unknown) {
	const value = field.type === 'resourceLocator' ? valueOf(raw) : raw;
	const { property, type } = field.routing?.send ?? {};
	if (property !== undefined) given[type === 'query' ? 'query' : 'body'][property] = value as IDataObject;
	if (typeof value !== 'object' || value === null) return;
	for (const inner of innerFields(field)) {
		if (inner.name in value) place(given, inner, (value as IDataObject)[inner.name]);
	}
}

/** The value that a locator holds, whatever its mode. */
function valueOf(value: unknown): unknown {
	return typeof value === 'object' && value !== null && 'mode' in value
		? (value as { value?: unknown }).value
		: value;
}
