import type { FlowRun } from '../../journal';
import type { Workspace } from '../../workspace';
import type { StoredContact } from '../reference/contacts';
import { showRow, showValues } from './contactRecord';
import { conversationOf } from './conversations/conversation';
import { storeMessage } from './conversations/write';
import { notFound } from './problems';
import { deliver } from './webhooks/deliver';

/** Runs a flow; older services accept one that does not exist, and do nothing. */
export function runFlow(
	workspace: Workspace,
	contact: StoredContact,
	{ flowId, inboxId, nodeId }: Pick<FlowRun, 'flowId' | 'inboxId' | 'nodeId'>,
): void {
	const flow = workspace.tables.flows.get(flowId);
	if (!flow) {
		if (workspace.service === 'older') return;
		throw notFound('Flow');
	}
	const run: FlowRun = { at: Date.now(), contactId: contact.id, flowId, inboxId, nodeId };
	workspace.journal.flowRuns.push(run);
	const events = workspace.flowSteps.get(flowId);
	// Flows of the sandbox say their name, except a default reply that lets another program answer.
	if (!events || flowId !== workspace.defaultReply)
		storeMessage(workspace, contact, {
			messageType: 'outgoing',
			senderType: 'bot',
			inboxId,
			text: flow.name,
		});
	if (events) void callOut(workspace, contact, events, run);
}

/**
 * Runs the flow that a keyword starts, if there is one. The sandbox stores no keywords: each flow
 * has its name.
 */
export function runFlowOf(
	workspace: Workspace,
	contact: StoredContact,
	keyword: string,
	inboxId: string,
): boolean {
	const flow = [...workspace.tables.flows.values()].find(({ name }) => name === keyword);
	if (flow) runFlow(workspace, contact, { flowId: flow.id, inboxId });
	return flow !== undefined;
}

/**
 * What the bot does with a message: the flow of a keyword, else the default reply; nothing while a
 * person is in charge.
 */
export function answerAsBot(
	workspace: Workspace,
	contact: StoredContact,
	text: string,
	inboxId: string,
): void {
	if (runFlowOf(workspace, contact, text, inboxId)) return;
	const { defaultReply: flowId } = workspace;
	if (flowId === undefined || conversationOf(contact)?.botEnabled === false) return;
	runFlow(workspace, contact, { flowId, inboxId });
}

/** What the step of a flow sends for one of its events. */
function showForFlow(workspace: Workspace, contact: StoredContact, event: string) {
	const { tags, sequences } = workspace.tables;
	return {
		event,
		contact: showRow(workspace, contact),
		custom_fields: showValues(workspace, contact).map(({ name, value }) => ({ name, value })),
		tags: contact.tagIds.flatMap((id) => tags.get(id) ?? []).map(({ name }) => ({ name })),
		contact_sequences: (contact.sequenceIds ?? []).flatMap((sequenceId) => {
			const sequence = sequences.get(sequenceId);
			return sequence ? [{ sequenceId, sequenceName: sequence.name }] : [];
		}),
	};
}

/**
 * Calls the addresses that are registered for a step's events; their answers say which branch the
 * flow takes.
 */
async function callOut(
	workspace: Workspace,
	contact: StoredContact,
	events: readonly string[],
	run: FlowRun,
) {
	const registered = [...workspace.externalWebhooks.values()].filter(({ event }) =>
		events.includes(event),
	);
	const deliveries = await Promise.all(
		registered.map(({ url, event }) =>
			deliver(workspace, { url, body: showForFlow(workspace, contact, event), timeoutMs: 15_000 }),
		),
	);
	const isSuccess = deliveries.every(({ status }) => status !== null && status < 400);
	Object.assign(run, { deliveries, branch: isSuccess ? 'success' : 'error' });
}
