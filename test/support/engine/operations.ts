import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { compiledNode } from './engine';
import { by } from './helpers';
import type { WorkspaceState } from '../sandbox/types';

/** Parameters with which every operation of the node does its work in this workspace, by `resource.operation`. */
export function everyOperation(state: WorkspaceState): Record<string, INodeParameters> {
	const id = (records: Array<{ id: string }>, nth = 0) => by('id', records[nth].id);
	const contact = { identifier: id(state.contacts) };
	const field = state.customFields.find(({ type }) => type === 'shortText')!;
	const customFields = { mappingMode: 'defineBelow', value: { [field.id]: 'Blue' } };
	const given: Record<string, INodeParameters> = {
		'contact.create': { phoneNumber: '+4915112345678', email: 'new@example.com', gender: 'unknown' },
		'contact.upsert': {
			identifier: by('email', 'newer@example.com'),
			phoneNumber: '+4915112345679',
			additionalFields: { gender: 'male' },
		},
		'contact.get': contact,
		'contact.update': { ...contact, updateFields: { firstName: 'Ana' } },
		'contact.delete': { identifier: id(state.contacts, 1) },
		'contact.import': { fileId: state.files[0].id, channel: 'webchat', inboxId: id(state.channels) },
		'contact.sendMessage': { ...contact, text: 'Hello' },
		'contact.triggerFlow': { ...contact, flowId: id(state.flows) },
		'contact.addTags': { ...contact, tagIds: [state.tags[0].id] },
		'contact.removeTags': { ...contact, tagIds: [state.tags[0].id] },
		'contact.getCustomFields': contact,
		'contact.setCustomFields': { ...contact, customFields },
		'contact.clearCustomField': { ...contact, customFieldId: by('id', field.id) },
		'tag.create': { name: 'New' },
		'tag.update': { tagId: id(state.tags), name: 'Newer' },
		'tag.delete': { tagId: id(state.tags, 1) },
		'customField.create': { name: 'New', type: 'number' },
		'customField.update': { customFieldId: id(state.customFields), name: 'Newer' },
		'customField.delete': { customFieldId: id(state.customFields, 1) },
		'member.get': { memberId: id(state.members) },
		'sequence.get': { sequenceId: id(state.sequences) },
		'broadcast.get': { broadcastId: id(state.broadcasts) },
	};
	const all = compiledNode.description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(({ value }) => ({
				resource: String(displayOptions?.show?.resource?.[0]),
				operation: String(value),
			})),
		);
	return Object.fromEntries(
		all.map(({ resource, operation }) => {
			const name = `${resource}.${operation}`;
			return [name, { resource, operation, returnAll: true, ...given[name] }];
		}),
	);
}
