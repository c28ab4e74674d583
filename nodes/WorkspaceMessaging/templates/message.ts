import type { IDataObject } from 'n8n-workflow';
import {
	fillInPlaceholders,
	findTemplateComponent,
	getButtonComponents,
	getCards,
	getHeaderFormat,
	getParameterTexts,
} from './components';
import { findParameters } from './parameters';
import type { Values } from './values';

/* A template with its values: what the contact sees, and what services take. */

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
function fillInTexts(template: IDataObject, values: Values): Map<string, string> {
	const texts = new Map<string, string>();
	for (const each of getParameterTexts(template)) {
		const text = fillInPlaceholders(each, (key) => values[key] ?? '…');
		texts.set(each.part, text);
	}
	return texts;
}

function renderButtons(template: IDataObject, texts: Map<string, string>): string {
	const lines = getButtonComponents(template).map((button, index) => {
		const { text, type } = button;
		const label = `[${String(text ?? type)}]`;
		const address = texts.get(`button.${index}`);
		return address ? `${label} ${address}` : label;
	});
	return lines.join('\n');
}

/** Returns the values of a card of a carousel. */
function getCardValues(values: Values, index: number): Values {
	const prefix = `card.${index}.`;
	const own: Values = {};
	for (const [key, value] of Object.entries(values)) {
		if (key.startsWith(prefix)) own[key.slice(prefix.length)] = value;
	}
	return own;
}

/** Returns the values in the form of services that do not take them by key (difference 30). */
export function toTemplateData(template: IDataObject, values: Values): IDataObject {
	const media = toHeader(getHeaderFormat(template), values);
	const header = media ?? [];
	const body: IDataObject[] = [];
	const button: IDataObject[] = [];
	for (const { key, kind } of findParameters(template)) {
		const value = values[key];
		if (value === undefined) continue;
		const [part, ...rest] = key.split('.');
		const name = rest.join('.');
		if (part === 'button') {
			const index = Number(name);
			button.push(toButtonData(index, kind, value));
			continue;
		}
		const text = toTextData(name, value);
		if (part === 'body') body.push(text);
		// A file in the header has no texts beside it.
		if (part === 'header' && !media) header.push(text);
	}
	// A part without values is left out.
	const data: IDataObject = {};
	if (header.length > 0) data.header = header;
	if (body.length > 0) data.body = body;
	if (button.length > 0) data.button = button;
	return data;
}

function toTextData(name: string, text: string): IDataObject {
	const isNumber = /^\d+$/.test(name);
	// Numbered values come in their order.
	if (isNumber) return { type: 'text', text };
	return { type: 'text', text, parameter_name: name };
}

function toButtonData(index: number, kind: string, value: string): IDataObject {
	if (kind === 'coupon_code') return { sub_type: 'copy_code', index, coupon_code: value };
	return { sub_type: 'url', index, text: value };
}

/** Returns a header that is no text; undefined for others. */
function toHeader(format: string | undefined, values: Values): IDataObject[] | undefined {
	const type = format?.toLowerCase();
	if (type === undefined || type === 'text') return undefined;
	if (type !== 'location') {
		const file = { link: values.header };
		return [{ type, [type]: file }];
	}
	const location: IDataObject = {};
	for (const name of ['latitude', 'longitude', 'name', 'address']) {
		location[name] = values[`header.${name}`];
	}
	return [{ type, location }];
}
