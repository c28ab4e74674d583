import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteSingleFunctions, IHttpRequestOptions } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { Endpoint } from '../contract';
import type { Labels } from './labels';
import type { Details } from './operation';
import { describeProblem } from './problem';
import { repair, toNumber } from './repair';
import { runOf, startRun } from './run';
import { sendingProblem } from './sendable';

/** One request in the API's own terms, checked against the contract. */
export interface PreparedRequest {
	params: IDataObject;
	query: IDataObject;
	body: unknown;
}

type Part = 'params' | 'query' | 'body';

/** What each part of a request must be; a part that is left out is not checked. */
export type Accepted = Partial<Record<Part, z.ZodType>>;

/**
 * Checks the request of one item against the endpoint's contract (part 4) before anything is sent.
 *
 * It is the first hook of every request and synchronous: n8n starts all items before any of them gets further, so that
 * all items are checked before the first one is sent. A problem is noted in the run, not thrown: the send function
 * decides what it means, after every item has been looked at.
 */
export function prepare(
	endpoint: Endpoint,
	labels: Labels,
	{ accepts, tidy, check }: Pick<Details, 'accepts' | 'tidy' | 'check'> = {},
) {
	return async function (
		this: IExecuteSingleFunctions,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const item = this.getItemIndex();
		const run = item === 0 ? startRun(this) : runOf(this);
		try {
			const request = checkRequest({ ...endpoint, ...accepts?.(this) }, labels, {
				params: pathParameters(this, endpoint),
				query: options.qs,
				body: tidy ? tidy(options.body as IDataObject) : options.body,
			});
			checkPaging(this, endpoint);
			check?.(request, this);
			run.requests.set(item, request);
		} catch (error) {
			markInvalid(this, error as Error);
		}
		return options;
	};
}

/** Notes in the run that this item must not be sent, and why. */
export function markInvalid(context: IExecuteSingleFunctions, { message }: Error) {
	const item = context.getItemIndex();
	const problem = new NodeOperationError(context.getNode(), `${message} [item ${item}]`, { itemIndex: item });
	runOf(context).invalid.set(item, problem);
}

/**
 * Checks parameters, query and body of a request against the contract and brings values into the form it asks for.
 * Throws an error whose message names the field by its label, the rule and the value.
 */
export function checkRequest(
	accepted: Accepted,
	labels: Labels,
	given: Partial<Record<Part, unknown>>,
): PreparedRequest {
	const check = (part: Part) => checkPart(part, accepted[part], given[part], labels);
	return {
		params: check('params') as IDataObject,
		query: check('query') as IDataObject,
		body: accepted.body ? check('body') : undefined,
	};
}

function checkPart(part: Part, schema: z.ZodType | undefined, given: unknown, labels: Labels): unknown {
	if (!schema) return {};
	const value = repair(schema, given ?? {});
	const problem = sendingProblem(part, value as IDataObject, labels);
	if (problem) throw new Error(problem);
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(describeProblem(result.error.issues[0], value, labels));
}

function pathParameters(context: IExecuteSingleFunctions, endpoint: Endpoint): IDataObject {
	const params: IDataObject = {};
	for (const name of Object.keys(endpoint.params?.shape ?? {})) {
		params[name] =
			name === 'identifier'
				? (toIdentifier(context.getNodeParameter('identifier', '')) as string)
				: (context.getNodeParameter(name, '', { extractValue: true }) as string);
	}
	return params;
}

/**
 * Turns the value of the contact locator into the API's identifier (part 4): `id:…`, `email:…` or `phone:…`.
 * A value that already has one of these prefixes keeps it in every mode. White space at the ends, which copying brings
 * along, belongs to no identifier. An empty value gives an empty string.
 */
export function toIdentifier(locator: unknown): unknown {
	const { mode, value } =
		typeof locator === 'object' && locator !== null
			? (locator as { mode?: string; value?: unknown })
			: { mode: '', value: locator };
	const given = Number.isSafeInteger(value) ? String(value) : (value ?? '');
	// What is no text, such as a number too large to be exact, is named by the check.
	if (typeof given !== 'string') return given;
	const text = given.trim();
	const [prefix] = /^(id|email|phone):/.exec(text) ?? [];
	if (prefix) return prefix + text.slice(prefix.length).trim();
	if (text === '') return text;
	if (mode === 'email' || mode === 'phone') return `${mode}:${text}`;
	return mode === 'list' || mode === 'id' ? `id:${text}` : text;
}

function checkPaging(context: IExecuteSingleFunctions, endpoint: Endpoint) {
	if (!endpoint.list || context.getNodeParameter('returnAll', true) === true) return;
	const limit = toNumber(context.getNodeParameter('limit', 50));
	if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) {
		throw new Error(`Limit must be a whole number of at least 1, but is "${String(limit)}"`);
	}
}
