import { limits } from '../../../../nodes/WorkspaceMessaging/contract/limits';
import type { Workspace } from '../../../workspace';
import { isAllowedUrl } from '../webhooks/guard';
import type { Button, Component } from './template';

/** A value that a template takes when it is sent. */
export interface Parameter {
	key: string;
	component: 'header' | 'body' | 'button' | 'carousel' | 'limited_time_offer';
	kind:
		| 'text'
		| 'image'
		| 'video'
		| 'document'
		| 'latitude'
		| 'longitude'
		| 'location_name'
		| 'location_address'
		| 'url_suffix'
		| 'coupon_code'
		| 'catalog_product'
		| 'expiration_ms'
		/** Products of a button: too much for one text, so only the nested form can hold them. */
		| 'products';
	required: boolean;
	/** What the template has in double braces. */
	placeholder?: string;
}

/** A value that was sent; of the nested form, with what it says to be. */
export interface SentValue {
	key: string;
	value: string;
	kind?: Parameter['kind'];
}

/** The different names in double braces of a text. */
const placeholdersIn = (text: string) => [
	...new Set([...text.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map(([, name]) => name)),
];

const texts = (component: 'header' | 'body', text: string): Parameter[] =>
	placeholdersIn(text).map((placeholder) => ({
		key: `${component}.${placeholder}`,
		component,
		kind: 'text',
		required: true,
		placeholder,
	}));

const location: Parameter[] = (
	[
		['latitude', 'latitude', true],
		['longitude', 'longitude', true],
		['name', 'location_name', false],
		['address', 'location_address', false],
	] as const
).map(([name, kind, required]) => ({ key: `header.${name}`, component: 'header', kind, required }));

const mediaKinds = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const;

function ofHeader(header: Component & { type: 'HEADER' }): Parameter[] {
	if (header.format === 'TEXT') return texts('header', header.text);
	if (header.format === 'LOCATION') return location;
	return [{ key: 'header', component: 'header', kind: mediaKinds[header.format], required: true }];
}

function ofButton(button: Button, index: number): Parameter[] {
	const own = { key: `button.${index}`, component: 'button' as const, required: true };
	switch (button.type) {
		case 'URL':
			return placeholdersIn(button.url).map((placeholder) => ({
				...own,
				kind: 'url_suffix',
				placeholder,
			}));
		case 'COPY_CODE':
			return [{ ...own, kind: 'coupon_code' }];
		case 'CATALOG':
			return [{ ...own, kind: 'catalog_product', required: false }];
		case 'MPM':
			return [{ ...own, kind: 'products' }];
		default:
			return [];
	}
}

/** Everything that a template takes, in the order of its components. */
function needsOf(components: readonly Component[]): Parameter[] {
	return components.flatMap((component): Parameter[] => {
		switch (component.type) {
			case 'HEADER':
				return ofHeader(component);
			case 'BODY':
				return texts('body', component.text);
			case 'BUTTONS':
				return component.buttons.flatMap(ofButton);
			case 'LIMITED_TIME_OFFER':
				return component.limited_time_offer.has_expiration
					? [
							{
								key: 'offer.expiration_ms',
								component: 'limited_time_offer',
								kind: 'expiration_ms',
								required: true,
							},
						]
					: [];
			case 'CAROUSEL':
				return component.cards.flatMap((card, index) =>
					needsOf(card.components).map((need) => ({
						...need,
						key: `card.${index}.${need.key}`,
						component: 'carousel' as const,
					})),
				);
			case 'FOOTER':
				return [];
		}
	});
}

/** What `templateParams` can hold for a template. */
export const parametersOf = (components: readonly Component[]) =>
	needsOf(components).filter(({ kind }) => kind !== 'products');

const isNumberUpTo = (value: string, most: number) =>
	value.trim() !== '' && Math.abs(Number(value)) <= most;

/** Whether a value can stand for a parameter. */
function isValid(workspace: Workspace, kind: Parameter['kind'], value: string): boolean {
	switch (kind) {
		case 'image':
		case 'video':
		case 'document':
			return value.startsWith('https://') && isAllowedUrl(workspace, value);
		case 'latitude':
			return isNumberUpTo(value, limits.latitude.max);
		case 'longitude':
			return isNumberUpTo(value, limits.longitude.max);
		case 'expiration_ms':
			return /^\d+$/.test(value) && Number(value) > 0;
		default:
			return true;
	}
}

/** How values do not fit a template, in the words of the service; empty if they do. */
export function misfits(
	workspace: Workspace,
	components: readonly Component[],
	sent: readonly SentValue[],
): string[] {
	const needs = needsOf(components);
	const needed = new Map(needs.map((need) => [need.key, need]));
	// A blank value is none.
	const filled = sent.filter(({ value }) => value.trim() !== '');
	const isFilled = ({ key }: Parameter) => filled.some((each) => each.key === key);
	const isWrong = ({ key, value, kind }: SentValue) => {
		const need = needed.get(key);
		if (!need || need.kind === 'products') return false;
		return (kind !== undefined && kind !== need.kind) || !isValid(workspace, need.kind, value);
	};
	const hasProducts = ({ key }: Parameter) =>
		filled.some((each) => each.key === key && each.kind === 'products');
	const found: Array<[string, Array<{ key: string }>]> = [
		[
			'missing',
			needs.filter((need) => need.required && need.kind !== 'products' && !isFilled(need)),
		],
		['unknown', sent.filter(({ key }) => !needed.has(key))],
		['invalid', filled.filter(isWrong)],
		[
			'send templateData for',
			needs.filter((need) => need.kind === 'products' && !hasProducts(need)),
		],
	];
	return found
		.filter(([, keys]) => keys.length > 0)
		.map(([what, keys]) => `${what}: ${keys.map(({ key }) => key).join(', ')}`);
}
