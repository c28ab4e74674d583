import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import type { Conversation } from '../../../sandbox/services/newer/conversations/conversation';
import { by, parametersFor } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/** Parameters of an operation on conversations. */
export const conversation = parametersFor('conversation');

/** Parameters of an operation on the conversation with a contact. */
export const withContact = (operation: string, contactId: string, more: INodeParameters = {}) =>
	conversation(operation, { identifier: by('id', contactId), ...more });

/** A newer service with four contacts, the last of whom nobody has written to. */
export async function talks(options: WorkspaceOptions = {}) {
	const made = await testWorkspace({ contacts: 0, service: 'newer', ...options });
	const { workspace, run } = made;
	const contacts = await workspace.addContacts(
		['Ann', 'Bob', 'Cid', 'Dan'].map((firstName) => ({
			firstName,
			lastName: 'Lind',
			email: `${firstName.toLowerCase()}@example.com`,
		})),
	);
	const [ann, bob, cid, dan] = contacts.map(({ id }) => id);
	const names = new Map(contacts.map(({ id, firstName }) => [id, firstName]));
	for (const id of [cid, bob, ann])
		await workspace.write(`id:${id}`, `Hello from ${names.get(id)}`);
	const state = await workspace.state();
	await workspace.clearJournal();
	return {
		...made,
		ann,
		bob,
		cid,
		dan,
		state,
		/** The first names of the contacts that Get Many returns. */
		list: async (filters: INodeParameters = {}, more: INodeParameters = {}) => {
			const { json, error } = await run(
				conversation('getAll', { returnAll: true, filters, ...more }),
			);
			if (error) throw new Error(error.message);
			return json.map(({ contactId }) => names.get(String(contactId)));
		},
		conversationOf: async (id: string) =>
			(await workspace.contact(`id:${id}`)).conversation as Conversation,
	};
}
