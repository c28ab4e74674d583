import type { IDataObject } from 'n8n-workflow';

/** Returns the first and the last name of a contact as one; empty if it has neither. */
export const joinNameParts = ({ firstName, lastName }: IDataObject): string =>
	[firstName, lastName].filter(Boolean).join(' ');

/** Returns the full name of a contact, made from its parts if the service shows only those. */
export const getFullName = (contact: IDataObject): string =>
	String(contact.fullName || joinNameParts(contact));
