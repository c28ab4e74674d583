import type { IDataObject } from 'n8n-workflow';
import { objectsIn } from '../transport/guards';

/* The components of a template. */

/** Returns the type of a component or a button in upper case. */
export const typeOf = ({ type }: IDataObject) => String(type).toUpperCase();

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

/** Returns the cards of a carousel. */
export const getCards = (template: IDataObject): IDataObject[] =>
	objectsIn(findTemplateComponent(template, 'CAROUSEL')?.cards);
