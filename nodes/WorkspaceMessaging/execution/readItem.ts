import type { IDataObject } from 'n8n-workflow';
import { contactChoice, readIdentifier } from '../validation/identifier';
import { labelAt } from '../validation/labels';
import { toNumber } from '../validation/validate';
import type { RequestSchema } from '../validation/validate';
import type { Item } from './item';
import { innerFields } from './operation';
import type { Field, Operation, RequestInput } from './operation';
import { improvedError } from './suggestAlternatives';
import { answerSettings, isCount } from './tool';

/** Reads and validates the input of all items. An error becomes the problem of its item. */
export async function readItems(items: Item[], operation: Operation): Promise<void> {
	const { params, query, body } = operation.endpoint;
	const hasContact = params && 'identifier' in params.shape;
	// A contact may also be chosen by a custom field, which `FindContact` looks up later.
	const choices = hasContact ? params.extend({ identifier: contactChoice }) : params;
	for (const item of items) await readItem(item, operation, { params: choices, query, body });
}

async function readItem(item: Item, operation: Operation, schemas: RequestSchema): Promise<void> {
	const { endpoint, schema, normalize, validate } = operation;
	try {
		const fields = readFields(item, operation);
		const input = { ...fields, ...normalize?.(fields, item) };
		const own = typeof schema === 'function' ? schema(item) : schema;
		Object.assign(item, item.validate({ ...schemas, ...own }, input));
		if (endpoint.list) checkLimit(item);
		await validate?.(item);
		if (item.run.isTool) item.answer = answerSettings(item.nodeParameter);
	} catch (error) {
		item.problem = await improvedProblem(item, operation, error as Error);
	}
}

/** Adds what exists to an error for an agent, which only has the error to learn from. */
async function improvedProblem(item: Item, operation: Operation, problem: Error): Promise<Error> {
	if (!item.run.isTool) return problem;
	return await item
		.connect()
		.then(async () => await improvedError(operation, item, problem))
		.catch(() => problem);
}

/**
 * Reads the values of the fields that the user sees into the request. `routing.send` of a field names the part and the key
 * of its value; a path parameter comes from the field with its name.
 */
function readFields(item: Item, { endpoint: { params }, fields }: Operation): RequestInput {
	const input: RequestInput = { params: {}, query: {}, body: {} };
	for (const name of Object.keys(params?.shape ?? {})) {
		const value = item.parameter(name, '');
		const label = labelAt([name], item.run.labels);
		input.params[name] = (
			name === 'identifier' ? readIdentifier(value, label, item.readPhoneNumber) : valueOf(value)
		) as IDataObject;
	}
	for (const field of fields) {
		if (item.run.shows(field) && isSent(field)) place(input, field, item.parameter(field.name, undefined));
	}
	return input;
}

/** Whether the value of a field, or of one inside it, goes into the request. */
function isSent(field: Field): boolean {
	return field.routing !== undefined || innerFields(field).some(isSent);
}

function place(input: RequestInput, field: Field, entered: unknown) {
	const value = field.type === 'resourceLocator' ? valueOf(entered) : entered;
	const { property, type } = field.routing?.send ?? {};
	if (property !== undefined && type !== undefined) input[type][property] = value as IDataObject;
	if (typeof value !== 'object' || value === null) return;
	for (const inner of innerFields(field)) {
		if (inner.name in value) place(input, inner, (value as IDataObject)[inner.name]);
	}
}

/** The value of a resource locator in any mode; other values unchanged. */
function valueOf(value: unknown): unknown {
	return typeof value === 'object' && value !== null && 'mode' in value
		? (value as { value?: unknown }).value
		: value;
}

function checkLimit(item: Item) {
	if (item.parameter('returnAll', true) === true) return;
	const limit = toNumber(item.parameter('limit', 50));
	if (!isCount(limit))
		throw new Error(`Limit must be a whole number of at least 1, but is "${String(limit)}"`);
}
