import type { IDataObject } from 'n8n-workflow';
import { toObject } from '../transport/guards';
import { withSingleSpaces } from '../values/names';
import { getButtonComponents, getCards, getHeaderFormat } from './components';
import {
	compareKeys,
	fillInPlaceholders,
	findPlaceholders,
	getParameterTexts,
} from './placeholders';

/* Names the places of a template by the words around them. */

/** What stands for a place in the words around it. */
const PLACE_MARK = '▢';

/** Returns the body of a template on one line, with a mark for each place. */
export function describeBody(template: IDataObject): string {
	const body = getParameterTexts(template).find(({ part }) => part === 'body');
	if (!body) return '';
	return withSingleSpaces(fillInPlaceholders(body, () => PLACE_MARK)).trim();
}

/** Letters that a label shows before a place: the editor cuts off a label after some 25 letters. */
const BEFORE = 13;
/** Letters that a label shows after a place. */
const AFTER = 24;

/**
 * Returns the end of a text, without a part of a word; of an address, without a part of a folder.
 */
function lastWords(text: string) {
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

/**
 * Names a place: by the words around it (`Text 1 of 2: Hi ▢, your order`), or if it is in no text,
 * by its button, its format or its key (`Button Copy code`, `Header image`, `Offer ends at`).
 */
export function describePlace(template: IDataObject, key: string): string {
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
function describeDetail(template: IDataObject, part: string, rest: string[]) {
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

/** Says which place of its part this is, as in ` 1 of 2`; nothing if its part has only one. */
function describePosition(template: IDataObject, key: string) {
	const [part] = key.split('.');
	// A text can have the same placeholder twice.
	const keys = new Set(findPlaceholders(template).map(([placeKey]) => placeKey));
	const inOrder = [...keys].filter((each) => each.startsWith(`${part}.`)).sort(compareKeys);
	if (inOrder.length === 1) return '';
	return ` ${inOrder.indexOf(key) + 1} of ${inOrder.length}`;
}

/** Returns as many words around a place as a label shows; undefined if it is in no text. */
function findWordsAround(template: IDataObject, key: string) {
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
