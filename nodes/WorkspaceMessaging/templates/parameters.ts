import type { IDataObject } from 'n8n-workflow';
import { objectsIn, toObject } from '../transport/guards';
import { withSingleSpaces } from '../values/names';

/* What the sender of a template fills in. */

/** A place of a template that the sender fills in. */
export interface Parameter {
	/** As services name it: `body.1`, `header`, `button.0`, `card.1.body.1`. */
	key: string;
	/** `text`, `image`, `document`, `latitude`, `url_suffix`, `coupon_code`, `expiration_ms` … */
	kind: string;
	isRequired: boolean;
	/** Names the place by the words around it, such as `Text 1 of 2: Hi ▢, your order`. */
	label: string;
}

const MEDIA = ['image', 'video', 'document'];

/** Whether a parameter is a file. */
export const isMediaParameter = ({ kind }: Parameter) => MEDIA.includes(kind);

/** Returns the ID of a parameter in the panel: n8n reads a dot as a path. */
export const toParameterInputId = (key: string) => key.replaceAll('.', '_');

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
export const findTemplateComponent = (
	template: IDataObject,
	type: string,
): IDataObject | undefined =>
	getComponents(template).find((component) => typeOf(component) === type);

/** Returns the buttons of a template in their order. */
export const getButtonComponents = (template: IDataObject): IDataObject[] =>
	objectsIn(findTemplateComponent(template, 'BUTTONS')?.buttons);

/**
 * Returns the format of the header in upper case, such as `TEXT` or `DOCUMENT`; undefined if there
 * is none.
 */
export function getHeaderFormat(template: IDataObject): string | undefined {
	const header = findTemplateComponent(template, 'HEADER');
	return header && String(header.format ?? 'TEXT').toUpperCase();
}

/** Returns the texts of a template that can have placeholders. */
export function getParameterTexts(template: IDataObject): TemplateText[] {
	const texts: TemplateText[] = [];
	const add = (part: string, text: unknown) => texts.push({ part, text: String(text ?? '') });
	if (getHeaderFormat(template) === 'TEXT') {
		const header = findTemplateComponent(template, 'HEADER');
		add('header', header?.text);
	}
	const body = findTemplateComponent(template, 'BODY');
	add('body', body?.text);
	for (const [index, button] of getButtonComponents(template).entries()) {
		if (typeOf(button) === 'URL') add(`button.${index}`, button.url);
	}
	return texts;
}

/** Returns the key of a placeholder: a button has one at most. */
const toKey = (part: string, name: string) =>
	part.startsWith('button') ? part : `${part}.${name}`;

/** Returns a text with its placeholders replaced. */
export const fillInPlaceholders = (
	{ part, text }: TemplateText,
	valueOf: (key: string) => string,
): string => text.replace(PLACEHOLDER, (_, name: string) => valueOf(toKey(part, name)));

/** Returns the body of a template on one line, with a mark for each place. */
export function describeBody(template: IDataObject): string {
	const body = getParameterTexts(template).find(({ part }) => part === 'body');
	if (!body) return '';
	return withSingleSpaces(fillInPlaceholders(body, () => PLACE_MARK)).trim();
}

/** The parts that take values only on services which list the parameters of a template. */
const LISTED_ONLY = ['CAROUSEL', 'LIMITED_TIME_OFFER'];

/** The buttons of which n8n knows what they take, also without such a list. */
const KNOWN_BUTTONS = ['URL', 'COPY_CODE', 'QUICK_REPLY', 'PHONE_NUMBER', 'FLOW'];

/**
 * Returns the type of a part that n8n cannot fill in without the service's list of parameters;
 * undefined if there is none.
 */
export function findUnknownPart(template: IDataObject): string | undefined {
	const types = getComponents(template).map(typeOf);
	const buttonTypes = getButtonComponents(template).map(typeOf);
	return (
		types.find((type) => LISTED_ONLY.includes(type)) ??
		buttonTypes.find((type) => !KNOWN_BUTTONS.includes(type))
	);
}

/** A place before it has its label. */
type Place = [key: string, kind: string, isRequired?: boolean];

/** Finds the parameters of a template in its components. */
export function findParameters(template: IDataObject): Parameter[] {
	const found = new Map<string, Parameter>();
	for (const [key, kind, isRequired = true] of findPlaces(template)) {
		const label = describePlace(template, key);
		// A text can have the same placeholder twice.
		found.set(key, { key, kind, isRequired, label });
	}
	return [...found.values()].sort(comparePlaces);
}

function findPlaces(template: IDataObject): Place[] {
	const places = [...findHeaderPlaces(template), ...findPlaceholders(template)];
	const offer = findTemplateComponent(template, 'LIMITED_TIME_OFFER');
	if (offer) places.push(['offer.expiration_ms', 'expiration_ms']);
	const buttons = getButtonComponents(template);
	for (const [index, button] of buttons.entries()) {
		const takesCode = typeOf(button) === 'COPY_CODE';
		if (takesCode) places.push([`button.${index}`, 'coupon_code']);
	}
	const cards = getCards(template);
	for (const [index, card] of cards.entries()) {
		for (const [keyInCard, ...rest] of findPlaces(card)) {
			const key = `card.${index}.${keyInCard}`;
			places.push([key, ...rest]);
		}
	}
	return places;
}

function findHeaderPlaces(template: IDataObject): Place[] {
	const format = getHeaderFormat(template)?.toLowerCase();
	if (format === undefined || format === 'text') return [];
	if (format !== 'location') return [['header', format]];
	return [
		['header.latitude', 'latitude'],
		['header.longitude', 'longitude'],
		['header.name', 'location_name', false],
		['header.address', 'location_address', false],
	];
}

const findPlaceholders = (template: IDataObject): Place[] =>
	getParameterTexts(template).flatMap(({ part, text }) => {
		const kind = part.startsWith('button') ? 'url_suffix' : 'text';
		const found = [...text.matchAll(PLACEHOLDER)];
		return found.map(([, name]): Place => [toKey(part, name), kind]);
	});

/** Returns the cards of a carousel. */
export const getCards = (template: IDataObject): IDataObject[] =>
	objectsIn(findTemplateComponent(template, 'CAROUSEL')?.cards);

/**
 * Says which of two keys comes first: the one of the earlier part, or in one part the smaller
 * number. A text can have {{2}} before {{1}}, but services take the values in the order of the
 * numbers. Places with names, and those inside a card, keep their order.
 */
function compareKeys(one: string, other: string): number {
	const order = ['offer', 'header', 'body', 'button', 'card'];
	const [part, number] = one.split('.');
	const [otherPart, otherNumber] = other.split('.');
	const difference = order.indexOf(part) - order.indexOf(otherPart);
	if (difference !== 0) return difference;
	// Keys without a number stay in their order.
	return Number(number) - Number(otherNumber) || 0;
}

const comparePlaces = (one: Parameter, other: Parameter) => compareKeys(one.key, other.key);

/** Returns the parameters that the service lists for a template. */
export function readListedParameters(template: IDataObject): Parameter[] {
	const listed = objectsIn(template.parameters).map(({ key, kind, required }) => ({
		key: String(key),
		kind: String(kind),
		isRequired: required !== false,
		label: describePlace(template, String(key)),
	}));
	return listed.sort(comparePlaces);
}

/** Letters that a label shows before a place: the editor cuts off a label after some 25 letters. */
const BEFORE = 13;
/** Letters that a label shows after a place. */
const AFTER = 24;

/**
 * Returns the end of a text, without a part of a word; of an address, without a part of a folder.
 */
function lastWords(text: string): string {
	if (text.length <= BEFORE) return text;
	return text.slice(-BEFORE).replace(/^[^\s/]*[\s/]+(?=\S)/, '');
}

/** Returns the first words of a text, as many as fit into so many letters. */
export function firstWords(text: string, letters: number): string {
	if (text.length <= letters) return text;
	return text.slice(0, letters).replace(/\s\S*$/, '');
}

const partTitles: Record<string, string> = {
	header: 'Header',
	body: 'Text',
	button: 'Button',
	offer: 'Offer',
};

/** What stands for a place in the words around it. */
const PLACE_MARK = '▢';

/**
 * Names a place: by the words around it (`Text 1 of 2: Hi ▢, your order`), or if it is in no text,
 * by its button, its format or its key (`Button Copy code`, `Header image`, `Offer ends at`).
 */
function describePlace(template: IDataObject, key: string): string {
	const [, cardIndex, keyInCard] = /^card\.(\d+)\.(.+)$/.exec(key) ?? [];
	if (cardIndex !== undefined) {
		const index = Number(cardIndex);
		const card = getCards(template)[index] ?? {};
		const place = describePlace(card, keyInCard);
		return `Card ${index + 1}, ${place}`;
	}
	const [part, ...rest] = key.split('.');
	const title = partTitles[part] ?? part;
	const words = findWordsAround(template, key);
	if (words !== undefined) {
		const position = describePosition(template, key);
		return `${title}${position}: ${words}`;
	}
	const detail = describeDetail(template, part, rest);
	return detail === '' ? title : `${title} ${detail}`;
}

/** Describes a place that is in no text: a button by its own text, a header by its format. */
function describeDetail(template: IDataObject, part: string, rest: string[]): string {
	const [index] = rest;
	if (part === 'button') {
		const buttons = getButtonComponents(template);
		const { text } = toObject(buttons[Number(index)]);
		return String(text || index);
	}
	const format = getHeaderFormat(template)?.toLowerCase();
	if (part === 'header' && index === undefined) return format ?? '';
	return rest.join(' ').replace('expiration_ms', 'ends at');
}

/** Says which place of its part this is, as in ` 1 of 2`; nothing if it is the only one. */
function describePosition(template: IDataObject, key: string): string {
	const [part] = key.split('.');
	// A text can have the same placeholder twice.
	const ofPart = new Set<string>();
	for (const [each] of findPlaceholders(template)) {
		if (each.startsWith(`${part}.`)) ofPart.add(each);
	}
	if (ofPart.size === 1) return '';
	const inOrder = [...ofPart].sort(compareKeys);
	const position = inOrder.indexOf(key) + 1;
	return ` ${position} of ${inOrder.length}`;
}

/** Returns as many words around a place as a label shows; undefined if it is in no text. */
function findWordsAround(template: IDataObject, key: string): string | undefined {
	for (const text of getParameterTexts(template)) {
		// Its own place stays a mark, so that the words around it can be found.
		const marked = fillInPlaceholders(text, (each) => (each === key ? '\0' : '…'));
		const [before, after] = marked.split('\0');
		if (after === undefined) continue;
		const wordsBefore = lastWords(before);
		const wordsAfter = firstWords(after, AFTER);
		const words = `${wordsBefore}${PLACE_MARK}${wordsAfter}`;
		return withSingleSpaces(words).trim();
	}
	return undefined;
}
