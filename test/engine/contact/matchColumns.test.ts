import type { IDataObject } from 'n8n-workflow';
import { by, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

/**
 * A workspace with one contact and three custom fields, and what maps the columns of items to them
 * automatically.
 */
async function withFields() {
	const { workspace, run } = await testWorkspace({ contacts: 1, counts: { customFields: 0 } });
	for (const name of ['Favorite Color', 'City', 'Age'])
		await workspace.add('customFields', { name, type: name === 'Age' ? 'number' : 'shortText' });
	const [{ id }] = (await workspace.state()).contacts;
	await workspace.clearJournal();
	const map = async (operation: string, items: IDataObject[], more = {}) =>
		await run(
			{
				resource: 'contact',
				operation,
				identifier: by('id', id),
				withCustomFields: true,
				customFields: { mappingMode: 'autoMapInputData', value: null },
				...more,
			},
			items,
		);
	const written = async () => (await received(workspace)).filter(({ method }) => method !== 'GET');
	return { workspace, map, written };
}

const columnsOf = (json: IDataObject[]) => json.map(({ customFields }) => customFields);

test('Columns match custom fields regardless of case and blanks', async () => {
	const { map } = await withFields();
	const items = [
		{ 'FAVORITE color ': 'Blue', city: 'Hue', ' age': 7 },
		{ favoritecolor: 'Red', CITY: '', other: 1 },
	];
	const { json, error } = await map('setCustomFields', items);
	expect(error).toBeUndefined();
	expect(columnsOf(json)).toEqual([
		{ 'Favorite Color': 'Blue', City: 'Hue', Age: '7' },
		{ 'Favorite Color': 'Red' },
	]);
});

test('A column with exactly the name of the field wins', async () => {
	const { map } = await withFields();
	const { json } = await map('setCustomFields', [
		{ city: 'x', City: 'Hue', CITY: 'y' },
		{ CITY: 'first', city: 'second' },
	]);
	expect(columnsOf(json)).toEqual([{ City: 'Hue' }, { City: 'first' }]);
});

test.each(['setCustomFields', 'update', 'upsert'])(
	'%s names the columns and the fields, and changes nothing, if no column matches',
	async (operation) => {
		const { map, written } = await withFields();
		const updateFields = { firstName: 'Ann' };
		const items = [{ colour: 'Blue', town: 'Hue' }, { years: 7 }];
		const { error } = await map(operation, items, { updateFields, email: 'new@example.com' });
		expect(error?.message).toBe(
			'No column has the name of a custom field. The columns are: colour, town, years. The custom fields are: Favorite Color, City, Age. Nothing was changed for this item. Rename a column, or map the custom fields yourself. All 2 items failed. n8n counts from 0: item 0 is the 1st. [item 0]',
		);
		expect(await written()).toEqual([]);
	},
);

test('The error for many columns names twenty of them', async () => {
	const { map } = await withFields();
	const many = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, 1]));
	const twenty = await map('setCustomFields', [many(20)]);
	expect(twenty.error?.message).toContain('c18, c19. The custom fields');
	const more = await map('setCustomFields', [many(21)]);
	expect(more.error?.message).toContain('c18, c19 and 1 more. The custom fields');
});

test('An item without any matching column is no error if other items have one', async () => {
	const { map } = await withFields();
	const updateFields = { firstName: 'Ann' };
	const { json, error } = await map('update', [{ city: 'Hue' }, { other: 1 }], { updateFields });
	expect(error).toBeUndefined();
	expect(columnsOf(json)).toEqual([{ City: 'Hue' }, {}]);
});

describe('A hint names the columns that an automatic mapping leaves out, once a run', () => {
	const hintOf = (columns: string) =>
		`Not saved: ${columns.includes(',') ? 'columns' : 'column'} ${columns}.`;

	test.each(['setCustomFields', 'update', 'upsert'])('in %s', async (operation) => {
		const { map } = await withFields();
		const items = [
			{ City: 'Hue', Plan: 'pro', Größe: 'XL', email: 'a@x.io', phone: '+4915100000010' },
			{ City: 'Bonn', Plan: 'free', empty: '', email: 'b@x.io', phone: '+4915100000011' },
		];
		const { hints, error } = await map(operation, items, {
			updateFields: { firstName: 'Ann' },
			...{ email: '={{ $json.email }}', phoneNumber: '={{ $json["phone"] }}' },
		});
		expect(error).toBeUndefined();
		// Only Create or Update has these two fields.
		const left = operation === 'upsert' ? 'Plan, Größe' : 'Plan, Größe, email, phone';
		expect(hints).toEqual([hintOf(left)]);
	});

	test('also one that loses to another column for the same field', async () => {
		const { map } = await withFields();
		const { hints } = await map('setCustomFields', [{ City: 'Hue', CITY: 'Bonn' }]);
		expect(hints).toEqual([hintOf('CITY')]);
	});

	test('but none if each column is used by some item, by an expression, or empty', async () => {
		const { map } = await withFields();
		const items = [
			{ City: 'Hue', CITY: '', note: null, 'Who?': 2 },
			{ CITY: 'Bonn', 'Who?': 1 },
		];
		const updateFields = { firstName: '=Mr {{ $json["Who?"] }}' };
		const { hints } = await map('update', items, { updateFields });
		expect(hints).toEqual([]);
	});

	test('and none if the user mapped the fields', async () => {
		const { map } = await withFields();
		const { hints } = await map('setCustomFields', [{ City: 'Hue', Plan: 'pro' }], {
			customFields: { mappingMode: 'defineBelow', value: { City: '={{ $json.City }}' } },
		});
		expect(hints).toEqual([]);
	});
});
