import { z } from 'zod/v4';

/** The output of an operation on a contact if the service answers without a body. */
export const doneTo = z.object({ success: z.literal(true), contact: z.string() });

/** The same, with what the identifier of the contact says; see `contactRef`. */
export const contactOutput = doneTo.extend({
	contactId: z.string().optional(),
	email: z.string().optional(),
	phoneNumber: z.string().optional(),
});

const refFields: Record<string, string> = { id: 'contactId', email: 'email', phone: 'phoneNumber' };

/** Returns the ID, email or phone number in an identifier (API §4) as a field, so that the next nodes can use it. */
export function contactRef(identifier: string): { contactId?: string; email?: string; phoneNumber?: string } {
	const [, kind, value] = /^(id|email|phone):([^]+)$/.exec(identifier) ?? [];
	return kind ? { [refFields[kind]]: value } : {};
}
