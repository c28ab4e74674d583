import { z } from 'zod/v4';

/** The output of what is done to a contact, where the service answers without a body. */
export const doneTo = z.object({ success: z.literal(true), contact: z.string() });
