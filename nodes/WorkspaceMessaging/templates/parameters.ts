import type { IDataObject } from 'n8n-workflow';
import { templateMedia } from '../contract/media';
import { objectsIn } from '../transport/guards';
import {
	findTemplateComponent,
	getButtonComponents,
	getCards,
	getComponents,
	getHeaderFormat,
	typeOf,
} from './components';
import { compareKeys, findPlaceholders, type Place } from './placeholders';
import { describePlace } from './placeLabels';

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

/** Whether a parameter of a template is a file. */
export const isMediaParameter = ({ kind }: Parameter) => Object.hasOwn(templateMedia, kind);

/** Returns the ID of a template's parameter in the panel: n8n reads a dot as a path. */
export const toParameterInputId = (key: string) => key.replaceAll('.', '_');

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
