import type { INodeParameters } from 'n8n-workflow';
import { without } from '../../../sandbox/records';
import { by, fromItem, lacking } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const upsert = (more = {}) => ({
	resource: 'contact',
	operation: 'upsert',
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { firstName: '={{ $json.first }}' },
	...more,
});

const row = (n: number, first = 'Ann') => ({
	email: `row${n}@example.com`,
	phone: `+49151000${n + 10000}`,
	first,
});

test('Create or Update creates new contacts, updates only the differences, and leaves the rest alone', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const first = await run(upsert(), [row(1), row(2)]);
	expect(first.json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);

	await workspace.clearJournal();
	const second = await run(upsert(), [row(1), row(2, 'Bea'), row(3)]);
	expect(second.json.map(({ outcome, firstName }) => [outcome, firstName])).toEqual([
		['unchanged', 'Ann'],
		['updated', 'Bea'],
		['created', 'Ann'],
	]);
	const { requests } = await workspace.journal();
	expect(requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
		{ firstName: 'Bea' },
	]);
	expect((await workspace.counts()).contacts).toBe(3);
});

test('Create or Update creates one contact for items about one person, and the last item wins', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const { json } = await run(upsert(), [
		row(1, 'Ann'),
		row(1, 'Bea'),
		{ ...row(1, 'Cleo'), email: 'ROW1@example.com' },
	]);
	expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'updated']);
	expect((await workspace.counts()).contacts).toBe(1);
	expect((await workspace.contact('email:row1@example.com')).firstName).toBe('Cleo');
});

test('Create or Update keeps fields whose values are empty', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await run(upsert(), [row(1)]);
	const { json } = await run(upsert(), [
		{ ...row(1), first: '' },
		{ ...row(1), first: null, phone: '' },
	]);
	expect(json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
	expect((await workspace.contact('email:row1@example.com')).firstName).toBe('Ann');
});

test('Create or Update updates the chosen contact, whatever email and phone number the item has', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await run(upsert(), [row(1)]);
	const identifier = { __rl: true, mode: 'phone', value: row(1).phone };
	const { json } = await run({ ...upsert({ options: { identifier } }), email: 'new@example.com' }, [
		row(1),
	]);
	expect(json).toMatchObject([{ outcome: 'updated', email: 'new@example.com' }]);
	expect((await workspace.counts()).contacts).toBe(1);
});

test('Create or Update says what a new contact needs, and sends nothing without an email, phone number or contact', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const noPhone = await run(upsert(), [{ email: 'a@example.com' }]);
	expect(noPhone.error?.message).toBe(
		'No contact has the email a@example.com. Nothing was changed. To create one, also enter a phone number. [item 0]',
	);
	await workspace.clearJournal();
	const nothing = await run(upsert(), [{ first: 'Ann' }]);
	expect(nothing.error?.message).toContain('Enter an email or a phone number [item 0]');
	expect((await workspace.journal()).requests).toEqual([]);
});

test('Create or Update reads the list, not every contact, for many items', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const rows = Array.from({ length: 400 }, (_, n) => row(n));
	await workspace.addContacts(
		rows.map(({ email, phone, first }) => ({ email, phoneNumber: phone, firstName: first })),
	);
	await workspace.clearJournal();
	const changed = rows.map((entry, n) => (n < 10 ? { ...entry, first: 'New' } : entry));
	const { json } = await run(upsert(), [...changed, row(900)]);
	expect(json.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(390);
	expect(json.filter(({ outcome }) => outcome === 'updated')).toHaveLength(10);
	expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
	// 5 pages and the first again, 10 changes that are read back, and one contact that is looked for
	// twice before it is created.
	expect((await workspace.summary()).requests).toBe(5 + 1 + 2 * 10 + 3);
});

test('Create or Update finds a contact if the answer to its creation got lost, and does not create it again', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await workspace.faults({ dropAfter: { match: { method: 'POST' }, times: 1 } });
	const { json, error } = await run(upsert(), [row(1)]);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ outcome: 'created', email: 'row1@example.com' }]);
	expect((await workspace.counts()).contacts).toBe(1);
});

test('Create or Update sends one request if it uses the upsert of the service', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const { json } = await run(upsert({ options: { serverUpsert: true } }), [row(1)]);
	expect(json).toMatchObject([{ outcome: 'createdOrUpdated', firstName: 'Ann' }]);
	expect((await workspace.summary()).requests).toBe(1);
});

test.each(
	([404, 405] as const).flatMap((status) => [
		[status, 'list'] as const,
		[status, 'phone'] as const,
		[status, 'id'] as const,
	]),
)(
	'Create or Update says that a service lacks the upsert (%i), whatever selects the contact (%s)',
	async (status, mode) => {
		const { run, workspace } = await testWorkspace({
			contacts: 0,
			faults: lacking(status, 'upsertContact'),
		});
		await workspace.addContacts([{ email: row(1).email }]);
		const { id } = await workspace.contact(`email:${row(1).email}`);
		const identifier = by(mode, { list: '', phone: row(1).phone, id }[mode]);
		const { error } = await run(upsert({ options: { identifier, serverUpsert: true } }), [row(1)]);
		expect(error?.message).toBe(
			`This service doesn't offer this operation (${status}). Nothing was changed. Instead, turn off Use the Service's Own Upsert. [item 0]`,
		);
	},
);

test.each([true, false])(
	'Create or Update creates no contact for an unknown ID (upsert of the service: %s)',
	async (serverUpsert) => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		const { error } = await run(
			upsert({ options: { identifier: by('id', '4711'), serverUpsert } }),
			[row(1)],
		);
		expect(error?.message).toBe(
			'No contact has the ID 4711. Nothing was changed. Leave Contact empty to find the contact by Email or Phone Number. [item 0]',
		);
		expect((await workspace.counts()).contacts).toBe(0);
	},
);

test('Create or Update creates a contact with the email or phone number that it was chosen by', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const email = await run(
		{ ...upsert({ options: { identifier: by('email', 'ann@example.com') } }), email: '' },
		[row(1)],
	);
	const phone = await run(
		{ ...upsert({ options: { identifier: by('phone', '+4915100000002') } }), phoneNumber: '' },
		[row(2)],
	);
	expect([...email.json, ...phone.json]).toMatchObject([
		{ outcome: 'created', email: 'ann@example.com', phoneNumber: row(1).phone },
		{ outcome: 'created', email: row(2).email, phoneNumber: '+4915100000002' },
	]);

	await workspace.clearJournal();
	const invalid = await run(
		{ ...upsert({ options: { identifier: by('phone', '={{ "123" }}') } }), phoneNumber: '' },
		[row(3)],
	);
	expect(invalid.error?.message).toBe(
		'Contact must be a phone number of 10 to 20 digits, with an optional leading +, but is "123" [item 0]',
	);
	expect((await workspace.summary()).byOperation).toEqual({});
});

test('Create or Update sees no change in an email in another case or a phone number without its +', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([
		{ email: 'Ann@example.com', phoneNumber: '+4915100000001', firstName: 'Ann' },
	]);
	await workspace.clearJournal();
	const { json } = await run(upsert(), [
		{ email: 'ann@Example.com', phone: 4915100000001, first: 'Ann' },
		{ email: '', phone: '4915100000001', first: 'Bea' },
	]);
	expect(json.map(({ outcome }) => outcome)).toEqual(['unchanged', 'updated']);
	const { requests } = await workspace.journal();
	expect(requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)).toEqual([
		{ firstName: 'Bea' },
	]);
	expect(await workspace.contact('email:ann@example.com')).toMatchObject({
		email: 'Ann@example.com',
		phoneNumber: '+4915100000001',
	});
});

test('Create or Update compares phone numbers regardless of the format in the workspace', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const rows = Array.from({ length: 20 }, (_, n) => row(n));
	await workspace.addContacts(
		rows.map(({ email, phone, first }, n) => ({
			email,
			firstName: first,
			phoneNumber: [
				phone,
				phone.replace('+', '00'),
				phone.replace(/(...)/, '$1 (0)'),
				phone.slice(1),
			][n % 4],
		})),
	);
	await workspace.clearJournal();
	const { json } = await run(upsert(), rows);
	expect(json.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'unchanged'));
});

test.each([
	['no row', []],
	['a row of Bob', [{ email: 'bob@example.com', phone: '+4915100000002', first: '' }]],
])(
	'Create or Update selects the contact of a row regardless of %s before it',
	async (_, before) => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		const [ann, bob] = await workspace.addContacts([
			{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
			{ email: 'bob@example.com', phoneNumber: '+4915100000002' },
		]);
		// By its email it is Ann, by its number Bob.
		const both = { email: 'ann@example.com', phone: '+4915100000002', first: 'Ann' };
		const { json } = await run(upsert(), [...before, both], { onError: 'continueRegularOutput' });
		expect(json.at(-1)?.error).toContain(
			`The phone number +4915100000002 belongs to a different contact from the one to update (IDs: ${bob.id}, ${ann.id}).`,
		);
		const { requests } = await workspace.journal();
		expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
	},
);

test('Create or Update finds a contact that appeared after it read the list', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, faults: { latencyMs: 500 } });
	const rows = Array.from({ length: 20 }, (_, n) => row(n));
	const running = run(upsert(), rows);
	const listed = async () =>
		(await workspace.journal()).requests.filter(({ status }) => status === 200).length;
	while ((await listed()) < 1) continue;
	await workspace.addContacts([{ email: row(7).email, firstName: 'Ann' }]);
	await workspace.faults({ latencyMs: null });
	const { json, error } = await running;
	expect(error).toBeUndefined();
	expect(json.map(({ outcome }) => outcome)).toEqual(
		rows.map((_, n) => (n === 7 ? 'updated' : 'created')),
	);
	expect((await workspace.summary()).byOperation).toMatchObject({
		listContacts: 1,
		createContact: 19,
	});
});

describe('Create or Update with custom fields', () => {
	async function withField() {
		const test = await testWorkspace({ contacts: 0 });
		const { customFields } = await test.workspace.state();
		const fieldOf = (type: string) => customFields.find((field) => field.type === type)!;
		const [color, age] = [fieldOf('shortText'), fieldOf('number')];
		const parameters = (more = {}): INodeParameters =>
			upsert({
				withCustomFields: true,
				customFields: {
					mappingMode: 'defineBelow',
					value: { [color.id]: '={{ $json.color }}', [age.id]: '={{ $json.age }}' },
				},
				...more,
			});
		return { ...test, color, age, parameters };
	}

	test('writes only values that differ, and returns an outcome for these only', async () => {
		const { run, workspace, color, age, parameters } = await withField();
		const rows = Array.from({ length: 40 }, (_, n) => ({ ...row(n), color: 'Blue', age: n }));
		const created = await run(parameters(), rows);
		expect(new Set(created.json.map(({ outcome }) => outcome))).toEqual(new Set(['created']));

		await workspace.clearJournal();
		const changed = rows.map((entry, n) =>
			n < 2 ? { ...entry, color: 'Red', age: `${n}.0` } : entry,
		);
		const { json } = await run(parameters(), changed);
		expect(json.map(({ outcome }) => outcome)).toEqual(
			rows.map((_, n) => (n < 2 ? 'updated' : 'unchanged')),
		);
		expect(json[0].customFields).toEqual({ [color.name]: 'Red', [age.name]: '0.0' });
		const { requests } = await workspace.journal();
		expect(requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)).toEqual(
			Array(2).fill({ operations: [{ customFieldId: color.id, operation: 'set', value: 'Red' }] }),
		);
		// Lists of contacts and of custom fields; no contact was looked up.
		expect(requests.some(({ operation }) => operation === 'getContact')).toBe(false);
	});

	test('returns the contact with its other values, all of them current', async () => {
		const { run, workspace, color, age, parameters } = await withField();
		await run(parameters(), [{ ...row(1), color: 'Blue', age: 7 }]);
		const simple = await run(parameters(), [{ ...row(1), color: 'Red' }]);
		expect(simple.json).toMatchObject([
			{ outcome: 'updated', customFields: { [color.name]: 'Red', [age.name]: '7' } },
		]);

		const raw = await run(parameters({ simplify: false }), [{ ...row(1), color: 'Green' }]);
		expect(raw.json).toMatchObject([
			{ outcome: 'updated', customFields: { [color.name]: 'Green' } },
		]);
		const { contactCustomFields } = await workspace.contact(`email:${row(1).email}`);
		const [first, second] = contactCustomFields;
		expect([first.value, second.value]).toEqual(['Green', '7']);
		// When the value was changed, only the service knows.
		expect(raw.json[0].contactCustomFields).toEqual([without(first, 'updatedAt'), second]);
	});

	test('writes a value again that an earlier row has changed', async () => {
		const { run, workspace, parameters } = await withField();
		await run(parameters(), [{ ...row(1), color: 'Blue' }]);
		const rows = ['Red', 'Blue'].map((color) => ({ ...row(1), color }));
		const { json } = await run(parameters(), rows);
		expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);

		// Nobody knows what became of the first.
		await workspace.faults({
			dropAfter: { match: { operation: 'setContactCustomFields' }, times: 1 },
		});
		const requestOptions = { maxRetries: 0 };
		const lost = await run({ ...parameters(), requestOptions }, rows, {
			onError: 'continueRegularOutput',
		});
		expect(lost.json).toMatchObject([{ error: expect.any(String) }, { outcome: 'updated' }]);
		const { contactCustomFields } = await workspace.contact(`email:${row(1).email}`);
		expect(contactCustomFields.map(({ value }) => value)).toEqual(['Blue']);

		// Setting does the same twice, so it is repeated where that is not turned off.
		await workspace.faults({
			dropAfter: { match: { operation: 'setContactCustomFields' }, times: 1 },
		});
		const repeated = await run(parameters(), [{ ...row(1), color: 'Green' }]);
		expect(repeated.json).toMatchObject([{ outcome: 'updated' }]);
	});

	test.each([404, 405] as const)(
		'reports what it wrote on a service without custom fields (%i)',
		async (status) => {
			const { run, workspace, parameters } = await withField();
			await workspace.faults(lacking(status, 'setContactCustomFields'));
			const given = { ...row(1), color: 'Blue' };
			const lacks = `This service doesn't offer this operation (${status}).`;
			const half = (done: string) =>
				`The contact id:ID was ${done}, but its custom fields were not set. ${lacks} [item 0]`;
			const shown = (message?: string) => message?.replace(/id:\d+/, 'id:ID');
			const created = await run(parameters(), [given]);
			expect(shown(created.error?.message)).toBe(half('created'));
			const updated = await run(parameters(), [{ ...given, first: 'Bea' }]);
			expect(shown(updated.error?.message)).toBe(half('updated'));
			const unchanged = await run(parameters(), [{ ...given, first: 'Bea' }]);
			expect(unchanged.error?.message).toBe(`${lacks} Nothing was changed. [item 0]`);
		},
	);
});

test('Create or Update does not merge two people if rows name one contact in different ways', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, faults: { latencyMs: [1, 20] } });
	await workspace.addContacts([
		{ email: 'old@example.com', phoneNumber: '+4915100000001', firstName: 'Ann' },
	]);
	const { json, error } = await run(upsert(), [
		{ email: 'new@example.com', phone: '+4915100000001', first: 'Ann' },
		{ email: 'old@example.com', phone: '+4915100000002', first: 'Bob' },
	]);
	expect(error).toBeUndefined();
	expect(new Set(json.map(({ id }) => id)).size).toBe(2);
	const { contacts } = await workspace.state();
	expect(contacts.map(({ email, firstName }) => [email, firstName]).sort()).toEqual([
		['new@example.com', 'Ann'],
		['old@example.com', 'Bob'],
	]);
});

test('Create or Update updates the right contact if an earlier row renames it meanwhile', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, faults: { latencyMs: 20 } });
	const [first, second] = await workspace.addContacts([
		{ email: 'old@example.com', phoneNumber: '+4915100000001' },
		{ email: null, phoneNumber: '+4915100000002' },
	]);
	const { json, error } = await run(
		upsert({ options: { identifier: by('id', fromItem('who')) } }),
		[
			{ who: 'phone:+4915100000001', email: 'new@example.com', phone: '', first: 'Ann' },
			{ who: '', email: 'old@example.com', phone: '+4915100000002', first: 'Bob' },
		],
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([
		{ id: first.id, email: 'new@example.com', firstName: 'Ann' },
		{ id: second.id, email: 'old@example.com', firstName: 'Bob' },
	]);
});

test('Create or Update looks up each contact once, also if rows name contacts in different ways', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const [ann] = await workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
		{ email: 'bob@example.com', phoneNumber: '+4915100000002' },
	]);
	const { error } = await run(upsert({ options: { identifier: by('id', fromItem('who')) } }), [
		{ who: `id:${ann.id}` },
		{ who: 'phone:+4915100000002' },
		{ who: 'bob@example.com' },
	]);
	expect(error).toBeUndefined();
	expect((await workspace.summary()).byOperation).toEqual({ getContact: 3 });
});

test('Create or Update keeps the last of many rows of one contact, custom fields included', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0, faults: { latencyMs: [1, 30] } });
	const field = (await workspace.state()).customFields.find(({ type }) => type === 'shortText')!;
	const rows = Array.from({ length: 25 }, (_, n) => ({ ...row(1), value: `v${n}` }));
	const { error } = await run(
		upsert({
			withCustomFields: true,
			customFields: { mappingMode: 'defineBelow', value: { [field.id]: '={{ $json.value }}' } },
		}),
		rows,
	);
	expect(error).toBeUndefined();
	const { contactCustomFields } = await workspace.contact('email:row1@example.com');
	expect(contactCustomFields.map(({ value }) => value)).toEqual(['v24']);
});

test('Create or Update keeps the order of rows of one contact if only the first one has a custom field value', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const field = (await workspace.state()).customFields.find(({ type }) => type === 'shortText')!;
	const customFields = { mappingMode: 'defineBelow', value: { [field.id]: '={{ $json.value }}' } };
	const { error } = await run(upsert({ withCustomFields: true, customFields }), [
		{ ...row(1, 'First'), value: 'a' },
		{ ...row(1, 'Last'), value: '' },
	]);
	expect(error).toBeUndefined();
	expect((await workspace.contact(`email:${row(1).email}`)).firstName).toBe('Last');
});

test('Create or Update reads a contact again if an earlier row has changed a part of it and failed', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([
		{ email: row(1).email, phoneNumber: row(1).phone, firstName: 'Ann' },
	]);
	const field = (await workspace.state()).customFields.find(({ type }) => type === 'shortText')!;
	await workspace.faults({
		fail: [{ match: { operation: 'setContactCustomFields' }, status: 422, times: 1 }],
	});
	const mapped = { mappingMode: 'defineBelow', value: { [field.id]: '={{ $json.value }}' } };
	const { json } = await run(
		upsert({ withCustomFields: true, customFields: mapped }),
		[
			{ ...row(1), first: 'Ann', value: '' },
			{ ...row(1), first: 'Bea', value: 'b' },
			{ ...row(1), first: 'Ann', value: '' },
		],
		{ onError: 'continueRegularOutput' },
	);
	expect(json.map(({ outcome }) => outcome)).toEqual(['unchanged', undefined, 'updated']);
	expect((await workspace.contact(`email:${row(1).email}`)).firstName).toBe('Ann');
});

test('Create or Update reports that it created a contact without its avatar', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await workspace.faults({ fail: [{ match: { method: 'PUT' }, status: 422 }] });
	const { error } = await run(
		upsert({ additionalFields: { avatar: 'https://example.com/a.png' } }),
		[row(1)],
	);
	expect(error?.message).toMatch(/^The contact id:\d+ was created, but its avatar was not set\./);
	expect(error?.message).not.toContain('Nothing was changed');
});

test('Create or Update does not send rows that wait when an earlier row fails', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const { error } = await run(upsert(), [{ email: row(1).email }, row(1)]);
	expect(error?.context?.itemIndex).toBe(0);
	expect((await workspace.counts()).contacts).toBe(0);
	expect(error?.description).toContain('1 not attempted (item 1)');
});
