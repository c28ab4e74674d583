import type { INodeParameters } from 'n8n-workflow';
import { lacking, parametersFor } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';

const ann = { __rl: true, mode: 'email', value: 'ann@example.com' };
const nobody = { __rl: true, mode: 'email', value: 'nobody@example.com' };

async function withAnn() {
	const test = await workspaceWithAnn();
	const { customFields, tags } = await test.workspace.state();
	const fieldOf = (type: string) => customFields.find((field) => field.type === type)!;
	return { ...test, fieldOf, tags, customFields };
}

const map = (value: Record<string, unknown>) =>
	({ mappingMode: 'defineBelow', value }) as INodeParameters;
const contact = parametersFor('contact', { identifier: ann });

test('Set Custom Fields writes values in the format of their type, and Get returns them', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	const values = {
		[fieldOf('shortText').id]: 'Blue',
		[fieldOf('number').id]: 42,
		[fieldOf('date').name]: '2026-01-31T10:00:00.000Z',
		[fieldOf('datetime').id]: '2026-01-31T10:00:00+02:00',
		[fieldOf('boolean').id]: true,
		[fieldOf('email').id]: 'x@example.com',
		[fieldOf('phoneNumber').id]: '+4915112345678',
		[fieldOf('longText').id]: '',
	};
	const { json, error } = await run(contact('setCustomFields', { customFields: map(values) }));
	expect(error).toBeUndefined();
	expect(json).toMatchObject([
		{ success: true, contact: 'email:ann@example.com', operation: 'set' },
	]);
	const { requests } = await workspace.journal();
	const { operations } = requests.at(-1)!.body as {
		operations: Array<{ customFieldId: string; value: string }>;
	};
	expect(new Map(operations.map(({ customFieldId, value }) => [customFieldId, value]))).toEqual(
		new Map([
			[fieldOf('shortText').id, 'Blue'],
			[fieldOf('number').id, '42'],
			[fieldOf('date').id, '2026-01-31'],
			[fieldOf('datetime').id, '2026-01-31T08:00:00.000Z'],
			[fieldOf('boolean').id, 'true'],
			[fieldOf('email').id, 'x@example.com'],
			[fieldOf('phoneNumber').id, '+4915112345678'],
		]),
	);
	const read = await run(contact('getCustomFields'));
	expect(read.json.find(({ name }) => name === fieldOf('number').name)).toMatchObject({
		type: 'number',
		value: '42',
	});

	const simple = await run(contact('get'));
	expect(simple.json[0].customFields).toMatchObject({ [fieldOf('shortText').name]: 'Blue' });
});

test.each([
	['number', 'many', 'a number, such as 1234.5'],
	['date', '2026-02-31', 'a date, such as 2026-01-31'],
	['datetime', 'tomorrow', 'a date with time, such as 2026-01-31T09:30:00Z'],
	['boolean', 'perhaps', 'yes or no (true or false)'],
	['email', 'x', 'a valid email address'],
	['phoneNumber', '123', '10 to 20 digits, with an optional leading +'],
])('A %s field refuses "%s", and the node writes nothing', async (type, value, rule) => {
	const { run, workspace, fieldOf } = await withAnn();
	const { error } = await run(
		contact('setCustomFields', { customFields: map({ [fieldOf(type).id]: value }) }),
	);
	expect(error?.message).toBe(
		`Custom field ${fieldOf(type).name} must be ${rule}, but is "${value}". Nothing was changed. [item 0]`,
	);
	expect((await workspace.summary()).byOperation.setContactCustomFields).toBeUndefined();
});

test('Automatic mapping uses the fields of the item that have the name of a custom field', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	const { error } = await run(
		contact('setCustomFields', { customFields: { mappingMode: 'autoMapInputData', value: null } }),
		[{ [fieldOf('shortText').name]: 'Red', unrelated: 1 }],
	);
	expect(error).toBeUndefined();
	const { contactCustomFields } = await workspace.contact('email:ann@example.com');
	expect(contactCustomFields.map(({ value }) => value)).toEqual(['Red']);
});

test('Set Custom Fields adds to values and clears them', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	const number = fieldOf('number').id;
	const write = (writeMode: string, value: unknown, id = number) =>
		run(contact('setCustomFields', { customFields: map({ [id]: value }), options: { writeMode } }));
	await write('set', 5);
	await write('increase', 3);
	await write('decrease', 1);
	const text = fieldOf('shortText').id;
	await write('set', 'b', text);
	await write('append', 'c', text);
	await write('prepend', 'a', text);
	const valueOf = async (id: string) =>
		(await workspace.contact('email:ann@example.com')).contactCustomFields.find(
			(field) => field.customFieldId === id,
		)?.value;
	expect([await valueOf(number), await valueOf(text)]).toEqual(['7', 'abc']);

	const { json } = await run(
		contact('clearCustomField', { customFieldId: { __rl: true, mode: 'id', value: number } }),
	);
	expect(json).toEqual([
		{
			success: true,
			cleared: true,
			contact: 'email:ann@example.com',
			email: 'ann@example.com',
			clearedCustomField: number,
		},
	]);
	expect(await valueOf(number)).toBeUndefined();
});

test('Set Custom Fields does not retry a write with an unknown outcome', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	await workspace.faults({
		dropAfter: { match: { operation: 'setContactCustomFields' }, times: 1 },
	});
	const values = { customFields: map({ [fieldOf('number').id]: 5 }) };
	const { error } = await run(
		contact('setCustomFields', { ...values, options: { writeMode: 'increase' } }),
	);
	expect(error?.message).toContain('This may or may not have gone through');
	expect((await workspace.contact('email:ann@example.com')).contactCustomFields).toMatchObject([
		{ value: '5' },
	]);
});

test.each([
	['append', 'number', 'shortText or longText'],
	['prepend', 'email', 'shortText or longText'],
	['increase', 'date', 'number'],
	['decrease', 'shortText', 'number'],
])(
	'Set Custom Fields refuses the mode %s for a field of type %s, and writes nothing',
	async (writeMode, type, allowed) => {
		const { run, workspace, fieldOf } = await withAnn();
		const { id, name } = fieldOf(type);
		const { error } = await run(
			contact('setCustomFields', { customFields: map({ [id]: '5' }), options: { writeMode } }),
		);
		const way = writeMode.charAt(0).toUpperCase() + writeMode.slice(1);
		expect(error?.message).toBe(
			`Custom field ${name} is of type ${type}, but ${way} works only with the type ${allowed}. Nothing was changed. [item 0]`,
		);
		expect((await workspace.summary()).byOperation.setContactCustomFields).toBeUndefined();
	},
);

test('Set Custom Fields refuses to increase a field by a text that is not a number', async () => {
	const { run, fieldOf } = await withAnn();
	const customFields = map({ [fieldOf('number').id]: 'many' });
	const { error } = await run(
		contact('setCustomFields', { customFields, options: { writeMode: 'increase' } }),
	);
	expect(error?.message).toContain('must be a number, such as 1234.5, but is "many"');
});

test('Create returns the custom field values that it wrote', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	const { id, name } = fieldOf('shortText');
	const { json } = await run({
		resource: 'contact',
		operation: 'create',
		phoneNumber: '+4915100000002',
		email: 'bob@example.com',
		gender: 'male',
		withCustomFields: true,
		customFields: map({ [id]: 'Blue' }),
		simplify: false,
	});
	const bob = await workspace.contact('email:bob@example.com');
	expect(json).toEqual([
		{
			...bob,
			updatedAt: bob.createdAt,
			contactCustomFields: [{ contactId: bob.id, customFieldId: id, value: 'Blue' }],
			customFields: { [name]: 'Blue' },
		},
	]);
});

describe('Update with custom fields', () => {
	const withField = (id: string, more: INodeParameters = {}) =>
		contact('update', { withCustomFields: true, customFields: map({ [id]: 'Blue' }), ...more });

	test.each([{}, { firstName: 'Ann' }])(
		'does not claim an update of a contact that does not exist (%j)',
		async (updateFields) => {
			const { run, fieldOf } = await withAnn();
			const { id } = fieldOf('shortText');
			const { error } = await run(withField(id, { identifier: nobody, updateFields }));
			expect(error?.message).toMatch(/^No contact has the email nobody@example\.com\. /);
			expect(error?.message).toMatch(/ Nothing was changed\. \[item 0\]$/);
		},
	);

	test('finds the contact again after it changes the email that selected it', async () => {
		const { run, workspace, fieldOf } = await withAnn();
		const { id } = fieldOf('shortText');
		const first = await run(withField(id, { updateFields: { email: 'new@example.com' } }));
		expect(first.error).toBeUndefined();
		const identifier = { __rl: true, mode: 'phone', value: '+4915100000001' };
		const second = await run(
			withField(id, { identifier, updateFields: { phoneNumber: '+4915100000009' } }),
		);
		expect(second.error).toBeUndefined();
		expect(await workspace.contact('phone:+4915100000009')).toMatchObject({
			email: 'new@example.com',
			contactCustomFields: [{ value: 'Blue' }],
		});
	});

	test('refuses an item without any change before it sends anything', async () => {
		const { run, workspace, fieldOf } = await withAnn();
		const rule = 'Fill in something under Update Fields or Custom Fields';
		const empty = withField(fieldOf('shortText').id, { customFields: map({}) });
		expect((await run(empty)).error?.message).toBe(`${rule} [item 0]`);
		expect((await workspace.summary()).requests).toBe(0);

		// Which fields of an item are custom fields, only the workspace knows.
		const automatic = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await run(
			contact('update', { withCustomFields: true, customFields: automatic }),
			[{ unrelated: 1 }],
		);
		expect(error?.message).toMatch(
			/^No column has the name of a custom field\. The columns are: unrelated\. /,
		);
	});

	test.each([404, 405] as const)(
		'reports what it changed on a service without custom fields (%i)',
		async (status) => {
			const { run, workspace, fieldOf } = await withAnn();
			await workspace.faults(lacking(status, 'setContactCustomFields'));
			const { id } = fieldOf('shortText');
			const lacks = `This service doesn't offer this operation (${status}).`;
			const both = await run(withField(id, { updateFields: { firstName: 'Ann' } }));
			expect(both.error?.message).toBe(
				`The contact email:ann@example.com was updated, but its custom fields were not set. ${lacks} [item 0]`,
			);
			const alone = await run(withField(id));
			expect(alone.error?.message).toBe(`${lacks} Nothing was changed. [item 0]`);
		},
	);
});

test('Create, Update and Create or Update set custom fields in the same step', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	const withFields = {
		withCustomFields: true,
		customFields: map({ [fieldOf('shortText').id]: '={{ $json.color }}' }),
	};
	const create = {
		resource: 'contact',
		operation: 'create',
		phoneNumber: '+4915100000002',
		email: 'bob@example.com',
		gender: 'male',
	};
	const created = await run({ ...create, ...withFields }, [{ color: 'Blue' }]);
	expect(created.json).toMatchObject([
		{ email: 'bob@example.com', customFields: { [fieldOf('shortText').name]: 'Blue' } },
	]);
	await run(contact('update', { ...withFields, updateFields: { firstName: 'Ann' } }), [
		{ color: 'Red' },
	]);
	await run(
		{
			resource: 'contact',
			operation: 'upsert',
			email: 'ann@example.com',
			phoneNumber: '',
			...withFields,
		},
		[{ color: 'Green' }],
	);
	const ann = await workspace.contact('email:ann@example.com');
	expect([ann.firstName, ann.contactCustomFields.map(({ value }) => value)]).toEqual([
		'Ann',
		['Green'],
	]);
	expect(
		(await workspace.contact('email:bob@example.com')).contactCustomFields.map(
			({ value }) => value,
		),
	).toEqual(['Blue']);

	await workspace.faults({ missing: { setContactCustomFields: 404 } });
	const half = await run(
		{ ...create, ...withFields, email: 'cleo@example.com', phoneNumber: '+4915100000003' },
		[{ color: 'Blue' }],
	);
	expect(half.error?.message).toMatch(
		/^The contact id:\d+ was created, but its custom fields were not set\. /,
	);
	expect((await workspace.contact('email:cleo@example.com')).email).toBe('cleo@example.com');
});

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

interface Deletion {
	parameters: INodeParameters;
	output: object;
	/** What the output calls it. */
	done: string;
	/** Deletes what the operation empties, if the operation deletes no record. */
	remove?: INodeParameters;
	/** The first words of the error if it is missing. */
	gone: string;
}

/** Everything that can be deleted, with what the output and the error call it. */
const deletions: Record<string, (given: Awaited<ReturnType<typeof withAnn>>) => Deletion> = {
	'Clear Custom Field': ({ customFields: [, { id }] }) => ({
		parameters: contact('clearCustomField', { customFieldId: byId(id) }),
		output: { contact: 'email:ann@example.com', email: 'ann@example.com', clearedCustomField: id },
		done: 'cleared',
		remove: { resource: 'customField', operation: 'delete', customFieldId: byId(id) },
		gone: `No custom field has the ID ${id}`,
	}),
	'Delete Tag': ({ tags: [{ id }] }) => ({
		parameters: { resource: 'tag', operation: 'delete', tagId: byId(id) },
		output: { tagId: id },
		done: 'deleted',
		gone: `No tag has the ID ${id}`,
	}),
	'Delete Custom Field': ({ customFields: [{ id }] }) => ({
		parameters: { resource: 'customField', operation: 'delete', customFieldId: byId(id) },
		output: { customFieldId: id },
		done: 'deleted',
		gone: `No custom field has the ID ${id}`,
	}),
	'Delete Contact': () => ({
		parameters: contact('delete'),
		output: { contact: 'email:ann@example.com', email: 'ann@example.com' },
		done: 'deleted',
		gone: 'No contact has the email ann@example.com',
	}),
};

test.each(Object.entries(deletions))(
	'%s names what it removed, and a missing record is an error unless Ignore Not Found is on',
	async (_, deletionOf) => {
		const given = await withAnn();
		const { parameters, output, done, remove, gone } = deletionOf(given);
		const { json } = await given.run(parameters);
		expect(json).toEqual([{ success: true, [done]: true, ...output }]);
		if (remove) await given.run(remove);
		const again = await given.run(parameters);
		const others = remove ? 'The workspace has \\d+ custom fields, such as .+\\. ' : '';
		expect(again.error?.message).toMatch(
			new RegExp(`^${gone}\\. Nothing was changed\\. ${others}\\[item 0\\]$`),
		);
		const ignored = await given.run({ ...parameters, options: { ignoreMissing: true } });
		expect(ignored.json).toEqual([{ success: true, [done]: false, ...output }]);
	},
);

/** Operations that a service may lack. */
const optional: Record<string, (given: Awaited<ReturnType<typeof withAnn>>) => INodeParameters> = {
	...Object.fromEntries(
		Object.entries(deletions).map(([name, deletionOf]) => [
			name,
			(given) => ({ ...deletionOf(given).parameters, options: { ignoreMissing: true } }),
		]),
	),
	'Get Custom Fields': () => contact('getCustomFields'),
	'Set Custom Fields': ({ fieldOf }) =>
		contact('setCustomFields', { customFields: map({ [fieldOf('shortText').id]: 'x' }) }),
	'Get Many Sequences': () => ({ resource: 'sequence', operation: 'getAll', returnAll: true }),
	'Get Many AI Agents': () => ({ resource: 'aiAgent', operation: 'getAll', returnAll: true }),
};

describe.each([404, 405] as const)('A service that lacks an operation (%i)', (status) => {
	test.each(Object.entries(optional))('is named in the error of %s', async (_, parametersOf) => {
		const given = await withAnn();
		await given.workspace.faults(
			lacking(
				status,
				'clearContactCustomField',
				'deleteContact',
				'deleteCustomField',
				'deleteTag',
				'setContactCustomFields',
				'getContactCustomFields',
				'listSequences',
				'listAiAgents',
			),
		);
		const { error, json } = await given.run(parametersOf(given));
		expect(json).toEqual([]);
		expect(error?.message).toMatch(
			new RegExp(`^This service doesn't offer this operation \\(${status}\\)`),
		);
	});
});

test.each(['clearCustomField', 'delete', 'getCustomFields', 'setCustomFields'])(
	'%s reports a contact that does not exist',
	async (operation) => {
		const { run, workspace, fieldOf } = await withAnn();
		const { id } = fieldOf('shortText');
		const parameters = contact(operation, {
			identifier: nobody,
			customFieldId: byId(id),
			customFields: map({ [id]: 'x' }),
			// Only where it is offered does it count: elsewhere it was left behind by another operation.
			...(operation === 'getCustomFields' || operation === 'setCustomFields'
				? { options: { ignoreMissing: true } }
				: {}),
		});
		const { error, json } = await run(parameters);
		expect(json).toEqual([]);
		const unchanged = operation === 'getCustomFields' ? '' : ' Nothing was changed.';
		expect(error?.message).toBe(
			`No contact has the email nobody@example.com.${unchanged} [item 0]`,
		);

		expect((await workspace.summary()).byOperation.getContact).toBeUndefined();
	},
);

test.each(Object.entries(deletions))(
	'%s counts no 404 without a reason as a deletion, and the error names both reasons',
	async (_, deletionOf) => {
		const given = await withAnn();
		await given.workspace.faults({
			fail: [{ status: 404, body: 'empty', match: { method: 'DELETE' } }],
		});
		const { parameters } = deletionOf(given);
		const { error, json } = await given.run({ ...parameters, options: { ignoreMissing: true } });
		expect(json).toEqual([]);
		expect(error?.message).toMatch(
			/^No .+, or this service doesn't offer this operation \(404\)\./,
		);
	},
);

test('A 404 of Clear Custom Field after a lost answer does not claim that nothing changed', async () => {
	const { run, workspace, fieldOf } = await withAnn();
	await workspace.faults({
		fail: [
			{ status: 503, times: 1 },
			{ status: 404, times: 1 },
		],
	});
	const { error } = await run(
		contact('clearCustomField', { customFieldId: byId(fieldOf('shortText').id) }),
	);
	expect(error?.message).toContain('This may or may not have gone through');
	expect(error?.message).not.toContain('Nothing was changed');
});

test('The node lists sequences and AI agents if the service has them', async () => {
	const { run, workspace } = await withAnn();
	const { sequences, aiAgents } = await workspace.state();
	const listed = await run({ resource: 'sequence', operation: 'getAll', returnAll: true });
	expect(listed.json.map(({ id }) => id).sort()).toEqual(sequences.map(({ id }) => id).sort());
	const agents = await run({ resource: 'aiAgent', operation: 'getAll', returnAll: true });
	expect(agents.json.map(({ id }) => id).sort()).toEqual(aiAgents.map(({ id }) => id).sort());
});
