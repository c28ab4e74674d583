import { genders, limits, rules } from '../../../contract';
import { inBody, optionsOf } from '../../shared/fields';

/* The fields of a person that creating and updating a contact have in common (part 4.1). */

export const firstName = inBody({
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan',
	description: `Up to ${limits.personName.max} characters`,
});

export const lastName = inBody({
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Smith',
	description: `Up to ${limits.personName.max} characters`,
});

export const email = inBody({
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	default: '',
});

export const phoneNumber = inBody({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	placeholder: 'e.g. +49 151 12345678',
	default: '',
	description: `${rules.phoneNumber}; spaces, dashes and brackets do not matter`,
});

export const gender = inBody({
	displayName: 'Gender',
	name: 'gender',
	type: 'options',
	options: optionsOf(genders),
	default: 'unknown',
	description: 'From an expression also m or f',
});

export const avatar = inBody({
	displayName: 'Avatar',
	name: 'avatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/nathan.png',
	description: 'URL of the profile image',
});
