import { z } from 'zod/v4';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { timesOf } from '../contactRecord';
import { ofConversation, talkById } from '../conversations/operations';
import { storeMessage } from '../conversations/write';
import { id } from '../inputs';
import { invalidInput, notFound, problem, systemError } from '../problems';
import { operation, type Operations } from '../router';
import { templateData, valuesIn } from './data';
import { misfits, parametersOf, type SentValue } from './parameters';
import type { Template, TemplateLoss } from './template';

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

/** Why a request that was accepted comes to nothing; undefined if the template is delivered. */
function whyLost(
	workspace: Workspace,
	template: Template | undefined,
	inboxId: string,
	sent: SentValue[],
): TemplateLoss | undefined {
	if (!template) return 'unknownTemplate';
	if (template.status !== 'APPROVED') return 'notApproved';
	if (template.integrationWhatsapp.inboxId !== inboxId) return 'otherNumber';
	return misfits(workspace, template.components, sent).length > 0
		? 'parametersDoNotFit'
		: undefined;
}

const sending = ofConversation.extend({
	templateId: z.string().trim().min(1),
	templateParams: z.record(z.string(), z.string()).optional(),
	templateData: templateData.optional(),
	inboxId: id.optional(),
});

/** The template with an ID, or a 404. */
function templateById({ tables }: Workspace, templateId: string): Template {
	const template = tables.templates.get(templateId);
	if (!template) throw notFound('Template');
	return template;
}

/**
 * Sends a template. What does not fit is only refused as `templateParams`; all else is accepted,
 * and may be lost.
 */
function send(workspace: Workspace, { templateId, ...body }: z.output<typeof sending>): void {
	const { templateData: data, conversationId } = body;
	const params = workspace.faults.settings.templateParamsDropped ? undefined : body.templateParams;
	if (params && data) {
		throw invalidInput(
			workspace,
			'templateParams',
			'Send templateParams or templateData, not both',
		);
	}
	const { contact } = talkById(workspace, conversationId);
	const inboxId = inboxFor(workspace, contact, body.inboxId);
	const sent = params
		? Object.entries(params).map(([key, value]) => ({ key, value }))
		: valuesIn(data ?? {});
	if (params) {
		const found = misfits(workspace, templateById(workspace, templateId).components, sent);
		const message = `Template parameters do not match the template (${found.join('; ')})`;
		if (found.length > 0) throw problem(422, 'validation', message);
	}
	const template = workspace.tables.templates.get(templateId);
	const lostBecause = whyLost(workspace, template, inboxId, sent);
	workspace.journal.templates.push({
		at: Date.now(),
		contactId: contact.id,
		inboxId,
		templateId,
		...(params && { params }),
		...(data && { data }),
		delivered: lostBecause === undefined,
		...(lostBecause && { lostBecause }),
	});
	if (!template || lostBecause) return;
	const { name, language } = template;
	storeMessage(workspace, contact, {
		messageType: 'outgoing',
		senderType: 'bot',
		inboxId,
		text: `Template: ${name}`,
		contentAttributes: {
			type: 'whatsapp_template',
			template: { id: templateId, name, language, params: params ?? data ?? {} },
		},
		sourceId: `wamid.${workspace.nextId()}`,
	});
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
