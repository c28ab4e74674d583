import type { IDataObject } from 'n8n-workflow';
import {
	findTemplateComponent,
	getButtonComponents,
	getCards,
	getHeaderFormat,
} from './components';
import { fillInPlaceholders, getParameterTexts } from './placeholders';
import type { Values } from './values';

/**
 * Returns a template as the contact sees it: header, body, footer and buttons, one below the other.
 */
export function renderTemplate(template: IDataObject, values: Values): string {
	const texts = fillInTexts(template, values);
	const format = getHeaderFormat(template) ?? 'TEXT';
	const cards = getCards(template).map((card, index) =>
		renderTemplate(card, getCardValues(values, index)),
	);
	const parts = [
		format === 'TEXT' ? texts.get('header') : `[${format.toLowerCase()}]`,
		texts.get('body'),
		findTemplateComponent(template, 'FOOTER')?.text,
		renderButtons(template, texts),
		...cards,
	];
	return parts.filter(Boolean).join('\n\n');
}

/** Returns the texts of a template with their values, by their part. */
function fillInTexts(template: IDataObject, values: Values) {
	const valueOf = (key: string) => values[key] ?? '…';
	const texts = getParameterTexts(template);
	return new Map(texts.map((each) => [each.part, fillInPlaceholders(each, valueOf)]));
}

function renderButtons(template: IDataObject, texts: Map<string, string>) {
	const lines = getButtonComponents(template).map((button, index) => {
		const { text, type } = button;
		const label = `[${String(text ?? type)}]`;
		const address = texts.get(`button.${index}`);
		return address ? `${label} ${address}` : label;
	});
	return lines.join('\n');
}

/** Returns the values of a card of a carousel. */
function getCardValues(values: Values, index: number) {
	const prefix = `card.${index}.`;
	const own: Values = {};
	for (const [key, value] of Object.entries(values)) {
		if (key.startsWith(prefix)) own[key.slice(prefix.length)] = value;
	}
	return own;
}
