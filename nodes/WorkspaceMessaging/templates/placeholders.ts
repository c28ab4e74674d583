import type { IDataObject } from 'n8n-workflow';
import {
	findTemplateComponent,
	getButtonComponents,
	getCards,
	getHeaderFormat,
	typeOf,
} from './components';

/* The placeholders in the texts of a template, such as {{1}}, and their keys. */

/** A text of a template, and how the keys of its placeholders begin. */
interface TemplateText {
	/** `header`, `body` or `button.0`. */
	part: string;
	text: string;
}

const PLACEHOLDER = /\{\{\s*([^{}\s]+)\s*\}\}/g;

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

/** Returns a text of a template with its placeholders replaced by values. */
export const fillInPlaceholders = (
	{ part, text }: TemplateText,
	valueOf: (key: string) => string,
): string => text.replace(PLACEHOLDER, (_, name: string) => valueOf(toKey(part, name)));

/** Returns the address of a button as far as the place with this key; empty if it is not known. */
export function findButtonStart(template: IDataObject, key: string): string {
	const [, card, ownKey = key] = /^card\.(\d+)\.(.+)$/.exec(key) ?? [];
	const owner = card === undefined ? template : (getCards(template)[Number(card)] ?? {});
	const address = getParameterTexts(owner).find(({ part }) => part === ownKey);
	const [start] = (address?.text ?? '').split(PLACEHOLDER);
	return start;
}

/** A place of a template before it has its label. */
export type Place = [key: string, kind: string, isRequired?: boolean];

/** Finds the placeholders in the texts of a template. */
export const findPlaceholders = (template: IDataObject): Place[] =>
	getParameterTexts(template).flatMap(({ part, text }) => {
		const kind = part.startsWith('button') ? 'url_suffix' : 'text';
		const found = [...text.matchAll(PLACEHOLDER)];
		return found.map(([, name]): Place => [toKey(part, name), kind]);
	});

/**
 * Says which of two keys comes first: the one of the earlier part, or in one part the smaller
 * number. A text can have {{2}} before {{1}}, but services take the values in the order of the
 * numbers. Cards come by their number. Places with names, and those inside a card, keep their order.
 */
export function compareKeys(one: string, other: string): number {
	const order = ['offer', 'header', 'body', 'button', 'card'];
	const [part, number] = one.split('.');
	const [otherPart, otherNumber] = other.split('.');
	const difference = order.indexOf(part) - order.indexOf(otherPart);
	if (difference !== 0) return difference;
	// Without two numbers, the difference is NaN, and the keys stay in their order.
	return Number(number) - Number(otherNumber) || 0;
}
