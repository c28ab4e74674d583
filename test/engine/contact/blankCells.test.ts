import type { GenericValue, IDataObject } from 'n8n-workflow';
import type { ServiceName } from '../../../sandbox/services/names';
import { by, fromItem, writesOf } from '../../support/engine/helpers';
import { TOOL } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { newerWorkspace } from '../import/helpers';

/* What cells have in which there is nothing to see, and what stands around a value. */

const services: ServiceName[] = ['older', 'reference', 'newer'];

const blanks: Array<[name: string, cell: GenericValue]> = [
	['an empty text', ''],
	['a space', ' '],
	['a no-break space', '\u00a0'],
	['a tab', '\t'],
	['a line break', '\n'],
	['a space without a width', '\u200b'],
	['an empty list', []],
	['a space of Japanese keyboards', '\u3000'],
	['a filler of Korean keyboards', '\u3164'],
	['the blank cell of Braille', '\u2800'],
	['a byte order mark between Windows line breaks', '\r\n\ufeff\r\n'],
	['a thin space and a joiner', '\u2009\u200d'],
	['a list with nothing to see', ['', ' \u00a0', null]],
];

const stored = {
	shortText: 'Gold',
	longText: 'First line\nsecond line',
	number: '7',
	boolean: 'true',
	date: '2026-01-31',
	datetime: '2026-01-31T09:30:00.000Z',
	email: 'ann@work.example',
	phoneNumber: '+4915100000009',
};
const types = Object.keys(stored) as Array<keyof typeof stored>;

/** A workspace with one contact, Ann, who has a value in a custom field of each type. */
async function withAnn(service: ServiceName) {
	const test = await testWorkspace({ contacts: 0, service, counts: { customFields: 0 } });
	const { workspace, run } = test;
	for (const type of types) await workspace.add('customFields', { name: type, type });
	const row = { email: 'ann@example.com', phoneNumber: '+4915100000001' };
	await workspace.addContacts([{ ...row, firstName: 'Ann', lastName: 'Lee' }]);
	const value = Object.fromEntries(types.map((type) => [type, fromItem(type)]));
	const customFields = { mappingMode: 'defineBelow', value };
	const contact = (operation: string, more: IDataObject = {}) => ({
		resource: 'contact',
		operation,
		identifier: by('email', row.email),
		...{ withCustomFields: true, customFields, ...more },
	});
	const { error } = await run(contact('setCustomFields'), [stored]);
	expect(error).toBeUndefined();
	const ann = async () => {
		const { firstName, lastName, avatar, ...all } = await workspace.contact(`email:${row.email}`);
		const values = (all.contactCustomFields as IDataObject[]).map((each) => each.value);
		return { firstName, lastName, avatar, values };
	};
	const before = await ann();
	await workspace.clearJournal();
	return { ...test, row, contact, ann, before };
}

const cellsFor = (cell: GenericValue) => Object.fromEntries(types.map((type) => [type, cell]));

const upsertFields = {
	email: fromItem('mail'),
	phoneNumber: fromItem('phone'),
	additionalFields: {
		avatar: fromItem('cell'),
		firstName: fromItem('cell'),
		lastName: fromItem('cell'),
		gender: fromItem('cell'),
		contactId: fromItem('cell'),
		channel: fromItem('cell'),
	},
};

/** What a run returns for each blank cell. */
const perBlank = <Value>(value: Value) => blanks.map(([name]) => [name, value]);
const named = <Value>(values: Value[]) =>
	values.map((value, n) => [blanks[n % blanks.length][0], value]);

describe.each(services)('A blank cell, on a service of the kind %s,', (service) => {
	test('changes nothing in Create or Update', async () => {
		const { run, workspace, row, contact, ann, before } = await withAnn(service);
		const byMail = blanks.map(([, cell]) => ({
			cell,
			...cellsFor(cell),
			mail: row.email,
			phone: cell,
		}));
		const byPhone = byMail.map((each) => ({ ...each, mail: each.cell, phone: row.phoneNumber }));
		const { json, error, hints } = await run(contact('upsert', upsertFields), [
			...byMail,
			...byPhone,
		] as IDataObject[]);
		expect([error?.message, hints]).toEqual([undefined, []]);
		expect(named(json.map(({ outcome }) => outcome))).toEqual([
			...perBlank('unchanged'),
			...perBlank('unchanged'),
		]);
		expect(await writesOf(workspace)).toEqual([]);
		expect(await ann()).toEqual(before);
	});

	test('is left out beside a filled one in Set Custom Fields', async () => {
		const { run, contact, ann, before } = await withAnn(service);
		const rows = blanks.map(([, cell], n) => ({ ...cellsFor(cell), shortText: `Gold ${n}` }));
		const { json, error } = await run(contact('setCustomFields'), rows);
		expect(error).toBeUndefined();
		expect(json.map(({ customFields }) => customFields)).toEqual(
			rows.map(({ shortText }) => ({ shortText })),
		);
		expect((await ann()).values.slice(1)).toEqual(before.values.slice(1));
	});
});

test('A row of Set Custom Fields with only blank cells is refused as one with only empty cells is', async () => {
	const { run, workspace, contact } = await withAnn('reference');
	for (const [, cell] of blanks) {
		const { error } = await run(contact('setCustomFields'), [cellsFor(cell)]);
		expect(error?.message).toBe('Fill in at least one of the custom fields [item 0]');
	}
	expect(await writesOf(workspace)).toEqual([]);
});

test('Create sends no field for a blank cell', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	const create = { email: fromItem('email'), phoneNumber: fromItem('phone'), gender: 'male' };
	const [firstName, lastName, contactId] = [fromItem('cell'), fromItem('cell'), fromItem('cell')];
	const additionalFields = { firstName, lastName, contactId };
	const { error } = await run(
		{ resource: 'contact', operation: 'create', ...create, additionalFields },
		blanks.map(([, cell], n) => ({
			cell,
			email: `b${n}@example.com`,
			phone: `+49151000001${n + 10}`,
		})),
	);
	expect(error).toBeUndefined();
	const fields = (await writesOf(workspace)).map(({ body }) => Object.keys(body as object).sort());
	expect(named(fields)).toEqual(perBlank(['email', 'gender', 'phoneNumber']));
});

test('Update clears a name and the avatar for a blank cell, and nothing else', async () => {
	const { run, workspace, contact } = await withAnn('reference');
	const updateFields = {
		...{ avatar: fromItem('cell'), firstName: fromItem('cell'), lastName: fromItem('cell') },
		...{ email: fromItem('cell'), phoneNumber: fromItem('cell') },
	};
	const rows = blanks.map(([, cell]) => ({ cell, ...cellsFor(cell) }));
	const { json, error } = await run(contact('update', { updateFields }), rows as IDataObject[]);
	expect(error).toBeUndefined();
	expect(named(json.map(({ updated }) => updated))).toEqual(
		perBlank(['firstName', 'lastName', 'avatar']),
	);
	const bodies = (await writesOf(workspace)).map(({ body }) => body);
	expect(named(bodies)).toEqual(perBlank({ avatar: '', firstName: '', lastName: '' }));
});

test('What a model leaves blank in a tool changes nothing, in Update either', async () => {
	const { run, workspace, row, contact, ann, before } = await withAnn('reference');
	const fields = { avatar: fromItem('cell'), lastName: fromItem('cell'), firstName: 'Ann' };
	for (const [, cell] of blanks) {
		const items = [{ cell, ...cellsFor(cell) }];
		const update = { contact: row.email, updateFields: fields };
		const updated = await run(contact('update', update), items, { node: TOOL });
		expect(updated.json).toMatchObject([{ updated: ['firstName'], customFields: {} }]);
		const upsert = { email: row.email, phoneNumber: fromItem('cell'), additionalFields: fields };
		const { json } = await run(contact('upsert', upsert), items, { node: TOOL });
		expect(json).toMatchObject([{ outcome: 'unchanged' }]);
	}
	expect(await ann()).toEqual(before);
	const bodies = (await writesOf(workspace)).map(({ body }) => body);
	expect(bodies).toEqual(blanks.map(() => ({ firstName: 'Ann' })));
});

test('Import from items has no cell for a blank one, and no row for an item without any other', async () => {
	const test = await newerWorkspace({ counts: { customFields: 0 } });
	const { id } = await test.workspace.add('customFields', { name: 'Age', type: 'number' });
	const parameters = test.into('webchat', 'items', {
		...{ contactId: fromItem('id'), email: fromItem('cell'), phoneNumber: fromItem('cell') },
		...{ firstName: fromItem('cell'), lastName: fromItem('last') },
		customFields: { mappingMode: 'defineBelow', value: { [id]: fromItem('cell') } },
	});
	const filled = blanks.map(([, cell], n) => ({ id: n + 1, cell, last: '\u00a0Lee\n' }));
	const empty = blanks.map(([, cell]) => ({ id: cell, cell, last: cell }));
	const { json, error } = await test.run(parameters, [...filled, ...empty]);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ totalCount: blanks.length }]);
	const [file] = (await test.workspace.state()).files.slice(-1);
	expect(file.rows).toEqual(filled.map((row) => ({ contactId: `${row.id}`, lastName: 'Lee' })));
});

describe('A cell becomes what people see in it', () => {
	const names: Array<[cell: GenericValue, sent: string]> = [
		[' Ann\t', 'Ann'],
		['\u00a0Ann\u200b', 'Ann'],
		['\u200e\u2003José\u3000', 'José'],
		['\nMary Ann\r\n', 'Mary Ann'],
		[['Ann '], 'Ann'],
		// What stays.
		['A', 'A'],
		['Mary\u00a0Ann', 'Mary\u00a0Ann'],
		["O'Neil", "O'Neil"],
		['\u0d30\u0d3e\u0d1c\u0d28\u0d4d\u200d', '\u0d30\u0d3e\u0d1c\u0d28\u0d4d\u200d'],
		['Ann ❤\ufe0f', 'Ann ❤\ufe0f'],
	];
	const texts: Array<[cell: GenericValue, sent: string]> = [
		['  Gold ', 'Gold'],
		['\u200bGold\u00a0\n', 'Gold'],
		[['Gold', 'VIP'], 'Gold, VIP'],
		[[' Gold', 'VIP\u200b', ''], 'Gold, VIP'],
		[[1, 2.5, true, false], '1, 2.5, true, false'],
		[['Gold'], 'Gold'],
		[[0], '0'],
		[['Gold', null, 'a, b'], 'Gold, a, b'],
		// What stays.
		['-', '-'],
		[0, '0'],
		[false, 'false'],
		['["Gold","VIP"]', '["Gold","VIP"]'],
		['a\n\n  b', 'a\n\n  b'],
		[{ plan: 'Gold' }, '{"plan":"Gold"}'],
		[[{ plan: 'Gold' }], '[{"plan":"Gold"}]'],
		[[['Gold']], '[["Gold"]]'],
	];

	test.each(services)('as a name and as a text, on a service of the kind %s', async (service) => {
		const { run, workspace, row, contact } = await withAnn(service);
		const rows = texts.map(([cell], n) => ({
			shortText: cell,
			longText: cell,
			name: names[n]?.[0],
		}));
		const fields = { firstName: fromItem('name') };
		const { json, error } = await run(
			contact('upsert', { email: row.email, phoneNumber: '', additionalFields: fields }),
			rows as IDataObject[],
		);
		expect(error).toBeUndefined();
		const sent = json.map(({ customFields }) => customFields as IDataObject);
		expect(sent.map((values) => [values.shortText, values.longText])).toEqual(
			texts.map(([, text]) => [text, text]),
		);
		const { length } = names;
		expect(json.slice(0, length).map(({ firstName }) => firstName)).toEqual(
			names.map(([, name]) => name),
		);
		expect(await workspace.contact(`email:${row.email}`)).toMatchObject({
			firstName: names.at(-1)![1],
		});
	});

	test('and a list of one value fills a field of any type; of several, only a text', async () => {
		const { run, contact } = await withAnn('reference');
		const one = Object.fromEntries(types.map((type) => [type, [stored[type]]]));
		const { json } = await run(contact('setCustomFields'), [one]);
		expect(json[0].customFields).toEqual(stored);
		const several = await run(contact('setCustomFields'), [{ number: ['1', '2'] }]);
		expect(several.error?.message).toContain('must be a number, such as 1234.5, but is "1, 2"');
	});

	test('but what Append and Prepend add keeps its blanks', async () => {
		const { run, contact, ann } = await withAnn('reference');
		const mapped = (value: string, writeMode: string) =>
			contact('setCustomFields', {
				customFields: { mappingMode: 'defineBelow', value: { shortText: value } },
				options: { writeMode },
			});
		await run(mapped(' member', 'append'), [{}]);
		await run(mapped('A ', 'prepend'), [{}]);
		expect((await ann()).values[0]).toBe('A Gold member');
	});
});

describe('An email in full-width letters', () => {
	const emails: Array<[cell: string, sent: string]> = [
		['ａｎｎ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ann@example.com'],
		['ann＠example.com', 'ann@example.com'],
		['ann@example。com', 'ann@example.com'],
		['\u3000Ａnn@example.com ', 'Ann@example.com'],
		['oﬃce@example.com', 'office@example.com'],
		['ｊürgen＠müller．example', 'jürgen@müller.example'],
		// What stays.
		['山田@例え.example', '山田@例え.example'],
		["sinéad.o'neil@example.ie", "sinéad.o'neil@example.ie"],
	];

	test.each(emails)('is stored in plain ones, and finds the contact: %s', async (cell, sent) => {
		const { run, workspace } = await testWorkspace({ contacts: 0 });
		const upsert = {
			...{ resource: 'contact', operation: 'upsert', email: fromItem() },
			phoneNumber: '+4915100000001',
		};
		const { json } = await run(upsert, [{ value: cell }, { value: sent }, { value: cell }]);
		expect(json.map(({ email, outcome }) => [email, outcome])).toEqual([
			[sent, 'created'],
			[sent, 'unchanged'],
			[sent, 'unchanged'],
		]);
		expect((await workspace.counts()).contacts).toBe(1);
		for (const mode of ['email', 'id']) {
			const get = { resource: 'contact', operation: 'get', identifier: by(mode, fromItem()) };
			const found = await run(get, [{ value: cell }]);
			expect([mode, found.error?.message, found.json[0]?.email]).toEqual([mode, undefined, sent]);
		}
	});

	test('is so in a custom field and in an import, too', async () => {
		const { run, contact } = await withAnn('reference');
		const [[cell, sent]] = emails;
		const { json } = await run(contact('setCustomFields'), [{ email: cell }]);
		expect(json[0].customFields).toEqual({ email: sent });
		const test = await newerWorkspace();
		const parameters = { contactId: '1', email: fromItem() };
		await test.run(test.into('webchat', 'items', parameters), [{ value: cell }]);
		const [file] = (await test.workspace.state()).files.slice(-1);
		expect(file.rows).toEqual([{ contactId: '1', email: sent }]);
	});
});
