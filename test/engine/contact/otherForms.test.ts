import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { by, fromItem, idsOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * Upper and lower case of an email and the + of a phone number make no difference. The newer
 * service compares both letter by letter; the reference's does not.
 */

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: fromItem('phone'),
	additionalFields: { firstName: fromItem('first') },
};

/** A workspace with one contact, person5@mail.example, +491510039595. */
async function person(service: 'reference' | 'newer') {
	const made = await testWorkspace({ contacts: 0, service });
	await made.workspace.addContacts([
		{ email: 'person5@mail.example', phoneNumber: '+491510039595' },
	]);
	const [contact] = (await made.workspace.state()).contacts;
	return { ...made, id: contact.id };
}

describe.each(['reference', 'newer'] as const)(
	'A contact in another form on the %s service',
	(service) => {
		test.each<[string, IDataObject]>([
			[
				'its email in capitals, with another number',
				{ email: 'PERSON5@mail.example', phone: '+4915100777777' },
			],
			['its email in capitals alone', { email: 'Person5@Mail.example' }],
			[
				'its number without +, with another email',
				{ email: 'new@mail.example', phone: '491510039595' },
			],
			['its number without + alone', { phone: '491510039595' }],
			['both in another form', { email: 'PERSON5@MAIL.EXAMPLE', phone: '491510039595' }],
		])('is updated by Create or Update: %s (difference 19)', async (_, row) => {
			const { run, workspace, id } = await person(service);
			const { json, error } = await run(upsert, [{ email: '', phone: '', ...row, first: 'Ann' }]);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id, outcome: 'updated', firstName: 'Ann' }]);
			expect((await workspace.counts()).contacts).toBe(1);
		});

		describe.each<[string, INodeParameters]>([
			['Get', { operation: 'get' }],
			['Update', { operation: 'update', updateFields: { firstName: 'Ann' } }],
			['Send', { resource: 'message', operation: 'send', text: 'Hi' }],
			['Delete', { operation: 'delete' }],
		])('is found by %s', (_, parameters) => {
			test.each([
				['email', 'PERSON5@mail.example'],
				['phone', '491510039595'],
			])('by its %s in another form (%s)', async (mode, value) => {
				const { run, workspace, id } = await person(service);
				const identifier = by(mode, value);
				const { error } = await run({ resource: 'contact', identifier, ...parameters });
				expect(error).toBeUndefined();
				const { contacts } = await workspace.state();
				const { messages } = await workspace.journal();
				if (parameters.operation === 'delete') expect(contacts).toEqual([]);
				if (parameters.operation === 'update') expect(contacts[0].firstName).toBe('Ann');
				if (parameters.operation === 'send')
					expect(messages.map((sent) => sent.contactId)).toEqual([id]);
			});
		});

		test('is not another one whose email only holds the same text', async () => {
			const { run, workspace } = await person(service);
			const { error } = await run({
				resource: 'contact',
				operation: 'delete',
				identifier: by('email', 'ERSON5@mail.example'),
			});
			expect(error?.message).toContain('No contact has the email ERSON5@mail.example.');
			expect((await workspace.counts()).contacts).toBe(1);
		});
	},
);

describe('If the service has two contacts of one email in other letters, the node asks which one to use', () => {
	const identifier = by('email', 'ANN@mail.example');
	test.each<[string, INodeParameters]>([
		['Delete', { operation: 'delete', identifier }],
		['Update', { operation: 'update', identifier, updateFields: { firstName: 'Bea' } }],
		['Send', { resource: 'message', operation: 'send', identifier, text: 'Hi' }],
		[
			'Create or Update',
			{
				...{ operation: 'upsert', email: 'ANN@mail.example' },
				additionalFields: { firstName: 'Bea' },
			},
		],
	])('%s', async (_, parameters) => {
		const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
		await workspace.addContacts([{ email: 'ann@mail.example' }, { email: 'Ann@mail.example' }]);
		const { contacts } = await workspace.state();
		const { error } = await run({ resource: 'contact', ...parameters });
		expect(error?.message).toContain(
			'2 contacts have the email ANN@mail.example in upper or lower case',
		);
		for (const id of idsOf(contacts)) expect(error?.message).toContain(String(id));
		expect((await workspace.state()).contacts).toEqual(contacts);
		expect((await workspace.journal()).messages).toEqual([]);
	});
});

test.each(['reference', 'newer'] as const)(
	'Two rows about one new contact, each with its email and number in another form, create it once on the %s service',
	async (service) => {
		const { run, workspace } = await testWorkspace({ contacts: 0, service });
		const { json, error } = await run(upsert, [
			{ email: 'ann@mail.example', phone: '+491510039595', first: 'Ann' },
			{ email: 'Ann@Mail.example', phone: '491510039595', first: 'Bea' },
		]);
		expect(error).toBeUndefined();
		expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'updated']);
		const { contacts } = await workspace.state();
		expect(contacts.map(({ firstName }) => firstName)).toEqual(['Bea']);
	},
);
