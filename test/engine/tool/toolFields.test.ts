import { NodeHelpers } from 'n8n-workflow';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import { TOOL, toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';

const get: INodeParameters = { resource: 'contact', operation: 'get', contact: '={{ $json.who }}' };
const list: INodeParameters = { resource: 'contact', operation: 'getAll' };

const lengthOf = (answer: IDataObject[]) => JSON.stringify(answer).length;

test.each(['contact', 'output', 'templateName', 'language', 'templateValues'])(
	'The field %s is shown in a tool only',
	(name) => {
		const fields = compiledNode.description.properties.filter((field) => field.name === name);
		expect(fields.length).toBeGreaterThan(0);
		for (const { displayOptions } of fields)
			expect(displayOptions?.show?.['@tool']).toEqual([true]);
	},
);

describe('The contact of a tool as text', () => {
	test.each<[string, (contact: { id: string; email: string; phoneNumber: string }) => string]>([
		['an ID', ({ id }) => id],
		['an email address', ({ email }) => ` ${email} `],
		['a phone number', ({ phoneNumber }) => phoneNumber],
		[
			'a phone number as people write it',
			({ phoneNumber }) => phoneNumber.replace(/^(.{3})(.{3})/, '$1 ($2) '),
		],
		['an identifier of the API', ({ email }) => `email:${email}`],
	])('can be %s', async (_, text) => {
		const { workspace } = await testWorkspace({ contacts: 2 });
		const [, contact] = (await workspace.state()).contacts;
		const call = toolOf(workspace, get);
		expect(await call({ who: text(contact as never) })).toMatchObject([{ id: contact.id }]);
	});

	test('is the only field for it: what a picker held before does not count', async () => {
		const { workspace } = await testWorkspace({ contacts: 2 });
		const [first, second] = (await workspace.state()).contacts;
		const identifier = { __rl: true, mode: 'list', value: first.id };
		const call = toolOf(workspace, { ...get, identifier }, 'continueRegularOutput');
		expect(await call({ who: second.email })).toMatchObject([{ id: second.id }]);
		const [{ error }] = await call({ who: '' });
		expect(error).toContain('Contact must name a contact by ID, email or phone, but is empty');
	});

	test('is an error if it is not an ID, an email or a phone number', async () => {
		const { workspace } = await testWorkspace();
		const [{ error }] = await toolOf(workspace, get, 'continueRegularOutput')({ who: 'Nora' });
		expect(error).toContain(
			'Contact must be an ID made of digits, an email address, or a phone number with its leading +, but is "Nora"',
		);
	});

	test('selects the contact that Create or Update changes', async () => {
		const { workspace } = await testWorkspace({ contacts: 2 });
		const [, contact] = (await workspace.state()).contacts;
		const call = toolOf(workspace, {
			resource: 'contact',
			operation: 'upsert',
			contact: '={{ $json.who }}',
			email: '={{ $json.email }}',
		});
		await call({ who: contact.id, email: 'new@example.org' });
		expect(await workspace.contact(`id:${contact.id}`)).toMatchObject({ email: 'new@example.org' });
	});
});

describe('Output of a tool', () => {
	async function keysOf(parameters: INodeParameters) {
		const { workspace } = await testWorkspace({ contacts: 1 });
		const [{ id }] = (await workspace.state()).contacts;
		const [answer] = await toolOf(workspace, { ...get, contact: id, ...parameters })();
		return Object.keys(answer);
	}

	test('is Simplified, Raw or Selected Fields', async () => {
		expect(await keysOf({})).toHaveLength(10);
		expect(await keysOf({ output: 'simplified' })).toHaveLength(10);
		expect((await keysOf({ output: 'raw' })).length).toBeGreaterThan(15);
		expect(await keysOf({ output: 'selected', outputFields: 'email, gender' })).toEqual([
			'email',
			'gender',
		]);
	});

	test('overrides a saved value of Simplify', async () => {
		expect(await keysOf({ simplify: false })).toHaveLength(10);
	});

	test('lists the existing fields if a selected field does not exist', async () => {
		const { workspace } = await testWorkspace({ contacts: 1 });
		const [{ id }] = (await workspace.state()).contacts;
		const parameters = { ...get, contact: id, output: 'selected', outputFields: 'mail' };
		const message = /No record has the field mail\. The fields are: .*\bemail, .*\bphoneNumber\b/;
		await expect(toolOf(workspace, parameters)()).rejects.toThrow(message);
		const [{ error }] = await toolOf(workspace, parameters, 'continueRegularOutput')();
		expect(error).toMatch(message);
	});

	test('reports that the node created a contact although a selected field does not exist', async () => {
		const { workspace } = await testWorkspace();
		const call = toolOf(workspace, {
			...{ resource: 'contact', operation: 'create', gender: 'unknown', output: 'selected' },
			...{ email: 'nora@example.org', phoneNumber: '+4915155501234', outputFields: 'mail' },
		});
		await expect(call()).rejects.toThrow(
			/No record has the field mail\. .* The action succeeded\. Do not call again\./,
		);
		const { contacts } = await workspace.state();
		expect(contacts.filter(({ email }) => email === 'nora@example.org')).toHaveLength(1);
	});

	test.each([
		[{ output: 'all' }, 'Output must be one of simplified, raw, selected, but is "all"'],
		[
			{ output: 'selected' },
			'Enter at least one name under Field Names, such as id, or choose another Output',
		],
	])('cannot be %p, and n8n sends nothing', async (settings, message) => {
		const { workspace } = await testWorkspace();
		await workspace.clearJournal();
		const call = toolOf(workspace, {
			...{ resource: 'contact', operation: 'create', gender: 'unknown' },
			...{ email: 'nora@example.org', phoneNumber: '+4915155501234', ...settings },
		});
		await expect(call()).rejects.toThrow(message);
		expect((await workspace.journal()).requests).toEqual([]);
	});

	test.each(['id; email', '["id","email"]', 'id,email', "['id', 'email']", '- id\n- email'])(
		'accepts the field names %p',
		async (outputFields) => {
			expect(await keysOf({ output: 'selected', outputFields })).toEqual(['id', 'email']);
		},
	);

	test('exists in a tool only, and Simplify exists outside a tool only', () => {
		const shown = (name: string) =>
			compiledNode.description.properties
				.filter((field) => ['simplify', 'output', 'contact'].includes(field.name))
				.filter((field) =>
					NodeHelpers.displayParameter(
						{ resource: 'contact', operation: 'get', simplify: true },
						field,
						{ typeVersion: 1 } as INode,
						{ ...compiledNode.description, name },
					),
				)
				.map((field) => field.name);
		expect(shown('workspaceMessaging')).toEqual(['simplify']);
		expect(shown('workspaceMessagingTool')).toEqual(['contact', 'output']);
	});
});

test('Get Messages begins with a transcript of 20 messages in a tool, and with 50 items elsewhere', () => {
	const defaultsOf = (name: string) => {
		const { description } = compiledNode;
		const operation = { resource: 'conversation', operation: 'getMessages' };
		const node = { typeVersion: 1 } as INode;
		const values = NodeHelpers.getNodeParameters(
			description.properties,
			operation,
			true,
			false,
			node,
			{
				...description,
				name,
			},
		);
		return [values?.messageFormat, values?.limit];
	};
	expect(defaultsOf('workspaceMessaging')).toEqual(['items', 50]);
	expect(defaultsOf('workspaceMessagingTool')).toEqual(['transcript', 20]);
});

describe('The answer of a tool', () => {
	test('has at most 8,000 characters: it leaves out whole records and counts them', async () => {
		const { workspace } = await testWorkspace({ contacts: 300 });
		const answer = await toolOf(workspace, { ...list, returnAll: true, output: 'raw' })();
		expect(lengthOf(answer)).toBeLessThanOrEqual(8000);
		expect(lengthOf(answer)).toBeGreaterThan(6000);
		const { moreRecords, note } = answer.at(-1)!;
		expect(moreRecords).toBe(300 - (answer.length - 1));
		expect(note).toBe(
			`${String(moreRecords)} more records are not shown. To get more, use a narrower filter or fewer fields (Output) or a higher Max Answer Length.`,
		);
		expect(answer.slice(0, -1).every(({ id, updatedAt }) => id && updatedAt)).toBe(true);
	});

	test('has at most the characters that Max Answer Length sets', async () => {
		const { workspace } = await testWorkspace({ contacts: 5 });
		const whole = await toolOf(workspace, { ...list, returnAll: true })();
		expect(whole).toHaveLength(5);
		// n8n's own agents get each record with the number of its item around it.
		const wrapped = lengthOf(whole.map((json) => ({ json, pairedItem: { item: 0 } })));
		const withLength = (maxAnswerLength: number) =>
			toolOf(workspace, { ...list, returnAll: true, requestOptions: { maxAnswerLength } });
		expect(await withLength(wrapped)()).toEqual(whole);
		const cut = await withLength(wrapped - 1)();
		expect(cut.at(-1)).toMatchObject({ moreRecords: 5 - (cut.length - 1) });
		expect(lengthOf(cut)).toBeLessThan(lengthOf(whole));
	});

	test.each([500, 501])('can have a limit of %d characters', async (maxAnswerLength) => {
		const { workspace } = await testWorkspace({ contacts: 20 });
		const answer = await toolOf(workspace, { ...list, requestOptions: { maxAnswerLength } })();
		expect(lengthOf(answer)).toBeLessThanOrEqual(maxAnswerLength);
	});

	test.each([499, 0, 'all'])('cannot have a limit of %p', async (maxAnswerLength) => {
		const { workspace } = await testWorkspace();
		await workspace.clearJournal();
		const call = toolOf(workspace, { ...list, requestOptions: { maxAnswerLength } });
		await expect(call()).rejects.toThrow(
			`Max Answer Length must be a whole number of at least 500, but is "${maxAnswerLength}"`,
		);
		expect((await workspace.journal()).requests).toEqual([]);
	});
});

test('An answer that is too long says that the action succeeded', async () => {
	const { workspace } = await testWorkspace({ contacts: 1 });
	const [{ id }] = (await workspace.state()).contacts;
	const answer = await toolOf(workspace, {
		...{ resource: 'message', operation: 'send', contact: id, text: 'a'.repeat(1000) },
		requestOptions: { maxAnswerLength: 500 },
	})();
	expect(answer).toEqual([
		{
			moreRecords: 1,
			note: '1 more record is not shown. The action succeeded. Do not call again.',
		},
	]);
	expect((await workspace.journal()).messages).toHaveLength(1);
});

describe('A list in a tool', () => {
	const answerOf = async (contacts: number, limit: number) => {
		const { workspace } = await testWorkspace({ contacts });
		return await toolOf(workspace, { ...list, limit, output: 'selected', outputFields: 'id' })();
	};

	test('says how many more records there are than its limit', async () => {
		const answer = await answerOf(60, 5);
		expect(answer).toHaveLength(6);
		expect(answer.at(-1)).toEqual({
			moreRecords: 55,
			note: '55 more records are not shown. To get more, use a narrower filter or a higher Limit.',
		});
	});

	test('says the least number of records if the list is long', async () => {
		expect((await answerOf(150, 5)).at(-1)).toMatchObject({
			moreRecords: 95,
			note: expect.stringMatching(/^At least 95 more records are not shown\./) as string,
		});
		expect((await answerOf(150, 120)).at(-1)).toMatchObject({
			moreRecords: 1,
			note: expect.stringMatching(/^At least 1 more record is not shown\./) as string,
		});
	});

	test('adds no count if it is complete', async () => {
		expect(await answerOf(5, 5)).toHaveLength(5);
		expect(await answerOf(0, 5)).toEqual([]);
	});

	test('refuses an invalid limit', async () => {
		await expect(answerOf(5, 0)).rejects.toThrow(
			'Limit must be a whole number of at least 1, but is "0"',
		);
	});
});

test('Each item has its own contact, fields and length if n8n runs the tool for the agent', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 3 });
	const [first, second] = (await workspace.state()).contacts;
	const parameters = { ...get, output: 'selected', outputFields: '={{ $json.fields }}' };
	const items = [
		{ who: first.email, fields: 'id' },
		{ who: second.id, fields: 'email' },
		{ who: second.id, fields: 'mail' },
	];
	const onError = 'continueRegularOutput';
	const { json } = await run(parameters, items, { node: TOOL, onError });
	expect(json).toEqual([
		{ id: first.id },
		{ email: second.email },
		{ error: expect.stringContaining('No record has the field mail. The fields are: ') as string },
	]);
	const { outputs } = await run({ ...list, limit: 1 }, [{}, {}], { node: TOOL });
	expect(
		outputs[0].map(({ json: { moreRecords }, pairedItem }) => [moreRecords, pairedItem]),
	).toEqual([
		[undefined, { item: 0 }],
		[2, { item: 0 }],
		[undefined, { item: 1 }],
		[2, { item: 1 }],
	]);
});
