import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { RequestParts } from '../transport/request';
import { validationMessage } from './labels';
import { coerce, normalizeInput } from './normalize';
import { readPhoneNumberAsIs } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';
import { serializationProblem } from './serializable';

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
 * Converts the values of a request to the form of the contract and validates them (part 4).
 * Throws an error that names the field by its label, the rule and the value.
 */
export function validate<Schemas extends RequestSchema>(
	schemas: Schemas,
	{ params, query, body = {} }: RequestParts,
	labels: Record<string, string>,
	readPhoneNumber: ReadPhoneNumber = readPhoneNumberAsIs,
): ValidParts<Schemas> {
	const input = schemas.body && normalizeInput(schemas.body, body as IDataObject, labels, readPhoneNumber);
	return {
		params: validatePart('params', schemas.params, params, labels),
		query: validatePart('query', schemas.query, query, labels),
		body: schemas.body && validatePart('body', schemas.body, input, labels),
	} as ValidParts<Schemas>;
}

function validatePart(
	part: keyof RequestSchema,
	schema: z.ZodType | undefined,
	input: object | undefined,
	labels: Record<string, string>,
): unknown {
	if (!schema) return {};
	const value = coerce(schema, input ?? {});
	const problem = serializationProblem(part, value as IDataObject, labels);
	if (problem) throw new Error(problem);
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw new Error(validationMessage(result.error.issues[0], value, labels));
}
