import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Faults } from '../../../sandbox/options';
import { pairs } from '../../support/cases';
import { by, fromItem, once, received, shownOf, parametersFor } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const person = { identifier: by('email', 'nathan@example.com') };
const contact = parametersFor('contact', { ...person, ...once });
const read = contact('get');
const repeatable = contact('update', { updateFields: { firstName: 'Ana' } });
const creation = { resource: 'tag', operation: 'create', name: 'New', ...once };

const unknown = 'This may or may not have gone through';

/** What comes of an operation on a service with these faults. */
async function failing(parameters: INodeParameters, faults: Faults, items?: IDataObject[]) {
	const { workspace, run } = await testWorkspace({ contacts: 0, faults });
	await workspace.addContacts([{ email: 'nathan@example.com', phoneNumber: '+4915112345678' }]);
	const result = await run(parameters, items);
	expect(result.outputs.flat()).toEqual([]);
	return { result, shown: shownOf(result), requests: await received(workspace), workspace };
}

describe('An error says what happened, whether anything was changed, and what to do', () => {
	// One status of each kind: the unit tests have the sentences of all.
	const statuses: Array<[number, RegExp, RegExp]> = [
		[404, /No contact has the email nathan@example\.com/, /The service said: The server said 404/],
		[422, /rejected the request \(422\)/, /Correct the value/],
		[429, /Rate limit reached \(429\)/, /Lower Requests per Minute/],
		[503, /failed \(503\)/, /Try again later|Check the workspace/],
	];

	// After a 404, n8n looks for the contact in another form.
	const isNoSearch = ({ path }: { path: string }) => !path.includes('keyword=');

	test.each(statuses)('after a %d to a request that reads', async (status, happened, todo) => {
		const { result, requests } = await failing(read, { fail: [{ status }] });
		expect(result.error?.message).toMatch(happened);
		expect(result.error?.message).toMatch(todo);
		expect(result.error?.message).not.toMatch(/Nothing was changed|may or may not/);
		expect(result.error?.httpCode).toBe(String(status));
		expect(requests.filter(isNoSearch)).toHaveLength(1);
	});

	test.each(statuses)('after a %d to a request that writes', async (status, happened, todo) => {
		const { result, requests } = await failing(repeatable, { fail: [{ status }] });
		expect(result.error?.message).toMatch(happened);
		expect(result.error?.message).toMatch(todo);
		expect(result.error?.message).toContain(status < 500 ? 'Nothing was changed.' : unknown);
		expect(requests.filter(isNoSearch)).toHaveLength(1);
	});

	test.each(statuses)('after a %d to a request that creates', async (status) => {
		const { result, requests, workspace } = await failing(creation, { fail: [{ status }] });
		expect(result.error?.message).toContain(status < 500 ? 'Nothing was changed.' : unknown);
		expect(requests).toHaveLength(1);
		expect((await workspace.state()).tags).toHaveLength(8);
	});
});

describe('The words of the service', () => {
	const said = 'The plan of "Café" allows no more of them';

	test.each(['json', 'text'] as const)('are shown from a body of the kind "%s"', async (body) => {
		const { shown } = await failing(repeatable, { fail: [{ status: 409, body, message: said }] });
		expect(shown).toContain(said);
	});

	test.each(['html', 'empty'] as const)(
		'are left out if there is only a body of the kind "%s"',
		async (body) => {
			const { shown } = await failing(repeatable, { fail: [{ status: 502, body, message: said }] });
			expect(shown).not.toContain(said);
			expect(shown).toContain('502');
		},
	);

	test.each([230, 240, 250])(
		'show no part of the token if they are cut after %d characters',
		async (length) => {
			const fail = {
				status: 400,
				body: 'message',
				message: 'x'.repeat(length),
				echoToken: true,
			} as const;
			const { result, workspace } = await failing(repeatable, { fail: [fail] });
			expect(result.kept).not.toContain(workspace.token.slice(0, 6));
		},
	);

	test.each(['json', 'errors'] as const)(
		'name fields as the panel does, in a body of the kind "%s"',
		async (body) => {
			const { result } = await failing(
				{
					resource: 'contact',
					operation: 'create',
					phoneNumber: '+4915112345679',
					email: 'other@example.com',
					gender: 'male',
					...once,
				},
				{
					fail: [
						{
							status: 422,
							body,
							message: 'Input validation failed',
							issues: [
								{ path: ['phoneNumber'], message: 'is no mobile number' },
								{ path: ['body', 'firstName'], message: 'is rude' },
								{ path: ['somethingElse'], message: 'is odd' },
							],
						},
					],
				},
			);
			expect(result.error?.message).toContain('Phone Number: is no mobile number');
			expect(result.error?.message).toContain('First Name: is rude');
			expect(result.error?.message).toContain('somethingElse: is odd');
		},
	);

	test('name entries of a list by their position', async () => {
		const { result } = await failing(contact('addTags', { tagIds: ['1', '2'] }), {
			// Otherwise the node finds out before.
			missing: { listTags: 404 },
		});
		expect(result.error?.message).toContain('Tag Names or IDs 1: does not exist');
		expect(result.error?.message).toContain('Tag Names or IDs 2: does not exist');
	});
});

describe('A 404', () => {
	test.each([
		[contact('get', { identifier: by('id', '4711') }), 'No contact has the ID 4711.'],
		[
			{ resource: 'tag', operation: 'update', tagId: by('id', '4711'), name: 'New' },
			'No tag has the ID 4711.',
		],
		[
			{
				resource: 'customField',
				operation: 'update',
				customFieldId: by('id', '4711'),
				name: 'New',
			},
			'No custom field has the ID 4711.',
		],
		[
			{ resource: 'member', operation: 'get', memberId: by('id', '4711') },
			'No member has the ID 4711.',
		],
		[
			{ resource: 'sequence', operation: 'get', sequenceId: by('id', '4711') },
			'No sequence has the ID 4711.',
		],
		[
			{ resource: 'broadcast', operation: 'get', broadcastId: by('name', 'Größe / XL') },
			'No broadcast has the ID or name Größe / XL.',
		],
	])('names the missing $resource', async (parameters, message) => {
		const { result } = await failing(parameters as INodeParameters, {});
		expect(result.error?.message).toContain(message);
		expect(result.error?.httpCode).toBe('404');
	});

	test.each([
		['tag', 'getAll', 'listTags', 404],
		['flow', 'getAll', 'listFlows', 405],
		['workspace', 'get', 'getWorkspace', 404],
	] as const)(
		'or 405 says that the service does not offer %s.%s (%s), which is undocumented (%d)',
		async (resource, operation, name, status) => {
			const { result } = await failing({ resource, operation }, { missing: { [name]: status } });
			expect(result.error?.message).toContain(`doesn't offer this operation (${status})`);
		},
	);

	test('for a documented path asks to check the Base URL', async () => {
		const { result } = await failing(
			{ resource: 'contact', operation: 'getAll' },
			{ missing: { listContacts: 404 } },
		);
		expect(result.error?.message).toContain('check the Base URL in the credential.');
	});
});

describe('An unexpected answer', () => {
	test.each(['notJson', 'brokenJson'] as const)(
		'is reported if it is no JSON: %s',
		async (mode) => {
			const reading = await failing(read, { hostile: [{ mode }] });
			expect(reading.result.error?.message).toMatch(/other than JSON.*Check the Base URL/);
			expect(reading.result.error?.message).not.toContain(unknown);

			const writing = await failing(creation, { hostile: [{ mode }] });
			expect(writing.result.error?.message).toMatch(/other than JSON.*Check the Base URL/);
			expect(writing.result.error?.message).toContain(unknown);
			expect(writing.requests).toHaveLength(1);
		},
	);

	const shapes = [
		'string',
		'number',
		'null',
		'dataNull',
		'dataString',
		'nested',
		'listOfNulls',
		'emptyObject',
	] as const;
	const form = "answered in a form that this operation doesn't understand";

	test.each(shapes)('of the shape "%s" is reported when reading one record', async (shape) => {
		const { result } = await failing(read, { hostile: [{ mode: 'wrongShape', shape }] });
		expect(result.error?.message).toContain(form);
		expect(result.error?.message).toContain('Check the Base URL');
	});

	test.each(pairs([...shapes], ['contact', 'tag', 'team']))(
		'of the shape "%s" is reported when reading a list (%s)',
		async (shape, resource) => {
			const parameters = { resource, operation: 'getAll', returnAll: true };
			const { result } = await failing(parameters, { hostile: [{ mode: 'wrongShape', shape }] });
			expect(result.error?.message).toContain(form);
		},
	);

	test('of another shape leaves it unknown whether the record was created', async () => {
		const { result, requests } = await failing(creation, {
			hostile: [{ mode: 'wrongShape', shape: 'emptyObject' }],
		});
		expect(result.error?.message).toContain(form);
		expect(result.error?.message).toContain(unknown);
		expect(requests).toHaveLength(1);
	});
});

describe('If the node continues, a failure becomes an item', () => {
	const rows = [
		{ value: 'nobody@example.com', row: 1 },
		{ value: 'nathan@example.com', row: 2 },
		{ value: 'not-an-email', row: 3 },
		{ value: 'nobody@example.org', row: 4 },
	];
	const missing = (email: string, item: number) =>
		`No contact has the email ${email}. [item ${item}]`;

	const NO_EMAIL =
		'Contact must be an email address, such as nathan@example.com, but is "not-an-email" [item 2]';

	async function continuing(onError: 'continueRegularOutput' | 'continueErrorOutput') {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await workspace.addContacts([{ email: 'nathan@example.com' }]);
		const read = contact('get', { identifier: by('email', fromItem('value')) });
		const readBehind = '={{ $("Feed").item.json.row }}';
		return await run(read, rows, { onError, readBehind });
	}

	test('at the error output with its row, like that of n8n itself', async () => {
		const { outputs, error, readBehind } = await continuing('continueErrorOutput');
		expect(error).toBeUndefined();
		expect(outputs[0].map(({ json, pairedItem }) => [json.email, pairedItem])).toEqual([
			['nathan@example.com', { item: 1 }],
		]);
		expect(outputs[1].map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
			[{ ...rows[0], error: missing('nobody@example.com', 0) }, { item: 0 }],
			[{ ...rows[2], error: NO_EMAIL }, { item: 2 }],
			[{ ...rows[3], error: missing('nobody@example.org', 3) }, { item: 3 }],
		]);
		expect(readBehind).toEqual([[2], [1, 3, 4]]);
	});

	test('at the output among the others', async () => {
		const { outputs, error, readBehind } = await continuing('continueRegularOutput');
		expect(error).toBeUndefined();
		expect(outputs).toHaveLength(1);
		expect(
			outputs[0].map(({ json, pairedItem }) => [json.error ?? json.email, pairedItem]),
		).toEqual([
			[missing('nobody@example.com', 0), { item: 0 }],
			['nathan@example.com', { item: 1 }],
			[NO_EMAIL, { item: 2 }],
			[missing('nobody@example.org', 3), { item: 3 }],
		]);
		expect(Object.keys(outputs[0][0].json)).toEqual(['error']);
		expect(readBehind).toEqual([[1, 2, 3, 4], []]);
	});

	test('also if the item is not valid', async () => {
		const { run } = await testWorkspace({ contacts: 0 });
		const parameters = { resource: 'tag', operation: 'create', name: fromItem('value') };
		const items = [
			{ value: '', row: 1 },
			{ value: 'Good', row: 2 },
		];
		const { outputs } = await run(parameters, items, { onError: 'continueErrorOutput' });
		expect(outputs[0]).toHaveLength(1);
		expect(outputs[1].map(({ json }) => json)).toEqual([
			{
				value: '',
				row: 1,
				error:
					'Name must be 1 to 255 characters long, but its expression returns nothing for this item [item 0]',
			},
		]);
	});
});
