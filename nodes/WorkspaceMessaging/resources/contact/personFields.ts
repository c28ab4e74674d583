import { genders, limits, rules } from '../../contract';
import { inBody, optionsOf } from '../shared/fields';

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
	description: 'A valid email address',
});

export const phoneNumber = inBody({
	displayName: 'Phone Number',
	name: 'phoneNumber',
	type: 'string',
	placeholder: 'e.g. +49 151 12345678',
	default: '',
	description: `${rules.phoneNumber}. Spaces, dashes, dots, slashes and brackets are left out, and 00 in front becomes +.`,
});

export const gender = inBody({
	displayName: 'Gender',
	name: 'gender',
	type: 'options',
	options: optionsOf(genders),
	default: 'unknown',
	description: 'Male, female or unknown; from an expression also m or f, in upper or lower case',
});

export const avatar = inBody({
	displayName: 'Avatar',
	name: 'avatar',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/nathan.png',
	description: 'Address (URL) of the profile image',
});
