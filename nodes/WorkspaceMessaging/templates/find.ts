import type { IDataObject } from 'n8n-workflow';
import { templateApi } from '../contract/template';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { isUnsupported, refusedError, ignore } from '../transport/errors/ApiError';
import { isObject } from '../transport/guards';
import { readPagedList } from '../service/lists/pages';
import { readRecord } from '../service/lists/records';
import type { Requester } from '../transport/request';
import { quoted } from '../values/labels';
import { findByName } from '../values/names';
import { describeSeveral, suggest } from '../values/suggestions';
import { isApproved, isInLanguage, isTemplateOfChannel, getTemplateName } from './template';
import {
	findParameters,
	findUnknownPart,
	readListedParameters,
	type Parameter,
} from './parameters';

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

const readTemplates = oncePerRun((item: AnyItem) => readPagedList(item, templateApi.listTemplates));

const readParametersOnce = oncePerRun(async (item: AnyItem, templateId: string) => {
	const templates = await readTemplates(item);
	const template = templates.find(({ id }) => String(id) === templateId)!;
	return await readParameters(item, template);
});

/**
 * Returns what the sender of a template fills in: what the service lists, or else what n8n finds in
 * its parts. Throws an `ApiError` if one of them takes values only on services with such a list.
 */
async function readParameters(client: Requester, template: IDataObject): Promise<FoundTemplate> {
	const params = { templateId: String(template.id) };
	const listed = await readRecord(client, templateApi.getTemplate, { params }).catch(
		ignore(isUnsupported),
	);
	if (listed && Array.isArray(listed.parameters))
		return { template: listed, parameters: readListedParameters(listed), takesKeys: true };
	const part = findUnknownPart(template);
	if (part)
		throw refusedError(
			`This service can't fill in the template ${getTemplateName(template)}, because it has a part of the type ${part}.`,
			'Use Trigger Flow with a flow that sends the template.',
			{ endpoint: templateApi.sendTemplate },
		);
	return { template, parameters: findParameters(template), takesKeys: false };
}

/**
 * Returns what the sender of the chosen template fills in; undefined if there is no such template.
 */
export async function findChosenParameters(
	client: Requester,
	choice: TemplateChoice,
	inboxId: string | undefined,
): Promise<Parameter[] | undefined> {
	const all = await readPagedList(client, templateApi.listTemplates);
	const [template] = matchTemplates(all, choice, inboxId);
	if (!template) return undefined;
	const { parameters } = await readParameters(client, template);
	return parameters;
}

/**
 * Finds the template that a field names, and what the sender fills in. Throws an `ApiError` if not
 * exactly one matches, if it is not approved (services accept the message and never deliver it,
 * difference 29), or if n8n can't tell its placeholders.
 *
 * @param inboxId the channel that the user chose: two WhatsApp numbers can have templates of the
 * same name
 */
export async function findTemplate(
	item: AnyItem,
	choice: TemplateChoice,
	inboxId: string | undefined,
): Promise<FoundTemplate> {
	const all = await readTemplates(item);
	const found = matchTemplates(all, choice, inboxId);
	if (found.length === 0) throw noSuchTemplate(all, choice);
	if (found.length > 1) throw severalTemplates(found, choice);
	const [template] = found;
	if (!isApproved(template)) throw notApproved(template);
	return await readParametersOnce(item, String(template.id));
}

function notApproved(template: IDataObject) {
	const name = getTemplateName(template);
	const status = String(template.status);
	return refusedError(
		`The template ${name} is not approved (${status}), so WhatsApp would not deliver it.`,
		'Choose another one, or wait for the approval.',
		{ endpoint: templateApi.sendTemplate },
	);
}

function severalTemplates(found: IDataObject[], { name = '', language }: TemplateChoice) {
	return refusedError(
		describeSeveral('templates', name, found.map(toSuggestion)),
		language ? 'Choose the Channel.' : 'Add the language.',
		{ endpoint: templateApi.sendTemplate },
	);
}

/**
 * Returns the templates that a choice can mean. Of several with a name, those of the channel count,
 * if it has any; of these, the approved ones, if there are any.
 */
function matchTemplates(all: IDataObject[], choice: TemplateChoice, inboxId: string | undefined) {
	const chosen = findChosenTemplates(all, choice);
	if (choice.id !== undefined) return chosen;
	// If the channel has none, `refuseOtherWhatsappChannel` says on which channel the template is.
	const ofChannel = chosen.filter((template) => isTemplateOfChannel(template, inboxId));
	const candidates = ofChannel.length > 0 ? ofChannel : chosen;
	const approved = candidates.filter(isApproved);
	return approved.length > 0 ? approved : candidates;
}

/**
 * Reads which template a locator names: an ID, a record with one, or a name, a comma and a
 * language.
 */
export function parseTemplateChoice(locator: unknown): TemplateChoice | undefined {
	const isLocator = isObject(locator) && 'mode' in locator;
	const { mode, value } = isLocator ? locator : { mode: 'id', value: locator };
	// An expression can return the record of a template.
	const isRecord = isObject(value);
	const entered = isRecord ? value.id : value;
	const text = String(entered ?? '').trim();
	if (text === '') return undefined;
	const isName = mode === 'name' && !isRecord;
	return isName ? parseName(text) : { id: text };
}

function parseName(text: string): TemplateChoice {
	const [name, language] = text.split(',').map((part) => part.trim());
	return { name, language };
}

function findChosenTemplates(all: IDataObject[], { id, name = '', language }: TemplateChoice) {
	if (id !== undefined) return all.filter((template) => String(template.id) === id);
	const named = findByName(all, name, (template) => [String(template.name)]);
	return language ? named.filter((template) => isInLanguage(template, language)) : named;
}

function noSuchTemplate(all: IDataObject[], { id, name = '', language }: TemplateChoice) {
	let what = `No template has the ID ${id}.`;
	if (id === undefined) {
		const asked = language ? getTemplateName({ name, language }) : name;
		what = `There is no template ${quoted(asked)}.`;
	}
	const approved = all.filter(isApproved);
	const suggestions = approved.map(toSuggestion);
	const advice = suggest(name, suggestions, 'templates');
	const endpoint = templateApi.sendTemplate;
	return refusedError(what, advice, { endpoint, status: 404 });
}

const toSuggestion = (template: IDataObject) => ({
	id: String(template.id),
	name: getTemplateName(template),
});
