import type { INodeParameters } from 'n8n-workflow';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { by, parametersFor } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const broadcast = parametersFor('broadcast');

/** One of the newest services, with Ann, Bob and Cid on WhatsApp; Ann has the tag VIP. */
export async function withBroadcasts(options: WorkspaceOptions = {}) {
	const made = await testWorkspace({ contacts: 0, service: 'newer', newest: true, ...options });
	const { workspace, run } = made;
	const state = await workspace.state();
	const inboxOf = (type: string) => state.channels.find(({ channel }) => channel === type)!.id;
	const vip = state.tags.find(({ name }) => name === 'VIP')!;
	const people = await workspace.addContacts([
		{ firstName: 'Ann', inboxIds: [inboxOf('whatsapp')], tagIds: [vip.id] },
		{ firstName: 'Bob', inboxIds: [inboxOf('whatsapp')] },
		{ firstName: 'Cid', inboxIds: [inboxOf('whatsapp')] },
	]);
	await workspace.clearJournal();
	const template = state.templates.find(({ name }) => name === 'win_back')!;
	/** Parameters of Create: a template for everybody, called Spring. */
	const create = (more: INodeParameters = {}) =>
		broadcast('create', {
			name: 'Spring',
			channel: 'whatsapp',
			content: 'template',
			templateId: by('list', template.id),
			templateParams: { mappingMode: 'defineBelow', value: { body_1: '{{first_name}}' } },
			audience: 'all',
			...more,
		});
	const now = { schedulesType: 'now', maxRecipients: 3 };
	return {
		...made,
		...{ state, inboxOf, vip, people, template, create, now },
		step: (operation: string, broadcastId: string, more: INodeParameters = {}) =>
			broadcast(operation, { broadcastId: by('list', broadcastId), ...more }),
		/** Makes a draft and returns its ID. */
		draft: async (more: INodeParameters = {}) => {
			const { json } = await run(create(more));
			await workspace.clearJournal();
			return String(json[0].id);
		},
		/** The broadcasts that were made here. */
		all: async () =>
			(await workspace.state()).broadcasts.filter(({ subaction }) => subaction !== undefined),
	};
}
