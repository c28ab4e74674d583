import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { by, writesOf } from '../../support/engine/helpers';
import { TOOL } from '../../support/engine/tool';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';
import { withTemplates } from '../template/helpers';

/* What failing expressions leave behind in texts: `Hi undefined`, invalid dates, gaps. */

const ann = by('email', 'ann@example.com');
const operation = (resource: string, name: string, more: object): INodeParameters => ({
	...{ resource, operation: name },
	...more,
});
const message = (text: string, more: INodeParameters = {}) =>
	operation('message', 'send', { identifier: ann, text, ...more });

/** What a hint says of items that are not the only one. */
const counting = 'n8n counts from 0: item 1 is the 2nd.';

type Field = [label: string, parametersFor: (text: string) => INodeParameters];

const fields: Field[] = [
	['Message', message],
	['Note', (text) => operation('contact', 'addNote', { identifier: ann, text })],
	...(
		[
			['First Name', 'firstName'],
			['Last Name', 'lastName'],
		] as const
	).map(
		([label, name]): Field => [
			label,
			(text) => operation('contact', 'update', { identifier: ann, updateFields: { [name]: text } }),
		],
	),
	['Name', (name) => operation('tag', 'create', { name })],
	['Name', (name) => operation('customField', 'create', { name, type: 'number' })],
	[
		'Tag Names',
		(tagNames) =>
			operation('contact', 'addTags', {
				...{ identifier: ann, tagsBy: 'names', tagNames, createMissing: true },
			}),
	],
];

describe.each(fields)('In %s (case %#)', (label, parametersFor) => {
	test.each([
		'={{ new Date($json.day) }}',
		'={{ DateTime.fromISO($json.day) }}',
		'={{ String(new Date($json.day)) }}',
		'={{ DateTime.fromFormat($json.day, "yyyy-MM-dd").toFormat("dd.MM.yyyy") }}',
		'={{ new Date($json.day).toLocaleDateString("de-DE") }}',
		'={{ [String(new Date($json.day))] }}',
	])('%s is refused before anything is sent', async (text) => {
		const { run, workspace } = await workspaceWithAnn();
		const { error } = await run(parametersFor(text), [{ day: '31.12.2026x' }]);
		// Only names of tags can be a list.
		if (text.includes('[String') && label !== 'Tag Names') {
			expect(error?.message).toContain(label);
		} else {
			expect(error?.message).toMatch(
				new RegExp(
					`^${label}.* must be text, but is an invalid date\\. .*fromFormat.* \\[item 0\\]$`,
				),
			);
		}
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('a word that an expression left behind is sent, and a hint shows its items', async () => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const items = [{ name: 'Ann' }, {}, { name: 'Bob' }];
		const { error, hints } = await run(parametersFor('={{ "vip-" + $json.name }}'), items);
		expect(error).toBeUndefined();
		expect(hints).toContain(
			`${label} contains "undefined" for 1 item (item 1). An expression writes this if it has no valid value. n8n ${label === 'Message' ? 'sends' : 'uses'} the text anyway. ${counting}`,
		);
		const bodies = (await writesOf(workspace)).map(({ body }) => JSON.stringify(body));
		expect(bodies.some((body) => body.includes('vip-undefined'))).toBe(true);
	});

	test('a gap is sent, and a hint shows its items', async () => {
		const { run } = await workspaceWithAnn({ service: 'newer' });
		const names = ['Ann', null, undefined, ''];
		const items = names.map((name, no): IDataObject => ({ name, no }));
		const text = '=vip-{{ $json.no }}-{{ $json.name }}';
		const { error, hints } = await run(parametersFor(text), items);
		expect(error).toBeUndefined();
		const verb = label === 'Message' ? 'sends' : 'uses';
		expect(hints).toContain(
			`An expression in ${label} returned nothing for 3 items (items 1–3). n8n ${verb} the text anyway. ${counting}`,
		);
	});
});

describe.each(['older', 'reference', 'newer'] as const)('On a service that is %s', (service) => {
	test.each([
		['={{ "Hi " + $json.name }}', 'undefined'],
		['=On {{ DateTime.fromISO($json.day) }}', 'Invalid DateTime'],
		['=Due {{ new Date($json.day) }}, {{ $json.city }}', 'Invalid Date'],
		['={{ "Total " + $json.price * 2 }}', 'NaN'],
		['={{ `Hi ${$json.nothing}, your order` }}', 'null'],
		['={{ ["Hi", String($json.name)].join(" ") }}', 'undefined'],
		['={{ String($json.name) }}', 'undefined'],
		['={{ $json.text }}', 'undefined'],
		['=See https://example.com/{{ String($json.name) }}', 'undefined'],
		['={{ "In " + DateTime.fromISO($json.day).diffNow().toHuman() }}', 'Invalid Duration'],
		['={{ "Each " + 10 / $json.count + " EUR" }}', 'Infinity'],
	])('%s is sent, and a hint names %s', async (text, word) => {
		const { run, workspace } = await workspaceWithAnn({ service });
		const items = [
			{ day: '31.01.2026', city: 'Bonn', nothing: null, text: 'Hi undefined', count: 0 },
		];
		const { error, hints } = await run(message(text), items);
		expect(error).toBeUndefined();
		expect(hints).toContain(
			`Message contains "${word}" for 1 item (item 0). An expression writes this if it has no valid value. n8n sends the text anyway.`,
		);
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test.each([
		'=The form shows "Invalid Date", {{ $json.name }}?',
		'=Undefined? {{ $json.quote }}',
		'={{ $json.data }}',
		'=Order: {{ JSON.stringify($json) }}',
		'={{ JSON.stringify($json, null, 2) }}',
		'={{ $json.letter }}',
		'=null Fehler, {{ $json.name }}',
		'={{ $json.name === undefined ? "Hi" : "Hi " + $json.name }}',
		'Hi undefined',
		'={{ JSON.stringify([null, { a: null }], null, 4) }}',
		'=Our {{ $json.pool }}, {{ $json.list }}',
	])('%s gives no hint and no error', async (text) => {
		const { run, workspace } = await workspaceWithAnn({ service });
		const data = '{"name":"Ann","phone":null,"days":[1,null]}';
		const quote = 'My screen says "undefined" and „Invalid Date“';
		const [pool, list] = ['Infinity Pool', '[1, null, 2]'];
		const items = [{ name: 'Ann', quote, data, letter: 'J', phone: null, pool, list }];
		const { error, hints } = await run(message(text), items);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
		expect((await workspace.journal()).messages).toHaveLength(1);
	});
});

test('Of many items, the hint shows the first three', async () => {
	const { run } = await workspaceWithAnn();
	const names = ['Ann', undefined, 'Bob', undefined, 'Cem', undefined, undefined];
	const items = names.map((name): IDataObject => ({ name }));
	const { hints } = await run(message('={{ "Hi " + $json.name }}'), items);
	expect(hints.join()).toContain('for 4 items (items 1, 3, 5 and more).');
});

describe.each(['older', 'newer'] as const)(
	'In a condition, on a service that is %s,',
	(service) => {
		const listOf = (text: string) =>
			operation('contact', 'getAll', {
				conditions: { texts: [{ field: 'firstName', textOperator: 'ne', text }] },
			});

		test.each([
			['={{ "vip-" + $json.name }}', 'Conditions contains "undefined" for 1 item (item 0).'],
			[
				'=vip-{{ $json.name }}-',
				'An expression in Conditions returned nothing for 1 item (item 0).',
			],
		])('%s gives a hint', async (text, hint) => {
			const { run } = await workspaceWithAnn({ service });
			const { error, hints } = await run(listOf(text), [{}]);
			expect(error).toBeUndefined();
			expect(hints.join()).toContain(hint);
		});

		test('an invalid date is refused', async () => {
			const { run } = await workspaceWithAnn({ service });
			const { error } = await run(listOf('={{ String(new Date("x")) }}'), [{}]);
			expect(error?.message).toMatch(/^Conditions must be text, but is an invalid date\. /);
		});

		test.each(['=vip-{{ $json.plan }}-', 'vip-undefined'])('%s gives none', async (text) => {
			const { run } = await workspaceWithAnn({ service });
			const { hints } = await run(listOf(text), [{ plan: 'gold' }]);
			expect(hints.join()).not.toContain('Conditions');
		});
	},
);

describe('If an item of the run fails', () => {
	/** The second contact does not exist; its item comes long after the first. */
	const toBoth = message('=Hi {{ $json.name }}', {
		identifier: by('email', '={{ $json.email }}'),
		requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1500 } } },
	});
	const nobody = { email: 'nobody@example.com' };

	test('the error says what failing expressions left in the texts of items that were sent', async () => {
		const { run } = await workspaceWithAnn();
		const { error } = await run(toBoth, [{ email: 'ann@example.com' }, nobody]);
		expect(error?.description).toBe(
			`Nothing was sent for this item. 2 items: 1 sent (item 0), 1 failed (item 1). ${counting} An expression in Message returned nothing for 2 items (items 0–1). n8n sends the text anyway.`,
		);
	});

	test('the error does not say it if nothing was sent', async () => {
		const { run } = await workspaceWithAnn();
		const { error } = await run(toBoth, [nobody, nobody]);
		expect(error?.description).not.toContain('An expression');
	});
});

describe('The tool of an agent', () => {
	const hintsOf = async (text: string) => {
		const { run } = await workspaceWithAnn();
		const parameters = message(text, { contact: 'ann@example.com' });
		const { error, hints } = await run(parameters, [{ written: 'Hi undefined' }], { node: TOOL });
		expect(error).toBeUndefined();
		return hints;
	};

	test('gives the hint for an expression of the user', async () => {
		expect((await hintsOf('={{ "Hi " + $json.name }}')).join()).toContain('contains "undefined"');
	});

	test.each([
		['={{ JSON.stringify({ "body.1": "Hi " + $json.name, "body.2": "A" }) }}', true],
		["={{ /* $fromAI('values') */ $json.written }}", false],
	])('gives it for %s as values of a template: %p', async (templateValues, isGiven) => {
		const {
			run,
			ann: { id },
		} = await withTemplates();
		const parameters = operation('message', 'sendTemplate', {
			...{ contact: id, templateName: 'order_shipped', language: 'en_US', templateValues },
		});
		const items = [{ written: '{ "body.1": "Hi undefined", "body.2": "A" }' }];
		const { error, hints } = await run(parameters, items, { node: TOOL });
		expect(error).toBeUndefined();
		expect(hints.join().includes('contains "undefined"')).toBe(isGiven);
	});

	test('gives none for what the model writes', async () => {
		expect(await hintsOf("={{ /* $fromAI('text') */ $json.written }}")).toEqual([]);
	});
});

test('A list of names is searched name by name, and the question of a human is searched, too', async () => {
	const { run } = await workspaceWithAnn();
	const named = operation('contact', 'addTags', {
		...{ identifier: ann, tagsBy: 'names', createMissing: true },
		tagNames: '={{ ["VIP", "city-" + $json.city, "plan-" + $json.plan] }}',
	});
	const { hints } = await run(named, [{ plan: 'gold' }]);
	expect(hints.join()).toContain('Tag Names contains "undefined" for 1 item (item 0).');
	const asked = operation('message', 'sendAndWait', {
		...{ identifier: ann, message: 'Which size?', responseType: 'choices' },
		choices: ['Small', '={{ "Size " + $json.size }}', '=Size {{ $json.size }}'],
		options: { thankYouText: '=Thanks, {{ $json.name }}' },
	});
	const question = await run(asked, [{}]);
	expect(question.error).toBeUndefined();
	expect(question.hints.join()).toContain('Choices contains "undefined" for 1 item (item 0).');
	for (const label of ['Choices', 'Thank You Text'])
		expect(question.hints).toContain(
			`An expression in ${label} returned nothing for 1 item (item 0). n8n sends the text anyway.`,
		);
});

describe('In the values of custom fields', () => {
	const prepare = async () => {
		const test = await testWorkspace({ contacts: 0, counts: { customFields: 0 } });
		await test.workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
		const { id } = await test.workspace.add('customFields', { name: 'Greeting', type: 'longText' });
		return {
			...test,
			set: (customFields: object) =>
				operation('contact', 'setCustomFields', { identifier: ann, customFields }),
			byHand: (text: string) => ({ mappingMode: 'defineBelow', value: { [id]: text } }),
		};
	};

	test.each([
		[
			'={{ "Hi " + $json.name }}',
			'Custom field Greeting contains "undefined" for 1 item (item 1).',
		],
		['={{ $json.sum * 2 }}', 'Custom field Greeting contains "NaN" for 2 items (items 0–1).'],
		[
			'=Hi {{ $json.name }}',
			'An expression in Custom field Greeting returned nothing for 1 item (item 1).',
		],
		[
			'=On {{ DateTime.fromISO($json.name) }}',
			'Custom field Greeting contains "Invalid DateTime" for 2 items (items 0–1).',
		],
	])('%s gives a hint', async (text, hint) => {
		const { run, set, byHand } = await prepare();
		const { error, hints } = await run(set(byHand(text)), [{ name: 'Ann' }, {}]);
		expect(error).toBeUndefined();
		expect(hints.join()).toContain(hint);
	});

	test.each(['={{ JSON.stringify($json) }}', '=Hi {{ $json.name }}', 'Hi undefined'])(
		'%s gives none',
		async (text) => {
			const { run, set, byHand } = await prepare();
			const { error, hints } = await run(set(byHand(text)), [{ name: 'Ann', city: null }]);
			expect(error).toBeUndefined();
			expect(hints).toEqual([]);
		},
	);

	test('a column that has such a word gives a hint', async () => {
		const { run, set } = await prepare();
		const items = [{ Greeting: 'Hi Ann' }, { Greeting: 'Hi undefined' }];
		const { hints } = await run(set({ mappingMode: 'autoMapInputData' }), items);
		expect(hints).toEqual([
			`Custom field Greeting contains "undefined" for 1 item (item 1). An expression writes this if it has no valid value. n8n uses the text anyway. ${counting}`,
		]);
	});
});

describe('In the values of a template', () => {
	const order = { body_1: 'Ann', body_2: 'A-100' };
	const invoice = { header: 'https://example.com/a.pdf', body_1: 'Ann', button_0: 'A-100' };

	test.each([
		['={{ new Date("31.01.2026") }}'],
		['={{ DateTime.fromISO("31.01.2026") }}'],
		['={{ String(new Date("31.01.2026")) }}'],
	])('%s is refused', async (text) => {
		const { run, send, sent } = await withTemplates();
		const { error } = await run(send('order_shipped', { ...order, body_1: text }));
		expect(error?.message).toMatch(
			/^"Text 1 of 2.*" of the template must be text, but is an invalid date\./,
		);
		const options = { textIfRecent: text };
		const instead = await run(send('order_shipped', order, { options }));
		expect(instead.error?.message).toMatch(
			/^Text Within 24 Hours must be text, but is an invalid date\./,
		);
		expect(await sent()).toEqual([]);
	});

	test.each([
		[
			'={{ "Hi " + $json.name }}',
			/"Text 1 of 2.*" of the template contains "undefined" for 1 item \(item 1\)\./,
		],
		['={{ $json.nothing + "" }}', /"Text 1 of 2.*" of the template contains "null" for 2 items/],
		[
			'=Hi {{ $json.name }}',
			/An expression in "Text 1 of 2.*" of the template returned nothing for 1 item \(item 1\)\./,
		],
	])('%s gives a hint', async (text, hint) => {
		const { run, send, sent } = await withTemplates();
		const parameters = send('order_shipped', { ...order, body_1: text });
		const { error, hints } = await run(parameters, [
			{ name: 'Ann', nothing: null },
			{ nothing: null },
		]);
		expect(error).toBeUndefined();
		expect(hints.join()).toMatch(hint);
		expect(await sent()).toHaveLength(2);
	});

	test.each([
		'=orders/{{ $json.no }}',
		'={{ "orders/" + ($json.no ?? "") }}',
		'=?order={{ $json.no }}',
		'={{ $json.language }}/{{ $json.no }}',
		'={{ "?id=" + ($json.no || "") }}',
		'=order-{{ $json.no }}',
	])('a suffix of a button that ends empty counts as a gap: %s', async (button_0) => {
		const { run, send } = await withTemplates();
		const parameters = send('invoice', { ...invoice, button_0 });
		const items = [{ no: 'A-100', language: 'de' }, { language: 'de' }];
		const { error, hints } = await run(parameters, items);
		expect(error).toBeUndefined();
		expect(hints.join()).toMatch(
			/An expression in ".*" of the template returned nothing for 1 item \(item 1\)\./,
		);
	});

	test.each([
		'={{ $json.path }}',
		'={{ $json.no }}/',
		'sale/',
		'={{ $json.no }}',
		'=?a={{ $json.no }}',
	])('the suffix %s counts as none', async (button_0) => {
		const { run, send } = await withTemplates();
		const parameters = send('invoice', { ...invoice, button_0 });
		const { error, hints } = await run(parameters, [{ no: 'A-100', path: 'summer/sale/' }]);
		expect(error).toBeUndefined();
		expect(hints).toEqual([]);
	});
});

describe('An expression inside a text that returns nothing', () => {
	const people = [{ name: 'Ann' }, { name: '' }, { name: null }, {}];

	test.each([' ', '\u00a0', '\t', '\n\u200b', ['']])(
		'can have returned blanks: %j',
		async (name) => {
			const { run } = await workspaceWithAnn();
			const { hints } = await run(message('=Hi {{ $json.name }}, hello'), [{ name }]);
			expect(hints.join()).toContain('An expression in Message returned nothing for 1 item');
		},
	);

	test('is sent, and a hint counts its items', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const { error, hints } = await run(message('=Hello {{ $json.name }}!'), people);
		expect(error).toBeUndefined();
		expect(hints).toContain(
			`An expression in Message returned nothing for 3 items (items 1–3). n8n sends the text anyway. ${counting}`,
		);
		expect((await workspace.journal()).messages).toHaveLength(4);
	});

	test.each([
		['every one returns something', '=Hello {{ $json.name }} from {{ $json.city }}'],
		['the text is only expressions', '={{ $json.city }} {{ $json.nothing }}'],
		['the text only has a gap of its own', '=Hello {{ $json.name }}{{ $json.city }} , hi'],
		['there is no expression', 'Hello {{ $json.nothing }}'],
		['a space is a part of the text', '=Hi {{ $json.name }} {{ $json.city }} '],
		[
			'a backslash says that there is no expression',
			'=Hi \\\\{{ $json.nothing }} {{ $json.city }}',
		],
		['a zero is something', '=You have {{ $json.count }} points'],
		['blanks are a part of a value', '=Hi {{ $json.full }}, hello'],
	])('gives no hint if %s', async (_, text) => {
		const { run } = await workspaceWithAnn();
		const items = [{ name: 'Ann', city: 'Bonn', count: 0, full: ' Ann  Lee ' }];
		const { hints } = await run(message(text), items);
		expect(hints.join()).not.toContain('returned nothing');
	});

	test('is found beside others that return something', async () => {
		const { run } = await workspaceWithAnn();
		const text = '=Hello {{ $json.name }}, from {{ $json.nothing }} and {{ $json.city }}';
		const { hints } = await run(message(text), [{ name: 'Ann', city: 'Bonn' }]);
		expect(hints.join()).toContain('An expression in Message returned nothing for 1 item (item 0)');
	});

	test('is looked for in texts of many words and expressions without making n8n wait', async () => {
		const { run, workspace } = await workspaceWithAnn();
		const names = [...'abcdefghijklmnopqrst'];
		const values = names.map((name) => [name, 'so we do '.repeat(100)]);
		const expressions = names.map((name) => `{{ $json.${name} }}`).join(' ');
		const options = { splitLongText: true };
		const parameters = message(`=Hi ${expressions} bye`, { options });
		const { error, hints } = await run(parameters, [Object.fromEntries(values)]);
		expect(error).toBeUndefined();
		expect(hints.join()).not.toContain('returned nothing');
		expect((await workspace.journal()).messages.length).toBeGreaterThan(10);
	});
});
