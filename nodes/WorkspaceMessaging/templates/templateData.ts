import type { IDataObject } from 'n8n-workflow';
import { getHeaderFormat } from './components';
import type { FoundTemplate } from './find';
import { findParameters } from './parameters';
import type { Values } from './values';
import { filterValues } from '../transport/guards';

/** Returns the template and its values as the service takes them. */
export function toTemplateContent({ template, takesKeys }: FoundTemplate, values: Values) {
	const form = takesKeys
		? { templateParams: values }
		: { templateData: toTemplateData(template, values) };
	return { templateId: String(template.id), ...form };
}

/** Returns the values in the form of services that do not take them by key (difference 30). */
function toTemplateData(template: IDataObject, values: Values): IDataObject {
	const parts = {
		header: toHeader(template, values),
		body: toTextParameters(filledIn(template, values, 'body')),
		button: toButtons(filledIn(template, values, 'button')),
	};
	// A part without values is left out.
	return filterValues<unknown[]>(parts, ({ length }) => length > 0);
}

/** A place with its value. */
interface FilledPlace {
	/** Its key without the part: the number or name of a text, or the number of a button. */
	name: string;
	kind: string;
	value: string;
}

/** Returns the places of a part that have a value. */
const filledIn = (template: IDataObject, values: Values, part: string): FilledPlace[] =>
	findParameters(template)
		.filter(({ key }) => key.startsWith(`${part}.`) && values[key] !== undefined)
		.map(({ key, kind }) => ({ name: key.slice(part.length + 1), kind, value: values[key] }));

function toHeader(template: IDataObject, values: Values): IDataObject[] {
	const type = getHeaderFormat(template)?.toLowerCase();
	if (type === undefined) return [];
	const places = filledIn(template, values, 'header');
	if (type === 'text') return toTextParameters(places);
	if (type !== 'location') return [{ type, [type]: { link: values.header } }];
	const location = Object.fromEntries(places.map(({ name, value }) => [name, value]));
	return [{ type, location }];
}

const toTextParameters = (places: FilledPlace[]): IDataObject[] =>
	places.map(({ name, value: text }) => {
		const isNumber = /^\d+$/.test(name);
		// Numbered values come in their order.
		return isNumber ? { type: 'text', text } : { type: 'text', text, parameter_name: name };
	});

const toButtons = (places: FilledPlace[]): IDataObject[] =>
	places.map(({ name, kind, value }) => {
		const index = Number(name);
		if (kind === 'coupon_code') return { sub_type: 'copy_code', index, coupon_code: value };
		return { sub_type: 'url', index, text: value };
	});
