import { z } from 'zod/v4';
import {
	broadcastKinds,
	recipientEvents,
	statusNeededTo,
} from '../../../../nodes/WorkspaceMessaging/contract/broadcast';
import { limits } from '../../../../nodes/WorkspaceMessaging/contract/limits';
import { without, type Broadcast } from '../../../records';
import type { Workspace } from '../../../workspace';
import { fullNameOf, type StoredContact } from '../../reference/contacts';
import { contactInboxIdOf } from '../contactRecord';
import { conversationOf } from '../conversations/conversation';
import { holds, id, paged, sort, sorted, strictPaging, trimmed } from '../inputs';
import { invalidInput, notFound, problem } from '../problems';
import { operation, type Operations } from '../router';
import {
	refuseBothForms,
	refuseMisfits,
	templateById,
	templateContent,
} from '../templates/sending';
import { audience, inboxesReached, previewed, targetsOf } from './audience';
import { eventsOf, plansOf, type Happened } from './plan';
import { minuteMs, proceedAll } from './sending';

const { messagesPerMinute, broadcastName } = limits;
const moment = z.iso.datetime({ offset: true });
const rate = z.number().int().min(messagesPerMinute.min).max(messagesPerMinute.max).nullish();
const schedule = {
	schedulesType: z.enum(['now', 'future']),
	/** The key must be there. */
	schedulesAt: moment.nullable(),
	sendRatePerMinute: rate,
};
type Schedule = z.output<z.ZodObject<typeof schedule>>;

const content = z.object({
	...audience,
	...schedule,
	...templateContent,
	flowId: id.optional(),
	templateId: id.optional(),
	saveAsDraft: z.boolean().default(false),
});
type Content = z.output<typeof content>;

const ofBroadcast = z.object({ broadcastId: z.string() });

/** The broadcast of a step, in the status in which it is possible; in any other it is not found. */
function broadcastFor(
	{ tables }: Workspace,
	broadcastId: string,
	step: keyof typeof statusNeededTo,
): Broadcast {
	const broadcast = tables.broadcasts.get(broadcastId);
	if (broadcast?.status !== statusNeededTo[step]) throw notFound('Broadcast');
	return broadcast;
}

const cutToMinute = (at: number) => at - (at % minuteMs);

/** The time at which sending begins: always a whole minute. */
function startOf({ schedulesType, schedulesAt }: Schedule): string {
	const at =
		schedulesType === 'now'
			? cutToMinute(Date.now()) + minuteMs
			: cutToMinute(Date.parse(schedulesAt ?? ''));
	return new Date(at).toISOString();
}

function refusePast(workspace: Workspace, { schedulesType, schedulesAt }: Schedule): void {
	const isPast = schedulesAt === null || Date.parse(schedulesAt) <= Date.now();
	if (schedulesType === 'future' && isPast)
		throw invalidInput(workspace, 'schedulesAt', 'Schedules must be after now.');
}

/** Refuses what no broadcast of the channel and kind can be. */
function refuseUnfit(workspace: Workspace, sent: Omit<Content, 'saveAsDraft'>): void {
	const { channels, content: what } = broadcastKinds[sent.subaction];
	const { flowId, templateId } = sent;
	const refuse = (path: string, message: string) => {
		throw invalidInput(workspace, path, message);
	};
	if (flowId !== undefined && templateId !== undefined)
		refuse('templateId', 'A broadcast sends either a flow or a template, not both');
	if (flowId === undefined && templateId === undefined)
		refuse('flowId', 'Either flow or template must be selected');
	if (!(channels as readonly string[]).includes(sent.channel) || sent[`${what}Id`] === undefined)
		refuse('subaction', 'Invalid input');
	if (templateId !== undefined && sent.integrationWhatsappId === undefined)
		refuse('inboxIds', 'Select the page the template belongs to');
	refuseBothForms(workspace, sent);
	refusePast(workspace, sent);
	if (flowId !== undefined && !workspace.tables.flows.has(flowId)) throw notFound('Flow');
	if (templateId === undefined) return;
	templateById(workspace, templateId);
	refuseMisfits(workspace, templateId, sent);
}

/** Puts a draft on the schedule. */
function putOnSchedule(workspace: Workspace, broadcast: Broadcast, sent: Schedule): void {
	if (workspace.options.plan === 'broadcastPlanLimit')
		throw problem(403, 'broadcastPlanLimit', 'Broadcast plan limit reached');
	const { sendRatePerMinute: asked } = sent;
	const planned = plansOf(workspace).get(broadcast.id);
	if (planned && asked) planned.sendRatePerMinute = asked;
	Object.assign(broadcast, {
		status: 'scheduled',
		schedulesType: sent.schedulesType,
		schedulesAt: startOf(sent),
	});
	proceedAll(workspace);
}

/** Nobody can name a broadcast when it is made: the service does. */
const nameByService = () => `Broadcast ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`;

function create(workspace: Workspace, { saveAsDraft, ...sent }: Content) {
	refuseUnfit(workspace, sent);
	const { channel, subaction, flowId = null, templateId = null, schedulesType } = sent;
	const sendRatePerMinute = sent.sendRatePerMinute ?? messagesPerMinute.usual;
	const broadcast: Broadcast = {
		id: workspace.nextId(),
		name: nameByService(),
		status: 'draft',
		schedulesType,
		schedulesAt: schedulesType === 'now' ? null : startOf(sent),
		contactCount: null,
		flowId,
		templateId,
		channel,
		subaction,
		sendRatePerMinute,
		contactFilter: sent.contactFilter ?? null,
		integrationWhatsappId: sent.integrationWhatsappId ?? null,
	};
	workspace.tables.broadcasts.set(broadcast.id, broadcast);
	plansOf(workspace).set(broadcast.id, {
		...sent,
		...{ sendRatePerMinute, done: 0, events: [] },
		audience: () => targetsOf(workspace, sent),
	});
	if (!saveAsDraft) putOnSchedule(workspace, broadcast, sent);
	return broadcast;
}

/** Who a contact is, in lists of people. */
const namesOf = (contact: StoredContact | undefined) => ({
	firstName: contact?.firstName ?? null,
	lastName: contact?.lastName ?? null,
	fullName: contact ? fullNameOf(contact) : null,
	avatar: contact?.avatar ?? null,
});

/** A recipient as the list of one event shows it. */
function showRecipient(workspace: Workspace, { contactId, inboxId, at, errorContent }: Happened) {
	const { contacts, tables, faults } = workspace;
	const contact = contacts.find(`id:${contactId}`);
	return {
		contactId,
		contactInboxId: contact ? contactInboxIdOf(contact, inboxId) : null,
		channel: tables.channels.get(inboxId)?.channel ?? null,
		errorContent,
		occurredAt: new Date(at).toISOString(),
		conversationId: (contact && conversationOf(contact)?.id) ?? null,
		...(!faults.settings.bareRecipients && namesOf(contact)),
	};
}

/** Writing broadcasts, and who got them: the newest services only. */
export const broadcastOperations = {
	previewAudience: operation(previewed, ({ workspace }, sent) => {
		const reached = inboxesReached(workspace, sent);
		const { data } = paged(reached, sent, ({ contactId, inboxId }) => ({
			contactId,
			channel: workspace.tables.channels.get(inboxId)?.channel,
			...namesOf(workspace.contacts.find(`id:${contactId}`)),
		}));
		return { total: reached.length, data };
	}),
	createBroadcast: operation(content, ({ workspace }, sent) => create(workspace, sent)),
	renameBroadcast: operation(
		ofBroadcast.extend({ name: trimmed(broadcastName.min, broadcastName.max) }),
		({ workspace: { tables } }, { broadcastId, name }) => {
			const broadcast = tables.broadcasts.get(broadcastId);
			if (!broadcast) throw notFound('Broadcast');
			broadcast.name = name;
		},
	),
	scheduleBroadcast: operation(ofBroadcast.extend(schedule), ({ workspace }, sent) => {
		const broadcast = broadcastFor(workspace, sent.broadcastId, 'schedule');
		refusePast(workspace, sent);
		putOnSchedule(workspace, broadcast, sent);
		return { id: broadcast.id };
	}),
	moveBroadcastToDraft: operation(ofBroadcast, ({ workspace }, { broadcastId }) => {
		proceedAll(workspace);
		broadcastFor(workspace, broadcastId, 'moveToDraft').status = 'draft';
		return { id: broadcastId };
	}),
	stopBroadcast: operation(ofBroadcast, ({ workspace }, { broadcastId }) => {
		proceedAll(workspace);
		broadcastFor(workspace, broadcastId, 'stop').status = 'cancelled';
		return { id: broadcastId };
	}),
	deleteBroadcast: operation(ofBroadcast, ({ workspace }, { broadcastId }) => {
		const { status = 'sending' } = workspace.tables.broadcasts.get(broadcastId) ?? {};
		if (status === 'sending')
			throw problem(404, 'notFound', 'Broadcast not found or cannot be deleted');
		workspace.tables.broadcasts.delete(broadcastId);
		plansOf(workspace).delete(broadcastId);
	}),
	// The latest first, so that rows move down while it is sent.
	listBroadcastContacts: operation(
		ofBroadcast.extend({ ...strictPaging, eventType: z.enum(recipientEvents) }),
		({ workspace }, { broadcastId, eventType, ...query }) => {
			proceedAll(workspace);
			if (!workspace.tables.broadcasts.has(broadcastId)) throw notFound('Broadcast');
			const found = eventsOf(workspace, broadcastId)
				.filter(({ event }) => event === eventType)
				.reverse();
			return {
				...paged(found, query, (each) => showRecipient(workspace, each)),
				total: found.length,
			};
		},
	),
} satisfies Operations;

const columns = ['name', 'schedulesAt', 'createdAt'];

const listQuery = z.object({
	...strictPaging,
	status: z.string().optional(),
	name: z.string().optional(),
	channel: z.string().optional(),
	scheduledFrom: moment.optional(),
	scheduledTo: moment.optional(),
	// Other columns are refused.
	sort: sort.refine((orders) => orders?.every((order) => columns.includes(order.id)) ?? true),
});

/** What the newest list keeps. */
function isListed(broadcast: Broadcast, query: z.output<typeof listQuery>): boolean {
	const { status, name, channel, scheduledFrom, scheduledTo } = query;
	const at = Date.parse(broadcast.schedulesAt ?? '');
	return (
		(status === undefined || broadcast.status === status) &&
		(!name || holds(broadcast.name, name)) &&
		(channel === undefined || broadcast.channel === channel) &&
		(scheduledFrom === undefined || at >= Date.parse(scheduledFrom)) &&
		(scheduledTo === undefined || at <= Date.parse(scheduledTo))
	);
}

/** The list of newer services; only the newest apply filters and sorting. */
export const listBroadcasts = operation(listQuery, ({ workspace }, query) => {
	proceedAll(workspace);
	const all = [...workspace.tables.broadcasts.values()];
	const listed = workspace.options.newest
		? sorted(
				all.filter((each) => isListed(each, query)),
				query.sort,
				columns,
			)
		: all;
	return paged(listed, query, (broadcast) => without(broadcast, 'schedulesType'));
});
