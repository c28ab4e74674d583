import type { IDataObject } from 'n8n-workflow';
import { isObject, objectsIn } from '../transport/guards';

/* What the sender of a template fills in. */

/** A place of a template that the sender fills in. */
export interface Parameter {
	/** As services name it: `body.1`, `header`, `button.0`, `card.1.body.1`. */
	key: string;
	/** `text`, `image`, `document`, `latitude`, `url_suffix`, `coupon_code`, `expiration_ms` … */
	kind: string;
	isRequired: boolean;
	/** Names the place by the words around it, such as `Body: Hi […], your order`. */
	label: string;
}

const MEDIA = ['image', 'video', 'document'];

/** Whether a parameter is a file. */
export const isMedia = ({ kind }: Parameter) => MEDIA.includes(kind);

/** Returns the ID of a parameter in the panel: n8n reads a dot as a path. */
export const toFieldId = (key: string) => key.replaceAll('.', '_');

/** A text of a template, and how the keys of its placeholders begin. */
interface TemplateText {
	/** `header`, `body` or `button.0`. */
	part: string;
	text: string;
}

const PLACEHOLDER = /\{\{\s*([^{}\s]+)\s*\}\}/g;

const typeOf = ({ type }: IDataObject) => String(type).toUpperCase();

/** Returns the components of a template or of a card. */
export const getComponents = ({ components }: IDataObject): IDataObject[] => objectsIn(components);

/** Returns the component of a type, such as `BODY`. */
export const findComponent = (template: IDataObject, type: string): IDataObject | undefined =>
	getComponents(template).find((component) => typeOf(component) === type);

/** Returns the buttons of a template in their order. */
export const getButtons = (template: IDataObject): IDataObject[] =>
	objectsIn(findComponent(template, 'BUTTONS')?.buttons);

/**
 * Returns the format of the header in upper case, such as `TEXT` or `DOCUMENT`; undefined if there
 * is none.
 */
export function getHeaderFormat(template: IDataObject): string | undefined {
	const header = findComponent(template, 'HEADER');
	return header && String(header.format ?? 'TEXT').toUpperCase();
}

/** Returns the texts of a template that can have placeholders. */
export function getTexts(template: IDataObject): TemplateText[] {
	const texts: TemplateText[] = [];
	const header = findComponent(template, 'HEADER');
	if (header && getHeaderFormat(template) === 'TEXT')
		texts.push({ part: 'header', text: String(header.text ?? '') });
	texts.push({ part: 'body', text: String(findComponent(template, 'BODY')?.text ?? '') });
	for (const [index, button] of getButtons(template).entries())
		if (typeOf(button) === 'URL')
			texts.push({ part: `button.${index}`, text: String(button.url ?? '') });
	return texts;
}

/** Returns the key of a placeholder: a button has one at most. */
const toKey = (part: string, name: string) =>
	part.startsWith('button') ? part : `${part}.${name}`;

/** Returns a text with its placeholders replaced. */
export const fillIn = ({ part, text }: TemplateText, valueOf: (key: string) => string): string =>
	text.replace(PLACEHOLDER, (_, name: string) => valueOf(toKey(part, name)));

/** The places of a template that only the service can count. */
const SERVICE_ONLY = ['CAROUSEL', 'LIMITED_TIME_OFFER'];

/** The buttons of which n8n knows what they take. */
const KNOWN_BUTTONS = ['URL', 'COPY_CODE', 'QUICK_REPLY', 'PHONE_NUMBER', 'FLOW'];

/**
 * Returns what keeps n8n from counting the parameters of a template itself; undefined if nothing
 * does.
 */
export const findUncountable = (template: IDataObject): string | undefined =>
	getComponents(template)
		.map(typeOf)
		.find((type) => SERVICE_ONLY.includes(type)) ??
	getButtons(template)
		.map(typeOf)
		.find((type) => !KNOWN_BUTTONS.includes(type));

/** Counts the parameters of a template in its components. */
export function countParameters(template: IDataObject): Parameter[] {
	const found = new Map<string, Parameter>();
	const add = (key: string, kind: string, isRequired = true) =>
		found.set(key, { key, kind, isRequired, label: describePlace(template, key) });
	if (findComponent(template, 'LIMITED_TIME_OFFER')) add('offer.expiration_ms', 'expiration_ms');
	const format = getHeaderFormat(template)?.toLowerCase();
	if (format === 'location') {
		for (const kind of ['latitude', 'longitude']) add(`header.${kind}`, kind);
		for (const name of ['name', 'address']) add(`header.${name}`, `location_${name}`, false);
	} else if (format !== undefined && format !== 'text') add('header', format);
	for (const { part, text } of getTexts(template))
		for (const [, name] of text.matchAll(PLACEHOLDER))
			add(toKey(part, name), part.startsWith('button') ? 'url_suffix' : 'text');
	for (const [index, button] of getButtons(template).entries())
		if (typeOf(button) === 'COPY_CODE') add(`button.${index}`, 'coupon_code');
	for (const [index, card] of getCards(template).entries())
		for (const { key, kind, isRequired } of countParameters(card))
			add(`card.${index}.${key}`, kind, isRequired);
	return [...found.values()].sort((a, b) => comparePlaces(a.key, b.key));
}

/** Returns the cards of a carousel. */
export const getCards = (template: IDataObject): IDataObject[] =>
	objectsIn(findComponent(template, 'CAROUSEL')?.cards);

/**
 * Compares two places by their parts, then by their numbers: a text can have {{2}} before {{1}},
 * but services take the values in the order of the numbers. Places with names, and those inside a
 * card, are in order already.
 */
function comparePlaces(one: string, other: string): number {
	const order = ['offer', 'header', 'body', 'button', 'card'];
	const [[first, number], [second, otherNumber]] = [one, other].map((key) => key.split('.'));
	return order.indexOf(first) - order.indexOf(second) || Number(number) - Number(otherNumber) || 0;
}

/** Returns the parameters that the service lists for a template. */
export const listParameters = (template: IDataObject): Parameter[] =>
	objectsIn(template.parameters).map(({ key, kind, required }) => ({
		key: String(key),
		kind: String(kind),
		isRequired: required !== false,
		label: describePlace(template, String(key)),
	}));

/** Letters that a label shows before a place: the editor cuts off a label after some 25 letters. */
const BEFORE = 13;
/** Letters that a label shows after a place. */
const AFTER = 24;

/**
 * Returns the end of a text, without a part of a word; of an address, without a part of a folder.
 */
const lastWords = (text: string) =>
	text.length > BEFORE ? text.slice(-BEFORE).replace(/^[^\s/]*[\s/]+(?=\S)/, '') : text;

/** Returns the beginning of a text, without a part of a word. */
const firstWords = (text: string) =>
	text.length > AFTER ? text.slice(0, AFTER).replace(/\s\S*$/, '') : text;

const partTitles: Record<string, string> = {
	header: 'Header',
	body: 'Body',
	button: 'Button',
	offer: 'Offer',
};

/** Names a place by the words around it: `Body: Hi […], your order`; without words, by its key. */
function describePlace(template: IDataObject, key: string): string {
	const [, card, rest] = /^card\.(\d+)\.(.+)$/.exec(key) ?? [];
	if (card !== undefined) {
		return `Card ${Number(card) + 1}, ${describePlace(getCards(template)[Number(card)] ?? {}, rest)}`;
	}
	const [part, ...own] = key.split('.');
	const title = partTitles[part] ?? part;
	for (const text of getTexts(template)) {
		// Its own place stays a mark, so that the words around it can be found.
		const filled = fillIn(text, (each) => (each === key ? '\0' : '…'));
		const [before, after] = filled.split('\0');
		if (after === undefined) continue;
		const words = `${lastWords(before)}[…]${firstWords(after)}`.replace(/\s+/g, ' ').trim();
		return `${title}: ${words}`;
	}
	if (part === 'button') {
		const button = getButtons(template)[Number(own[0])];
		return isObject(button) && button.text
			? `${title} ${String(button.text)}`
			: `${title} ${own[0]}`;
	}
	const format =
		part === 'header' && own.length === 0 ? getHeaderFormat(template)?.toLowerCase() : undefined;
	return [title, ...own, format].filter(Boolean).join(' ').replace('expiration_ms', 'ends at');
}
