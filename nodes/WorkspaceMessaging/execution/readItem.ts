import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { toNumber } from '../validation/normalize';
import { contactChoice, readIdentifier } from '../validation/identifier';
import { labelAt } from '../validation/labels';
import type { Item } from './item';
import { improvedError, innerFields } from './operation';
import type { Field, Operation, RequestInput } from './operation';
import { answerSettings } from './toolParameters';

/** Reads what the user gave for an item and checks it. What is not valid is noted as the item's problem, not thrown. */
export async function readItem(item: Item, operation: Operation): Promise<void> {
	const { endpoint } = operation;
	try {
		const read = readFields(item, operation);
		const input = { ...read, ...operation.normalize?.(read, item) };
		const { schema } = operation;
		const own = typeof schema === 'function' ? schema(item) : schema;
		const { query, body } = endpoint;
		Object.assign(item, item.validate({ params: givenParams(endpoint.params), query, body, ...own }, input));
		if (endpoint.list) checkLimit(item);
		await operation.validate?.(item);
		if (item.run.isTool)
			item.answer = answerSettings((name, fallback) => item.run.ownParameter(name, item.index, fallback));
	} catch (error) {
		item.problem = await improved(item, operation, error as Error);
	}
}

/** An agent has nothing but its error to learn from what it could have given. */
async function improved(item: Item, operation: Operation, problem: Error): Promise<Error> {
	if (!item.run.isTool) return problem;
	return await item
		.connect()
		.then(async () => await improvedError(operation, item, problem))
		.catch(() => problem);
}

const choosing = new WeakMap<z.ZodObject, z.ZodObject>();

/** The parameters of a path as the user may give them: a contact also by what its identifier is then looked up by. */
function givenParams(params: z.ZodObject | undefined): z.ZodObject | undefined {
	if (!params || !('identifier' in params.shape)) return params;
	// Made once, because zod compiles each of its objects.
	if (!choosing.has(params)) choosing.set(params, params.extend({ identifier: contactChoice }));
	return choosing.get(params);
}

/**
 * Reads the fields of an item's operation as they declare it: `routing.send` says into which part of the request, and under
 * which name, the value of a field goes; a parameter of the endpoint's path comes from the field of its name. Fields that
 * are not shown do not count, whatever they still hold.
 */
function readFields(item: Item, { endpoint: { params }, fields }: Operation): RequestInput {
	const given: RequestInput = { params: {}, query: {}, body: {} };
	for (const name of Object.keys(params?.shape ?? {})) {
		const value = item.parameter(name, '');
		const label = labelAt([name], item.run.labels);
		given.params[name] = (
			name === 'identifier' ? readIdentifier(value, label, item.readPhoneNumber) : valueOf(value)
		) as IDataObject;
	}
	for (const field of fields) {
		if (item.run.shownFields.includes(field) && sendsSomething(field))
			place(given, field, item.parameter(field.name, undefined));
	}
	return given;
}

/** Whether a field, or one inside it, goes into a request. */
function sendsSomething(field: Field): boolean {
	return field.routing?.send.property !== undefined || innerFields(field).some(sendsSomething);
}

/** Puts the value of a field, or of those inside a collection, where its routing says. */
function place(given: RequestInput, field: Field, raw: unknown) {
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

function checkLimit(item: Item) {
	if (item.parameter('returnAll', true) === true) return;
	const limit = toNumber(item.parameter('limit', 50));
	if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
		throw new Error(`Limit must be a whole number of at least 1, but is "${String(limit)}"`);
	}
}
