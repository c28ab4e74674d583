import { checkMappedValues } from '../contacts/customFields/mappedValues';
import type { Endpoint } from '../contract/endpoint';
import { customFieldMapper } from '../panel/customFields';
import { hasLookup } from '../panel/lookups/lookup';
import { refuseNote } from '../panel/lookups/refreshEntry';
import { type ApiError, ignore } from '../transport/errors/ApiError';
import { isObject, toObject } from '../transport/guards';
import { contactChoice, readIdentifier } from '../values/identifier';
import { labelAt } from '../values/labels';
import type { RequestSchema } from '../values/validate';
import { checkValue } from '../values/checkValue';
import type { Item } from '../run/item';
import { explainEmpty, isAskedFor, isNothingFor, refuseEmpty } from '../run/emptyValues';
import {
	getInnerFields,
	refuseInexactText,
	unwrapLocator,
	type EnteredField,
} from '../run/fieldValues';
import { listTextExpressions, noteLeftovers } from '../run/leftoverHints';
import type { Field, Operation, RequestInput } from '../run/operation';
import type { Run } from '../run/run';
import { addAlternatives } from './suggestAlternatives';

/** Reads and validates the input of all items. An error becomes the problem of its item. */
export async function readItems(run: Run, items: Item[], operation: Operation): Promise<void> {
	const panel = readPanel(run, operation);
	for (const item of items) {
		await readItem(item, operation, panel).catch(async (error: Error) => {
			const problem = await improveProblem(item, operation, error);
			item.refuse(problem);
		});
	}
}

/** What the items of a run share. */
interface Panel {
	/** The fields that the user sees. */
	fields: Field[];
	/** The text fields with expressions. */
	texts: EnteredField[];
	schemas: RequestSchema;
	/** The fields with rules, also those of options. */
	ruled: Field[];
}

function readPanel(run: Run, operation: Operation): Panel {
	const fields = operation.fields.filter((field) => run.shows(field));
	const texts = listTextExpressions(fields, run.entered);
	const ruled = fields.flatMap((field) =>
		[field, ...getInnerFields(field)].filter(({ rule }) => rule),
	);
	return { fields, texts, schemas: getSchemas(operation.endpoint), ruled };
}

function getSchemas({ params, query, body }: Endpoint): RequestSchema {
	if (!params || !('identifier' in params.shape)) return { params, query, body };
	// A contact may also be chosen by a custom field, which `setContactId` looks up later.
	return { params: params.extend({ identifier: contactChoice }), query, body };
}

async function readItem(item: Item, operation: Operation, panel: Panel): Promise<void> {
	const { schema, normalize, validate } = operation;
	const { run } = item;
	const { keptFromAgents } = operation;
	if (run.isTool && keptFromAgents) throw new Error(`An agent can't ${keptFromAgents}`);
	const entered = {
		fields: panel.fields,
		parameters: run.entered,
		read: (path: string) => item.parameter(path, undefined),
		isTool: run.isTool,
	};
	refuseNote(entered.fields, run.entered);
	refuseEmpty(entered);
	try {
		const fields = readFields(item, operation);
		const input = { ...fields, ...normalize?.(fields, item) };
		const own = typeof schema === 'function' ? schema(item) : schema;
		item.accept(item.validate({ ...panel.schemas, ...own }, input));
		for (const field of panel.ruled) if (isAskedFor(field, entered)) item.value(field);
		await validate?.(item);
		await checkUnsentFields(item, entered.fields);
	} catch (error) {
		throw explainEmpty(entered, error as Error);
	}
	item.readToolAnswerSettings();
	noteLeftovers(item, panel.texts);
}

/** The types of fields that hold no text, and of those whose texts are checked elsewhere. */
const WITHOUT_TEXT = ['boolean', 'number', 'options', 'resourceMapper'];

/**
 * Checks the values that are not part of the request yet, such as a condition; see `checkValue`.
 * Some of them name files. The values of a mapper are texts or not, depending on the fields that
 * they are mapped to.
 */
async function checkUnsentFields(item: Item, fields: Field[]): Promise<void> {
	const unsent = fields.filter((field) => !field.routing && !WITHOUT_TEXT.includes(field.type));
	for (const field of unsent) {
		const value = readQuietly(() => item.nodeParameter(field.name, undefined));
		checkUnsent(field, value);
	}
	if (!fields.some(({ name }) => name === customFieldMapper.name)) return;
	await checkMappedValues(item).catch(ignore(isOfService));
}

function checkUnsent(field: Field, value: unknown) {
	const use = { takesFiles: true, isTrimmed: true };
	const inner = getInnerFields(field);
	if (inner.length === 0) checkValue(field.displayName, value, use);
	const inside = toObject(value);
	for (const { name, displayName } of inner) checkValue(displayName, inside[name], use);
}

/** Reads a value; undefined if its expression fails, which is an error only where it is needed. */
function readQuietly(read: () => unknown): unknown {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** Whether an error comes from the service; then the run reports it. */
const isOfService = ({ details: { status, outcome } }: ApiError) =>
	status !== undefined || outcome !== 'refused';

/** Adds what exists to an error for an agent, which only has the error to learn from. */
async function improveProblem(item: Item, operation: Operation, problem: Error): Promise<Error> {
	if (!item.run.isTool) return problem;
	return await item
		.connect()
		.then(async () => await addAlternatives(operation, item, problem))
		.catch(() => problem);
}

/**
 * Reads the values of the fields that the user sees into the request. `routing.send` of a field
 * names the part and the key of its value; a path parameter comes from the field with its name.
 */
function readFields(item: Item, { endpoint: { params }, fields }: Operation): RequestInput {
	const { run } = item;
	const input: RequestInput = { params: {}, query: {}, body: {} };
	for (const field of fields) {
		if (!run.shows(field)) continue;
		const entered = run.entered[field.name];
		refuseTwoValues(field, entered);
		const values = toObject(entered);
		for (const inner of getInnerFields(field)) refuseTwoValues(inner, values[inner.name]);
	}
	for (const name of Object.keys(params?.shape ?? {})) {
		const value = item.parameter(name, '');
		const label = labelAt([name], run.labels);
		if (name === 'identifier') refuseInexactText(item, name, label);
		input.params[name] =
			name === 'identifier'
				? readIdentifier(value, label, item.readPhoneNumber)
				: unwrapLocator(value);
	}
	for (const field of fields) {
		if (!run.shows(field) || !isSent(field)) continue;
		const value = item.parameter(field.name, undefined);
		place(input, field, value, run.isTool);
	}
	return input;
}

/** Nothing but two expressions or more. */
const SEVERAL_EXPRESSIONS = /^=\s*(\{\{[^{}]*\}\}\s*){2,}$/;

/**
 * Refuses two expressions in the ID of a picker: n8n puts what the user drags second behind the
 * first.
 */
function refuseTwoValues({ type, displayName }: Field, entered: unknown) {
	if (type !== 'resourceLocator' || !isObject(entered) || entered.mode !== 'id') return;
	if (SEVERAL_EXPRESSIONS.test(String(entered.value)))
		throw new Error(`${displayName} has two values. Keep one. To join them, use one expression.`);
}

/** Whether the value of a field, or of one inside it, goes into the request. */
function isSent(field: Field): boolean {
	return field.routing !== undefined || getInnerFields(field).some(isSent);
}

function place(input: RequestInput, field: Field, entered: unknown, isTool: boolean) {
	const value = readEntry(field, entered);
	const target = field.routing?.send;
	if (target) input[target.type][target.property] = value;
	if (!isObject(value)) return;
	for (const inner of getInnerFields(field)) {
		if (!(inner.name in value)) continue;
		const own = value[inner.name];
		// A model cannot leave a field out, so it leaves it empty.
		if (isTool && isNothingFor(inner, own)) continue;
		place(input, inner, own, isTool);
	}
}

/** Returns the value of a field; of a picker, the ID that it holds. */
function readEntry(field: Field, entered: unknown): unknown {
	if (field.type !== 'resourceLocator') return entered;
	const value = unwrapLocator(entered);
	if (!hasLookup(field) || !field.lookup.readChoice) return value;
	return field.lookup.readChoice(value, field.displayName);
}
