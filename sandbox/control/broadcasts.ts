import { z } from 'zod/v4';
import { recipientEvents } from '../../nodes/WorkspaceMessaging/contract/broadcast';
import { notFound } from '../http/problems';
import { eventsOf, plansOf } from '../services/newer/broadcasts/plan';
import { letBroadcastsRun } from '../services/newer/broadcasts/sending';
import { about, ofWorkspace, workspaceOf } from './base';

/** How far a broadcast is. */
export interface BroadcastProgress {
	id: string;
	name: string;
	status: string;
	contactCount: number | null;
	sent: number;
	failed: number;
	/** The message by which a contact has it. */
	messageId?: string;
}

const minutes = z.strictObject({ minutes: z.number().positive() });
const reaction = z.strictObject({ identifier: z.string(), event: z.enum(recipientEvents) });

/** How tests and the page look at broadcasts, and what recipients do with them. */
export const broadcastControl = {
	broadcasts: about('GET', '/broadcasts')
		.input(
			z.object({
				params: ofWorkspace,
				query: z.strictObject({ contactId: z.string().optional() }),
			}),
		)
		.handler(({ context, input: { params, query } }): BroadcastProgress[] => {
			const workspace = workspaceOf(context, params.token);
			return [...plansOf(workspace).keys()].reverse().flatMap((id) => {
				const broadcast = workspace.tables.broadcasts.get(id);
				if (!broadcast) return [];
				const { name, status, contactCount } = broadcast;
				const events = eventsOf(workspace, id);
				const count = (event: string) => events.filter((each) => each.event === event).length;
				const own = events.find(
					(each) => each.contactId === query.contactId && each.messageId !== undefined,
				);
				const [sent, failed] = [count('message:sent'), count('message:failed')];
				return [{ id, name, status, contactCount, sent, failed, messageId: own?.messageId }];
			});
		}),
	letBroadcastsRun: about('POST', '/broadcasts/time')
		.input(z.object({ params: ofWorkspace, body: minutes }))
		.handler(({ context, input: { params, body } }) => {
			letBroadcastsRun(workspaceOf(context, params.token), body.minutes);
			return {};
		}),
	react: about('POST', '/broadcasts/{id}/reactions')
		.input(z.object({ params: ofWorkspace.extend({ id: z.string() }), body: reaction }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const contact = workspace.contactOf(body.identifier);
			const plan = plansOf(workspace).get(params.id);
			const target = plan?.targets?.find(({ contactId }) => contactId === contact.id);
			if (!plan || !target) throw notFound('Recipient');
			plan.events.push({ ...target, event: body.event, at: Date.now(), errorContent: null });
		}),
};
