import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';
import { testWorkspace } from '../../support/engine/workspace';

const parameters = {
	resource: 'contact',
	operation: 'upsert',
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { firstName: '={{ $json.first }}', lastName: '={{ $json.last }}' },
};

/** What the preview calls the outcomes of a run. */
const planned: IDataObject = { created: 'wouldCreate', updated: 'wouldUpdate' };

const told = ({ outcome, changedFields, email, phoneNumber }: IDataObject) => ({
	outcome: planned[String(outcome)] ?? outcome,
	changedFields,
	email,
	phoneNumber,
});

test.each(Array.from({ length: caseCount({ few: 4, many: 10 }) }, (_, seed) => seed))(
	'Preview reports what the next run does, and writes nothing (workspace %d)',
	async (seed) => {
		const random = sequenceOf(seed);
		const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const person = (n: number) => ({
			email: `p${n}@example.com`,
			phoneNumber: `+4915100000${100 + n}`,
			firstName: pick('Ann', 'Bob', undefined),
		});
		await workspace.addContacts(Array.from({ length: 6 }, (_, n) => person(n)));
		const rows = Array.from({ length: 12 }, () => {
			const n = Math.floor(random() * 10);
			return {
				email: pick(`p${n}@example.com`, `P${n}@Example.com`),
				phone: pick(`+4915100000${100 + n}`, `4915100000${100 + n}`),
				first: pick('Ann', 'Bob', ''),
				last: pick('', 'Lee'),
			};
		});
		await workspace.clearJournal();
		const preview = await run({ ...parameters, options: { preview: true } }, rows);
		expect(preview.error?.message).toBeUndefined();
		const writes = (await workspace.journal()).requests.filter(({ method }) => method !== 'GET');
		expect(writes).toEqual([]);

		const real = await run(parameters, rows);
		expect(real.error?.message).toBeUndefined();
		expect(preview.json.map(told)).toEqual(real.json.map(told));
		// Each change goes from what was to what is.
		for (const { changes } of preview.json)
			for (const { from, to } of Object.values(
				changes as Record<string, { from: unknown; to: unknown }>,
			))
				expect(from).not.toEqual(to);
	},
);

test('A row with the current values of the contact changes nothing and names no field', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001', firstName: 'Ann' },
	]);
	const row = { email: 'ann@example.com', phone: '+4915100000001', first: 'Ann', last: '' };
	const { json } = await run(parameters, [row, { ...row, last: 'Lee' }]);
	expect(json).toMatchObject([
		{ outcome: 'unchanged', changedFields: [] },
		{ outcome: 'updated', changedFields: ['lastName'] },
	]);
});

test('Preview shows the new email of a contact whose email an earlier row changes', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([{ email: 'a@example.com', phoneNumber: '+4915100000001' }]);
	const rows = [
		{ email: 'b@example.com', phone: '+4915100000001', first: '', last: '' },
		{ email: 'a@example.com', phone: '+4915100000001', first: '', last: '' },
	];
	const preview = await run({ ...parameters, options: { preview: true } }, rows);
	const real = await run(parameters, rows);
	expect(preview.json.map(told)).toEqual(real.json.map(told));
	expect(real.json.map(({ changedFields }) => changedFields)).toEqual([['email'], ['email']]);
});

test.each(['newer', 'older'] as const)(
	'Preview reports the same for new contacts as the next run (%s)',
	async (service) => {
		const { run } = await testWorkspace({ contacts: 0, service });
		const rows = [{ email: 'b@example.com', phone: '+4915100000001', first: 'Bob', last: '' }];
		const preview = await run({ ...parameters, options: { preview: true } }, rows);
		const real = await run(parameters, rows);
		expect(preview.json.map(told)).toEqual(real.json.map(told));
	},
);

/** The rows that a real run refuses, each for another reason, after one that it accepts. */
const invalidRows = [
	{ email: 'ann@example.com', phone: '4915100000001', first: 'Ann', last: '' },
	{ email: 'ann@example.com', phone: '4915100000002', first: 'Ann', last: '' },
	{ email: 'not an email', phone: '+4915100000003', first: '', last: '' },
	{ email: '', phone: '', first: 'Nobody', last: '' },
	{ email: 'new@example.com', phone: '', first: 'New', last: '' },
	{ email: 'bob@example.com', phone: '+4915100000003', first: 'Bob', last: '' },
];

const outcomes = (json: IDataObject[]) =>
	json.map(({ outcome, error }) => outcome ?? (error === undefined ? 'none' : 'refused'));

describe.each(['reference', 'newer'] as const)(
	'Rows that are not valid (%s service)',
	(service) => {
		async function twoPeople() {
			const { workspace, run } = await testWorkspace({ contacts: 0, service });
			const people = await workspace.addContacts([
				{
					email: 'ann@example.com',
					phoneNumber: '+4915100000001',
					firstName: 'Ann',
					lastName: 'Lind',
				},
				{
					email: 'bob@example.com',
					phoneNumber: '+4915100000002',
					firstName: 'Bobby',
					lastName: null,
				},
			]);
			return { workspace, run, people };
		}

		test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
			'Preview lists the rows that the run refuses, with the reason, and goes on (%s)',
			async (onError) => {
				const { workspace, run, people } = await twoPeople();
				const before = await workspace.state();
				const preview = await run({ ...parameters, options: { preview: true } }, invalidRows, {
					onError,
				});
				expect(preview.error?.message).toBeUndefined();
				expect(outcomes(preview.json)).toEqual([
					'unchanged',
					'invalid',
					'invalid',
					'invalid',
					'invalid',
					'wouldUpdate',
				]);
				const ids = people.map(({ id }) => id).join(', ');
				expect(preview.json.map(({ reason }) => reason)).toEqual([
					null,
					`The phone number 4915100000002 belongs to a different contact from the one to update (IDs: ${ids.split(', ').reverse().join(', ')}). Correct the row, or select the contact by ID.`,
					expect.stringMatching(/^Email must be .*"not an email".*\.$/),
					'Enter an email or a phone number.',
					'No contact has the email new@example.com. To create one, also enter a phone number.',
					null,
				]);
				for (const row of preview.json)
					expect(Object.keys(row).slice(0, 3)).toEqual(['outcome', 'reason', 'contactId']);
				expect(preview.json[2]).toMatchObject({
					contactId: null,
					email: 'not an email',
					phoneNumber: '+4915100000003',
					changedFields: [],
					changes: {},
					preview: true,
				});
				expect(preview.json[5]).toMatchObject({
					contactId: people[1].id,
					fullName: 'Bob',
					preview: true,
				});
				expect(preview.hints).toContain(
					'Preview: nothing was saved. 6 rows: 1 would be updated, 1 unchanged, 4 invalid.',
				);
				expect(await workspace.state()).toEqual(before);
			},
		);

		test('The run refuses exactly the rows that Preview lists as invalid', async () => {
			const { run } = await twoPeople();
			const { json, hints } = await run(parameters, invalidRows, {
				onError: 'continueRegularOutput',
			});
			expect(outcomes(json)).toEqual([
				'unchanged',
				'refused',
				'refused',
				'refused',
				'refused',
				'updated',
			]);
			expect(hints.join()).not.toContain('Preview');
		});
	},
);

describe('Invalid rows fail no others in a list so long that the node reads all contacts', () => {
	const rows = Array.from({ length: 30 }, (_, n) => ({
		email: n % 10 === 0 ? `no email ${n}` : `p${n}@example.com`,
		phone: `+49151000001${10 + n}`,
	}));

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'in a preview, if the node is set to %s',
		async (onError) => {
			const { run } = await testWorkspace({ contacts: 3 });
			const preview = { ...parameters, options: { preview: true } };
			const { json, error } = await run(preview, rows, { onError });
			expect(error?.message).toBeUndefined();
			const invalid = json.filter(({ outcome }) => outcome === 'invalid');
			expect(invalid.map(({ email }) => email)).toEqual([
				'no email 0',
				'no email 10',
				'no email 20',
			]);
			expect(json.filter(({ outcome }) => outcome === 'wouldCreate')).toHaveLength(27);
		},
	);

	test('in a run', async () => {
		const { run } = await testWorkspace({ contacts: 3 });
		const real = await run(parameters, rows, { onError: 'continueRegularOutput' });
		expect(real.json.filter(({ outcome }) => outcome === 'created')).toHaveLength(27);
		expect(real.json.filter(({ error }) => error !== undefined)).toHaveLength(3);
	});
});

test('Preview lists a row whose contact is selected by a custom field that nobody has as invalid', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 2 });
	const [{ name }] = (await workspace.state()).customFields.filter(
		({ type }) => type === 'shortText',
	);
	const identifier = { __rl: true, mode: 'customField', value: `${name}=Nobody` };
	const { json, error } = await run({ ...parameters, options: { preview: true, identifier } }, [
		{},
		{},
	]);
	expect(error?.message).toBeUndefined();
	const reason = expect.stringContaining(`No contact has ${name} = Nobody.`);
	expect(json).toMatchObject([
		{ outcome: 'invalid', reason },
		{ outcome: 'invalid', reason },
	]);
});

test('Preview lists rows as invalid if the expression of another option fails', async () => {
	const { run } = await testWorkspace({ contacts: 0 });
	const options = { preview: true, defaultCountryCode: "={{ $('Nowhere').item.json.code }}" };
	const rows = [{ email: 'ann@example.com', phone: '0151 555 01234' }];
	const { json, error } = await run({ ...parameters, options }, rows);
	expect(error?.message).toBeUndefined();
	expect(json).toMatchObject([{ outcome: 'invalid', reason: "Referenced node doesn't exist." }]);
});

test('Preview fails if the service cannot be asked, because that says nothing about a row', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await workspace.faults({ fail: [{ status: 401 }] });
	const { error } = await run({ ...parameters, options: { preview: true } }, invalidRows);
	expect(error?.message).toContain('(401)');
});

test('Preview says first what a run says: numbers without a country code, and new contacts without a channel', async () => {
	const { run } = await testWorkspace({ contacts: 0, service: 'newer' });
	const rows = [{ email: 'ann@example.com', phone: '0151 555 01234' }];
	const preview = await run({ ...parameters, options: { preview: true } }, rows);
	expect(preview.hints).toEqual([
		'New contacts have no channel. If the service requires one, it creates them on web chat. To change this, add Channel under Additional Fields.',
		'Preview: nothing was saved. 1 row: 1 would be created.',
		'1 phone number has no country code (item 0), and would be saved as typed. To complete such numbers, add Default Country Code under Options, or set it in the credential.',
	]);
	const { hints } = await run(
		{ ...parameters, additionalFields: { channel: 'webchat' }, options: { preview: true } },
		rows.map(({ email }) => ({ email, phone: '+4915100000001' })),
	);
	expect(hints).toEqual(['Preview: nothing was saved. 1 row: 1 would be created.']);
});

test('Preview says which row creates the contact that a later row updates', async () => {
	const { run } = await testWorkspace({ contacts: 0 });
	const row = { email: 'ann@example.com', phone: '+4915100000001', first: 'Ann', last: '' };
	const rows = [
		{ ...row, email: 'bob@example.com', phone: '+4915100000002' },
		row,
		{ ...row, last: 'Lee' },
		row,
	];
	const { json, hints } = await run({ ...parameters, options: { preview: true } }, rows);
	expect(json.map(({ outcome, contactId }) => [outcome, contactId])).toEqual([
		['wouldCreate', null],
		['wouldCreate', null],
		['wouldUpdate', 'same as row 2'],
		['unchanged', 'same as row 2'],
	]);
	expect(hints).toContain(
		'Preview: nothing was saved. 4 rows: 2 would be created, 1 would be updated, 1 unchanged.',
	);
});

test('The changed fields of a new contact are those that the user entered', async () => {
	const { run } = await testWorkspace({ contacts: 0 });
	const rows = [{ email: 'ann@example.com', phone: '+4915100000001', first: 'Ann', last: '' }];
	const preview = await run({ ...parameters, options: { preview: true } }, rows);
	const real = await run(parameters, rows);
	for (const { json } of [preview, real])
		expect(json[0].changedFields).toEqual(['email', 'phoneNumber', 'firstName']);
});

test('Preview shows a custom field that is called like a field of the contact beside it', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([{ email: 'ann@example.com', firstName: 'Ann', lastName: 'Lee' }]);
	const { json: created } = await run({
		resource: 'customField',
		operation: 'create',
		name: 'firstName',
		type: 'shortText',
	});
	const fieldId = String(created[0].id);
	const { json, error } = await run(
		{
			resource: 'contact',
			operation: 'upsert',
			email: 'ann@example.com',
			additionalFields: { lastName: 'Smith' },
			withCustomFields: true,
			customFields: { mappingMode: 'defineBelow', value: { [fieldId]: 'Annie' } },
			options: { preview: true },
		},
		[{}],
	);
	expect(error?.message).toBeUndefined();
	expect(json).toMatchObject([
		{
			changes: {
				lastName: { from: 'Lee', to: 'Smith' },
				[`customField ${fieldId}`]: { from: null, to: 'Annie' },
			},
		},
	]);
});
