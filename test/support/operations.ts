import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { compiledNode } from './engine/engine';
import { by } from './engine/helpers';
import type { WorkspaceState } from '../../sandbox/types';

/** A resource and one of its operations, such as `tag` and `getAll`. */
export interface Operation {
	resource: string;
	operation: string;
}

/** All operations that the node offers. */
export const operations: Operation[] = compiledNode.description.properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options }) =>
		(options as INodePropertyOptions[]).map(({ value }) => ({
			resource: String(displayOptions?.show?.resource?.[0]),
			operation: String(value),
		})),
	);

/** How an operation is called in texts and lists: `tag.getAll`. */
export const nameOf = ({ resource, operation }: Operation) => `${resource}.${operation}`;

/**
 * Parameters with which each operation of the node does its work in this workspace, by its name. The workspace needs two
 * contacts or more. Together they can run one after the other: what one deletes, no other uses.
 */
export function everyOperation(state: WorkspaceState): Record<string, Operation & INodeParameters> {
	const id = (records: Array<{ id: string }>, nth = 0) => by('id', records[nth].id);
	const contact = { identifier: id(state.contacts) };
	const field = state.customFields.find(({ type }) => type === 'shortText')!;
	const customFields = { mappingMode: 'defineBelow', value: { [field.id]: 'Blue' } };
	const parameters: Record<string, INodeParameters> = {
		'contact.create': { phoneNumber: '+4915112345678', email: 'new@example.com', gender: 'unknown' },
		'contact.upsert': {
			email: 'newer@example.com',
			phoneNumber: '+4915112345679',
			additionalFields: { gender: 'male' },
		},
		'contact.get': contact,
		'contact.update': { ...contact, updateFields: { firstName: 'Ana' } },
		'contact.delete': { identifier: id(state.contacts, 1) },
		'contact.import': {
			source: 'id',
			fileId: state.files[0].id,
			channel: 'webchat',
			inboxId: id(state.channels),
		},
		// Imports are beyond the reference; there is one only where one was started.
		'contact.getImportStatus': { importId: '4711' },
		'contact.sendMessage': { ...contact, text: 'Hello' },
		'contact.triggerFlow': { ...contact, flowId: id(state.flows) },
		'contact.addTags': { ...contact, tagIds: [state.tags[0].id] },
		'contact.removeTags': { ...contact, tagIds: [state.tags[0].id] },
		'contact.setTags': { ...contact, tagNames: state.tags[0].name },
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
	return Object.fromEntries(
		operations.map((one) => [nameOf(one), { ...one, returnAll: true, ...parameters[nameOf(one)] }]),
	);
}

/** Other ways to call some of the operations, in which they put out other fields or more of them. */
export function otherWays(state: WorkspaceState): Array<Operation & INodeParameters> {
	const identifier = by('id', state.contacts[0].id);
	const inboxId = by('id', state.channels[0].id);
	const field = state.customFields.find(({ type }) => type === 'number')!;
	const customFields = { mappingMode: 'defineBelow', value: { [field.id]: 1 } };
	const byNames = { identifier, tagsBy: 'names', tagNames: state.tags[0].name };
	const longMessage = {
		identifier,
		text: 'word '.repeat(300),
		options: {
			splitLongText: true,
			inboxId,
			files: '[{"url":"https://example.com/a.png"}]',
			flowId: by('id', state.flows[0].id),
			nodeId: '4711',
		},
	};
	return [
		{ resource: 'contact', operation: 'addTags', ...byNames },
		{ resource: 'contact', operation: 'removeTags', ...byNames },
		{ resource: 'contact', operation: 'sendMessage', ...longMessage },
		{
			resource: 'contact',
			operation: 'triggerFlow',
			identifier,
			flowId: by('id', state.flows[0].id),
			options: { inboxId },
		},
		{ resource: 'contact', operation: 'update', identifier, withCustomFields: true, customFields },
		...['sendMessage', 'update'].flatMap((operation) =>
			[by('email', state.contacts[1].email), by('phone', state.contacts[1].phoneNumber)].map((reach) => ({
				resource: 'contact',
				operation,
				identifier: reach,
				text: 'Hello',
				updateFields: { firstName: 'Ana' },
			})),
		),
		{ resource: 'contact', operation: 'upsert', email: state.contacts[0].email, phoneNumber: '' },
	];
}
