import { z } from 'zod/v4';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { timesOf } from '../contactRecord';
import { ofConversation, talkById } from '../conversations/operations';
import { id } from '../inputs';
import { notFound, systemError } from '../problems';
import { operation, type Operations } from '../router';
import { parametersOf } from './parameters';
import {
	filledIn,
	refuseBothForms,
	refuseMisfits,
	storeTemplate,
	templateById,
	templateContent,
	whyLost,
} from './sending';
import type { Template } from './template';

const listQuery = z.object({
	inboxId: id.optional(),
	integrationWhatsappId: id.optional(),
	status: z.enum(['APPROVED', 'PENDING', 'REJECTED']).optional(),
});

/** The templates of a phone number or of all, oldest first. */
function select({ tables }: Workspace, query: z.output<typeof listQuery>): Template[] {
	const { inboxId, integrationWhatsappId, status } = query;
	return [...tables.templates.values()].filter(
		(template) =>
			(inboxId === undefined || template.integrationWhatsapp.inboxId === inboxId) &&
			(integrationWhatsappId === undefined ||
				template.integrationWhatsappId === integrationWhatsappId) &&
			(status === undefined || template.status === status),
	);
}

/** The list of older and newer services, which is an array. Only the newest apply `status`. */
export const listTemplateMessages = operation(listQuery, ({ workspace }, { status, ...query }) => {
	const isNewest = workspace.options.newest && !workspace.faults.settings.templateParamsDropped;
	return select(workspace, isNewest ? { status, ...query } : query);
});

/** The inboxes of a contact, the one with the latest message first. */
function inboxesByUse(workspace: Workspace, contact: StoredContact): string[] {
	const lastUse = (inboxId: string) => timesOf(workspace, contact, inboxId).lastMessageAt ?? '';
	return contact.inboxIds.toSorted((left, right) => lastUse(right).localeCompare(lastUse(left)));
}

/** The inbox of a contact that a template goes out on. */
function inboxFor(workspace: Workspace, contact: StoredContact, asked: string | undefined): string {
	const isWhatsapp = (inboxId: string) =>
		workspace.tables.channels.get(inboxId)?.channel === 'whatsapp';
	const inboxes = inboxesByUse(workspace, contact);
	// Earlier builds take the latest inbox of any channel.
	const usual = workspace.faults.settings.templateParamsDropped
		? inboxes[0]
		: inboxes.find(isWhatsapp);
	const inboxId = asked === undefined ? usual : inboxes.find((each) => each === asked);
	if (inboxId === undefined) throw notFound('Inbox');
	if (!isWhatsapp(inboxId)) throw systemError('This conversation has no WhatsApp inbox');
	return inboxId;
}

const sending = ofConversation.extend({
	templateId: z.string().trim().min(1),
	...templateContent,
	inboxId: id.optional(),
});

/**
 * Sends a template. What does not fit is only refused as `templateParams`; all else is accepted,
 * and may be lost.
 */
function send(workspace: Workspace, { templateId, ...body }: z.output<typeof sending>): void {
	const { templateData, conversationId } = body;
	const params = workspace.faults.settings.templateParamsDropped ? undefined : body.templateParams;
	const content = { templateParams: params, templateData };
	refuseBothForms(workspace, content);
	const { contact } = talkById(workspace, conversationId);
	const inboxId = inboxFor(workspace, contact, body.inboxId);
	refuseMisfits(workspace, templateId, content);
	const filled = filledIn(workspace, contact, content);
	const template = workspace.tables.templates.get(templateId);
	const lostBecause = whyLost(workspace, template, inboxId, filled);
	workspace.journal.templates.push({
		at: Date.now(),
		contactId: contact.id,
		inboxId,
		templateId,
		...(params && { params }),
		...(templateData && { data: templateData }),
		delivered: lostBecause === undefined,
		...(lostBecause && { lostBecause }),
	});
	if (template && !lostBecause) storeTemplate(workspace, contact, inboxId, template, filled);
}

/** What only the newest services can do with templates. */
export const newestTemplateOperations = {
	listWhatsappTemplates: operation(listQuery, ({ workspace }, query) => select(workspace, query)),
	getWhatsappTemplate: operation(
		z.object({ id: z.string() }),
		({ workspace }, { id: templateId }) => {
			const template = templateById(workspace, templateId);
			return { ...template, parameters: parametersOf(template.components) };
		},
	),
	sendWhatsappTemplate: operation(sending, ({ workspace }, body) => {
		send(workspace, body);
		return { queued: true };
	}),
} satisfies Operations;
