import type { INodeParameters } from 'n8n-workflow';
import { pairs } from '../../support/cases';
import { by, received, shownOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/* People on WhatsApp who have a user name and show no phone number. */

const USER_ID = 'US.13491208655302741918';

/** Fields that an expression fills with the ID. */
const fields: Array<[label: string, parameters: (text: string) => INodeParameters]> = [
	...['id', 'phone', 'email', 'list'].map((mode): [string, (text: string) => INodeParameters] => [
		'Contact',
		(text) => ({ resource: 'contact', operation: 'get', identifier: by(mode, `=${text}`) }),
	]),
	[
		'Contact',
		(text) => ({
			resource: 'message',
			operation: 'send',
			identifier: by('id', `=phone:${text}`),
			text: 'Hi',
		}),
	],
	[
		'Contact',
		(text) => ({ resource: 'contact', operation: 'block', identifier: by('phone', `=id:${text}`) }),
	],
	[
		'Phone Number',
		(text) => ({
			resource: 'contact',
			operation: 'create',
			phoneNumber: `=${text}`,
			email: 'ann@example.com',
		}),
	],
	[
		'Phone Number',
		(text) => ({ resource: 'contact', operation: 'upsert', phoneNumber: `=${text}`, email: '' }),
	],
];

const ids = [
	USER_ID,
	'us.13491208655302741918',
	'US.ENT.11815799212886844830',
	'BR.1A2B3C4D5E6F7G8H9',
	' DE.9876543210987654 ',
	'IN.A1B2C3D4E5F6',
];

test.each(pairs(fields, ids))('%s names the ID %s, and nothing is sent', async (field, id) => {
	const [label, parameters] = field;
	const { workspace, run } = await testWorkspace();
	await workspace.clearJournal();
	expect(shownOf(await run(parameters('{{ $json.id }}'), [{ id }]))).toBe(
		`${label} is "${id.trim()}", the WhatsApp ID of a person who shows no phone number. Find this contact by its own ID (drag "contact"), or by a custom field [item 0]`,
	);
	expect(await received(workspace)).toEqual([]);
});

test.each([
	['email', 'us.13491208655302741918@example.com', 'email:us.13491208655302741918@example.com'],
	['phone', '+13491208655', 'phone:+13491208655'],
	['phone', '13491208655302741918', 'phone:13491208655302741918'],
	['id', '13491208655302741918', 'id:13491208655302741918'],
	['id', 'us.13@example.com', 'email:us.13@example.com'],
])('The mode %s still takes %s', async (mode, text, identifier) => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await run({ resource: 'contact', operation: 'get', identifier: by(mode, text) });
	const [{ path }] = await received(workspace);
	expect(path).toBe(`/api/v1/contacts/${encodeURIComponent(identifier)}`);
});

describe('A contact with a user name', () => {
	/** Ann is on WhatsApp, without a phone number. */
	async function withAnn(sourceUsername: string | null) {
		const test = await testWorkspace({ contacts: 0, service: 'newer', newest: true });
		const { channels, customFields } = await test.workspace.state();
		const { id: inboxId } = channels.find(({ channel }) => channel === 'whatsapp')!;
		const [ann] = await test.workspace.addContacts([
			{
				firstName: 'Ann',
				phoneNumber: null,
				inboxIds: [inboxId],
				whatsappUser: { sourceUserId: USER_ID, sourceUsername },
			},
		]);
		const field = customFields.find(({ type }) => type === 'shortText')!;
		return { ...test, ann, field };
	}

	test.each([
		['ann.lee', { type: 'whatsapp', userId: USER_ID, userName: 'ann.lee' }],
		[null, { type: 'whatsapp', userId: USER_ID }],
	])('shows its ID beside the type of the channel (its name: %s)', async (name, channel) => {
		const { run, ann } = await withAnn(name);
		const get = { resource: 'contact', operation: 'get', identifier: by('id', ann.id) };
		const { json } = await run(get);
		expect(json).toMatchObject([{ id: ann.id, phoneNumber: null, channels: [channel] }]);
		const [all] = (await run({ ...get, simplify: false })).json;
		expect(all).not.toHaveProperty('channels');
	});

	test('is found by a custom field, and gets a message', async () => {
		const { run, ann, field, workspace } = await withAnn('ann.lee');
		const value = { mappingMode: 'defineBelow', value: { [field.id]: USER_ID } };
		const identifier = by('id', ann.id);
		await run({
			resource: 'contact',
			operation: 'setCustomFields',
			identifier,
			customFields: value,
		});
		const { error } = await run({
			resource: 'message',
			operation: 'send',
			identifier: by('customField', `${field.name} = ${USER_ID}`),
			text: 'Hi',
		});
		expect(error).toBeUndefined();
		expect((await workspace.messages(`id:${ann.id}`)).at(-1)).toMatchObject({ text: 'Hi' });
	});
});

test('A contact without a user name has no such list', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 1, service: 'newer' });
	const [{ id }] = (await workspace.state()).contacts;
	const { json } = await run({
		resource: 'contact',
		operation: 'get',
		identifier: by('id', id),
	});
	expect(json[0]).not.toHaveProperty('channels');
});
