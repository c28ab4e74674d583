import { z } from 'zod/v4';

/** The output of what is done to a contact, where the service answers without a body. */
export const doneTo = z.object({ success: z.literal(true), contact: z.string() });

/** What is known of how to reach a contact, for the nodes that follow. */
export interface ContactRef {
	contactId?: string;
	email?: string;
	phoneNumber?: string;
}

/** The same output with how to reach the contact, as far as it is known without asking; see `reachOf`. */
export const contactOutput = doneTo.extend({
	contactId: z.string().optional(),
	email: z.string().optional(),
	phoneNumber: z.string().optional(),
});

const reachFields: Record<string, keyof ContactRef> = {
	id: 'contactId',
	email: 'email',
	phone: 'phoneNumber',
};

/** What an identifier (part 4) says about the contact that it names: its ID, its email address or its phone number. */
export function contactRef(identifier: unknown): ContactRef {
	const [, kind, value] = /^(id|email|phone):([^]+)$/.exec(String(identifier)) ?? [];
	return kind ? { [reachFields[kind]]: value } : {};
}
