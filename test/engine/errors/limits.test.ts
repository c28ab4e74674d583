import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	by,
	fromItem,
	received,
	text,
	writesOf,
	parametersFor,
} from '../../support/engine/helpers';
import type { Received } from '../../support/engine/helpers';
import type { RunOptions } from '../../support/engine/engine';
import { testWorkspace } from '../../support/engine/workspace';
import type { TestWorkspace } from '../../support/engine/workspace';

/*
 * Every pattern of part 4 and every limit of part 8 of the API's reference, at both sides of its
 * edge. The numbers and rules are written down here from the reference, not taken from the
 * contract.
 */

interface Field {
	/** How the panel calls the field, and what the rule is. */
	says: string;
	parameters: INodeParameters;
	/** Where a request carries the value. */
	at: (request: Received) => unknown;
	accepted: unknown[];
	/** Each with the words in which the error describes it. */
	refused: Array<[value: unknown, shown: string]>;
}

const value = fromItem();
const inBody = (name: string) => (request: Received) =>
	(request.body as Record<string, unknown> | undefined)?.[name];
const inQuery =
	(name: string) =>
	({ path }: Received) =>
		new URL(path, 'http://localhost').searchParams.get(name);
const inPath = ({ path }: Received) => decodeURIComponent(path.split('/').slice(4).join('/'));

const quoted = (...values: unknown[]): Array<[unknown, string]> =>
	values.map((entry) => [entry, `is "${String(entry)}"`]);
const empty: Array<[unknown, string]> = [
	['', 'its expression returns nothing for this item'],
	[null, 'its expression returns nothing for this item'],
];
const tooLong = (length: number): [unknown, string] => [
	text(length),
	`has ${length.toLocaleString('en-US')} characters`,
];

const channels = [
	'omnichannel',
	'webchat',
	'messenger',
	'whatsapp',
	'zalo',
	'smtp',
	'telegram',
	'instagram',
	'tiktok',
];
const isChannel = `must be one of ${channels.join(', ')}`;
const types = [
	'shortText',
	'longText',
	'number',
	'date',
	'datetime',
	'boolean',
	'email',
	'phoneNumber',
];
const digits = 'must be an ID made of digits only';
const ids = ['0', '007', '9223372036854775807', 12];
const noIds = quoted('12a', '-1', '1.5', '+1', ' 1', '1 2', '0x1f', '١٢', '..');
const wholeNumber = 'must be a whole number from 1 to 9007199254740991';

const known = { identifier: by('email', 'known@example.com') };
const contact = parametersFor('contact', known);
const message = parametersFor('message', known);
const create = (parameters: INodeParameters) =>
	contact('create', {
		phoneNumber: fromItem('phone'),
		email: fromItem('email'),
		gender: 'unknown',
		...parameters,
	});
const update = (name: string) => contact('update', { updateFields: { [name]: value } });
const send = (options: INodeParameters) => message('send', { text: 'Hello', options });
const startImport = (parameters: INodeParameters) =>
	contact('import', {
		source: 'id',
		fileId: fromItem('fileId'),
		channel: 'webchat',
		inboxId: by('id', '007'),
		...parameters,
	});
const tag = parametersFor('tag');
const customField = parametersFor('customField');

const phones = {
	accepted: [
		'0123456781',
		'+0123456782',
		'01234567890123456783',
		'+01234567890123456784',
		4915112345678,
	],
	refused: [
		...quoted('012345678', '+012345678', '012345678901234567890', '+012345678901234567890'),
		...quoted(
			'++4915112345678',
			'+',
			'4915112345678x',
			'+49_1511_2345678',
			'+49 1511',
			'+49151,12345678',
		),
	],
};
const emails = {
	accepted: [
		...['a@b.co', "first.last+tag'quoted@sub.example.com", 'o&m@example.com', 'a/b=c@example.com'],
		...['müller@bücher.example', 'user@xn--e1afmkfd.xn--p1ai'],
	],
	refused: [
		...quoted(
			'nathan',
			'nathan@',
			'@example.com',
			'na than@example.com',
			'a@b@c.de',
			'nathan@example',
		),
		...quoted(
			'.a@example.com',
			'a.@example.com',
			'a..b@example.com',
			'a@-b.co',
			'a@b..co',
			'a@b.c',
			'<a@b.co>',
		),
	],
};
const genders = {
	accepted: ['male', 'female', 'unknown'],
	refused: quoted('other', 'Divers', 'mf', 'männlich'),
};
const personName = { accepted: [text(1), text(100)], refused: [tooLong(101)] };
const name = (letter: string) => ({
	accepted: [letter, letter.repeat(255)],
	refused: [...empty, tooLong(256)],
});
const columns = { accepted: [text(255)], refused: [tooLong(256)] };
const numbers = {
	accepted: [1, 9007199254740991],
	refused: quoted(0, -1, 1.5, 9007199254740992, 'many'),
};

const fields: Record<string, Field> = {
	'contact.create phoneNumber': {
		says: 'Phone Number must be 10 to 20 digits, with an optional leading +',
		parameters: create({ phoneNumber: value }),
		at: inBody('phoneNumber'),
		accepted: phones.accepted,
		refused: [...phones.refused, ...empty],
	},
	'contact.create email': {
		says: 'Email must be a valid email address',
		parameters: create({ email: value }),
		at: inBody('email'),
		accepted: emails.accepted,
		refused: [...emails.refused, ...empty],
	},
	'contact.create gender': {
		says: 'Gender must be one of male, female, unknown',
		parameters: create({ gender: value }),
		at: inBody('gender'),
		accepted: genders.accepted,
		refused: [...genders.refused, ...empty],
	},
	'contact.create firstName': {
		says: 'First Name must be at most 100 characters long',
		parameters: create({ additionalFields: { firstName: value } }),
		at: inBody('firstName'),
		...personName,
	},
	'contact.create lastName': {
		says: 'Last Name must be at most 100 characters long',
		parameters: create({ additionalFields: { lastName: value } }),
		at: inBody('lastName'),
		...personName,
	},
	'contact.update phoneNumber': {
		says: 'Phone Number must be 10 to 20 digits, with an optional leading +',
		parameters: update('phoneNumber'),
		at: inBody('phoneNumber'),
		...phones,
		accepted: ['0987654321', '+0987654322', '09876543210987654323', '+09876543210987654324'],
	},
	'contact.update email': {
		says: 'Email must be a valid email address',
		parameters: contact('update', {
			identifier: by('phone', '+4900000000001'),
			updateFields: { email: value },
		}),
		at: inBody('email'),
		accepted: ['other@b.co'],
		refused: emails.refused,
	},
	'contact.update gender': {
		says: 'Gender must be one of male, female, unknown',
		parameters: update('gender'),
		at: inBody('gender'),
		...genders,
	},
	'contact.update firstName': {
		says: 'First Name must be at most 100 characters long',
		parameters: update('firstName'),
		at: inBody('firstName'),
		...personName,
	},
	'contact.update lastName': {
		says: 'Last Name must be at most 100 characters long',
		parameters: update('lastName'),
		at: inBody('lastName'),
		...personName,
	},

	'contact.import fileId': {
		says: `File ID ${digits}`,
		parameters: startImport({ fileId: value }),
		at: inBody('fileId'),
		accepted: [],
		refused: [...noIds, ...empty],
	},
	'contact.import channel': {
		says: `Channel Type ${isChannel}`,
		parameters: startImport({ channel: value }),
		at: inBody('channel'),
		accepted: channels,
		refused: [...quoted('email', 'sms', 'Whats App'), ...empty],
	},
	'contact.import inboxId': {
		says: `Channel ${digits}`,
		parameters: startImport({ inboxId: by('id', value) }),
		at: inBody('inboxId'),
		accepted: ids,
		refused: [...noIds, ...empty],
	},
	'contact.import countryCode': {
		says: 'Default Country Code must be + followed by 1 to 4 digits',
		parameters: startImport({ options: { countryCode: value } }),
		at: inBody('countryCode'),
		accepted: ['+1', '+1234'],
		refused: quoted('+', '+12345', '49', '0049', '+4a', '+ 49'),
	},
	'contact.import tagId': {
		says: `Tag ${digits}`,
		parameters: startImport({ options: { tagId: by('id', value) } }),
		at: inBody('tagId'),
		accepted: ids,
		refused: noIds,
	},
	...Object.fromEntries(
		[
			['phoneNumber', 'Phone Number Column'],
			['contactId', 'ID on the Channel Column'],
			['email', 'Email Column'],
			['firstName', 'First Name Column'],
			['lastName', 'Last Name Column'],
		].map(([column, label]) => [
			`contact.import ${column}`,
			{
				says: `${label} must be at most 255 characters long`,
				parameters: startImport({ options: { [column]: value } }),
				at: inBody(column),
				...columns,
			},
		]),
	),

	'message.send text': {
		says: 'Message must be 1 to 1,000 characters long (to send a longer one, add Split Long Text)',
		parameters: message('send', { text: value }),
		at: inBody('text'),
		accepted: [text(1), text(1000), 42],
		refused: [tooLong(1001)],
	},
	'message.send flowId': {
		says: `Flow ${digits}`,
		parameters: send({ flowId: by('id', value) }),
		at: inBody('flowId'),
		accepted: ids,
		refused: noIds,
	},
	'message.send nodeId': {
		says: `Flow Node ID ${digits}`,
		parameters: send({ nodeId: value, flowId: by('id', '12') }),
		at: inBody('nodeId'),
		accepted: ids,
		refused: noIds,
	},
	'message.send inboxId': {
		says: `Channel ${digits}`,
		parameters: message('send', { text: 'Hello', inboxId: by('id', value) }),
		at: inBody('inboxId'),
		accepted: ids,
		refused: noIds,
	},
	'message.send clientId': {
		says: `Client ID ${digits}`,
		parameters: send({ clientId: value }),
		at: inBody('clientId'),
		accepted: ids,
		refused: noIds,
	},
	'contact.triggerFlow flowId': {
		says: `Flow ${digits}`,
		parameters: contact('triggerFlow', { flowId: by('id', value) }),
		at: inBody('flowId'),
		accepted: ids,
		refused: [...noIds, ...empty],
	},
	'contact.triggerFlow inboxId': {
		says: `Channel ${digits}`,
		parameters: contact('triggerFlow', {
			flowId: by('id', '007'),
			options: { inboxId: by('id', value) },
		}),
		at: inBody('inboxId'),
		accepted: ids,
		refused: noIds,
	},

	'tag.create name': {
		says: 'Name must be 1 to 255 characters long',
		parameters: tag('create', { name: value }),
		at: inBody('name'),
		...name('a'),
	},
	'tag.update name': {
		says: 'Name must be 1 to 255 characters long',
		parameters: tag('update', { tagId: by('id', '007'), name: value }),
		at: inBody('name'),
		...name('b'),
	},
	'tag.update tagId': {
		says: `Tag ${digits}`,
		parameters: tag('update', { tagId: by('id', value), name: fromItem('email') }),
		at: inPath,
		accepted: ids,
		refused: [...noIds, ...empty],
	},
	'customField.create name': {
		says: 'Name must be 1 to 255 characters long',
		parameters: customField('create', { name: value, type: 'number' }),
		at: inBody('name'),
		...name('a'),
	},
	'customField.create type': {
		says: `Type must be one of ${types.join(', ')}`,
		parameters: customField('create', { name: fromItem('email'), type: value }),
		at: inBody('type'),
		accepted: types,
		refused: [...quoted('text', 'numbers'), ...empty],
	},
	'customField.update name': {
		says: 'Name must be 1 to 255 characters long',
		parameters: customField('update', { customFieldId: by('id', '007'), name: value }),
		at: inBody('name'),
		...name('b'),
	},
	'customField.update customFieldId': {
		says: `Custom Field ${digits}`,
		parameters: customField('update', { customFieldId: by('id', value), name: fromItem('email') }),
		at: inPath,
		accepted: ids,
		refused: [...noIds, ...empty],
	},
	'member.get memberId': {
		says: `Member ${digits}`,
		parameters: { resource: 'member', operation: 'get', memberId: by('id', value) },
		at: inPath,
		accepted: ids,
		refused: [...noIds, ...empty],
	},

	...Object.fromEntries(
		[
			['page', 'Start Page'],
			['perPage', 'Page Size'],
		].map(([property, label]) => [
			`contact.getAll ${property}`,
			{
				says: `${label} ${wholeNumber}`,
				parameters: contact('getAll', { limit: 1, options: { [property]: value } }),
				at: inQuery(property),
				...numbers,
			},
		]),
	),
	'contact.getAll channels': {
		says: `Channel Types 1 ${isChannel}`,
		parameters: contact('getAll', { filters: { channels: fromItem('list') } }),
		at: inQuery('channels[0]'),
		accepted: channels,
		refused: quoted('email', 'Whats App'),
	},
	'contact.getAll inboxIds': {
		says: `Channel Names or IDs 1 ${digits}`,
		parameters: contact('getAll', { filters: { inboxIds: fromItem('list') } }),
		at: inQuery('inboxIds[0]'),
		accepted: ids,
		refused: noIds,
	},
	'contact.getAll sort': {
		says: 'Order of Sort 1 must be one of asc, desc',
		parameters: contact('getAll', {
			options: { sort: { fields: [{ field: 'createdAt', order: value }] } },
		}),
		at: inQuery('sort[0][order]'),
		accepted: ['asc', 'desc'],
		refused: quoted('up', 'descending'),
	},
};

/** The names of fields for which the node accepts or refuses values. */
const fieldsWith = (kind: 'accepted' | 'refused') =>
	Object.keys(fields).filter((id) => fields[id][kind].length > 0);

let limits: TestWorkspace;
let fileId: string;
let people = 0;

beforeAll(async () => {
	limits = await testWorkspace({ contacts: 0, importMs: 0 });
	const { workspace } = limits;
	await workspace.addContacts([{ email: 'known@example.com' }, { phoneNumber: '+4900000000001' }]);
	({ id: fileId } = await workspace.addFile([{ [text(255)]: '' }]));
	const now = new Date().toISOString();
	for (const collection of ['tags', 'customFields', 'channels', 'flows', 'members'] as const) {
		for (const id of ids) {
			await workspace.add(collection, {
				id: String(id),
				name: `${collection} ${id}`,
				updatedAt: now,
			} as never);
		}
	}
});

beforeEach(async () => await limits.workspace.clearJournal());

/** Runs the operation with an item for each value. */
async function runWith(field: Field, values: unknown[], more: Partial<RunOptions> = {}) {
	const items = values.map((given) => {
		people++;
		return {
			value: given as string,
			list: [given as string],
			email: `person${people}@example.com`,
			phone: `+49300${people + 1_000_000}`,
			fileId,
		};
	});
	return await limits.run(field.parameters, items, more);
}

describe('The node sends and the service accepts', () => {
	test.each(fieldsWith('accepted'))('%s', async (id) => {
		const field = fields[id];
		const { error } = await runWith(field, field.accepted);
		expect(error).toBeUndefined();
		// Before it, a look-up may come; a message of several parts goes as several requests.
		const sent = (await received(limits.workspace)).map((request) => field.at(request));
		expect(sent).toEqual(expect.arrayContaining(field.accepted.map(String)));
	});
});

test.each([
	['contact.import channel', ' WhatsApp ', 'whatsapp'],
	['contact.getAll sort', 'DESC', 'desc'],
	['customField.create type', 'Number', 'number'],
])('An expression can return a choice in other letters: %s as "%s"', async (id, given, sent) => {
	const field = fields[id];
	const { error } = await runWith(field, [given]);
	expect(error).toBeUndefined();
	expect((await received(limits.workspace)).map((request) => field.at(request))).toContain(sent);
});

describe('The node refuses without a request', () => {
	test.each(fieldsWith('refused'))('%s', async (id) => {
		const field = fields[id];
		const { says, refused } = field;
		const values = refused.map(([given]) => given);
		const { json } = await runWith(field, values, { onError: 'continueRegularOutput' });
		const sentences = refused.map(([, shown], item) => `${says}, but ${shown} [item ${item}]`);
		expect(json).toEqual(sentences.map((error) => ({ error })));
		expect(await received(limits.workspace)).toEqual([]);
	});

	test('and the run ends', async () => {
		const { error, outputs } = await runWith(fields['contact.getAll sort'], ['up']);
		expect(error?.context?.itemIndex).toBe(0);
		expect(outputs.flat()).toEqual([]);
	});
});

describe('Counted limits', () => {
	const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}`);

	async function run(parameters: INodeParameters, given: unknown[]) {
		const { error } = await limits.run(parameters, [{ value: given, fileId }]);
		return { error, requests: await received(limits.workspace) };
	}

	describe.each(['addTags', 'removeTags'])('%s', (operation) => {
		const parameters = contact(operation, { tagIds: value });

		test.each([1, 100])('sends %d tags', async (count) => {
			const { run: runWithTags, workspace } = await testWorkspace({
				contacts: 1,
				counts: { tags: 100 },
			});
			const { contacts, tags } = await workspace.state();
			const tagIds = tags.slice(0, count).map(({ id }) => id);
			const { error } = await runWithTags({ ...parameters, identifier: by('id', contacts[0].id) }, [
				{ value: tagIds },
			]);
			expect(error).toBeUndefined();
			expect(await writesOf(workspace)).toMatchObject([{ body: { tagIds } }]);
		});

		test.each([0, 101])('refuses %d tags', async (count) => {
			const { error, requests } = await run(parameters, numbered(count));
			const hint = count === 0 ? ' (to enter names, set Select Tags By to By Name)' : '';
			expect(error?.message).toBe(
				`Tag Names or IDs must be a list of 1 to 100 tags${hint}, but has ${count} entries [item 0]`,
			);
			expect(requests).toEqual([]);
		});

		test('refuses what is no ID', async () => {
			const items = noIds.map(([given]) => ({ value: ['1', given] }) as IDataObject);
			const { json } = await limits.run(parameters, items, { onError: 'continueRegularOutput' });
			const sentences = noIds.map(
				([, shown], item) =>
					`Tag Names or IDs 2 ${digits} (to enter names, set Select Tags By to By Name), but ${shown} [item ${item}]`,
			);
			expect(json).toEqual(sentences.map((error) => ({ error })));
			expect(await received(limits.workspace)).toEqual([]);
		});
	});

	test('Files (JSON) takes 1 file and refuses 0', async () => {
		const parameters = send({ files: value });
		expect((await run(parameters, [{ id: 'a' }])).requests).toMatchObject([
			{ body: { text: 'Hello' } },
			{ body: { files: [{ id: 'a' }] } },
		]);
		await limits.workspace.clearJournal();
		const { error, requests } = await run(parameters, []);
		expect(error?.message).toBe('Files (JSON) is empty. Remove it, or enter a value. [item 0]');
		expect(requests).toEqual([]);
	});

	test('Custom Field Columns takes 10 columns and refuses 11', async () => {
		const columnsOf = (count: number) =>
			numbered(count).map(() => ({ column: text(255), customFieldId: '007' }));
		// A field of this kind cannot be an expression as a whole.
		const parameters = (count: number) =>
			startImport({ options: { fieldMapping: { columns: columnsOf(count) } } });
		const { error: none, requests } = await run(parameters(10), []);
		expect(none).toBeUndefined();
		expect(requests).toMatchObject([{ body: { fieldMapping: columnsOf(10) } }]);

		await limits.workspace.clearJournal();
		const { error } = await run(parameters(11), []);
		expect(error?.message).toBe(
			'Custom Field Columns must be a list of at most 10 columns, but has 11 entries [item 0]',
		);
		expect(await received(limits.workspace)).toEqual([]);
	});

	test.each([
		['column', 'Column'],
		['customFieldId', 'Custom Field Name or ID'],
	])('a custom field column without its %s is refused', async (name, label) => {
		const entry = { column: 'Notes', customFieldId: '007', [name]: '' };
		const columns = [{ column: 'Notes', customFieldId: '007' }, entry];
		const { error, requests } = await run(
			startImport({ options: { fieldMapping: { columns } } }),
			[],
		);
		expect(error?.message).toBe(
			`${label} of Custom Field Columns 2 must not be empty, but is empty [item 0]`,
		);
		expect(requests).toEqual([]);
	});

	test('a message needs a text, files or a flow', async () => {
		const { error } = await limits.run(message('send', { text: '' }));
		expect(error?.message).toBe('Enter a message, or add Attachments, Files or a Flow [item 0]');
		expect(await received(limits.workspace)).toEqual([]);
	});
});

describe('Limit', () => {
	test.each([1, '2', 50])('takes %p', async (limit) => {
		const { run, workspace } = await testWorkspace({ contacts: 60 });
		const parameters = { resource: 'contact', operation: 'getAll', simplify: false, limit: value };
		const { json } = await run(parameters, [{ value: limit }]);
		expect(json).toHaveLength(Number(limit));
		expect(await received(workspace)).toHaveLength(1);
	});

	test.each<[IDataObject[string], string]>([
		[0, 'is "0"'],
		[-1, 'is "-1"'],
		[1.5, 'is "1.5"'],
		['ten', 'is "ten"'],
		['', 'its expression returns nothing for this item'],
		[undefined, 'its expression returns nothing for this item'],
		[{ a: 1 }, 'is an object'],
	])('refuses %p', async (limit, what) => {
		const { error } = await limits.run({ resource: 'tag', operation: 'getAll', limit: value }, [
			{ value: limit },
		]);
		expect(error?.message).toBe(`Limit must be a whole number of at least 1, but ${what} [item 0]`);
		expect(await received(limits.workspace)).toEqual([]);
	});
});
