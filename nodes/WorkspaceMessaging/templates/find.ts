import type { IDataObject } from 'n8n-workflow';
import { templateApi } from '../contract/template';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { isUnsupported, recover, rejected } from '../transport/errors/ApiError';
import { readList } from '../transport/lists/pages';
import { readRecord } from '../transport/lists/records';
import type { Requester } from '../transport/request';
import { quoted } from '../values/labels';
import { suggest } from '../values/suggestions';
import { isApproved, nameTemplate } from './template';
import { countParameters, findUncountable, listParameters, type Parameter } from './parameters';

/** How the user names a template: by its ID, or by name and language. */
export interface TemplateChoice {
	id?: string;
	name?: string;
	language?: string;
}

/** A template, and what the sender fills in. */
export interface FoundTemplate {
	template: IDataObject;
	parameters: Parameter[];
	/** Whether the service takes values by key. */
	takesKeys: boolean;
}

const readTemplates = oncePerRun(async (item: AnyItem) => await readList(item, templateApi.listTemplates));

/** Whether the service lets n8n read its templates. */
export const canReadTemplates = async (item: AnyItem): Promise<boolean> =>
	await readTemplates(item).then(
		() => true,
		() => false,
	);

const readParametersOnce = oncePerRun(async (item: AnyItem, templateId: string) => {
	const template = (await readTemplates(item)).find(({ id }) => String(id) === templateId)!;
	return await readParameters(item, template);
});

/**
 * Returns what the sender of a template fills in: what the service lists, or else what n8n counts in its parts. Throws an
 * `ApiError` if only the service could count it.
 */
export async function readParameters(client: Requester, template: IDataObject): Promise<FoundTemplate> {
	const params = { templateId: String(template.id) };
	const listed = await readRecord(client, templateApi.getTemplate, { params }).catch(
		recover(isUnsupported, () => undefined),
	);
	if (listed && Array.isArray(listed.parameters))
		return { template: listed, parameters: listParameters(listed), takesKeys: true };
	const part = findUncountable(template);
	if (part)
		throw rejected(
			`This service can't fill in the template ${nameTemplate(template)}, because it has a part of the type ${part}.`,
			'Use Trigger Flow with a flow that holds the template.',
		);
	return { template, parameters: countParameters(template), takesKeys: false };
}

/**
 * Finds the template that a field names. Throws an `ApiError` if there is not exactly one, or if the provider has not approved
 * it: services accept such a template and lose it.
 */
export async function findTemplate(item: AnyItem, choice: TemplateChoice): Promise<FoundTemplate> {
	const all = await readTemplates(item);
	const matches = all.filter((template) => isChosen(template, choice));
	const usable = matches.filter(isApproved);
	const found = usable.length > 0 ? usable : matches;
	if (found.length === 0) throw noSuchTemplate(all, choice);
	if (found.length > 1) {
		const options = found.map((each) => `${nameTemplate(each)}, ID ${String(each.id)}`).join('; ');
		throw rejected(
			`${found.length} templates have the name ${quoted(choice.name ?? '')}.`,
			`Add the language, or enter the ID: ${options}.`,
		);
	}
	const [template] = found;
	if (!isApproved(template))
		throw rejected(
			`The template ${nameTemplate(template)} is not approved (${String(template.status)}), so WhatsApp would not deliver it.`,
			'Choose another one, or wait for the approval.',
		);
	return await readParametersOnce(item, String(template.id));
}

function isChosen(template: IDataObject, { id, name, language }: TemplateChoice): boolean {
	if (id !== undefined) return String(template.id) === id;
	if (String(template.name) !== name) return false;
	return !language || String(template.language).toLowerCase() === language.toLowerCase();
}

function noSuchTemplate(all: IDataObject[], { id, name, language }: TemplateChoice) {
	const approved = all
		.filter(isApproved)
		.map((template) => ({ id: String(template.id), name: nameTemplate(template) }));
	const asked = id ?? (language ? nameTemplate({ name, language }) : String(name));
	const what = id === undefined ? `There is no template ${quoted(asked)}.` : `No template has the ID ${id}.`;
	return rejected(what, suggest(name ?? '', approved, 'templates'), { status: 404 });
}
