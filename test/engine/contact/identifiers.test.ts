import type { INodePropertyRegexValidation } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import { by, fromItem, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const get = (identifier: unknown) => ({
	resource: 'contact',
	operation: 'get',
	identifier: identifier as string,
});
const value = fromItem();

describe('The request path holds the contact as one segment', () => {
	test.each([
		['list', '12', 'id%3A12'],
		['list', 12, 'id%3A12'],
		['id', '7301444403311000001', 'id%3A7301444403311000001'],
		['id', '9223372036854775807', 'id%3A9223372036854775807'],
		['email', 'first.last+tag@example.com', 'email%3Afirst.last%2Btag%40example.com'],
		['email', 'Zoë@例え.jp', 'email%3AZo%C3%AB%40%E4%BE%8B%E3%81%88.jp'],
		['email', 'a/../../b@x.co', 'email%3Aa%2F..%2F..%2Fb%40x.co'],
		['email', 'a%20c?d=e#f\\g@x.co', 'email%3Aa%2520c%3Fd%3De%23f%5Cg%40x.co'],
		['email', 'a&b;c:d@x.co', 'email%3Aa%26b%3Bc%3Ad%40x.co'],
		['phone', '+4915112345678', 'phone%3A%2B4915112345678'],
		['phone', '4915112345678', 'phone%3A4915112345678'],
		['phone', 4915112345678, 'phone%3A4915112345678'],
	])('in mode %s for %s', async (mode, given, segment) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(by(mode, value)), [{ value: given }]);
		expect((await received(workspace))[0]).toEqual({
			method: 'GET',
			path: `/api/v1/contacts/${segment}`,
		});
	});

	describe.each(['list', 'id', 'email', 'phone'])(
		'In mode %s, the contact keeps a prefix',
		(mode) => {
			test.each([
				['id:7301444403311000001', 'id%3A7301444403311000001'],
				['email:nathan@example.com', 'email%3Anathan%40example.com'],
				['phone:+4915112345678', 'phone%3A%2B4915112345678'],
			])('of the value %s', async (given, segment) => {
				const { workspace, run } = await testWorkspace({ contacts: 0 });
				await run(get(by(mode, given)));
				expect((await received(workspace))[0]).toEqual({
					method: 'GET',
					path: `/api/v1/contacts/${segment}`,
				});
			});
		},
	);

	test.each([
		['email', ' nathan@example.com\t', 'email%3Anathan%40example.com'],
		['phone', '\n+4915112345678 ', 'phone%3A%2B4915112345678'],
		['phone', ' email: nathan@example.com ', 'email%3Anathan%40example.com'],
	])('The mode %s ignores white space around %j', async (mode, given, segment) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(by(mode, given)));
		expect((await received(workspace))[0]).toEqual({
			method: 'GET',
			path: `/api/v1/contacts/${segment}`,
		});
	});

	test('A contact with a prefix needs no mode', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(value), [{ value: 'email:nathan@example.com' }]);
		expect((await received(workspace))[0].path).toBe(
			'/api/v1/contacts/email%3Anathan%40example.com',
		);
	});
});

describe('The mode ID recognizes emails, phone numbers and IDs', () => {
	test.each([
		['id', 'nathan@example.com', 'email%3Anathan%40example.com'],
		['id', '+49 151 12345678', 'phone%3A%2B4915112345678'],
		['id', '\u202a+49 151 12345678\u202c', 'phone%3A%2B4915112345678'],
		['id', '4915112345678', 'id%3A4915112345678'],
		['list', 'nathan@example.com', 'email%3Anathan%40example.com'],
		['list', '+4915112345678', 'phone%3A%2B4915112345678'],
		['', 'nathan@example.com', 'email%3Anathan%40example.com'],
		['', '12', 'id%3A12'],
	])('in mode "%s": %s', async (mode, given, segment) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(get(mode === '' ? value : by(mode, value)), [{ value: given }]);
		expect((await received(workspace))[0]).toEqual({
			method: 'GET',
			path: `/api/v1/contacts/${segment}`,
		});
	});
});

describe('The editor checks the contact that a user types', () => {
	const { modes = [] } = compiledNode.description.properties.find(
		({ name }) => name === 'identifier',
	)!;
	const isTaken = (name: string, text: string) => {
		const [rule] = modes.find((mode) => mode.name === name)!.validation!;
		const { regex } = (rule as INodePropertyRegexValidation).properties;
		return new RegExp(`^${regex}$`).test(text);
	};

	test('in modes with short names', () => {
		expect(modes.map(({ displayName }) => displayName)).toEqual([
			'From List',
			'ID',
			'Email',
			'Phone',
			'Custom Field',
		]);
	});

	test.each([
		['id', '4711'],
		['id', ' 4711 '],
		['id', 'id:4711'],
		['id', 'nathan@example.com'],
		['id', '+49 151 12345678'],
		['id', '\u202a+49 151 12345678\u202c'],
		['id', 'phone:0151 12345678'],
		['email', 'nathan@example.com'],
		['email', 'id:4711'],
		['email', 'phone: +4915112345678'],
		['phone', '+49 (0) 151 / 123-456.78'],
		['phone', '(+49) 151 12345678'],
		['phone', '\u202a+49\u00a0151\u20111234\u20115678\u202c'],
		['phone', '0049 151 12345678'],
		['phone', '071112345'],
		['phone', 'email:nathan@example.com'],
		['customField', 'Order No = 4711'],
		['customField', ' Größe=a = b '],
		['customField', '731=x'],
		['customField', 'id:4711'],
	])('and in mode %s accepts %s', (mode, text) => {
		expect(isTaken(mode, text)).toBe(true);
	});

	test.each([
		['id', 'nathan'],
		['id', '47a'],
		['id', '+49 151'],
		['email', 'nathan'],
		['email', 'na than@example.com'],
		['email', '4711'],
		['phone', 'nathan'],
		['phone', '+49 151'],
		['phone', '+49 151 12345678 ext. 5'],
		['phone', '4.91512E+11'],
		['customField', 'Order No'],
		['customField', 'Order No = '],
		['customField', ' = 4711'],
	])('and in mode %s rejects %s', (mode, text) => {
		expect(isTaken(mode, text)).toBe(false);
	});
});

describe('The node rejects the contact without a request', () => {
	const rule = 'Contact must name a contact by ID, email or phone';

	test.each(
		['list', 'id', 'email', 'phone'].flatMap((mode) => [
			[mode, { value: '' }] as const,
			[mode, { value: null }] as const,
			[mode, {}] as const,
		]),
	)('if it is empty, in mode %s of the item %j', async (mode, item) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run(get(by(mode, value)), [item]);
		expect(error?.message).toBe(
			`${rule}, but its expression returns nothing for this item [item 0]`,
		);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		[
			'yes',
			true,
			'Contact must be text, but is true. To choose a text by a condition, use {{ condition ? "one" : "other" }}.',
		],
		[
			'a number that is not exact',
			2 ** 53,
			`${rule}, but is the number 9007199254740992, whose digits are not exact; enter it as text`,
		],
	])('if it is %s', async (_, given, message) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run(get(by('id', value)), [{ value: given }]);
		expect(error?.message).toBe(`${message} [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	const threeForms =
		'Contact must be an ID made of digits, an email address, or a phone number with its leading +';
	const oneEmail = 'Contact must be an email address, such as nathan@example.com';
	const onePhone = 'Contact must be a phone number of 10 to 20 digits, with an optional leading +';

	test.each([
		['', 'nathan', threeForms],
		['list', 'nathan', threeForms],
		['id', '..', threeForms],
		['id', '12a', threeForms],
		['email', 'id:12a', threeForms, '12a'],
		['id', 'nathan@', oneEmail],
		['email', 'not-an-email', oneEmail],
		['email', 'na than@example.com', oneEmail],
		['email', '+4915112345678', oneEmail],
		['phone', 'email:nathan', oneEmail, 'nathan'],
		['phone', 'nathan@example.com', onePhone],
		['phone', '+49 15112', onePhone],
		['phone', '012345678', onePhone],
		['phone', '012345678901234567890', onePhone],
		['id', '+12345', onePhone],
		['id', 'phone:12 34', onePhone, '12 34'],
	])('in mode "%s" if it is %s', async (mode, given, form, shown = given) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run(get(mode === '' ? value : by(mode, value)), [{ value: given }]);
		expect(error?.message).toBe(`${form}, but is "${shown}" [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	test('if it is the last of many items', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const emails = Array.from({ length: 19 }, (_, n) => ({ value: `p${n}@example.com` }));
		const { error } = await run(
			{ resource: 'message', operation: 'send', identifier: by('email', value), text: 'Hello' },
			[...emails, { value: 'not-an-email' }],
		);
		expect(error?.message).toBe(`${oneEmail}, but is "not-an-email" [item 19]`);
		expect(error?.description).toBe('Nothing was sent. n8n counts from 0: item 19 is the 20th.');
		expect(await received(workspace)).toEqual([]);
	});

	const records = [
		['broadcast', 'name', 'Broadcast'],
		['broadcast', 'id', 'Broadcast'],
		['sequence', 'id', 'Sequence'],
	] as const;

	test.each(
		records.flatMap(([resource, mode, label]) => [
			[resource, mode, '.', `${label} must not be "." or ".."`] as const,
			[resource, mode, '..', `${label} must not be "." or ".."`] as const,
			[
				resource,
				mode,
				'={{ "" }}',
				`${label} must not be empty, but its expression returns nothing for this item`,
			] as const,
		]),
	)(
		'The %s rejects in mode %s the value %s, which would change the path',
		async (resource, mode, given, message) => {
			const { workspace, run } = await testWorkspace({ contacts: 0 });
			const parameters = { resource, operation: 'get', [`${resource}Id`]: by(mode, given) };
			const { error } = await run(parameters);
			expect(error?.message).toBe(`${message} [item 0]`);
			expect(await received(workspace)).toEqual([]);
		},
	);
});

describe('IDs above 2^53', () => {
	// As JS numbers, these two are the same.
	const first = '7301444403311000001';
	const second = '7301444403311000002';

	test('stay distinct in every parameter', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1 });
		for (const id of [first, second]) await workspace.add('tags', { id, name: `tag ${id}` });
		const [{ id }] = (await workspace.state()).contacts;
		const { json } = await run({
			resource: 'contact',
			operation: 'addTags',
			identifier: by('id', id),
			tagIds: [second],
		});
		expect(json).toMatchObject([
			{ contactId: id, addedTagIds: [second], addedTagNames: [`tag ${second}`] },
		]);
		expect((await workspace.contact(`id:${id}`)).tags).toContainEqual({
			id: second,
			name: `tag ${second}`,
		});
	});

	test('leave the node unchanged', async () => {
		const { workspace, run } = await testWorkspace({ empty: true });
		for (const id of [first, second]) await workspace.add('flows', { id, name: `flow ${id}` });
		const { json } = await run({ resource: 'flow', operation: 'getAll' });
		expect(json.map(({ id }) => id)).toEqual([first, second]);
	});
});
