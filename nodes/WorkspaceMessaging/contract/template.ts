import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { anyText, boolean, numericId, ofConversation, someText, string } from './values';

/*
 * Templates of WhatsApp messages, which a channel delivers at any time; the reference does not show
 * them.
 */

/** A template in one language. */
const template = z.looseObject({
	id: string,
	name: string,
	language: string,
	/** `APPROVED`, `PENDING`, `REJECTED`, or another word of the provider. */
	status: string,
	category: string,
	/** The parts of the message, as the provider has them. */
	components: z.array(z.looseObject({ type: string })),
	/** The phone number that the template belongs to. */
	integrationWhatsapp: z.looseObject({ inboxId: string }).nullish(),
});

/** What the sender fills in. */
const templateParameter = z.looseObject({
	/** Such as `body.1` or `button.0`. */
	key: string,
	kind: string,
	required: boolean,
});

/** The calls about templates. */
export const templateApi = {
	/** All templates in one answer. Services may ignore a filter, so n8n sends none. */
	listTemplates: {
		method: 'GET',
		path: '/api/v1/template-messages',
		response: z.array(template),
		list: 'onePage',
		undocumented: { instead: 'use Contact → Trigger Flow with a flow that sends the template' },
	},

	/** One template with its `parameters`; the newest services only. */
	getTemplate: {
		method: 'GET',
		path: '/api/v1/whatsapp/templates/{templateId}',
		params: z.strictObject({ templateId: numericId }),
		response: template.extend({ parameters: z.array(templateParameter) }),
		undocumented: {},
	},

	/**
	 * Queues a template. Newest services take `templateParams`; earlier ones know only
	 * `templateData`. Services accept a template that is not approved or belongs to another number,
	 * and lose it.
	 */
	sendTemplate: {
		method: 'POST',
		path: '/api/v1/conversations/{conversationId}/whatsapp-template',
		params: ofConversation,
		body: z.strictObject({
			templateId: someText,
			inboxId: numericId,
			templateParams: z.record(string, anyText).optional(),
			templateData: z.looseObject({}).optional(),
		}),
		status: 202,
		response: z.looseObject({}),
		isMessage: true,
		hasIdempotencyKey: true,
		undocumented: { instead: 'use Trigger Flow with a flow that sends the template' },
	},
} satisfies Record<string, Endpoint>;
