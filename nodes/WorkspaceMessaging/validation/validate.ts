import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import type { RequestParts } from '../transport/request';
import { validationMessage } from './labels';
import { normalizeInput } from './normalize';
import { normalizePhoneNumber } from './phoneNumber';
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

/**
 * Converts the values of a request to the form of the contract and validates them (part 4).
 * Throws an error that names the field by its label, the rule and the value.
 */
export function validate<Schemas extends RequestSchema>(
	schemas: Schemas,
	input: RequestParts,
	labels: Record<string, string>,
	readPhoneNumber: ReadPhoneNumber = normalizePhoneNumber,
) {
	const part = <Name extends keyof RequestSchema>(name: Name) => {
		const schema = schemas[name];
		if (!schema) return (name === 'body' ? undefined : {}) as ValidPart<Name, Schemas>;
		const value = normalizeInput(schema, input[name] ?? {}, labels, readPhoneNumber);
		const problem = serializationProblem(name === 'body' ? 'json' : 'url', value, labels);
		if (problem) throw new Error(problem);
		const result = schema.safeParse(value);
		if (!result.success) throw new Error(validationMessage(result.error.issues[0], value, labels));
		return result.data as ValidPart<Name, Schemas>;
	};
	return { params: part('params'), query: part('query'), body: part('body') };
}
