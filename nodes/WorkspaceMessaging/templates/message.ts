import type { IDataObject } from 'n8n-workflow';
import {
	countParameters,
	fillIn,
	findComponent,
	getButtons,
	getCards,
	getHeaderFormat,
	getTexts,
	type Parameter,
} from './parameters';
import type { Values } from './values';

/* A template with its values: what the contact sees, and what services take. */

/**
 * Returns a template as the contact sees it: header, body, footer and buttons, one below the other.
 */
export function renderTemplate(template: IDataObject, values: Values): string {
	const filled = getTexts(template).map((each) => ({
		part: each.part,
		text: fillIn(each, (key) => values[key] ?? '…'),
	}));
	const textOf = (part: string) => filled.find((each) => each.part === part)?.text;
	const format = getHeaderFormat(template);
	const media = format !== undefined && format !== 'TEXT' ? `[${format.toLowerCase()}]` : undefined;
	const footer = findComponent(template, 'FOOTER')?.text;
	const buttons = getButtons(template).map(({ text, type }, index) => {
		const address = textOf(`button.${index}`);
		return `[${String(text ?? type)}]${address ? ` ${address}` : ''}`;
	});
	const cards = getCards(template).map((card, index) =>
		renderTemplate(card, ofCard(values, index)),
	);
	const parts = [media ?? textOf('header'), textOf('body'), footer, buttons.join('\n'), ...cards];
	return parts.filter(Boolean).join('\n\n');
}

/** Returns the values of a card of a carousel. */
function ofCard(values: Values, index: number): Values {
	const prefix = `card.${index}.`;
	const own = Object.entries(values).filter(([key]) => key.startsWith(prefix));
	return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

/** Returns the values in the form of services that do not take them by key (difference 30). */
export function toTemplateData(template: IDataObject, values: Values): IDataObject {
	const parameters = countParameters(template).filter(({ key }) => values[key] !== undefined);
	const toText = ({ key }: Parameter): IDataObject => {
		const name = key.split('.').slice(1).join('.');
		const isNamed = !/^\d+$/.test(name);
		return { type: 'text', text: values[key], ...(isNamed && { parameter_name: name }) };
	};
	const ofPart = (part: string) =>
		parameters.filter(({ key }) => key === part || key.startsWith(`${part}.`));
	const header = toHeader(getHeaderFormat(template), values) ?? ofPart('header').map(toText);
	const button = ofPart('button').map(({ key, kind }) => {
		const index = Number(key.split('.')[1]);
		if (kind === 'coupon_code') return { sub_type: 'copy_code', index, coupon_code: values[key] };
		return { sub_type: 'url', index, text: values[key] };
	});
	const body = ofPart('body').map(toText);
	return {
		...(header.length > 0 && { header }),
		...(body.length > 0 && { body }),
		...(button.length > 0 && { button }),
	};
}

/** Returns a header that is no text; undefined for others. */
function toHeader(format: string | undefined, values: Values): IDataObject[] | undefined {
	const type = format?.toLowerCase();
	if (type === undefined || type === 'text') return undefined;
	if (type !== 'location') return [{ type, [type]: { link: values.header } }];
	const [latitude, longitude, name, address] = ['latitude', 'longitude', 'name', 'address'].map(
		(each) => values[`header.${each}`],
	);
	return [{ type, location: { latitude, longitude, name, address } }];
}
