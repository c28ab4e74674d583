import { z } from 'zod/v4';
import { simpleContact } from '../contacts/simplify';
import { choices } from '../contract/limits';
import { broadcastListItem, channel, simpleSequence } from '../contract/workspace';
import { conditionFields, contactFilters } from '../panel/contactFilters';
import { optional, toOptions, simplify } from '../panel/fields';
import { lookups, multiSelect } from '../panel/lookups';
import type { Field } from '../run/operation';
import { labelsOf } from '../values/labels';
import { makeEventPanel } from './eventPanel';
import type { PanelEvent } from './eventPanel';
import { MAX_QUIET_SECONDS } from './messages/messageItems';

/* What the editor shows of the polling trigger; what a poll does is in `poll.ts`. */

/** What the panel shows of an event that polls find. */
interface PollingEvent extends PanelEvent {
	/** The fields of an item if Simplify is on. */
	output: z.ZodObject;
}

const contactEventFields: Field[] = [...conditionFields, contactFilters, simplify];

const answeredByField: Field = {
	displayName: 'Answered By',
	name: 'inCharge',
	type: 'options',
	options: toOptions(choices.answeredBy),
	default: 'anyone',
	description: 'Who must be answering the conversation at the time of the poll',
};

const optionsField = optional('options', [
	{
		displayName: 'Download Attachments',
		name: 'downloadAttachments',
		type: 'boolean',
		default: false,
		description: 'Whether to add the files of a message to the item as binary data',
	},
	{
		displayName: 'Group Messages',
		name: 'groupMessages',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_QUIET_SECONDS, numberPrecision: 0 },
		default: 10,
		description:
			'How many seconds to wait for more messages. All messages that a contact writes until then become one item.',
	},
	{
		displayName: 'Mark as Read',
		name: 'markAsRead',
		type: 'boolean',
		default: true,
		description: 'Whether to mark the conversation as read in the workspace',
	},
]);

const inboxIdsField = multiSelect(lookups.channels, 'inboxIds', {
	description: 'Channels to watch. Leave empty to watch all.',
});

const sequenceIdsField = multiSelect(lookups.sequences, 'sequenceIds', {
	description: 'Sequences to watch (one request each per poll). Leave empty to watch all.',
});

const makeStatusesField = (statuses: readonly string[], records: string): Field => ({
	displayName: 'New Status',
	name: 'statuses',
	type: 'multiOptions',
	options: toOptions(statuses),
	default: [],
	description: `Statuses that start the workflow. Leave empty for any. To name another one, use an <a href="https://docs.n8n.io/code/expressions/">expression</a>. Each poll reads all ${records}, 50 per request on most services.`,
});

const readsAllNotice: Field = {
	displayName:
		'Each poll reads all matching contacts, 50 per request on most services. With many contacts, poll less often or add filters.',
	name: 'readsAllNotice',
	type: 'notice',
	default: '',
};

const tagIdsField = multiSelect(lookups.tags, 'tagIds', {
	description: 'Tags to watch. Leave empty to watch all.',
});

const tagFields = [readsAllNotice, tagIdsField, ...contactEventFields];

const contactWithTag = simpleContact.extend({
	tag: z.object({ id: z.string(), name: z.string().nullable() }),
});

/** All events, in the order of their names. */
export const pollingEvents: PollingEvent[] = [
	{
		name: 'Broadcast Status Changed',
		value: 'broadcastStatusChanged',
		description: 'When a broadcast is scheduled, begins to be sent, or has been sent',
		fields: [makeStatusesField(choices.broadcastStatuses, 'broadcasts')],
		output: broadcastListItem.extend({ previousStatus: z.string().nullable() }),
	},
	{
		name: 'Channel Status Changed',
		value: 'channelStatusChanged',
		description: 'When a channel (inbox) is connected or loses its connection',
		fields: [makeStatusesField(choices.channelStatuses, 'channels'), inboxIdsField],
		output: channel.extend({ previousStatus: z.string().nullable() }),
	},
	{
		name: 'Contact Created',
		value: 'contactCreated',
		description: 'When a contact is new in the workspace, whoever created it',
		fields: contactEventFields,
		output: simpleContact,
	},
	{
		name: 'Contact Updated',
		value: 'contactUpdated',
		description:
			'When a contact changes, whoever changed it, with the names of the changed fields if they are known',
		fields: contactEventFields,
		output: simpleContact.extend({ changedFields: z.array(z.string()) }),
	},
	{
		name: 'Message Received',
		value: 'messageReceived',
		description: 'When a contact writes a message, on any channel',
		fields: [inboxIdsField, answeredByField, ...conditionFields, optionsField, simplify],
		output: z.object({
			contact: simpleContact,
			messageId: z.string(),
			text: z.string(),
			type: z.string(),
			contentType: z.string(),
			attachments: z.array(
				z.object({ name: z.string(), mimeType: z.string(), size: z.number(), url: z.string() }).partial(),
			),
			receivedAt: z.iso.datetime(),
			chatInput: z.string(),
			sessionId: z.string(),
			conversation: z.object({
				id: z.string(),
				inCharge: z.enum(['bot', 'person']),
				assignedTo: z.string().nullable(),
				archived: z.boolean(),
			}),
			channel: z.object({ id: z.string(), name: z.string(), type: z.string() }).nullable(),
		}),
	},
	{
		name: 'Sequence Activated or Deactivated',
		value: 'sequenceActiveChanged',
		description: 'When a sequence is switched on or off',
		fields: [sequenceIdsField, simplify],
		output: simpleSequence.extend({ previousActive: z.boolean().nullable() }),
	},
	{
		name: 'Tag Added to Contact',
		value: 'tagAdded',
		description: 'When a contact gets a tag, whoever added it',
		fields: tagFields,
		output: contactWithTag,
	},
	{
		name: 'Tag Removed From Contact',
		value: 'tagRemoved',
		description: 'When a contact loses a tag, whoever removed it',
		fields: tagFields,
		output: contactWithTag,
	},
];

/** The line below the trigger on the canvas, and all fields; n8n adds the poll times. */
export const pollingPanel = makeEventPanel(
	pollingEvents,
	'contactCreated',
	'Everything, by polling. To start at once from flows and channels, use Workspace Messaging Instant.',
);

/** The names of the fields, for errors. */
export const pollingLabels = labelsOf(pollingPanel.fields);
