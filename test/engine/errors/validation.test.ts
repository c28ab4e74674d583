import { by, fromItem, queryOf, received, writesOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import type { TestWorkspace } from '../../support/engine/workspace';

const createTags = { resource: 'tag', operation: 'create', name: fromItem('name') };
const nameless = { name: '' };
const rule =
	'Name must be 1 to 255 characters long, but its expression returns nothing for this item';

describe('On Error: Stop', () => {
	test('sends nothing if one item of five is not valid, and reports this item', async () => {
		const { workspace, run } = await testWorkspace();
		const items = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, nameless, { name: 'e' }];
		const { error, outputs } = await run(createTags, items);
		expect(error?.message).toBe(`${rule} [item 3]`);
		expect(error?.context?.itemIndex).toBe(3);
		expect(error?.description).toBe('Nothing was sent. n8n counts from 0: item 3 is the 4th.');
		expect(outputs.flat()).toEqual([]);
		expect(await received(workspace)).toEqual([]);
	});

	test('sends nothing if an option that is no part of the request is not valid', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
		const [ann] = (await workspace.state()).contacts;
		const parameters = {
			...{ resource: 'contact', operation: 'setCustomFields', identifier: by('id', ann.id) },
			customFields: { mappingMode: 'autoMapInputData', value: null },
			options: { writeMode: fromItem('mode') },
		};
		const { error } = await run(parameters, [{ mode: 'set' }, { mode: 'double' }]);
		expect(error?.message).toBe(
			'How to Write must be one of set, append, prepend, increase, decrease, but is "double" [item 1]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('reports the first of several items that are not valid, and names the others', async () => {
		const { workspace, run } = await testWorkspace();
		const items = [{ name: 'a' }, nameless, { name: 'c' }, { name: 'x'.repeat(256) }];
		const { error } = await run(createTags, items);
		expect(error?.message).toBe(`${rule} [item 1]`);
		expect(error?.context?.itemIndex).toBe(1);
		expect(error?.description).toBe(
			'Nothing was sent. n8n counts from 0: item 1 is the 2nd. More problems: Name must be 1 to 255 characters long, but has 256 characters [item 3].',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		['tag', createTags, ''],
		[
			'contact',
			{ resource: 'contact', operation: 'upsert', email: '={{ $json.name }}' },
			' To list all of them, add the option Preview.',
		],
	])(
		'counts the problems that it does not name, and names Preview if there is one (%s)',
		async (_, parameters, advice) => {
			const { run } = await testWorkspace();
			const items = Array.from({ length: 8 }, (__, n) => ({ name: `${n}${'x'.repeat(256 + n)}` }));
			const { error } = await run(parameters, items);
			expect(error?.description).toContain('[item 5].');
			expect(error?.description).not.toContain('[item 6]');
			expect(error?.description?.endsWith(`… and 2 more.${advice}`)).toBe(true);
			const six = await run(parameters, items.slice(0, 6));
			expect(six.error?.description).not.toContain('more.');
		},
	);

	test('names a value with the code of a network error in it as it is', async () => {
		const { run } = await testWorkspace();
		const create = { resource: 'contact', operation: 'create', phoneNumber: '+4915112345678' };
		const { error } = await run({ ...create, email: 'home-access keeperm' });
		expect(error?.message).toContain('but is "home-access keeperm" [item 0]');
	});

	test('says a problem once if 200 items have it', async () => {
		const { run } = await testWorkspace();
		const items = Array.from({ length: 200 }, () => nameless);
		const { error } = await run(createTags, items);
		expect(error?.context?.itemIndex).toBe(0);
		expect(error?.description).toBe(
			'Nothing was sent. n8n counts from 0: item 0 is the 1st. Items 0–199 have the same problem.',
		);
	});

	test('keeps the error short if 200 items have problems of their own', async () => {
		const { run } = await testWorkspace();
		const items = Array.from({ length: 200 }, (_, item) => ({ name: 'x'.repeat(256 + item) }));
		const { error } = await run(createTags, items);
		expect(error?.description).toContain('has 257 characters [item 1].');
		expect(error?.description?.length).toBeLessThan(1000);
	});

	test('validates again when n8n retries the node', async () => {
		const { workspace, run } = await testWorkspace();
		const { error } = await run(createTags, [{ name: 'a' }, nameless], {
			retryOnFail: { maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error?.message).toBe(`${rule} [item 1]`);
		expect(await received(workspace)).toEqual([]);
	});
});

describe('On Error: Continue', () => {
	const items = [{ name: 'a' }, nameless, { name: 'c' }, { name: 'x'.repeat(256) }, { name: 'e' }];
	const sent = ['a', 'c', 'e'].map((name) => ({ body: { name } }));

	test('sends valid items, and returns an error for each other item, linked to its input', async () => {
		const { workspace, run } = await testWorkspace();
		const { error, outputs } = await run(createTags, items, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(await received(workspace)).toMatchObject(sent);
		expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		expect(outputs[0].map(({ json }) => json.name ?? json.error)).toEqual([
			'a',
			`${rule} [item 1]`,
			'c',
			'Name must be 1 to 255 characters long, but has 256 characters [item 3]',
			'e',
		]);
	});

	test('returns errors at the error output', async () => {
		const { workspace, run } = await testWorkspace();
		const { error, outputs } = await run(createTags, items, { onError: 'continueErrorOutput' });
		expect(error).toBeUndefined();
		expect(await received(workspace)).toMatchObject(sent);
		const [good, bad] = outputs;
		expect(good.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['a', { item: 0 }],
			['c', { item: 2 }],
			['e', { item: 4 }],
		]);
		expect(bad.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[`${rule} [item 1]`, { item: 1 }],
			['Name must be 1 to 255 characters long, but has 256 characters [item 3]', { item: 3 }],
		]);
	});
});

describe('The node understands', () => {
	let forms: TestWorkspace;
	let contactId: string;
	beforeAll(async () => {
		forms = await testWorkspace({ contacts: 1 });
		for (const id of ['1', '22', '333']) {
			await forms.workspace.add('tags', { id, name: `tag ${id}` });
		}
		contactId = (await forms.workspace.state()).contacts[0].id;
	});
	beforeEach(async () => await forms.workspace.clearJournal());

	test.each([
		['a list', ['1', '22', '333']],
		['a list of numbers', [1, 22, 333]],
		['separated by commas', '1, 22 ,333,'],
		['separated by semicolons', '1; 22 ;333;'],
		['one on each line', '- 1\n- 22\n- 333'],
		['in quotation marks', '"1", "22", "333"'],
		['JSON', '["1","22","333"]'],
		['JSON with numbers', '[1, 22, 333]'],
	])('tags as %s', async (_, value) => {
		const parameters = {
			resource: 'contact',
			operation: 'addTags',
			identifier: by('id', contactId),
		};
		const { error } = await forms.run({ ...parameters, tagIds: fromItem() }, [{ value }]);
		expect(error).toBeUndefined();
		const [first] = await writesOf(forms.workspace);
		expect(first).toMatchObject({ body: { tagIds: ['1', '22', '333'] } });
	});

	test.each([
		['one', '22'],
		['one number', 22],
	])('tags as %s', async (_, value) => {
		const parameters = {
			resource: 'contact',
			operation: 'removeTags',
			identifier: by('id', contactId),
		};
		const { error } = await forms.run({ ...parameters, tagIds: fromItem() }, [{ value }]);
		expect(error).toBeUndefined();
		const [first] = await received(forms.workspace);
		expect(first).toMatchObject({ body: { tagIds: ['22'] } });
	});

	test('white space around an email address, a phone number and the contact itself', async () => {
		const parameters = {
			resource: 'contact',
			operation: 'update',
			identifier: by('id', fromItem('id')),
			updateFields: {
				email: fromItem('email'),
				phoneNumber: fromItem('phone'),
				firstName: fromItem('name'),
			},
		};
		const item = {
			id: ` ${contactId}\n`,
			email: '\u00a0ann@example.com ',
			phone: '+4915112345678\t',
		};
		const { error } = await forms.run(parameters, [{ ...item, name: ' Ann ' }]);
		expect(error).toBeUndefined();
		expect(await received(forms.workspace)).toMatchObject([
			{
				path: `/api/v1/contacts/id%3A${contactId}`,
				body: { email: 'ann@example.com', phoneNumber: '+4915112345678', firstName: 'Ann' },
			},
		]);
	});

	test.each([
		['text', JSON.stringify({ a: { b: ['c', 1, true] } })],
		['an object', { a: { b: ['c', 1, true] } }],
	])('Contact Filter as %s', async (_, value) => {
		const parameters = {
			resource: 'contact',
			operation: 'getAll',
			filters: { contactFilter: fromItem() },
		};
		const { error } = await forms.run(parameters, [{ value }]);
		expect(error).toBeUndefined();
		const requests = await received(forms.workspace);
		expect(queryOf(requests[requests.length - 1])).toEqual(
			expect.arrayContaining([
				['contactFilter[a][b][0]', 'c'],
				['contactFilter[a][b][1]', '1'],
				['contactFilter[a][b][2]', 'true'],
			]),
		);
	});

	test.each([
		['text', '[{"url":"a"},"b",3]', [{ url: 'a' }, 'b', 3]],
		['a list', [{ url: 'a' }, 'b', 3], [{ url: 'a' }, 'b', 3]],
		['one object', { url: 'a', size: 1 }, [{ url: 'a', size: 1 }]],
		['one object as text', '{"url":"a"}', [{ url: 'a' }]],
	])('Files as %s', async (_, value, files) => {
		const parameters = { resource: 'message', operation: 'send', identifier: by('id', contactId) };
		const { error } = await forms.run(
			{ ...parameters, text: 'Hello', options: { files: fromItem() } },
			[{ value }],
		);
		expect(error).toBeUndefined();
		expect(await received(forms.workspace)).toMatchObject([
			{ body: { text: 'Hello' } },
			{ body: { files } },
		]);
	});

	test('a number in place of a text', async () => {
		const parameters = { resource: 'contact', operation: 'create', gender: 'male' };
		await forms.run({ ...parameters, phoneNumber: fromItem('phone'), email: fromItem('email') }, [
			{ phone: 4915199999999, email: 'numbers@example.com' },
		]);
		expect(await received(forms.workspace)).toMatchObject([
			{ body: { phoneNumber: '4915199999999' } },
		]);
	});

	test('values without changing the input items and parameters', async () => {
		const items = [{ tags: [1, 22], files: '[1]' }];
		const { run, kept } = await forms.run(
			{
				resource: 'contact',
				operation: 'addTags',
				identifier: by('id', contactId),
				tagIds: fromItem('tags'),
			},
			items,
		);
		expect(kept).toContain('"addedTagIds":["1","22"]');
		expect(run.data.resultData.runData.Feed[0].data?.main[0]?.[0].json).toEqual({
			tags: [1, 22],
			files: '[1]',
		});
		expect(items).toEqual([{ tags: [1, 22], files: '[1]' }]);
	});
});

describe('The node refuses text that is no JSON', () => {
	test.each([
		['contactFilter', '{nope', 'Contact Filter (JSON) must be a JSON object, but is "{nope"'],
		['contactFilter', '[1,2]', 'Contact Filter (JSON) must be a JSON object, but has 2 entries'],
		['contactFilter', '"text"', 'Contact Filter (JSON) must be a JSON object, but is "text"'],
	])('%s: %s', async (name, value, message) => {
		const { workspace, run } = await testWorkspace();
		const filters = { [name]: fromItem() };
		const { error } = await run({ resource: 'contact', operation: 'getAll', filters }, [{ value }]);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	test.each(['{"url":', '[{"url":"a"}', '{nope'])('files: %s', async (value) => {
		const { workspace, run } = await testWorkspace();
		const { error } = await run(
			{
				resource: 'message',
				operation: 'send',
				identifier: by('id', '1'),
				options: { files: fromItem() },
			},
			[{ value }],
		);
		expect(error?.message).toBe(
			`Files (JSON) must be a JSON list of files, but is "${value}" [item 0]`,
		);
		expect(await received(workspace)).toEqual([]);
	});
});

test('An expression that fails is an error of its item', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 1 });
	const parameters = {
		resource: 'contact',
		operation: 'get',
		identifier: { __rl: true, mode: 'id', value: '={{ $json.nested.id.toString() }}' },
	};
	const [{ id }] = (await workspace.state()).contacts;
	const items = [{ nested: { id } }, { nested: null }];
	const stopped = await run(parameters, items);
	expect(stopped.error?.context?.itemIndex).toBe(1);
	expect((await workspace.journal()).requests).toEqual([]);
	const { outputs } = await run(parameters, items, { onError: 'continueRegularOutput' });
	expect(outputs[0].map(({ json }) => json.error === undefined)).toEqual([true, false]);
});
