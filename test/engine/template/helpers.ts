import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import type { Component } from '../../../sandbox/services/newer/templates/template';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/** One of the newest services, with a contact on WhatsApp. */
export async function withTemplates(options: WorkspaceOptions = {}) {
	const made = await testWorkspace({ contacts: 0, service: 'newer', newest: true, ...options });
	const { workspace } = made;
	const { channels, templates } = await workspace.state();
	const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
	const [ann] = await workspace.addContacts([
		{ firstName: 'Ann', email: 'ann@example.com', inboxIds: [whatsapp.id] },
	]);
	await workspace.clearJournal();
	const idOf = (name: string, language = 'en_US') =>
		templates.find((each) => each.name === name && each.language === language)!.id;
	return {
		...made,
		channels,
		templates,
		whatsapp,
		ann,
		idOf,
		/**
		 * Adds an approved template of the contact's channel, or of another one, and returns its ID.
		 */
		async addTemplate(
			name: string,
			components: Component[],
			inboxId = whatsapp.id,
		): Promise<string> {
			const [usual] = templates;
			const { channels: all } = await workspace.state();
			const { name: ofChannel } = all.find(({ id }) => id === inboxId)!;
			const integrationWhatsapp = { ...usual.integrationWhatsapp, name: ofChannel, inboxId };
			const added = { ...usual, id: undefined, name, components, integrationWhatsapp };
			return (await workspace.add('templates', added)).id;
		},
		/** Parameters of Send Template, with the values by the IDs of their fields. */
		send: (
			name: string,
			values: INodeParameters = {},
			more: INodeParameters = {},
		): INodeParameters => ({
			resource: 'message',
			operation: 'sendTemplate',
			identifier: by('id', ann.id),
			templateId: by('list', idOf(name)),
			templateParams: { mappingMode: 'defineBelow', value: values },
			...more,
		}),
		/** What the service agreed to send. */
		sent: async () => (await workspace.journal()).templates,
	};
}
