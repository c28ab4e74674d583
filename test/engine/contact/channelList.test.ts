import { active } from '../../support/engine/triggerSupport';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import type { SandboxWorkspace } from '../../../sandbox/client';

/* How often the list of channels is read. */

/** Two channels of a workspace, and a contact on each of them. */
async function onTwoChannels(workspace: SandboxWorkspace) {
	const { channels } = await workspace.state();
	const usable = channels.filter(({ channel }) => ['whatsapp', 'webchat'].includes(channel));
	const contacts = await workspace.addContacts(
		usable.map(({ id, name }) => ({ firstName: name, inboxIds: [id] })),
	);
	await workspace.clearJournal();
	return { channels: usable, contacts };
}

async function countReadings(workspace: SandboxWorkspace) {
	const { requests } = await workspace.journal();
	// Whether there are inboxes besides channels is another question.
	return requests.filter(({ path }) => /[/](channels|inboxes)[?].*\bpage=1\b/.test(path)).length;
}

test('Contacts on several channels are created with one reading of the list of channels', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
	const { channels } = await onTwoChannels(workspace);
	const { error } = await run(
		{
			resource: 'contact',
			operation: 'create',
			email: '={{ $json.email }}',
			phoneNumber: '={{ $json.phone }}',
			additionalFields: { inboxId: by('id', '={{ $json.channel }}') },
		},
		channels.map(({ id }, index) => ({
			channel: id,
			email: `${index}@example.com`,
			phone: `+49151123456${index}0`,
		})),
	);
	expect(error?.message).toBeUndefined();
	expect(await countReadings(workspace)).toBe(1);
});

test('Messages that are refused because of several channels read the list of channels as often as one message', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
	const { channels, contacts } = await onTwoChannels(workspace);
	const { error } = await run(
		{
			resource: 'message',
			operation: 'send',
			identifier: by('id', '={{ $json.id }}'),
			inboxId: by('id', '={{ $json.channel }}'),
			text: 'Hello',
		},
		contacts.map(({ id }, index) => ({ id, channel: channels[(index + 1) % channels.length].id })),
	);
	expect(error?.message).toContain('All 2 items failed.');
	// Once for the names of the channels, and once for suggestions.
	expect(await countReadings(workspace)).toBe(2);
});

test('A poll with conditions on channels reads the list of channels once, if contacts do not show the types', async () => {
	const { workspace, host } = await active(
		{ event: 'contactCreated', conditions: { channels: [{ channelTypes: ['whatsapp'] }] } },
		{ contacts: 0 },
	);
	await onTwoChannels(workspace);
	await host.poll();
	expect(host.items).toHaveLength(1);
	expect(await countReadings(workspace)).toBe(1);
	await onTwoChannels(workspace);
	await host.poll();
	expect(host.items).toHaveLength(2);
	expect(await countReadings(workspace)).toBe(0);
});

test('If the list of channels cannot be read, the next poll reads it again', async () => {
	const { workspace, host } = await active(
		{ event: 'contactCreated', conditions: { channels: [{ channelTypes: ['whatsapp'] }] } },
		{ contacts: 0 },
	);
	await onTwoChannels(workspace);
	await workspace.faults({ fail: [{ match: { operation: 'listChannels' }, status: 403 }] });
	await expect(host.poll()).rejects.toThrow("doesn't show which channels");
	await workspace.faults({ fail: [] });
	await host.poll();
	expect(host.items).toHaveLength(1);
});
