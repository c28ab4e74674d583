import fc from 'fast-check';
import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';
import { by, fromItem, once, resourceOf, parametersFor } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { anyText, CASES, isWhole, longText, samples } from '../support/engine/arbitrary';
import { ownServer, type Arrived } from '../support/engine/record';

/*
 * What the service receives is what was given, to the last code unit, or the item fails with a
 * clear error and nothing is sent for it. The one exception is what nobody can mean in what names a
 * contact, and is left out: white space and invisible characters around it, and what people write
 * between the digits of a phone number. A server of the test's own is asked, which sees what came
 * over the wire and nothing else.
 */

/** Items that are run at once. */
const BATCH = 250;

let tried = 0;
afterAll(() => expect(tried).toBeGreaterThan(10_000));

interface Property<T> {
	parameters: INodeParameters;
	values: T[];
	/** Whether this value can be sent at all. */
	isValid: (value: T) => boolean;
	/** What should have come in for it, and what came in, in one form that can be compared. */
	expected: (value: T) => unknown;
	seen: (request: Arrived) => unknown;
	/** What the error about a value that cannot be sent starts with. */
	label: string;
	/** The records that reading brings; none when left out. */
	records?: object[];
	/** Whether the node asks this to find out what the service is like, whatever the value. */
	isQuestion?: (request: Arrived) => boolean;
}

/** Whether a value has the character NUL in one of its texts or keys, which the node refuses everywhere. */
const hasNul = (value: unknown): boolean =>
	typeof value === 'string'
		? value.includes('\0')
		: typeof value === 'object' && value !== null && Object.entries(value).flat().some(hasNul);

/** Whether nobody would see anything of a text. */
const isBlank = (text: string) => /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);

/** A name as people compare it: each letter in one character, without what nobody sees. */
const asName = (text: string) =>
	text
		.normalize('NFC')
		.replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '');

/** Texts without what nobody sees at their ends, because n8n leaves that out. */
const withoutBlankEnds = (texts: string[]) =>
	texts.map((text) =>
		text.replace(
			/^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+$/gu,
			'',
		),
	);

const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();

/**
 * Runs the values through the node, one item each, and compares what came in with what was given.
 */
async function check<T>({
	parameters,
	values,
	isValid: isValidWithoutNul,
	expected,
	seen,
	label,
	records = [],
	isQuestion = () => false,
}: Property<T>) {
	const isValid = (value: T) => !hasNul(value) && isValidWithoutNul(value);
	const { run } = await testWorkspace({ empty: true });
	const own = await ownServer((response, { method }) => {
		const answer = method === 'GET' ? { id: '1', data: records } : { id: '1' };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	});
	const credential = {
		baseUrl: `http://127.0.0.1:${own.port}`,
		accessToken: 'token-of-these-tests',
	};
	let refused = 0;
	for (let at = 0; at < values.length; at += BATCH) {
		const batch = values.slice(at, at + BATCH);
		own.arrived.length = 0;
		tried += batch.length;
		const result = await run(
			{ ...parameters, ...once },
			batch.map((value) => ({ value }) as IDataObject),
			{ credential, onError: 'continueRegularOutput' },
		);
		expect(result.error).toBeUndefined();
		const sent = own.arrived.filter((request) => !isQuestion(request));
		expect(sorted(sent.map(seen))).toEqual(sorted(batch.filter(isValid).map(expected)));
		for (const { method, url } of own.arrived) {
			expect([method, url.startsWith('/api/v1/')]).toEqual([method, true]);
			expect(new URL(url, 'http://localhost').pathname).toBe(url.split('?')[0]);
		}

		const invalid = batch.flatMap((value, item) => (isValid(value) ? [] : [item]));
		refused += invalid.length;
		for (const item of invalid) {
			const output = result.outputs[0].find(
				({ pairedItem }) => (pairedItem as IPairedItemData).item === item,
			);
			const message = String(output?.json.error);
			// An empty value has a sentence of its own.
			const field = label.replace(/ must$/, '').trim();
			if (message.startsWith(`The expression of ${field} returns nothing`)) continue;
			if (message.startsWith(`${field} contains the character NUL`)) continue;
			expect(message.slice(0, label.length)).toBe(label);
			expect(message).toMatch(/must|is required|is empty\.|was rounded by a spreadsheet/);
			expect(message.length).toBeLessThan(300);
		}
	}
	return refused;
}

const first = { identifier: by('id', '1') };
const contact = parametersFor('contact', first);
const message = parametersFor('message', first);
const segment =
	(nth: number) =>
	({ url }: Arrived) =>
		decodeURIComponent(url.split('?')[0].split('/')[nth]);
const bodyOf = ({ body }: Arrived) => JSON.parse(body) as Record<string, unknown>;
const cases = samples(longText(3000));
const digits = (minLength: number, maxLength: number) =>
	fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
/** Texts of which many name a contact, and others nearly do. */
const names = samples(
	fc.oneof(
		digits(1, 25),
		fc.tuple(anyText(), anyText()).map(([local, domain]) => `${local}@${domain}`),
		fc
			.tuple(anyText(), anyText())
			.map((parts) => parts.map((part) => part.replace(/[\s@]/g, '')).join('@')),
		fc
			.tuple(
				// No country has this code, so that no numbering plan changes the number.
				fc.constantFrom('+999', '999'),
				// Longer ones can be two numbers, and so can those with a slash.
				fc.array(digits(1, 4), { minLength: 2, maxLength: 3 }),
				fc.constantFrom(...' -.\u00a0\u200b'),
			)
			.map(([plus, groups, separator]) => plus + groups.join(separator)),
	),
);

describe.each(['id', 'email', 'phone'])('Random contacts chosen by %s', (mode) => {
	// The tags at the end of a flag, which nobody sees either, belong to it: nothing of two units goes.
	const unseen = '(?:(?![\\u{10000}-\\u{10ffff}])[\\s\\p{Cc}\\p{Cf}])+';
	const ends = new RegExp(`^${unseen}|${unseen}$`, 'gu');
	const visible = (text: string) => text.replace(ends, '');
	/** What is asked for; undefined when the value is of none of the three forms. */
	const identifierOf = (value: string): string | undefined => {
		const [, prefix, rest] = /^(?:(id|email|phone):)?([^]*)$/.exec(visible(value))!;
		const name = visible(rest);
		const shape = name.includes('@') ? 'email' : name.startsWith('+') ? 'phone' : 'id';
		const kind = prefix ?? (mode === 'id' ? shape : mode);
		if (kind === 'id') return /^\d+$/.test(name) ? `id:${name}` : undefined;
		// The byte order mark is not seen, and no white space here.
		const isEmail = /^[^\s@\0]+@[^\s@\0]+$/.test(name.replaceAll('\ufeff', ''));
		if (kind === 'email') return isEmail ? `email:${name}` : undefined;
		const isRead = name.length <= 100 && /^[\s\p{Cc}\p{Cf}\p{Pd}./()[\]+\d]*$/u.test(name);
		const number = name.replace(/[^\d+]/g, '').replace(/^00/, '+');
		return isRead && /^\+?\d{10,20}$/.test(number) ? `phone:${number}` : undefined;
	};
	const property = (operation: string, more?: INodeParameters): Property<string> => ({
		parameters: {
			...contact(operation, more),
			resource: resourceOf(operation),
			identifier: by(mode, fromItem()),
		},
		// Around a name, n8n leaves NUL out, like all that nobody sees.
		// Full-width letters of an email are sent as plain ones.
		values: [...cases, ...names]
			.filter((value) => !hasNul(value))
			.map((value) => value.normalize('NFKC').replaceAll('。', '.')),
		isValid: (value) => {
			const identifier = identifierOf(value);
			return (
				identifier !== undefined &&
				isWhole(identifier) &&
				encodeURIComponent(identifier).length <= 12_000 - 'identifier'.length - 2
			);
		},
		expected: identifierOf,
		seen: segment(4),
		label: 'Contact ',
	});

	test('reach the service unchanged in a request that reads', async () => {
		const { isValid, values, ...rest } = property('get');
		expect(await check({ isValid, values, ...rest })).toBeGreaterThan(10);
		expect(values.filter(isValid).length).toBeGreaterThan(100);
	});

	test('reach the service unchanged in a message', async () => {
		const { values, ...rest } = property('send', { text: 'Hello' });
		// A run that names contacts in several ways looks them up, and sends to their IDs.
		for (const kind of ['id', 'email', 'phone']) {
			const isAlike = (value: string) =>
				[undefined, kind].includes(identifierOf(value)?.split(':')[0]);
			await check({ ...rest, values: values.filter(isAlike) });
		}
	});
});

test.each([
	['email', 'nathan@example.com'],
	['phoneNumber', '+4915112345678'],
])(
	'A random %s of a contact reaches the service without the white space around it',
	async (name, text) => {
		const space = fc.string({
			unit: fc.constantFrom(...' \t\r\n\u00a0\u2003\u3000\ufeff'),
			maxLength: 4,
		});
		const values = samples(fc.tuple(space, space, space), 200).map(
			([before, inside, after]) => `${before}${text.slice(0, 5)}${inside}${text.slice(5)}${after}`,
		);
		const refused = await check({
			parameters: contact('update', { updateFields: { [name]: fromItem() } }),
			values,
			// White space is how people group the digits of a number.
			isValid: (value) => name === 'phoneNumber' || asName(value).trim() === text,
			expected: () => text,
			seen: (request) => bodyOf(request)[name],
			label: 'Email must',
		});
		if (name === 'email') expect(refused).toBeGreaterThan(10);
	},
);

test.each([
	['broadcast', 'broadcastId', 'name', 'Broadcast must'],
	['sequence', 'sequenceId', 'id', 'Sequence must'],
])(
	'A random name or ID of a %s reaches the service unchanged',
	async (resource, field, mode, label) => {
		const refused = await check({
			parameters: { resource, operation: 'get', [field]: by(mode, fromItem()) },
			values: samples(anyText()),
			isValid: (value) => value !== '' && value !== '.' && value !== '..' && isWhole(value),
			expected: (value) => value,
			seen: segment(4),
			label,
		});
		expect(refused).toBeGreaterThan(10);
	},
);

test('A random text of a message reaches the service unchanged', async () => {
	const refused = await check({
		parameters: message('send', { text: fromItem() }),
		values: cases,
		isValid: (value) => !isBlank(value) && value.length <= 1000 && isWhole(value),
		expected: (value) => value,
		seen: (request) => bodyOf(request).text,
		label: 'Message',
	});
	expect(refused).toBeGreaterThan(10);
});

test('A random text that the node splits reaches the service complete', async () => {
	const values = samples(longText(3000), 200).filter(
		(value) => !isBlank(value) && !hasNul(value) && isWhole(value),
	);
	const { run, workspace } = await testWorkspace({ contacts: 1 });
	const [{ id }] = (await workspace.state()).contacts;
	for (const value of values) {
		await workspace.clearJournal();
		const parameters = {
			identifier: by('id', id),
			text: fromItem(),
			options: { splitLongText: true },
		};
		const { error } = await run(message('send', parameters), [{ value }]);
		expect(error).toBeUndefined();
		const { messages } = await workspace.journal();
		const parts = messages.map(({ text }) => text ?? '');
		expect(parts.every((part) => part.length <= 1000 && isWhole(part))).toBe(true);
		// White space at which a text was split may be left out.
		expect(parts.join('').replace(/\s/g, '')).toBe(value.replace(/\s/g, ''));
	}
});

test('Random names of a contact reach the service unchanged', async () => {
	await check({
		parameters: contact('update', {
			updateFields: { firstName: fromItem(), lastName: fromItem() },
		}),
		values: withoutBlankEnds(samples(longText(150))),
		isValid: (value) => asName(value).length <= 100 && isWhole(value),
		expected: (value) => ({ firstName: asName(value), lastName: asName(value) }),
		seen: bodyOf,
		label: 'First Name must',
	});
});

test('A random avatar of a contact reaches the service unchanged, whatever its length', async () => {
	await check({
		parameters: contact('update', { updateFields: { avatar: fromItem() } }),
		values: withoutBlankEnds(samples(longText(100_000))),
		isValid: isWhole,
		expected: (value) => ({ avatar: asName(value) }),
		seen: bodyOf,
		label: 'Avatar must',
	});
});

test.each([
	['tag', {}, {}],
	['customField', { type: 'number' }, { type: 'number' }],
])('A random name of a %s reaches the service unchanged', async (resource, fields, sent) => {
	await check({
		parameters: { resource, operation: 'create', name: fromItem(), ...fields },
		values: withoutBlankEnds(samples(longText(400))),
		isValid: (value) => {
			const { length } = asName(value);
			return length >= 1 && length <= 255 && isWhole(value);
		},
		expected: (value) => ({ ...sent, name: asName(value) }),
		seen: (request) => ({ ...sent, ...bodyOf(request) }),
		label: 'Name must',
	});
});

const found = {
	id: '1',
	tags: [],
	contactCustomFields: [],
	contactInboxes: [],
	conversation: null,
};

test.each(['contact', 'tag', 'customField', 'member'])(
	'A random keyword of a list reaches the service unchanged (%s)',
	async (resource) => {
		const refused = await check({
			parameters: { resource, operation: 'getAll', limit: 1, filters: { keyword: fromItem() } },
			values: withoutBlankEnds(samples(anyText(), CASES / 2)),
			// A blank one would list all.
			isValid: (value) => isWhole(value) && !isBlank(value),
			expected: asName,
			seen: ({ url }) => new URL(url, 'http://localhost').searchParams.get('keyword') ?? '',
			label: 'Keyword',
			// A contact that is found need not be looked for by a single word.
			...(resource === 'contact' && { records: [found] }),
		});
		expect(refused).toBeGreaterThan(10);
	},
);

describe('Random JSON that the API does not describe', () => {
	const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 }) as fc.Arbitrary<unknown>;
	const hasKey = (value: unknown, isKey: (key: string) => boolean): boolean =>
		typeof value === 'object' &&
		value !== null &&
		Object.entries(value).some(([key, inner]) => isKey(key) || hasKey(inner, isKey));
	const isDangerous = (key: string) => ['__proto__', 'constructor', 'prototype'].includes(key);

	test.each([
		['as text', (files: unknown[]) => JSON.stringify(files)],
		['as a value', (files: unknown[]) => files],
	])('reaches the service unchanged in the files of a message, %s', async (_, given) => {
		await check({
			parameters: message('send', { options: { files: '={{ $json.value.files }}' } }),
			values: samples(fc.array(json, { minLength: 1, maxLength: 4 })).map((files) => ({
				files: given(files),
			})),
			isValid: ({ files }) => {
				const value = typeof files === 'string' ? (JSON.parse(files) as unknown) : files;
				return !hasKey(value, isDangerous) && !hasNul(value);
			},
			expected: ({ files }) => (typeof files === 'string' ? (JSON.parse(files) as unknown) : files),
			seen: (request) => bodyOf(request).files,
			label: 'Files (JSON) must',
		});
	});

	test('reaches the service unchanged in a filter of contacts', async () => {
		/** Every value in it with the path to it, as a query writes it. */
		const leavesOf = (value: unknown, path: string): Array<[string, string]> =>
			typeof value === 'object' && value !== null
				? Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, `${path}[${key}]`))
				: [[path, String(value)]];
		const cannotBeWritten = (value: unknown, isInside: boolean): boolean => {
			if (value === null) return true;
			if (typeof value === 'string') return !isWhole(value);
			if (typeof value !== 'object') return false;
			const entries = Object.entries(value);
			if (isInside && entries.length === 0) return true;
			return entries.some(
				([key, inner]) =>
					key === '' ||
					/[[\]]/.test(key) ||
					!isWhole(key) ||
					isDangerous(key) ||
					cannotBeWritten(inner, true),
			);
		};
		const refused = await check({
			parameters: {
				resource: 'contact',
				operation: 'getAll',
				limit: 1,
				filters: { contactFilter: fromItem() },
			},
			values: samples(
				fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), json, { maxKeys: 4 }),
			).map((filter) => JSON.stringify(filter)),
			// An empty one would list all.
			isValid: (value) =>
				value !== '{}' && !hasNul(JSON.parse(value)) && !cannotBeWritten(JSON.parse(value), false),
			expected: (value) => leavesOf(JSON.parse(value), 'contactFilter').sort(),
			seen: ({ url }) =>
				[...new URL(url, 'http://localhost').searchParams]
					.filter(([name]) => name.startsWith('contactFilter'))
					.sort(),
			isQuestion: ({ url }) => url.includes('Nobody'),
			label: 'Contact Filter (JSON)',
		});
		expect(refused).toBeGreaterThan(10);
	});
});
