import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import { testWorkspace } from '../../support/engine/workspace';

const parameters = {
	resource: 'contact',
	operation: 'upsert',
	email: '={{ $json.email }}',
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { firstName: '={{ $json.first }}', lastName: '={{ $json.last }}' },
};

const told = ({ outcome, changedFields, email, phoneNumber }: IDataObject) => ({
	outcome,
	changedFields,
	email,
	phoneNumber,
});

test.each(Array.from({ length: 10 }, (_, seed) => seed))(
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
			for (const { from, to } of Object.values(changes as Record<string, { from: unknown; to: unknown }>))
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

test.each(['reference', 'newer'] as const)(
	'Preview refuses what the run refuses: an email and a phone number of two contacts (%s service)',
	async (service) => {
		const { workspace, run } = await testWorkspace({ contacts: 0, service });
		await workspace.addContacts([
			{ email: 'ann@example.com', phoneNumber: '+4915100000001' },
			{ email: 'bob@example.com', phoneNumber: '+4915100000002' },
		]);
		const before = await workspace.state();
		const rows = [
			{ email: 'ann@example.com', phone: '4915100000002', first: 'Ann', last: '' },
			{ email: 'bob@example.com', phone: '+4915100000003', first: 'Bob', last: '' },
		];
		const outcomes = async (options: IDataObject) => {
			const { json } = await run({ ...parameters, options } as never, rows, {
				onError: 'continueRegularOutput',
			});
			return json.map(({ outcome, error }) => outcome ?? (error === undefined ? 'none' : 'refused'));
		};
		expect(await outcomes({ preview: true })).toEqual(['refused', 'updated']);
		expect(await workspace.state()).toEqual(before);
		expect(await outcomes({})).toEqual(['refused', 'updated']);
	},
);
