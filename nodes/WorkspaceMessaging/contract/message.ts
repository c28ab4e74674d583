import { z } from 'zod/v4';
import { ofContact } from './contact';
import type { Endpoint } from './endpoint';
import { limits } from './limits';
import { numericId, text } from './values';

/** The text of one message. */
export const messageText = text(limits.text.min, limits.text.max);

/** The fields of a message (part 4.1), with `schema` for its text; a message with uploaded files may have none of them. */
export const messageFields = (schema: z.ZodType<string>) =>
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
export const messageWith = (schema: z.ZodType<string>) =>
	messageFields(schema).refine(
		(body) => body.text !== undefined || body.files !== undefined || body.flowId !== undefined,
		'Enter a text, or add Attachments, Files or a Flow',
	);

export const sendMessage = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/messages',
	params: ofContact,
	body: messageWith(messageText),
	isMessage: true,
	// The service delivers one message for one clientId.
	hasDedupeId: (body) => (body as { clientId?: string }).clientId !== undefined,
} satisfies Endpoint;

export const triggerFlow = {
	method: 'POST',
	path: '/api/v1/contacts/{identifier}/flows',
	params: ofContact,
	body: z.strictObject({ flowId: numericId, inboxId: numericId.optional() }),
} satisfies Endpoint;
