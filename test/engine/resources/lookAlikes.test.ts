import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, received, writesOf } from '../../support/engine/helpers';
import { runNode } from '../../support/engine/engine';
import { testWorkspace } from '../../support/engine/workspace';
import { talks, withContact } from '../conversation/helpers';
import { fileOf, importsIn, newerWorkspace } from '../import/helpers';
import { withTemplates } from '../template/helpers';

/*
 * Names and emails that look the same are the same: invisible characters, which people copy along,
 * and the two ways to write a letter with an accent make no difference. n8n sends the spelling that
 * the service has, and a new name without what nobody sees. The names of custom fields are tested in
 * contact/customFieldNames.test.ts.
 */

const KOELN = 'K\u00f6ln';
const KOELN_DECOMPOSED = 'Ko\u0308ln';

/** The newer service compares emails letter by letter; that of the reference does not. */
describe.each(['reference', 'newer'] as const)('An email on the %s service', (service) => {
	async function ann(email = 'ann@x.io') {
		const made = await testWorkspace({ contacts: 0, service });
		const [{ id }] = await made.workspace.addContacts([{ email, phoneNumber: '+4915100000001' }]);
		await made.workspace.clearJournal();
		return { ...made, id };
	}
	const upsert: INodeParameters = {
		resource: 'contact',
		operation: 'upsert',
		email: fromItem('email'),
		phoneNumber: fromItem('phone'),
		additionalFields: { firstName: 'Ann' },
	};

	test('with an invisible character finds the contact in Create or Update, which keeps its email', async () => {
		const { run, workspace, id } = await ann();
		const rows = [{ email: 'an\u200bn@x.io' }, { email: '\u2066Ann@X.io\u2069', phone: '' }];
		const { json, error } = await run(upsert, rows);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id, outcome: 'updated', email: 'ann@x.io', changedFields: ['firstName'] },
			{ id, outcome: 'unchanged', email: 'ann@x.io' },
		]);
		expect((await workspace.counts()).contacts).toBe(1);
	});

	test('finds a contact that the service has with an invisible character', async () => {
		const { run, workspace, id } = await ann('an\u200bn@x.io');
		const { json, error } = await run(upsert, [{ email: 'an\u200bn@x.io' }]);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id, email: 'an\u200bn@x.io', changedFields: ['firstName'] }]);
		expect((await workspace.counts()).contacts).toBe(1);
	});

	test('of a new contact is sent without what nobody sees', async () => {
		const { run, workspace } = await ann();
		const { channels } = await workspace.state();
		const inbox = channels.find(({ channel }) => channel === 'webchat')!.id;
		const email = 'b\u00adob@x.io\ufeff';
		await run(upsert, [{ email, phone: '+4915100000002' }]);
		await run({
			...{ resource: 'contact', operation: 'create' },
			...{ email: 'ce\u200bm@x.io', phoneNumber: '+4915100000003' },
			additionalFields: service === 'newer' ? { channel: 'webchat', inboxId: by('id', inbox) } : {},
		});
		const { contacts } = await workspace.state();
		expect(contacts.map((contact) => contact.email).sort()).toEqual([
			'ann@x.io',
			'bob@x.io',
			'cem@x.io',
		]);
	});

	test.each(['an\u200bn@x.io', 'ann\ufeff@x.io', 'email:\u200eann@x.io'])(
		'%j as Contact finds the contact',
		async (email) => {
			const { run, workspace, id } = await ann();
			const identifier = by('email', fromItem('email'));
			const send = { resource: 'message', operation: 'send', identifier, text: 'Hi' };
			const { error } = await run(send, [{ email }]);
			expect(error).toBeUndefined();
			const { messages } = await workspace.journal();
			expect(messages.map(({ contactId }) => contactId)).toEqual([id]);
			const got = await run({ resource: 'contact', operation: 'get', identifier }, [{ email }]);
			expect(got.json).toMatchObject([{ id }]);
		},
	);

	test('of several contacts in a long run is compared in the list', async () => {
		const { run, workspace } = await testWorkspace({ contacts: 0, service });
		const people = Array.from({ length: 40 }, (_, n) => ({
			email: `p${n}@x.io`,
			phoneNumber: `+4915100000${n + 100}`,
		}));
		await workspace.addContacts(people);
		await workspace.clearJournal();
		const rows = people.map(({ email }) => ({ email: email.replace('@', '\u200b@') }));
		const { json, error } = await run(upsert, rows);
		expect(error).toBeUndefined();
		expect(json.map(({ outcome }) => outcome)).toEqual(people.map(() => 'updated'));
		expect((await workspace.counts()).contacts).toBe(40);
		const emails = (await workspace.state()).contacts.map(({ email }) => email);
		expect(emails.sort()).toEqual(people.map(({ email }) => email).sort());
	});

	test('in a condition finds the contact', async () => {
		const { run, workspace, id } = await ann();
		await workspace.addContacts([{ email: 'bob@x.io' }]);
		const text = { field: 'email', textOperator: 'eq', text: 'an\u200bn@x.io' };
		const { json, error } = await run({
			...{ resource: 'contact', operation: 'getAll', returnAll: true },
			conditions: { texts: [text] },
		});
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id }]);
	});
});

test('An email in Import From Items and in a custom field of the type email is sent without what nobody sees', async () => {
	const { run, workspace, into } = await newerWorkspace();
	const field = await workspace.add('customFields', { name: 'Second email', type: 'email' });
	const { error } = await run(
		into('whatsapp', 'items', {
			...{ phoneNumber: '+4915100000001', email: 'an\u200bn@x.io' },
			customFields: { mappingMode: 'defineBelow', value: { [field.id]: 'ann\u2060@y.io' } },
		}),
	);
	expect(error).toBeUndefined();
	const [contact] = (await workspace.state()).contacts;
	expect(contact.email).toBe('ann@x.io');
	expect(contact.contactCustomFields).toMatchObject([{ value: 'ann@y.io' }]);
});

describe('The name of a tag', () => {
	async function withTags(...names: string[]) {
		const made = await testWorkspace({ contacts: 0, counts: { tags: 0 } });
		const [{ id }] = await made.workspace.addContacts([{ email: 'ann@x.io' }]);
		const tags: string[] = [];
		for (const name of names) tags.push((await made.workspace.add('tags', { name })).id);
		const change = async (operation: string, tagNames: string) =>
			await made.run({
				...{ resource: 'contact', operation, identifier: by('id', id) },
				...{ tagsBy: 'names', tagNames, createMissing: true },
			});
		const namesOf = async () =>
			(await made.workspace.contact(`id:${id}`)).tags.map(({ name }) => name);
		return { ...made, tags, change, namesOf };
	}

	test.each([
		['VIP', 'VIP\u200b'],
		['VIP', '\ufeffvip'],
		[KOELN, KOELN_DECOMPOSED],
		[KOELN_DECOMPOSED, KOELN],
	])('%j is that of %j in Add Tags, Set Tags and Remove Tags', async (name, typed) => {
		const { workspace, change, namesOf } = await withTags(name, 'Other');
		for (const operation of ['addTags', 'setTags']) {
			expect((await change(operation, typed)).error).toBeUndefined();
			expect(await namesOf()).toEqual([name]);
		}
		expect((await change('removeTags', typed)).error).toBeUndefined();
		expect(await namesOf()).toEqual([]);
		expect((await workspace.state()).tags).toHaveLength(2);
	});

	test('means exactly this tag if another one looks the same', async () => {
		const { change, namesOf } = await withTags('VIP', 'VIP\u200b');
		await change('addTags', 'VIP, VIP\u200b');
		await change('removeTags', 'VIP\u200b');
		expect(await namesOf()).toEqual(['VIP']);
	});

	test('that is new is created without what nobody sees, once', async () => {
		const { run, workspace, change, namesOf } = await withTags();
		const { json } = await change('addTags', `VIP\u200b, ${KOELN_DECOMPOSED}, VIP`);
		expect(json).toMatchObject([{ addedTagNames: ['VIP', KOELN] }]);
		expect((await namesOf()).sort()).toEqual([KOELN, 'VIP']);
		await run({ resource: 'tag', operation: 'create', name: 'Ne\u200bu' });
		const names = (await workspace.state()).tags.map(({ name }) => name);
		expect(names.sort()).toEqual([KOELN, 'Neu', 'VIP']);
	});

	test('that has nothing to see is refused', async () => {
		const { run, change } = await withTags();
		const { error } = await run({ resource: 'tag', operation: 'create', name: '\u200b' });
		expect(error?.message).toBe('Name must be 1 to 255 characters long, but is empty [item 0]');
		expect((await change('addTags', '\u200b')).error?.message).toContain('has 0 entries');
	});
});

test('The name of a new custom field is sent without what nobody sees', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, counts: { customFields: 0 } });
	const field = { resource: 'customField', operation: 'create', type: 'shortText' };
	await run({ ...field, name: `\u200b${KOELN_DECOMPOSED}` });
	expect((await workspace.state()).customFields).toMatchObject([{ name: KOELN }]);
});

test('Sequences are found by names that look the same', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
	const [{ id }] = await workspace.addContacts([{ email: 'ann@x.io' }]);
	const sequence = await workspace.add('sequences', { name: KOELN, active: true } as never);
	const { json, error } = await run({
		...{ resource: 'contact', operation: 'addToSequences', identifier: by('id', id) },
		...{ sequencesBy: 'names', sequenceNames: `${KOELN_DECOMPOSED}\u200b` },
	});
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ addedSequenceIds: [sequence.id] }]);
});

test('Members and teams are found by names that look the same', async () => {
	const { run, workspace, ann, conversationOf } = await talks();
	const { members } = await workspace.state();
	const [{ user }] = members;
	const team = await workspace.add('teams', { name: KOELN } as never);
	const assign = (more: INodeParameters) => withContact('assign', ann, more);
	const name = by('name', `\u200b${user.name!}\u2060`);
	const { error } = await run(assign({ assignTo: 'member', memberId: name }));
	expect(error).toBeUndefined();
	expect(await conversationOf(ann)).toMatchObject({ assignedUserId: user.id });
	const teamId = by('name', KOELN_DECOMPOSED);
	expect((await run(assign({ assignTo: 'team', teamId }))).error).toBeUndefined();
	expect(await conversationOf(ann)).toMatchObject({ assignedInboxTeamId: team.id });
});

test('A template is found by a name and a language that look the same', async () => {
	const { run, send, sent, addTemplate } = await withTemplates();
	const id = await addTemplate('gru\u0308sse', [{ type: 'BODY', text: 'Hi' }]);
	const { error } = await run(
		send('order_shipped', {}, { templateId: by('name', 'gr\u00fcsse\u200b, en_US\u200b') }),
	);
	expect(error).toBeUndefined();
	expect(await sent()).toMatchObject([{ templateId: id }]);
});

describe('A column of an imported file', () => {
	test('that the user named is found by how it looks, and sent as the file spells it', async () => {
		const { run, workspace, into } = await newerWorkspace();
		const field = await workspace.add('customFields', { name: 'Size', type: 'shortText' });
		const test = { run, workspace };
		const { json, error } = await run(
			into('whatsapp', 'input', {
				mapping: 'manual',
				options: {
					phoneNumber: 'Funk\u200bnummer',
					fieldMapping: { columns: [{ column: 'Gr\u00f6\u00dfe', customFieldId: field.id }] },
				},
			}),
			[{}],
			{ files: [fileOf('Funknummer,Gro\u0308\u00dfe\r\n+4915112345678,XL\r\n')] },
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ successCount: 1, unusedColumns: [] }]);
		expect(await importsIn(test)).toMatchObject([
			{
				body: {
					phoneNumber: 'Funknummer',
					fieldMapping: [{ column: 'Gro\u0308\u00dfe', customFieldId: field.id }],
				},
			},
		]);
	});
});

test.each([
	['tag', { name: `${KOELN} Nord` }, 'tags'],
	['customField', { name: `${KOELN} Nord`, type: 'shortText' }, 'customFields'],
])('Get Many of %s finds a keyword that looks the same', async (resource, record, table) => {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
	const { id } = await workspace.add(table as 'tags', record);
	const { json, error } = await run({
		...{ resource, operation: 'getAll', returnAll: true },
		filters: { keyword: `${KOELN_DECOMPOSED.toUpperCase()}\u200b` },
	});
	expect(error).toBeUndefined();
	expect(json.map((each) => each.id)).toEqual([id]);
});

test('The Base URL is read without what nobody sees', async () => {
	const { workspace } = await testWorkspace({ contacts: 1 });
	const { error, json } = await runNode({
		parameters: { resource: 'contact', operation: 'getAll', returnAll: true },
		credential: { baseUrl: `\ufeff${workspace.url}\u200b`, accessToken: workspace.token },
	});
	expect(error).toBeUndefined();
	expect(json).toHaveLength(1);
});

test('The text of a message keeps every character', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const [{ id }] = await workspace.addContacts([{ email: 'ann@x.io' }]);
	await workspace.clearJournal();
	const text = `👩‍👧 ${KOELN_DECOMPOSED}\u200b \u2067שלום\u2069 a\u00adb`;
	await run({ resource: 'message', operation: 'send', identifier: by('id', id), text });
	expect(await writesOf(workspace)).toMatchObject([{ body: { text } }]);
	expect(await received(workspace)).toHaveLength(1);
});
