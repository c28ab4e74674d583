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

/** A schema for each part of a request; a part without one is empty. An endpoint is such an object. */
export interface RequestSchema {
	params?: z.ZodType;
	query?: z.ZodType;
	body?: z.ZodType;
}

/** The type of a part of a request that one of these schemas has validated. */
export type ValidPart<Name extends keyof RequestSchema, Schemas> =
	Schemas extends Record<Name, infer Schema extends z.ZodType> ? z.output<Schema> : IDataObject;

/** The parts of a request that these schemas have validated. */
export interface ValidParts<Schemas> {
	params: ValidPart<'params', Schemas>;
	query: ValidPart<'query', Schemas>;
	body: ValidPart<'body', Schemas>;
}

/**
 * Checks the values of a request against the contract (part 4) and brings them into the form it asks for.
 * Throws an error whose message names the field by its label, the rule and the value.
 */
export function validate<Schemas extends RequestSchema>(
	accepted: Schemas,
	given: RequestParts,
	labels: Labels,
	readPhoneNumber: ReadPhoneNumber = readPhoneNumberAsIs,
): ValidParts<Schemas> {
	const body =
		accepted.body &&
		normalizeInput(accepted.body, (given.body ?? {}) as IDataObject, labels, readPhoneNumber);
	return {
		params: validatePart('params', accepted.params, given.params, labels),
		query: validatePart('query', accepted.query, given.query, labels),
		body: accepted.body && validatePart('body', accepted.body, body, labels),
	} as ValidParts<Schemas>;
}

function validatePart(
	part: keyof RequestSchema,
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
