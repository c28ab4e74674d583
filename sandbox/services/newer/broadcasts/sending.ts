import type { Broadcast } from '../../../records';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { runFlow } from '../flows';
import { filledIn, storeTemplate, whyLost } from '../templates/sending';
import type { TemplateLoss } from '../templates/template';
import { isActive } from './audience';
import { plansOf, type Happened, type Plan, type Target } from './plan';

export const minuteMs = 60_000;
/** How long after the last message a broadcast is judged of which nothing arrived. */
const judgedAfterMs = 10 * minuteMs;
/** How long a provider takes to report what became of a message. */
const reportedAfterMs = 2_000;
const longestTimer = 2 ** 31 - 1;

/** What WhatsApp says to templates that it does not deliver. */
const refusedTemplates: Record<TemplateLoss, string> = {
	unknownTemplate: '(#132001) Template name does not exist in the translation',
	notApproved: '(#132001) Template name does not exist in the translation',
	otherNumber: '(#132001) Template name does not exist in the translation',
	parametersDoNotFit: '(#132000) Number of parameters does not match the expected number of params',
};

/** Sends a template or starts the flow; returns the refusal if the channel refuses it at once. */
function sendTo(
	workspace: Workspace,
	{ flowId, templateId = '', channel, ...plan }: Plan,
	contact: StoredContact,
	inboxId: string,
): string | undefined {
	const { flows, templates } = workspace.tables;
	if (flowId !== undefined) {
		if (!flows.has(flowId)) return 'Flow not found';
		if (channel === 'whatsapp' && !isActive(workspace, contact, inboxId))
			return '(#131047) Re-engagement message';
		runFlow(workspace, contact, { flowId, inboxId });
		return undefined;
	}
	const { templateParams, templateData } = plan;
	const filled = filledIn(workspace, contact, { templateParams, templateData });
	const template = templates.get(templateId);
	const loss = whyLost(workspace, template, inboxId, filled);
	if (!template || loss) return refusedTemplates[loss ?? 'unknownTemplate'];
	storeTemplate(workspace, contact, inboxId, template, filled);
	return undefined;
}

/** What happens to one recipient, now and in a moment. */
function eventsFor(
	workspace: Workspace,
	plan: Plan,
	target: Target,
	contact: StoredContact,
	at: number,
): Happened[] {
	const happens = (event: Happened['event'], when: number, errorContent: string | null = null) => ({
		...target,
		event,
		at: when,
		errorContent,
	});
	// The provider takes this one, and reports a moment later that it could not deliver it.
	const reported = workspace.faults.settings.broadcastRefusals?.[contact.id];
	const later = at + reportedAfterMs;
	if (reported !== undefined)
		return [happens('message:sent', at), happens('message:failed', later, reported)];
	const refused = sendTo(workspace, plan, contact, target.inboxId);
	if (refused !== undefined) return [happens('message:failed', at, refused)];
	const messageId = workspace.messages.of(contact.id).at(-1)?.id;
	return [{ ...happens('message:sent', at), messageId }, happens('message:delivered', later)];
}

const startOf = ({ schedulesAt }: Broadcast) => Date.parse(schedulesAt ?? '');
const turnOf = (broadcast: Broadcast, { sendRatePerMinute }: Plan, index: number) =>
	startOf(broadcast) + Math.floor((index * minuteMs) / sendRatePerMinute);
const lastTurnOf = (broadcast: Broadcast, plan: Plan) =>
	turnOf(broadcast, plan, Math.max(plan.done - 1, 0));

function sendDue(workspace: Workspace, broadcast: Broadcast, plan: Plan, now: number): void {
	const { targets = [] } = plan;
	for (; plan.done < targets.length && turnOf(broadcast, plan, plan.done) <= now; plan.done++) {
		const target = targets[plan.done];
		// Who was deleted meanwhile gets nothing.
		const contact = workspace.contacts.find(`id:${target.contactId}`);
		if (!contact) continue;
		const at = turnOf(broadcast, plan, plan.done);
		const events = eventsFor(workspace, plan, target, contact, at);
		plan.events.push(...events);
		const { flowId, templateId } = plan;
		const errorContent = events.find(({ event }) => event === 'message:failed')?.errorContent;
		workspace.journal.broadcastMessages.push({
			at,
			broadcastId: broadcast.id,
			...target,
			...(flowId !== undefined ? { flowId } : { templateId }),
			delivered: !errorContent,
			...(errorContent && { errorContent }),
		});
	}
	if (plan.done >= targets.length) broadcast.status = 'sent';
}

const nothingArrived = ({ events }: Plan) =>
	events.length > 0 && !events.some(({ event }) => event === 'message:delivered');

/** What a broadcast does by itself, as time passes. */
function proceed(workspace: Workspace, broadcast: Broadcast, plan: Plan, now: number): void {
	if (broadcast.status === 'scheduled' && startOf(broadcast) <= now) {
		plan.targets = plan.audience();
		Object.assign(broadcast, { status: 'sending', contactCount: plan.targets.length });
	}
	if (broadcast.status === 'sending' && plan.targets) sendDue(workspace, broadcast, plan, now);
	const isJudged = lastTurnOf(broadcast, plan) + judgedAfterMs <= now;
	if (broadcast.status === 'sent' && nothingArrived(plan) && isJudged) broadcast.status = 'failed';
}

/** When a broadcast has something to do next; infinite if that is never. */
function nextTime(broadcast: Broadcast, plan: Plan): number {
	if (broadcast.status === 'scheduled') return startOf(broadcast);
	if (broadcast.status === 'sending' && plan.targets) return turnOf(broadcast, plan, plan.done);
	if (broadcast.status === 'sent' && nothingArrived(plan))
		return lastTurnOf(broadcast, plan) + judgedAfterMs;
	return Infinity;
}

/** What wakes the broadcasts of a workspace. */
const timers = new WeakMap<Workspace, NodeJS.Timeout>();

/** Lets all broadcasts do what is due, and sees to it that they go on. */
export function proceedAll(workspace: Workspace): void {
	clearTimeout(timers.get(workspace));
	if (workspace.end.signal.aborted) return;
	const planned = [...plansOf(workspace)].flatMap(([id, plan]) => {
		const broadcast = workspace.tables.broadcasts.get(id);
		return broadcast ? [{ broadcast, plan }] : [];
	});
	for (const { broadcast, plan } of planned) proceed(workspace, broadcast, plan, Date.now());
	const next = Math.min(...planned.map(({ broadcast, plan }) => nextTime(broadcast, plan)));
	if (!Number.isFinite(next)) return;
	const wait = Math.min(Math.max(next - Date.now(), 0), longestTimer);
	timers.set(workspace, setTimeout(() => proceedAll(workspace), wait).unref());
}

/** Moves all that broadcasts have done, and plan to do, so many minutes into the past. */
export function letBroadcastsRun(workspace: Workspace, minutes: number): void {
	const ms = minutes * minuteMs;
	for (const [id, plan] of plansOf(workspace)) {
		const broadcast = workspace.tables.broadcasts.get(id);
		if (!broadcast) continue;
		if (broadcast.schedulesAt !== null)
			broadcast.schedulesAt = new Date(startOf(broadcast) - ms).toISOString();
		for (const event of plan.events) event.at -= ms;
	}
	proceedAll(workspace);
}
