import { messageNotDelivered } from '../../../nodes/WorkspaceMessaging/trigger/changes/undelivered';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { by, fromItem, received } from '../../support/engine/helpers';
import { engines, type Engine } from '../../support/engine/triggerHost';
import { active, watched } from '../../support/engine/triggerSupport';
import { testWorkspace } from '../../support/engine/workspace';

const event = 'messageNotDelivered';

/** A workflow that watches the error log of a newer service, and two contacts. */
async function watchedLog(options: WorkspaceOptions = {}, engine?: Engine) {
	const { workspace, host } = await active({ event }, { service: 'newer', ...options }, engine);
	const [anna, ben] = (await workspace.state()).contacts;
	const refuse = async (id: string, detail: string, action = 'whatsapp') =>
		await workspace.logError(`id:${id}`, { action, detail });
	return { workspace, host, anna, ben, refuse };
}

describe.each(engines)('polled by the %s engine', (engine) => {
	test('Message Not Delivered finds each failed message once, over restarts', async () => {
		const { workspace, host, anna, ben, refuse } = await watchedLog({}, engine);
		const first = await refuse(anna.id, '(#131026) Message undeliverable');
		const second = await refuse(ben.id, 'Bot was blocked by the user', 'telegram');
		expect(await host.poll()).toEqual([
			{
				contact: expect.objectContaining({ id: anna.id, fullName: anna.fullName }),
				channel: { type: 'whatsapp' },
				reason:
					'WhatsApp cannot deliver to this number: it may not be on WhatsApp, or its app may be too old. Reach the contact in another way.',
				providerText: '(#131026) Message undeliverable',
				code: '131026',
				failedAt: first.createdAt,
				entryId: first.id,
			},
			expect.objectContaining({
				contact: expect.objectContaining({ id: ben.id }),
				channel: { type: 'telegram' },
				reason: 'Bot was blocked by the user',
				code: null,
				entryId: second.id,
			}),
		]);
		expect(await host.poll()).toEqual([]);
		await host.restart(async () => void (await refuse(ben.id, 'Late')));
		await host.poll();
		await host.restart(async () => undefined);
		await host.poll();
		expect(host.items.map(({ providerText }) => providerText)).toEqual([
			'(#131026) Message undeliverable',
			'Bot was blocked by the user',
			'Late',
		]);
		await workspace.removeContacts([`id:${anna.id}`]);
	});
});

test('what was in the log before starts nothing, nor do mails, AI and spreadsheets', async () => {
	const { workspace, host } = await watched({ event }, { service: 'newer' });
	const [{ id }] = (await workspace.state()).contacts;
	await workspace.logError(`id:${id}`, { action: 'whatsapp', detail: 'Before' });
	await host.activate();
	for (const action of ['smtp', 'sendgrid', 'openai', 'google-sheets'])
		await workspace.logError(`id:${id}`, { action, detail: 'Refused' });
	expect(await host.poll()).toEqual([]);
	await workspace.logError(`id:${id}`, { action: 'zalo', detail: 'Now' });
	expect(await host.poll()).toMatchObject([{ providerText: 'Now' }]);
});

test('of more entries than a page has, each comes once, the oldest first', async () => {
	const { host, anna, ben, refuse } = await watchedLog();
	const texts = Array.from({ length: 120 }, (_, index) => `No. ${index}`);
	for (const [index, text] of texts.entries())
		await refuse(index % 2 === 0 ? anna.id : ben.id, text);
	await host.poll();
	await host.poll();
	expect(host.items.map(({ providerText }) => providerText)).toEqual(texts);
});

test('a contact who was deleted since still has an ID in the item', async () => {
	const { workspace, host, anna, refuse } = await watchedLog();
	await refuse(anna.id, 'Refused');
	await workspace.removeContacts([`id:${anna.id}`]);
	expect(await host.poll()).toMatchObject([{ contact: { id: anna.id }, providerText: 'Refused' }]);
});

test('conditions choose the contacts', async () => {
	const conditions = { texts: [{ field: 'city', textOperator: 'eq', text: 'berlin' }] };
	const { workspace, host } = await active({ event, conditions }, { service: 'newer' });
	const [anna, ben] = (await workspace.state()).contacts;
	const changes = [anna, ben].map(({ id }, index) => ({
		identifier: `id:${id}`,
		changes: { city: ['Rome', 'Berlin'][index] },
	}));
	await workspace.changeContacts(changes);
	await workspace.logError(`id:${anna.id}`, { action: 'whatsapp', detail: 'One' });
	await workspace.logError(`id:${ben.id}`, { action: 'whatsapp', detail: 'Two' });
	expect(await host.poll()).toMatchObject([{ contact: { id: ben.id } }]);
});

test.each([
	[
		'(#131047) Re-engagement message',
		'The contact last wrote more than 24 hours ago. Use Send Template instead.',
	],
	[
		'Error 131049: healthy ecosystem',
		'WhatsApp held the message back so that the contact does not get too much marketing. Wait for at least a day before you send it again.',
	],
	[
		'code=130472',
		'The contact takes part in an experiment of WhatsApp and gets no marketing messages. Reach the contact in another way.',
	],
	[
		'131062 BSUID recipients are not supported',
		'The contact hides the phone number on WhatsApp, and this kind of message needs it. Ask the contact for the number.',
	],
	[
		'(#130429) Rate limit hit',
		'Too many messages were sent in a short time. Send fewer at once, and send this one again later.',
	],
	[
		'(#80007) Rate limit issues',
		'Too many messages were sent in a short time. Send fewer at once, and send this one again later.',
	],
	[
		'(#131056) Pair rate limit',
		'Too many messages were sent to this contact in a short time. Send it again later.',
	],
	[
		'(#131048) Spam rate limit',
		'WhatsApp limits this number because people blocked it or reported its messages. Send fewer messages, and only to people who want them.',
	],
	['Request 91310470 failed', 'Request 91310470 failed'],
])('the reason for "%s" is a plain sentence', async (detail, reason) => {
	const { host, anna, refuse } = await watchedLog();
	await refuse(anna.id, detail);
	expect(await host.poll()).toMatchObject([{ reason, providerText: detail }]);
});

test.each([
	['reference', /This service doesn't offer this operation/],
	['older', /access token/],
] as const)('a service of the kind %s says why it has no log', async (service, message) => {
	const { host } = await watched({ event }, { service });
	await expect(host.activate()).rejects.toThrow(message);
});

test('a token without the scope is told which one is missing', async () => {
	const { host } = await watched({ event }, { service: 'newer', token: { scopes: ['contacts'] } });
	await expect(host.activate()).rejects.toThrow('scope "analytics"');
});

test('a contact for whom the service fails blocks no other, and comes as soon as it can be read', async () => {
	const { workspace, host, anna, ben, refuse } = await watchedLog();
	const match = { pathPattern: `contacts/.*${anna.id}$` };
	await workspace.faults({ fail: [{ status: 403, match }] });
	await refuse(anna.id, 'First');
	await refuse(ben.id, 'Second');
	expect(await host.poll()).toMatchObject([{ contact: { id: ben.id }, providerText: 'Second' }]);
	await workspace.faults({ fail: null });
	expect(await host.poll()).toMatchObject([{ contact: { id: anna.id }, providerText: 'First' }]);
	expect(await host.poll()).toEqual([]);
});

describe('While no message has failed, the test event', () => {
	/** The test event of a log that has no entry about a message. */
	async function example() {
		const { workspace, host } = await watched({ event }, { service: 'newer' });
		const [{ id }] = (await workspace.state()).contacts;
		await workspace.logError(`id:${id}`, { action: 'openai', detail: 'Refused' });
		return { host, ...(await host.fetchTestEvent()) };
	}

	test('is an example that says so, with the fields of a real one, and no poll returns it', async () => {
		const { host, items } = await example();
		expect(items).toEqual([
			expect.objectContaining({
				contact: expect.objectContaining({ fullName: 'Example Contact', tags: [] }),
				reason: 'The contact last wrote more than 24 hours ago. Use Send Template instead.',
				code: '131047',
				isExample: true,
			}),
		]);
		expect(messageNotDelivered.output.strict().safeParse(items[0]).error).toBeUndefined();
		await host.activate();
		expect(await host.poll()).toEqual([]);
	});

	const fields = ['contact', 'contact.id', 'contact.email', 'contact.phoneNumber'];

	test.each(
		fields.flatMap((field) => ['list', 'id', 'email', 'phone'].map((mode) => [field, mode])),
	)('has a %s that Send refuses in the mode %s before any request', async (field, mode) => {
		const { items } = await example();
		const { workspace, run } = await testWorkspace();
		const identifier = by(mode, fromItem(field));
		const send = { resource: 'message', operation: 'send', identifier, text: 'Hello' };
		const { error } = await run(send, items);
		expect(error?.message).toMatch(
			/^Contact (must be|is the example of a trigger, and nobody real)/,
		);
		expect(await received(workspace)).toEqual([]);
	});
});

test('a failed message of a contact who does not meet the conditions is no test event, and no example', async () => {
	const conditions = { texts: [{ field: 'city', textOperator: 'eq', text: 'Atlantis' }] };
	const { workspace, host } = await watched({ event, conditions }, { service: 'newer' });
	const [{ id }] = (await workspace.state()).contacts;
	await workspace.logError(`id:${id}`, { action: 'whatsapp', detail: 'Refused' });
	const { items, error } = await host.fetchTestEvent();
	expect(items).toEqual([]);
	expect(error?.description).toContain('does not meet the conditions');
});
