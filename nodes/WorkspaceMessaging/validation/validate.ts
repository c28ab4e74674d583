import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { RequestParts } from '../transport/request';
import { normalizeInput } from './normalize';
import { coerce } from './coerce';
import { serializationProblem } from './serializable';
import type { Labels } from './labels';
import { validationMessage } from './messages';
import { readPhoneNumberAsIs } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

/** The values of one request, checked. */
export interface ValidParts extends RequestParts {
	params: IDataObject;
	query: IDataObject;
	body: unknown;
}

/** What each part of a request must be; a part that is left out is empty. An endpoint has these of itself. */
export interface Accepted {
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
}

/**
 * Checks the values of a request against the contract (part 4) and brings them into the form it asks for.
 * Throws an error whose message names the field by its label, the rule and the value.
 */
export function validate(
	accepted: Accepted,
	given: RequestParts,
	labels: Labels,
	readPhoneNumber: ReadPhoneNumber = readPhoneNumberAsIs,
): ValidParts {
	const body =
		accepted.body &&
		normalizeInput(accepted.body, (given.body ?? {}) as IDataObject, labels, readPhoneNumber);
	return {
		params: validatePart('params', accepted.params, given.params, labels) as IDataObject,
		query: validatePart('query', accepted.query, given.query, labels) as IDataObject,
		body: accepted.body && validatePart('body', accepted.body, body, labels),
	};
}

function validatePart(
	part: keyof Accepted,
	schema: z.ZodType | undefined,
	given: unknown,
	labels: Labels,
): unknown {
	if (!schema) return {};
	const value = coerce(schema, given ?? {});
	const problem = serializationProblem(part, value as IDataObject, labels);
	if (problem) throw new Error(problem);
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(validationMessage(result.error.issues[0], value, labels));
}
