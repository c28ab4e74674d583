import { z } from 'zod/v4';
import { aiAgent } from './aiAgent';
import { broadcast, broadcastListItem } from './broadcast';
import { channel } from './channel';
import { contact, contactCustomFieldValue } from './contact';
import { customField, customFieldListItem } from './customField';
import { flow } from './flow';
import { customFieldOperations, memberRoles } from './limits';
import { sequence } from './sequence';
import { tag, tagReference } from './tag';
import { workspace } from './workspace';

/*
 * What the items of each operation look like, with "Simplify" on where there is one. The editor's preview of an
 * operation's fields is generated from here.
 */

const values = z.record(z.string(), z.unknown());
const texts = z.array(z.string());

const simpleContact = contact
	.pick({
		id: true,
		fullName: true,
		firstName: true,
		lastName: true,
		email: true,
		phoneNumber: true,
		updatedAt: true,
	})
	.extend({ tags: z.array(z.string()), customFields: values });

const simpleMember = z.object({
	id: z.string(),
	userId: z.string(),
	name: z.string().nullable(),
	createdAt: z.iso.datetime(),
});

const simpleTeam = z.object({
	id: z.string(),
	name: z.string(),
	members: z.array(
		z.object({ userId: z.string(), name: z.string().nullable(), email: z.string().nullable() }),
	),
});

const simpleSequence = sequence.pick({
	id: true,
	name: true,
	active: true,
	subscribers: true,
	messages: true,
	openRate: true,
	ctr: true,
});

/** What was done to a contact, where the service answers without a body. */
const doneTo = z.object({ success: z.literal(true), contact: z.string() });
const deleted = z.object({ success: z.literal(true), deleted: z.boolean() });

/** The shape of an item by resource and operation. */
export const outputs: Record<string, Record<string, z.ZodObject>> = {
	aiAgent: { getAll: aiAgent },
	broadcast: { get: broadcast, getAll: broadcastListItem },
	channel: { getAll: channel },
	contact: {
		addTags: doneTo.extend({ addedTagIds: texts, addedTagNames: texts.optional() }),
		clearCustomField: doneTo.extend({ cleared: z.boolean(), clearedCustomField: z.string() }),
		create: simpleContact,
		delete: doneTo.extend(deleted.shape),
		get: simpleContact,
		getAll: simpleContact,
		getCustomFields: contactCustomFieldValue,
		import: z.object({ success: z.literal(true), started: z.literal(true), fileId: z.string() }),
		removeTags: doneTo.extend({ removedTagIds: texts, removedTagNames: texts.optional() }),
		sendMessage: doneTo.extend({
			queued: z.literal(true),
			text: z.string().optional(),
			files: z.array(z.unknown()).optional(),
			flowId: z.string().optional(),
			nodeId: z.string().optional(),
			inboxId: z.string().optional(),
			clientId: z.string(),
			messages: z.number().optional(),
		}),
		setCustomFields: doneTo.extend({ operation: z.enum(customFieldOperations), customFields: values }),
		triggerFlow: doneTo.extend({
			triggered: z.literal(true),
			flowId: z.string(),
			inboxId: z.string().optional(),
		}),
		update: doneTo.extend({ updated: z.array(z.string()), customFields: values.optional() }),
		upsert: simpleContact.extend({
			outcome: z.enum(['created', 'updated', 'unchanged', 'createdOrUpdated']),
		}),
	},
	customField: {
		create: customField,
		delete: deleted.extend({ customFieldId: z.string() }),
		getAll: customFieldListItem,
		update: customField,
	},
	flow: { getAll: flow },
	member: { get: simpleMember.extend({ role: z.enum(memberRoles) }), getAll: simpleMember },
	sequence: { get: simpleSequence, getAll: simpleSequence },
	tag: {
		create: tagReference,
		delete: deleted.extend({ tagId: z.string() }),
		getAll: tag,
		update: tagReference,
	},
	team: { getAll: simpleTeam },
	workspace: { get: workspace },
};

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
