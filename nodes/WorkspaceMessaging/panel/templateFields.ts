import type { Field } from '../run/operation';
import { locator, lookups } from './lookups';

/** The WhatsApp channel to send a template on. */
export const whatsappChannel = locator(lookups.whatsappChannels, 'inboxId', {
	displayName: 'Channel',
	hint: 'If empty, the only WhatsApp channel of the contact, or the one used last',
});

/** Chooses a template from the list, by ID, or by name and language. */
export const templateLocator = locator(lookups.templates, 'templateId', {
	required: true,
	modes: [
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. order_shipped, en_US',
			hint: 'The name, a comma and the language',
		},
	],
});

/** What the template leaves open, with an input for each place. */
export const templateMapper: Field = {
	displayName: 'Template Parameters',
	name: 'templateParams',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			resourceMapperMethod: 'getTemplateParameters',
			mode: 'add',
			fieldWords: { singular: 'parameter', plural: 'parameters' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
			noFieldsError: 'Choose a template first. One without parameters has nothing to fill in.',
		},
	},
	description:
		'A file is an https address, or the name of an input field with a file, which n8n puts into the media library. Whoever has its address can open it.',
	builderHint: { propertyHint: 'value: { body_1: text }' },
};
