import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, received, writesOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { fileOf, newerWorkspace } from '../import/helpers';
import { withTemplates } from '../template/helpers';

/*
 * A message or note in which there is nothing to see, and text with the character NUL, which services
 * cannot store, are refused before anything of the run is sent.
 */

const BLANKS = {
	'spaces and line breaks': ' \r\n\t ',
	'no-break spaces': '\u00a0\u202f',
	'ideographic spaces': '\u3000\u3000',
	'zero width characters': '\u200b\u2060\ufeff\u200d',
	'marks of direction': '\u200f\u2068\u2069',
	'blank letters': '\u3164\u2800\u115f',
	'variation selectors': '\ufe0f\u{e0020}',
	'control characters': '\u0007\u001b',
};

const NOTHING =
	/^(Message|Note|Text Within 24 Hours) must not be blank, but has only spaces, line breaks or invisible characters \[item 1\]$|^The expression of (Message|Note|Text Within 24 Hours) returns nothing for this item\. \[item 1\]$/;

const ann = by('email', 'ann@example.com');
const text = fromItem('text');
const send: INodeParameters = { resource: 'message', operation: 'send', identifier: ann, text };
const split = { options: { splitLongText: true } };
const note = { resource: 'contact', operation: 'addNote', identifier: ann, text };

async function withAnn() {
	const made = await testWorkspace({ contacts: 0, service: 'newer' });
	await made.workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
	await made.workspace.clearJournal();
	return made;
}

describe.each(Object.entries(BLANKS))('A text of %s alone', (_, blank) => {
	test.each<[string, INodeParameters]>([
		['Send', send],
		['Send with Split Long Text', { ...send, ...split }],
		['Add Note', note],
		['Add Note with Split Long Text', { ...note, ...split }],
	])('is refused in %s before the first item is sent', async (__, parameters) => {
		const { run, workspace } = await withAnn();
		const { error } = await run(parameters, [{ text: 'Hi' }, { text: blank }]);
		expect(error?.message).toMatch(NOTHING);
		expect(await received(workspace)).toEqual([]);
	});

	test('is refused as it was typed', async () => {
		const { run, workspace } = await withAnn();
		const { error } = await run({ ...send, text: blank });
		expect(error?.message).toBe(
			'Message must not be blank, but has only spaces, line breaks or invisible characters [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test.each(['link', 'chat'])('is no question (Send and Wait, answer by %s)', async (answer) => {
		const { run, workspace } = await withAnn();
		const { error } = await run({
			...{ resource: 'message', operation: 'sendAndWait', identifier: ann },
			...{ message: blank, answer },
		});
		expect(error?.message).toBe(
			'Message must not be blank, but has only spaces, line breaks or invisible characters [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('is refused as the text that replaces a template', async () => {
		const { run, workspace, send: sendTemplate } = await withTemplates();
		const { error } = await run(
			sendTemplate('order_shipped', {}, { options: { textIfRecent: blank } }),
		);
		expect(error?.message).toBe(
			'Text Within 24 Hours must not be blank, but has only spaces, line breaks or invisible characters [item 0]',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('counts as absent beside a flow and beside attachments', async () => {
		const { run, workspace } = await withAnn();
		const { flows } = await workspace.state();
		const flowId = by('id', flows[0].id);
		const flow = await run({ ...send, options: { flowId } }, [{ text: blank }]);
		expect(flow.error).toBeUndefined();
		expect(flow.json[0]).not.toHaveProperty('text');
		const files = { files: [fileOf('x', 'a.txt', 'text/plain')] };
		const file = await run({ ...send, attachments: 'data' }, [{ text: blank }], files);
		expect(file.error).toBeUndefined();
		const { messages } = await workspace.journal();
		expect(messages).toHaveLength(2);
		for (const message of messages) expect(message.text).toBeUndefined();
	});
});

test('Beside Files (JSON), a blank text counts as absent', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([{ email: 'ann@example.com' }]);
	await workspace.clearJournal();
	const options = { files: '[{"url":"https://example.com/a.pdf"}]' };
	const { error } = await run({ ...send, text: '\u3000', options });
	expect(error).toBeUndefined();
	const writes = await writesOf(workspace);
	expect(writes).toHaveLength(1);
	expect(writes[0].body).not.toHaveProperty('text');
});

test('A long text with a long blank stretch is split without a blank message', async () => {
	const { run, workspace } = await withAnn();
	const long = `${'a'.repeat(900)}${'\u200b'.repeat(2500)}${'b'.repeat(900)}`;
	const { error } = await run({ ...send, text: long, ...split });
	expect(error).toBeUndefined();
	const { messages } = await workspace.journal();
	expect(messages.length).toBeGreaterThan(1);
	for (const { text: sent } of messages) expect(sent).toMatch(/[ab]/);
});

test('Labels of buttons and choices without anything to see are left out', async () => {
	const { run } = await withAnn();
	const { error } = await run({
		...{ resource: 'message', operation: 'sendAndWait', identifier: ann, message: 'Which?' },
		...{ responseType: 'choices', choices: ['\u200b', '\u3000'] },
	});
	expect(error?.message).toContain('Choices must have at least one entry');
});

describe('NUL', () => {
	const value = fromItem('value');
	const contact = (operation: string, more: INodeParameters): INodeParameters => ({
		resource: 'contact',
		operation,
		...more,
	});
	/** The fields that take text, with the label in the error. */
	const fields: Array<[string, INodeParameters, string]> = [
		['Message', { ...send, text: value }, 'Message'],
		['the text of Split Long Text', { ...send, text: value, ...split }, 'Message'],
		['Note', { ...note, text: value }, 'Note'],
		[
			'First Name',
			contact('update', { identifier: ann, updateFields: { firstName: value } }),
			'First Name',
		],
		[
			'Last Name of Create or Update',
			contact('upsert', {
				...{ email: 'ann@example.com', additionalFields: { lastName: value } },
			}),
			'Last Name',
		],
		['Email', contact('upsert', { email: fromItem('email') }), 'Email'],
		['Contact', { ...send, text: 'Hi', identifier: by('email', fromItem('email')) }, 'Contact'],
		[
			'Contact by custom field',
			{ ...send, text: 'Hi', identifier: by('customField', `=Order No={{ $json.value }}`) },
			'Contact',
		],
		[
			'Tag Names',
			contact('addTags', { identifier: ann, tagsBy: 'names', tagNames: value }),
			'Tag Names',
		],
		[
			'Sequence Names',
			contact('addToSequences', {
				...{ identifier: ann, sequencesBy: 'names', sequenceNames: value },
			}),
			'Sequence Names',
		],
		['the name of a tag', { resource: 'tag', operation: 'create', name: value }, 'Name'],
		['Keyword', contact('getAll', { returnAll: true, filters: { keyword: value } }), 'Keyword'],
		[
			'a condition',
			contact('getAll', {
				returnAll: true,
				conditions: { texts: [{ field: 'email', textOperator: 'eq', text: value }] },
			}),
			'Conditions',
		],
		[
			'Contact Filter (JSON)',
			contact('getAll', {
				returnAll: true,
				filters: { contactFilter: '={{ ({ a: $json.value }) }}' },
			}),
			'Contact Filter (JSON)',
		],
		[
			'Member',
			{
				...{ resource: 'conversation', operation: 'assign', identifier: ann },
				...{ assignTo: 'member', memberId: by('name', value) },
			},
			'Member',
		],
		[
			'Files (JSON)',
			{ ...send, text: 'Hi', options: { files: '={{ [{ url: $json.value }] }}' } },
			'Files (JSON)',
		],
		[
			'a custom field',
			contact('setCustomFields', {
				identifier: ann,
				customFields: { mappingMode: 'defineBelow', value: { City: value } },
			}),
			'Custom field City',
		],
		[
			'a custom field of Create or Update',
			contact('upsert', {
				...{ email: 'ann@example.com', withCustomFields: true },
				customFields: { mappingMode: 'defineBelow', value: { City: value } },
			}),
			'Custom field City',
		],
		[
			'a column that is mapped automatically',
			contact('setCustomFields', {
				identifier: ann,
				customFields: { mappingMode: 'autoMapInputData', value: null },
			}),
			'Custom field City',
		],
	];

	test.each(fields)(
		'in %s is refused before the first item is sent',
		async (_, parameters, label) => {
			const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer' });
			await workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
			await workspace.add('customFields', { name: 'City', type: 'shortText' });
			await workspace.clearJournal();
			const item = (text: string, email: string) => ({ value: text, City: text, email });
			const { error } = await run(parameters, [
				item('VIP', 'ann@example.com'),
				item('V\u0000IP', 'an\u0000n@example.com'),
			]);
			const rest = label.startsWith('Custom field') ? '. Nothing was changed.' : '';
			expect(error?.message).toBe(
				`${label} contains the character NUL (U+0000), which services can't store${rest} [item 1]`,
			);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	test('in a label or the question of Send and Wait is refused', async () => {
		const { run, workspace } = await withAnn();
		const { error } = await run(
			{
				...{ resource: 'message', operation: 'sendAndWait', identifier: ann, message: 'Ok?' },
				approvalOptions: { values: { approveLabel: value } },
			},
			[{ value: 'Y\u0000es' }],
		);
		expect(error?.message).toContain('contains the character NUL (U+0000)');
		expect(await received(workspace)).toEqual([]);
	});

	test('in a value of a template is refused', async () => {
		const { run, workspace, send: sendTemplate } = await withTemplates();
		const { error } = await run(
			sendTemplate('order_shipped', { body_1: value }, { options: { textIfRecent: 'a\u0000b' } }),
			[{ value: 'A\u0000nn' }],
		);
		expect(error?.message).toContain('contains the character NUL (U+0000)');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('in an item of an import is refused', async () => {
		const { run, workspace, into } = await newerWorkspace();
		const { error } = await run(
			into('whatsapp', 'items', { phoneNumber: '+4915100000001', firstName: value }),
			[{ value: 'Ann' }, { value: 'A\u0000nn' }],
		);
		expect(error?.message).toBe(
			"First Name contains the character NUL (U+0000), which services can't store [item 1]",
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('around an email, a phone number or the value of such a custom field is left out', async () => {
		const { run, workspace } = await withAnn();
		await workspace.add('customFields', { name: 'Second', type: 'email' });
		const { error } = await run(
			contact('upsert', {
				...{ email: 'ann@example.com\u0000\u0000', phoneNumber: '+4915100000001\u0000' },
				...{ withCustomFields: true },
				customFields: { mappingMode: 'defineBelow', value: { Second: value } },
			}),
			[{ value: 'ann@y.io\u0000' }],
		);
		expect(error).toBeUndefined();
		const [{ contactCustomFields }] = (await workspace.state()).contacts;
		expect(contactCustomFields).toMatchObject([{ value: 'ann@y.io' }]);
	});

	test('in a column that is not mapped does no harm', async () => {
		const { run, workspace } = await withAnn();
		await workspace.add('customFields', { name: 'City', type: 'shortText' });
		const { error, json } = await run(
			contact('setCustomFields', {
				identifier: ann,
				customFields: { mappingMode: 'autoMapInputData', value: null },
			}),
			[{ City: 'Hue', other: 'x\u0000y' }],
		);
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ customFields: { City: 'Hue' } }]);
	});
});

test.each([
	['half an emoji', 'Hi \uD83D', 'must not contain half a character (a lone surrogate)'],
	[
		'a number that lost digits',
		2 ** 60,
		'is the number 1152921504606847000, whose digits are not exact; enter it as text',
	],
	['a file', { mimeType: 'image/png', data: 'AAAA' }, "can't hold binary data"],
])('In a custom field, %s is refused before the first item is sent', async (_, bad, problem) => {
	const { run, workspace } = await withAnn();
	await workspace.add('customFields', { name: 'City', type: 'shortText' });
	const { error } = await run(
		{
			...{ resource: 'contact', operation: 'setCustomFields', identifier: ann },
			customFields: { mappingMode: 'autoMapInputData', value: null },
		},
		[{ City: 'Hue' }, { City: bad }],
	);
	expect(error?.message).toBe(`Custom field City ${problem}. Nothing was changed. [item 1]`);
	expect(await writesOf(workspace)).toEqual([]);
});

test('Half an emoji in a condition is refused', async () => {
	const { run, workspace } = await withAnn();
	const condition = { field: 'firstName', textOperator: 'ne', text: 'Hi \uD83D' };
	const { error } = await run({
		...{ resource: 'contact', operation: 'getAll', returnAll: true },
		conditions: { texts: [condition] },
	});
	expect(error?.message).toBe(
		'Conditions must not contain half a character (a lone surrogate) [item 0]',
	);
	expect(await received(workspace)).toEqual([]);
});
