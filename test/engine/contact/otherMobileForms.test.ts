import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, received, resourceOf, writesOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/*
 * A mobile number of Mexico, Brazil or Argentina has two forms. A person has one of them in the
 * workspace, and a row can have the other.
 */

type Service = 'reference' | 'newer';

const services: Service[] = ['reference', 'newer'];

const hintOf = (entered: string, found: string) =>
	`No contact has the phone number ${entered}, so n8n used the contact with ${found}, the other form of this mobile number.`;

/** A workspace with contacts that have these phone numbers. */
async function withNumbers(service: Service, ...phoneNumbers: string[]) {
	const made = await testWorkspace({ contacts: 0, service });
	const contacts = await made.workspace.addContacts(
		phoneNumbers.map((phoneNumber, n) => ({ email: `p${n}@mail.example`, phoneNumber })),
	);
	await made.workspace.clearJournal();
	const numbers = async () =>
		(await made.workspace.state()).contacts.map(({ phoneNumber }) => phoneNumber);
	return { ...made, contacts, numbers };
}

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: fromItem('phone'),
	additionalFields: { firstName: fromItem('first') },
};

describe.each(services)('On the %s service,', (service) => {
	test.each([
		['of Mexico', '+5215512345678', '+525512345678'],
		['of Brazil', '+5511987654321', '+551187654321'],
		['of Argentina', '+5491112345678', '+541112345678'],
	])('a mobile number %s finds its contact in both forms', async (_, long, short) => {
		for (const [stored, entered] of [
			[long, short],
			[short, long],
		]) {
			const { run, contacts } = await withNumbers(service, '+4915155501234', stored);
			const get = { resource: 'contact', operation: 'get', identifier: by('phone', entered) };
			const { json, hints, error } = await run(get);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ id: contacts[1].id, phoneNumber: stored }]);
			expect(hints).toEqual([hintOf(entered, stored)]);
		}
	});

	test.each<[string, INodeParameters]>([
		['update', { updateFields: { firstName: 'Ann' } }],
		['send', { text: 'Hi' }],
		['addTags', { tagIds: fromItem('tagId') }],
	])('%s takes the contact with the other form, and keeps its number', async (operation, more) => {
		const { run, workspace, contacts, numbers } = await withNumbers(service, '+5215512345678');
		const [{ id: tagId }] = (await workspace.state()).tags;
		const { error, hints } = await run(
			{
				resource: resourceOf(operation),
				operation,
				identifier: by('phone', '+52 55 1234 5678'),
				...more,
			},
			[{ tagId }],
		);
		expect(error).toBeUndefined();
		expect(hints).toContain(hintOf('+525512345678', '+5215512345678'));
		const paths = (await writesOf(workspace)).map(({ path }) => decodeURIComponent(path));
		expect(paths.at(-1)).toContain(`/contacts/id:${contacts[0].id}`);
		expect(await numbers()).toEqual(['+5215512345678']);
	});

	test('the exact number wins if two contacts have the two forms', async () => {
		const { run, contacts } = await withNumbers(service, '+5215512345678', '+525512345678');
		for (const [position, number] of ['+5215512345678', '+525512345678'].entries()) {
			const get = { resource: 'contact', operation: 'get', identifier: by('phone', number) };
			const { json, hints } = await run(get);
			expect(json).toMatchObject([{ id: contacts[position].id }]);
			expect(hints).toEqual([]);
			const rows = [{ email: '', phone: number, first: 'Ann' }];
			const written = await run(upsert, rows);
			expect(written.json).toMatchObject([{ id: contacts[position].id, outcome: 'updated' }]);
			expect(written.hints).toEqual([]);
		}
	});

	test.each(['delete', 'block'])('%s takes the exact number only', async (operation) => {
		const { run, workspace, numbers } = await withNumbers(service, '+5215512345678');
		const parameters = { resource: 'contact', operation };
		const alone = await run({ ...parameters, identifier: by('phone', '+525512345678') });
		expect(alone.error?.message).toContain('No contact has the phone number +525512345678');
		// n8n looks for the IDs beforehand if the items name contacts in different ways.
		const mixed = await run({ ...parameters, identifier: by('id', fromItem()) }, [
			{ value: '+525512345678' },
			{ value: 'email:nobody@mail.example' },
		]);
		expect(mixed.error?.message).toContain('No contact has');
		expect(await numbers()).toEqual(['+5215512345678']);
		const [{ blockedAt }] = (await workspace.state()).contacts;
		expect(blockedAt ?? null).toBeNull();
		if (service === 'reference' && operation === 'block') return;
		const exact = await run({ ...parameters, identifier: by('phone', '+52 1 55 1234 5678') });
		expect(exact.error).toBeUndefined();
	});

	test('Create or Update finds the other form, updates the contact, and keeps its number', async () => {
		const { run, contacts, numbers } = await withNumbers(service, '+5215512345678');
		const rows = [
			{ email: '', phone: '+525512345678', first: 'Ann' },
			{ email: 'p0@mail.example', phone: '+525512345678', first: 'Ann' },
		];
		const { json, error, hints } = await run(upsert, rows);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([
			{ id: contacts[0].id, outcome: 'updated', changedFields: ['firstName'] },
			{ id: contacts[0].id, outcome: 'unchanged', changedFields: [] },
		]);
		expect(hints).toEqual([hintOf('+525512345678', '+5215512345678')]);
		expect(await numbers()).toEqual(['+5215512345678']);
	});

	test('Create or Update creates one contact from two rows with the two forms', async () => {
		const { run, numbers } = await withNumbers(service);
		const rows = ['+5215512345678', '+525512345678', '+5215512345678'].map((phone, n) => ({
			email: n === 0 ? 'ann@mail.example' : '',
			phone,
			first: 'Ann',
		}));
		const { json, error } = await run(
			{ ...upsert, additionalFields: { firstName: fromItem('first') } },
			rows,
		);
		expect(error).toBeUndefined();
		expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'unchanged', 'unchanged']);
		expect(await numbers()).toEqual(['+5215512345678']);
		const preview = { ...upsert, options: { preview: true } };
		const others = rows.map((row) => ({ ...row, phone: row.phone.replace('5678', '5679') }));
		others[0].email = 'bob@mail.example';
		const planned = await run(preview, others);
		expect(planned.json.map(({ outcome }) => outcome)).toEqual([
			'wouldCreate',
			'unchanged',
			'unchanged',
		]);
	});

	test('Create or Update refuses to give a contact the number that another one has in its other form', async () => {
		const { run, contacts, numbers } = await withNumbers(
			service,
			'+5215512345678',
			'+4915155501234',
		);
		const rows = [{ email: 'p1@mail.example', phone: '+525512345678', first: 'Ann' }];
		const { error } = await run(upsert, rows);
		expect(error?.message).toContain(
			'The phone number +525512345678 belongs to a different contact from the one to update',
		);
		for (const { id } of contacts) expect(error?.message).toContain(id);
		expect(await numbers()).toEqual(expect.arrayContaining(['+5215512345678', '+4915155501234']));
	});

	test('Create or Update of many rows finds the other forms in the list, with no more requests', async () => {
		const stored = Array.from({ length: 30 }, (_, n) => `+52155123456${n + 10}`);
		const entered = stored.map((number) => number.replace('+521', '+52'));
		const { run, workspace, numbers } = await withNumbers(service, ...stored);
		const rows = (phones: string[]) => phones.map((phone) => ({ email: '', phone, first: 'Ann' }));
		const { json, error, hints } = await run(upsert, rows(entered));
		expect(error).toBeUndefined();
		expect(json.every(({ outcome }) => outcome === 'updated')).toBe(true);
		expect(hints).toEqual([`${hintOf(entered[0], stored[0])} The same goes for 29 other numbers.`]);
		expect((await numbers()).sort()).toEqual(stored);
		const requests = await received(workspace);
		const searches = requests.filter(({ path }) => path.includes('keyword='));
		expect(searches).toEqual([]);
		// As for everybody who is not in the list: one look-up each, before the contact is created.
		const lookups = requests.filter(({ path }) => path.includes('phone%3A'));
		expect(lookups).toHaveLength(30);
	});
});

test('Two contacts with the other form are an error that names both', async () => {
	const { run, contacts } = await withNumbers('newer', '+5215512345678', '5215512345678');
	const ids = contacts.map(({ id }) => id);
	const message =
		"No contact has the phone number +525512345678, but 2 contacts have the other form of this mobile number, so n8n can't tell which one to use.";
	const get = { resource: 'contact', operation: 'get', identifier: by('phone', '+525512345678') };
	const row = { email: '', phone: '+525512345678', first: 'Ann' };
	const others = Array.from({ length: 29 }, (_, n) => ({
		email: `new${n}@mail.example`,
		phone: `+49151100000${n + 10}`,
		first: 'Bob',
	}));
	for (const { error } of [
		await run(get),
		await run(upsert, [row]),
		await run(upsert, [row, ...others]),
	]) {
		expect(error?.message).toContain(message);
		for (const id of ids) expect(error?.message).toContain(id);
	}
});

test('A contact with a number that the numbering plans do not have is found as it is stored', async () => {
	const stored = ['+004915155501234', '+4901515550123', '+52155123456789', '+0123456789'];
	const { run, contacts } = await withNumbers('newer', ...stored);
	for (const [position, number] of stored.entries()) {
		const parameters = { resource: 'contact', identifier: by('phone', number) };
		const { json, error } = await run({ ...parameters, operation: 'get' });
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ id: contacts[position].id }]);
		const updateFields = { firstName: 'Ann' };
		const updated = await run({ ...parameters, operation: 'update', updateFields });
		expect(updated.error).toBeUndefined();
		const deleted = await run({ ...parameters, operation: 'delete' });
		expect(deleted.error).toBeUndefined();
	}
});
