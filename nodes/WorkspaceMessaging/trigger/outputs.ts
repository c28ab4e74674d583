import { z } from 'zod/v4';
import { broadcastListItem, channel } from '../contract';
import { simpleContact } from '../resources/contact/simplify';
import { simpleSequence } from '../resources/sequence/simplify';

const named = z.object({ id: z.string(), name: z.string().nullable() });

/** The shape of an item by the trigger's event. */
export const triggerOutputs: Record<string, z.ZodObject> = {
	broadcastStatusChanged: broadcastListItem.extend({ previousStatus: z.string().nullable() }),
	channelStatusChanged: channel.extend({ previousStatus: z.string().nullable() }),
	contactCreated: simpleContact,
	contactUpdated: simpleContact.extend({ changedFields: z.array(z.string()) }),
	sequenceActiveChanged: simpleSequence.extend({ previousActive: z.boolean().nullable() }),
	tagAdded: simpleContact.extend({ tag: named }),
	tagRemoved: simpleContact.extend({ tag: named }),
};
