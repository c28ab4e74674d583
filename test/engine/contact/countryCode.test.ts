import { by, fromItem, received, resourceOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import type { Credential } from '../../support/engine/engine';

const create = (more = {}) => ({
	resource: 'contact',
	operation: 'create',
	phoneNumber: fromItem('phone'),
	email: fromItem('email'),
	gender: 'unknown',
	...more,
});
/** The options of Create or Update, the only operation besides Import that has them. */
const options = (defaultCountryCode: unknown) => ({ options: { defaultCountryCode } as never });
const rows = (...phones: unknown[]) =>
	phones.map((phone, n) => ({ phone: phone as string, email: `p${n}@example.com` }));

/**
 * A workspace, and the phone numbers that arrive there when the credential has this Default Country
 * Code.
 */
async function withCode(
	defaultCountryCode?: string,
	settings: Parameters<typeof testWorkspace>[0] = { empty: true },
) {
	const { workspace, run } = await testWorkspace(settings);
	const credential = {
		baseUrl: workspace.url,
		accessToken: workspace.token,
		defaultCountryCode,
	} as Credential;
	return {
		workspace,
		run: async (...[parameters, items, more]: Parameters<typeof run>) =>
			await run(parameters, items, { credential, ...more }),
		phones: async () =>
			(await received(workspace))
				.filter(({ method }) => method !== 'GET')
				.map(({ body }) => (body as { phoneNumber: string }).phoneNumber),
	};
}

test('The country code of the credential completes national numbers', async () => {
	const { run, phones } = await withCode('+49');
	const { hints } = await run(create(), rows('0151 555 01234', '+33 6 12 34 56 78'));
	expect((await phones()).sort()).toEqual(['+33612345678', '+4915155501234']);
	expect(hints).toEqual([]);
});

test('The country code of the options overrides that of the credential, for each item', async () => {
	const { run, phones } = await withCode('+49');
	const items = rows('0151 555 01234', '0151 555 01235').map((row, n) => ({
		...row,
		code: ['+43', ''][n],
	}));
	await run({ ...create(options(fromItem('code'))), operation: 'upsert' }, items);
	expect((await phones()).sort()).toEqual(['+4315155501234', '+4915155501235']);
});

test('A look-up by phone number uses the country code', async () => {
	const { run, workspace } = await withCode('+49');
	const get = { resource: 'contact', operation: 'get' };
	await run({ ...get, identifier: by('phone', '0151 555 01234') });
	await run({ ...get, identifier: by('id', 'phone:0152 555 01234') });
	const lookups = (await received(workspace)).map(({ path }) => decodeURIComponent(path));
	expect(lookups.filter((path) => path.includes('phone:'))).toEqual([
		'/api/v1/contacts/phone:+4915155501234',
		'/api/v1/contacts/phone:+4915255501234',
	]);
});

test('Without a country code, national numbers stay unchanged, and a hint counts them and names the items', async () => {
	const { run, phones } = await withCode();
	const advice = 'To complete such numbers, set Default Country Code in the credential.';
	const two = await run(
		create(),
		rows('0151 555 01234', '+49 151 555 01236', 4915155501237, '0151 555 01235', '333 123 4567'),
	);
	expect(two.error).toBeUndefined();
	expect(two.hints).toEqual([
		`3 phone numbers have no country code (items 0, 3–4), and were saved as typed. ${advice} n8n counts from 0: item 0 is the 1st.`,
	]);
	expect((await phones()).sort()).toEqual([
		'+4915155501236',
		'015155501234',
		'015155501235',
		'3331234567',
		'4915155501237',
	]);
	const one = await run(
		{
			resource: 'contact',
			operation: 'update',
			identifier: by('phone', '0151 555 01234'),
			...update('Ann'),
		},
		[{}],
	);
	expect(one.hints).toEqual([
		`1 phone number has no country code (item 0), and was used as typed. ${advice}`,
	]);
	const upserted = await run({ ...create(), operation: 'upsert' }, rows('0152 555 01234'));
	expect(upserted.hints).toEqual([
		'1 phone number has no country code (item 0), and was saved as typed. To complete such numbers, add Default Country Code under Options, or set it in the credential.',
	]);
});

test('A number that is completed to one that its country does not have gets a hint', async () => {
	const { run, phones } = await withCode('+49');
	const { hints } = await run(create(), rows('0151 555 71', '0151 555 01234', '+49 151 55572'));
	expect((await phones()).sort()).toEqual(['+4915155501234', '+4915155571', '+4915155572']);
	expect(hints).toEqual([
		'1 phone number has too many, too few or unusual digits for its country (item 0). Check it. n8n counts from 0: item 0 is the 1st.',
	]);
});

describe.each(['reference', 'newer', 'older'] as const)(
	'Nobody on the %s service has a number',
	(service) => {
		async function find(operation: string, phone: string) {
			const { run, workspace } = await testWorkspace({ service, contacts: 1 });
			const { flows } = await workspace.state();
			const more = { text: 'Hello', flowId: by('id', flows[0].id) };
			return await run({
				resource: resourceOf(operation),
				operation,
				identifier: by('phone', phone),
				...more,
			});
		}
		const advice =
			'The phone number has no country code. If a contact has it with one, set Default Country Code in the credential.';

		test.each(['get', 'send', 'triggerFlow'])(
			'without a country code: the error of %s says how to complete it',
			async (operation) => {
				const { error } = await find(operation, '0151 555 01234');
				expect(error?.message).toMatch(/^No contact has the phone number 015155501234\./);
				expect(error?.message).toContain(advice);
			},
		);

		test('with a country code: the error says nothing about country codes', async () => {
			const { error } = await find('get', '+49 151 555 01234');
			expect(error?.message).toBe('No contact has the phone number +4915155501234. [item 0]');
		});
	},
);

const update = (firstName: string) => ({ updateFields: { firstName } });

test('The hint about numbers without a country code does not count items that were not sent', async () => {
	const { run } = await withCode();
	const items = [...rows('0151 555 01234'), { phone: '0151 555 01235', email: 'none' }];
	const { hints } = await run(create(), items, { onError: 'continueRegularOutput' });
	expect(hints).toEqual([expect.stringMatching(/^1 phone number has no country code \(item 0\)/)]);
});

test.each([
	['DE', 'Default Country Code must be + followed by 1 to 4 digits, but is "DE" [item 0]'],
	['+49123', 'Default Country Code must be + followed by 1 to 4 digits, but is "+49123" [item 0]'],
])('The country code "%s" is invalid, and n8n sends nothing', async (code, message) => {
	const inOptions = await withCode('+49');
	const first = await inOptions.run(
		{ ...create(options(code)), operation: 'upsert' },
		rows('0151 555 01234'),
	);
	expect(first.error?.message).toBe(message);
	expect(await inOptions.phones()).toEqual([]);

	const inCredential = await withCode(code);
	const second = await inCredential.run(create(), rows('0151 555 01234'));
	expect(second.error?.message).toBe(
		`The ${message.replace('Code must', 'Code in the credential must')}`,
	);
	expect(await inCredential.phones()).toEqual([]);
	// Numbers that need none do without it.
	expect((await inCredential.run(create(), rows('+4915155501234'))).error).toBeUndefined();
});

test.each([
	'get',
	'update',
	'delete',
	'send',
	'triggerFlow',
	'addTags',
	'removeTags',
	'setCustomFields',
	'getCustomFields',
	'clearCustomField',
	'create',
	'upsert',
])('%s completes the phone number of a contact with the country code', async (operation) => {
	const { workspace, run } = await withCode('+49', {
		contacts: 0,
		faults: { missing: { getContact: 404 } },
	});
	const { customFields, flows, tags } = await workspace.state();
	const { error } = await run({
		resource: resourceOf(operation),
		operation,
		identifier: by('phone', '0151 555 01234'),
		text: 'Hello',
		updateFields: { firstName: 'Ann' },
		tagIds: [tags[0].id],
		flowId: by('id', flows[0].id),
		customFieldId: by('id', customFields[0].id),
		customFields: { mappingMode: 'defineBelow', value: { [customFields[0].id]: 'x' } },
		phoneNumber: '0151 555 01234',
		email: 'ann@example.com',
		gender: 'unknown',
	});
	const all = JSON.stringify([await received(workspace), error?.message]);
	expect(decodeURIComponent(all)).toContain('+4915155501234');
	expect(all).not.toContain('015155501234');
});
