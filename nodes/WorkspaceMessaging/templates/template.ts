import type { IDataObject } from 'n8n-workflow';
import { toObject } from '../transport/guards';
import { foldName } from '../values/names';

/* What the record of a template says. */

/** Whether the provider allows a template to be sent. */
export const isApproved = ({ status }: IDataObject) => String(status).toUpperCase() === 'APPROVED';

/**
 * Returns the ID of the channel that a template belongs to; undefined if the service does not show
 * it.
 */
export function getTemplateInboxId({ integrationWhatsapp }: IDataObject): string | undefined {
	const { inboxId } = toObject(integrationWhatsapp);
	return inboxId === undefined || inboxId === null ? undefined : String(inboxId);
}

/** Names the channel that a template belongs to, by its ID if the service does not show the name. */
export function getTemplateChannelName(template: IDataObject): string {
	const { name } = toObject(template.integrationWhatsapp);
	const id = String(getTemplateInboxId(template));
	return String(name ?? `with the ID ${id}`);
}

/**
 * Whether a template can be sent on a channel, as far as the service shows it; on any if none is
 * chosen.
 */
export function isTemplateOfChannel(template: IDataObject, inboxId: string | undefined): boolean {
	const own = getTemplateInboxId(template);
	return own === undefined || inboxId === undefined || own === inboxId;
}

/** Whether a template has a language, such as `en_US`. */
export const isInLanguage = (template: IDataObject, language: string) =>
	foldName(String(template.language)) === foldName(language);

/** Names a template as people tell templates apart: `order_shipped (en_US)`. */
export const getTemplateName = ({ name, language }: IDataObject) =>
	`${String(name)} (${String(language)})`;
