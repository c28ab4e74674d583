import { z } from 'zod/v4';
import type { Message } from '../conversations/messageStore';
import type { Workspace } from '../../../workspace';
import type { StoredContact } from '../../reference/contacts';
import { showRow, showValues } from '../contactRecord';
import { storeMessage } from '../conversations/write';
import { invalidInput, notFound, problem } from '../problems';
import { templateData, valuesIn } from './data';
import { misfits, type SentValue } from './parameters';
import type { Template, TemplateLoss } from './template';

/** The values of a template, in one form or the other. */
export const templateContent = {
	templateParams: z.record(z.string(), z.string()).optional(),
	templateData: templateData.optional(),
};
type Content = z.output<z.ZodObject<typeof templateContent>>;

/** The values by their keys, whichever form they came in. */
const valuesOf = ({ templateParams, templateData: data }: Content): SentValue[] =>
	templateParams
		? Object.entries(templateParams).map(([key, value]) => ({ key, value }))
		: valuesIn(data ?? {});

/** The template with an ID, or a 404. */
export function templateById({ tables }: Workspace, templateId: string): Template {
	const template = tables.templates.get(templateId);
	if (!template) throw notFound('Template');
	return template;
}

export function refuseBothForms(workspace: Workspace, content: Content): void {
	if (!content.templateParams || !content.templateData) return;
	const message = 'Send templateParams or templateData, not both';
	throw invalidInput(workspace, 'templateParams', message);
}

/** Refuses `templateParams` that do not fit their template; the nested form is not checked. */
export function refuseMisfits(workspace: Workspace, templateId: string, content: Content): void {
	if (!content.templateParams) return;
	const { components } = templateById(workspace, templateId);
	const found = misfits(workspace, components, valuesOf(content));
	const message = `Template parameters do not match the template (${found.join('; ')})`;
	if (found.length > 0) throw problem(422, 'validation', message);
}

/** Why a request that was accepted comes to nothing; undefined if the template is delivered. */
export function whyLost(
	workspace: Workspace,
	template: Template | undefined,
	inboxId: string,
	content: Content,
): TemplateLoss | undefined {
	if (!template) return 'unknownTemplate';
	if (template.status !== 'APPROVED') return 'notApproved';
	if (template.integrationWhatsapp.inboxId !== inboxId) return 'otherNumber';
	return misfits(workspace, template.components, valuesOf(content)).length > 0
		? 'parametersDoNotFit'
		: undefined;
}

/**
 * The values for one contact: the service puts the contact's own fields, and custom fields by their
 * names, in the place of `{{first_name}}` or `{{firstName}}`; of what it does not know, nothing.
 */
export function filledIn<Values extends Content>(
	workspace: Workspace,
	contact: StoredContact,
	values: Values,
): Values {
	const fields = Object.entries(showRow(workspace, contact));
	const custom = showValues(workspace, contact).map(({ name, value }) => [name, value]);
	const known = Object.fromEntries([...custom, ...fields]) as Record<string, unknown>;
	const camelCase = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
	const fill = (text: string) =>
		text.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (_, name) =>
			String(known[name] ?? known[camelCase(name)] ?? ''),
		);
	const filled = (_: string, value: unknown) => (typeof value === 'string' ? fill(value) : value);
	return JSON.parse(JSON.stringify(values, filled)) as Values;
}

/** Stores a template as a message of the conversation. */
export function storeTemplate(
	workspace: Workspace,
	contact: StoredContact,
	inboxId: string,
	{ id, name, language }: Template,
	{ templateParams, templateData: data }: Content,
): Message {
	return storeMessage(workspace, contact, {
		messageType: 'outgoing',
		senderType: 'bot',
		inboxId,
		text: `Template: ${name}`,
		contentAttributes: {
			type: 'whatsapp_template',
			template: { id, name, language, params: templateParams ?? data ?? {} },
		},
		sourceId: `wamid.${workspace.nextId()}`,
	});
}
