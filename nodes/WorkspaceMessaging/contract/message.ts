import { z } from 'zod/v4';
import { limits } from './limits';
import { numericId } from './values';

/**
 * The fields of a message (part 4.1), with `schema` for its text; a message with uploaded files may
 * have none of them.
 */
export const makeMessageFieldsSchema = (schema: z.ZodType<string>) =>
	z.strictObject({
		text: schema.optional(),
		files: z
			.array(z.any(), 'must be a JSON list of files')
			.min(limits.files.min, `must be a list of at least ${limits.files.min} file`)
			.optional(),
		flowId: numericId.optional(),
		nodeId: numericId.optional(),
		inboxId: numericId.optional(),
		clientId: numericId.optional(),
	});

/** A message that has a text, files or a flow (part 4.1), with `schema` for its text. */
export const makeMessageSchema = (schema: z.ZodType<string>) =>
	makeMessageFieldsSchema(schema).refine(
		(body) => body.text !== undefined || body.files !== undefined || body.flowId !== undefined,
		// The rule is about several fields; `field` names the one that people forget.
		{ error: 'Enter a message, or add Attachments, Files or a Flow', params: { field: 'text' } },
	);
