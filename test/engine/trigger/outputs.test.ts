import type { INodePropertyOptions } from 'n8n-workflow';
import { pollingEvents } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { compiledTrigger } from '../../support/engine/triggerHost';
import { watched } from '../../support/engine/triggerSupport';

const options = compiledTrigger.description.properties.find(({ name }) => name === 'event')!
	.options as INodePropertyOptions[];

test('the trigger has the names that saved workflows use', () => {
	expect(options.map(({ value }) => value).sort()).toEqual(
		[
			'contactCreated',
			'contactUpdated',
			'tagAdded',
			'tagRemoved',
			'broadcastStatusChanged',
			'channelStatusChanged',
			'sequenceActiveChanged',
			'messageReceived',
			'messageNotDelivered',
		].sort(),
	);
	expect(compiledTrigger.description).toMatchObject({
		name: 'workspaceMessagingTrigger',
		displayName: 'Workspace Messaging Trigger',
		polling: true,
		inputs: [],
	});
});

test.each(pollingEvents)(
	'an item of $value has exactly the fields of its schema',
	async ({ value, output }) => {
		const hasMessages = value === 'messageReceived' || value === 'messageNotDelivered';
		const { workspace, host } = await watched(
			{ event: value },
			hasMessages ? { service: 'newer' } : {},
		);
		if (hasMessages) {
			const [contact] = (await workspace.state()).contacts;
			const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', content: '' };
			await workspace.write(`id:${contact.id}`, { text: 'Hello', attachments: [photo] });
			await workspace.logError(`id:${contact.id}`, { action: 'whatsapp', detail: 'Refused' });
		}
		const { items } = await host.fetchTestEvent();
		expect(items).toHaveLength(1);
		expect(output.strict().safeParse(items[0]).error).toBeUndefined();
	},
);

test.each(['contactCreated', 'contactUpdated', 'tagAdded', 'tagRemoved', 'sequenceActiveChanged'])(
	'an item of %s has all fields if Simplify is off',
	async (event) => {
		const { host } = await watched({ event, simplify: false });
		const { items } = await host.fetchTestEvent();
		expect(items[0]).toHaveProperty('workspaceId');
	},
);
