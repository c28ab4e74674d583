import type { AnyItem } from '../run/item';
import { onApiError, type ApiError } from '../transport/errors/ApiError';
import { FieldError } from '../values/fieldError';
import { parseTemplateChoice, type TemplateChoice } from './find';

/* The template that the user chose in a field, and how it is checked before the run. */

/** Returns which template the user chose. Throws an error if none. */
export function readChosenTemplate(item: AnyItem): TemplateChoice {
	if (item.run.isTool) {
		const name = String(item.parameter('templateName', '') ?? '').trim();
		if (name === '') throw new FieldError('Template Name', 'Template Name must not be empty');
		const language = String(item.parameter('language', '') ?? '').trim();
		return { name, language };
	}
	const choice = parseTemplateChoice(item.parameter('templateId', ''));
	if (!choice) throw new FieldError('Template', 'Template must not be empty');
	return choice;
}

/**
 * Checks the template of an item before n8n sends anything. Throws an error if it is about what the
 * item says; the run reports other failures.
 *
 * @param item is connected for that, if possible
 */
export async function checkBeforeRun(
	item: Pick<AnyItem, 'connect'>,
	check: () => Promise<void>,
): Promise<void> {
	const isConnected = await item.connect().then(
		() => true,
		() => false,
	);
	if (!isConnected) return;
	await check().catch(
		onApiError(
			(error) => !isAboutItem(error),
			() => undefined,
		),
	);
}

/** Whether an error is about what the item says, and not about the service or the token. */
export function isAboutItem({
	details: { outcome, nothingWas, status, reason },
}: ApiError): boolean {
	if (outcome !== 'refused' || reason === 'operationMissing') return false;
	if (status === 404) return true;
	// Without a status, n8n itself refused it.
	return nothingWas === 'sent' && status === undefined;
}
