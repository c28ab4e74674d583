import { z } from 'zod/v4';
import { contactChange } from '../options';
import { withInbox } from '../services/newer/conversations/conversation';
import { happen, happening } from '../services/newer/webhooks/events';
import { about, ofWorkspace, workspaceOf } from './base';

const step = z.strictObject({ events: z.array(z.string().trim().min(1).max(100)).max(20) });

/**
 * What happens on channels, which is all that webhooks hear of, and flows that call other programs.
 */
export const webhookControl = {
	happen: about('POST', '/events')
		.input(z.object({ params: ofWorkspace, body: happening }))
		.handler(({ context, input: { params, body } }) =>
			happen(workspaceOf(context, params.token), body),
		),
	arrive: about('POST', '/arrivals')
		.input(z.object({ params: ofWorkspace, body: contactChange }))
		.handler(async ({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const contact = workspace.addContact(withInbox(workspace, body));
			const deliveries = await happen(workspace, {
				type: 'newContact',
				identifier: `id:${contact.id}`,
			});
			return { contact: workspace.show(contact), deliveries };
		}),
	setDefaultReply: about('PUT', '/flows/{flowId}/default-reply')
		.input(z.object({ params: ofWorkspace.extend({ flowId: z.string() }) }))
		.handler(({ context, input: { params } }) => {
			const workspace = workspaceOf(context, params.token);
			workspace.defaultReply = workspace.recordOf('flows', params.flowId, 'Flow').id;
		}),
	setFlowStep: about('PUT', '/flows/{flowId}/step')
		.input(z.object({ params: ofWorkspace.extend({ flowId: z.string() }), body: step }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const { id } = workspace.recordOf('flows', params.flowId, 'Flow');
			if (body.events.length > 0) workspace.flowSteps.set(id, body.events);
			else workspace.flowSteps.delete(id);
		}),
};
