import { z } from 'zod/v4';
import { genders } from '../contract';
import { kinds } from '../contract/values';
import { labelAt } from './labels';
import type { Labels } from './labels';
import { trimmed } from './phoneNumber';
import type { ReadPhoneNumber } from './phoneNumber';

const genderWords: Record<string, string> = { m: 'male', f: 'female' };

/**
 * Reads the fields of a request in which people write the same thing in several ways, as they stand in the cells of a
 * spreadsheet: email addresses, phone numbers and genders. Which fields these are, the contract says.
 * Throws an error that names the field when a phone number cannot be sent; what else is not valid stays as it is.
 *
 * @param schema what the request must be
 * @returns the same fields in the form of the API
 */
export function normalizeInput(
	schema: z.ZodType,
	given: Record<string, unknown>,
	labels: Labels,
	readPhoneNumber: ReadPhoneNumber,
): Record<string, unknown> {
	const read = { ...given };
	for (const [name, value] of Object.entries(given)) {
		const kind = kindOf(schema, name);
		const text = Number.isSafeInteger(value) ? String(value) : value;
		if (typeof text !== 'string') continue;
		if (kind === 'email') read[name] = trimmed(text);
		if (kind === 'phoneNumber') read[name] = readPhoneNumber(text, labelAt([name], labels));
		if (kind === 'gender') read[name] = readGender(text);
	}
	return read;
}

/** The kind of a field, whether it is optional or not. */
function kindOf(schema: z.ZodType, name: string) {
	let field = schema instanceof z.ZodObject ? (schema.shape[name] as z.ZodType | undefined) : undefined;
	while (field instanceof z.ZodOptional) field = field.unwrap() as z.ZodType;
	return field && kinds.get(field)?.kind;
}

function readGender(text: string): string {
	const given = trimmed(text);
	const word = given.toLowerCase();
	return genderWords[word] ?? ((genders as readonly string[]).includes(word) ? word : given);
}
