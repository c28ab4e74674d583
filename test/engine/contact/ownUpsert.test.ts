import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServiceName } from '../../../sandbox/services/names';
import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/* Use the Service's Own Upsert: services compare emails and numbers letter by letter there. */

const upsert = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: fromItem('phone'),
	additionalFields: { firstName: fromItem('first') },
	options: { serverUpsert: true, ...options },
});

const services: ServiceName[] = ['reference', 'older', 'newer'];

/** Runs rows one after the other and at once; each gets a first name by its place. */
async function upsertRows(service: ServiceName, rows: IDataObject[], options?: INodeParameters) {
	const test = await testWorkspace({ contacts: 0, service });
	const named = rows.map((row, index) => ({ ...row, first: `Name ${index}` }));
	const result = await test.run(upsert(options), named);
	const { contacts } = await test.workspace.state();
	return { ...test, ...result, contacts };
}

const sameContact: Array<[what: string, rows: IDataObject[]]> = [
	['its email in another case', [{ email: 'ann@example.com' }, { email: 'Ann@Example.com' }]],
	[
		'its email with a sign that nobody sees',
		[{ email: 'ann@example.com' }, { email: 'ann\u200B@example.com' }],
	],
	[
		'its email in wide letters',
		[{ email: 'ann@example.com' }, { email: 'ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ' }],
	],
	['its number with 00', [{ phone: '+4915112345678' }, { phone: '0049 (151) 12345678' }]],
	['its number without the +', [{ phone: '+4915112345678' }, { phone: '4915112345678' }]],
	[
		'its number in the other form of Mexico',
		[{ phone: '+525512345678' }, { phone: '+5215512345678' }],
	],
	[
		'its number in the other form of Brazil',
		[{ phone: '+5511987654321' }, { phone: '+551187654321' }],
	],
	[
		'its number in another form beside a new email',
		[
			{ email: 'ann@example.com', phone: '+4915112345678' },
			{ email: 'ann@example.org', phone: '4915112345678' },
		],
	],
	[
		'the email, then the number, then both',
		[
			{ email: 'ann@example.com', phone: '+4915112345678' },
			{ phone: '4915112345678' },
			{ email: 'ANN@example.com', phone: '4915112345678' },
		],
	],
];

describe("Use the Service's Own Upsert", () => {
	test.each(
		services.flatMap((service) => sameContact.map(([what, rows]) => ({ service, what, rows }))),
	)(
		'makes one contact on the $service service of rows with $what, and the last wins',
		async ({ service, rows }) => {
			const { contacts, error, json } = await upsertRows(service, rows);
			expect(error?.message).toBeUndefined();
			const name = `Name ${rows.length - 1}`;
			expect(contacts).toMatchObject([
				{
					firstName: name,
					...(rows.at(-1)!.email === 'ann@example.org' && { email: 'ann@example.org' }),
				},
			]);
			expect(new Set(json.map(({ id }) => id)).size).toBe(1);
			expect(json.at(-1)).toMatchObject({ firstName: name, outcome: 'createdOrUpdated' });
		},
	);

	test('keeps the form of an email and number in which the first row has created the contact', async () => {
		const rows = [
			{ email: 'ann@example.com', phone: '+4915112345678' },
			{ email: 'ANN@example.com', phone: '4915112345678' },
		];
		const { contacts } = await upsertRows('reference', rows);
		expect(contacts).toMatchObject([{ email: 'ann@example.com', phoneNumber: '+4915112345678' }]);
	});

	test('takes a contact that was chosen by its email and one that a later row names as one', async () => {
		const rows = [
			{ chosen: 'ann@example.com', email: '' },
			{ chosen: '', email: 'Ann@example.com' },
		];
		const { contacts } = await upsertRows('newer', rows, {
			identifier: by('email', fromItem('chosen')),
		});
		expect(contacts).toHaveLength(1);
	});

	test('keeps two contacts apart that the service has with both forms of a number, and two people with two emails', async () => {
		const test = await testWorkspace({ contacts: 0, service: 'newer' });
		await test.workspace.addContacts([
			{ email: 'a@example.com', phoneNumber: '+525512345678' },
			{ email: 'b@example.com', phoneNumber: '+5215512345678' },
		]);
		const rows = [
			{ phone: '+525512345678', first: 'A' },
			{ phone: '+5215512345678', first: 'B' },
			{ email: 'c@example.com', first: 'C' },
			{ email: 'd@example.com', first: 'D' },
		];
		const { json } = await test.run(upsert(), rows);
		expect(json.map(({ firstName }) => firstName)).toEqual(['A', 'B', 'C', 'D']);
		const { contacts } = await test.workspace.state();
		expect(contacts.map(({ firstName }) => firstName).sort()).toEqual(['A', 'B', 'C', 'D']);
	});

	test('does not give a person the email of another one because an earlier row has the number', async () => {
		const test = await testWorkspace({ contacts: 0, service: 'newer' });
		await test.workspace.addContacts([{ email: 'ben@example.com', phoneNumber: '+4915100000009' }]);
		const rows = [
			{ email: 'ann@example.com', phone: '+4915112345678', first: 'Ann' },
			{ email: 'ben@example.com', phone: '+4915112345678', first: 'Ben' },
		];
		const { error } = await test.run(upsert(), rows);
		expect(error?.message).toBeDefined();
		const { contacts } = await test.workspace.state();
		expect(contacts.map(({ email }) => email).sort()).toEqual([
			'ann@example.com',
			'ben@example.com',
		]);
	});

	test('sends one request for each new person', async () => {
		const rows = Array.from({ length: 20 }, (_, n) => ({ email: `p${n}@example.com` }));
		const { workspace } = await upsertRows('reference', rows);
		expect((await workspace.summary()).requests).toBe(20);
	});
});
