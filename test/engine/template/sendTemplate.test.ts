import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { by, received, writesOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { withTemplates } from './helpers';

const order = { body_1: 'Ann', body_2: 'A-100' };
const HOUR_MS = 3_600_000;
/** A file of the workflow. */
const data = {
	data: 'JVBERg==',
	fileName: 'bill.pdf',
	fileExtension: 'pdf',
	mimeType: 'application/pdf',
};

describe('Send Template', () => {
	test('sends a template with its values, and returns it as the contact sees it', async () => {
		const { run, workspace, send, sent, ann, whatsapp, idOf } = await withTemplates();
		const { json, error } = await run(send('order_shipped', order));
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				success: true,
				contact: `id:${ann.id}`,
				contactId: ann.id,
				email: 'ann@example.com',
				fullName: 'Ann',
				sent: 'template',
				text: 'Hi Ann, your order A-100 is on its way.',
				templateId: idOf('order_shipped'),
				templateName: 'order_shipped',
				language: 'en_US',
				inboxId: whatsapp.id,
			},
		]);
		expect(await sent()).toMatchObject([
			{
				contactId: ann.id,
				inboxId: whatsapp.id,
				params: { 'body.1': 'Ann', 'body.2': 'A-100' },
				delivered: true,
			},
		]);
		expect((await workspace.messages(`id:${ann.id}`)).at(-1)).toMatchObject({
			text: 'Template: order_shipped',
		});
	});

	const inADay = new Date(Date.now() + 24 * HOUR_MS).toISOString();
	const kinds: Array<[name: string, values: INodeParameters]> = [
		['welcome', { body_name: 'Ann', body_shop: 'Café Süd' }],
		['invoice', { header: 'https://example.com/a.pdf', body_1: 'Ann', button_0: 'A-100' }],
		['new_collection', { header: 'https://example.com/a.jpg' }],
		['appointment', { header_1: 'Monday', body_1: 'Ann', body_2: 'nine' }],
		['pickup_point', { header_latitude: '52.5', header_longitude: '13.4', body_1: 'A-100' }],
	];

	test.each<[string, INodeParameters]>([
		...kinds,
		[
			'flash_sale',
			{ offer_expiration_ms: inADay, body_1: 'Ann', button_0: 'SUMMER20', button_1: 'x' },
		],
		[
			'two_products',
			{
				body_1: 'Ann',
				card_0_header: 'https://example.com/a.jpg',
				card_0_body_1: 'Ann',
				card_0_button_1: 'cup',
				card_1_header: 'https://example.com/b.jpg',
				card_1_body_1: 'Ann',
				card_1_button_1: 'plate',
			},
		],
	])('sends the template %s by the keys that the service lists', async (name, values) => {
		const { run, send, sent } = await withTemplates();
		expect((await run(send(name, values))).error).toBeUndefined();
		expect(await sent()).toMatchObject([{ delivered: true }]);
	});

	test.each(kinds)(
		'sends the template %s as data on a service that drops the keys (difference 30)',
		async (name, values) => {
			const { run, send, sent } = await withTemplates({ faults: { templateParamsDropped: true } });
			expect((await run(send(name, values))).error).toBeUndefined();
			const [only] = await sent();
			expect(only).toMatchObject({ delivered: true });
			expect(only.params).toBeUndefined();
		},
	);

	test.each([false, true])(
		'fills in places whose numbers are not in the order of the text (as data: %s)',
		async (isData) => {
			const made = await withTemplates({ faults: { templateParamsDropped: isData } });
			const { run, workspace, send, sent, templates } = made;
			const components = [{ type: 'BODY' as const, text: 'Order {{2}} for {{1}}' }];
			const { id } = await workspace.add('templates', {
				...templates[0],
				id: undefined,
				name: 'swapped',
				components,
			});
			const { json, error } = await run({
				...send('order_shipped', order),
				templateId: by('id', id),
			});
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ text: 'Order A-100 for Ann' }]);
			const [{ params, data: sentData }] = await sent();
			if (isData)
				expect(sentData).toEqual({
					body: ['Ann', 'A-100'].map((text) => ({ type: 'text', text })),
				});
			else expect(params).toEqual({ 'body.1': 'Ann', 'body.2': 'A-100' });
		},
	);

	test('names a button by its place among all buttons on a service that takes data', async () => {
		const { run, send, sent, addTemplate } = await withTemplates({
			faults: { templateParamsDropped: true },
		});
		const id = await addTemplate('three_buttons', [
			{ type: 'BODY', text: 'Save 20 %.' },
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'QUICK_REPLY', text: 'Stop' },
					{ type: 'COPY_CODE', text: 'Copy' },
					{ type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' },
				],
			},
		]);
		const values = { button_1: 'SUMMER20', button_2: 'cups' };
		const { error } = await run({ ...send('order_shipped', values), templateId: by('id', id) });
		expect(error).toBeUndefined();
		const [{ delivered, data: sentData }] = await sent();
		expect(delivered).toBe(true);
		expect(sentData).toEqual({
			button: [
				{ sub_type: 'copy_code', index: 1, coupon_code: 'SUMMER20' },
				{ sub_type: 'url', index: 2, text: 'cups' },
			],
		});
	});

	describe('on two WhatsApp channels', () => {
		/** Ann on two numbers, with a template of the second one. */
		async function onTwoNumbers(showsChannelTimes: boolean) {
			const made = await withTemplates({ faults: { showsChannelTimes } });
			const { workspace, whatsapp, addTemplate, run, send, sent } = made;
			const { id: other } = await workspace.add('channels', {
				name: 'WhatsApp Nord',
				channel: 'whatsapp',
			});
			const inboxIds = [whatsapp.id, other];
			const [{ id }] = await workspace.addContacts([{ firstName: 'Bo', inboxIds }]);
			const templateId = await addTemplate('of_nord', [{ type: 'BODY', text: 'Hi' }], other);
			const write = async (inboxId: string, hours: number) =>
				await workspace.write(`id:${id}`, {
					text: 'Hi',
					inboxId,
					at: new Date(Date.now() - hours * HOUR_MS).toISOString(),
				});
			const sendTo = async () =>
				await run(
					send('order_shipped', {}, { identifier: by('id', id), templateId: by('id', templateId) }),
				);
			return { workspace, own: whatsapp.id, other, write, sendTo, sent };
		}

		test.each([true, false])(
			'a template goes out on its own one if nothing says which was used last (times shown: %s)',
			async (showsChannelTimes) => {
				const { other, sendTo, sent } = await onTwoNumbers(showsChannelTimes);
				expect((await sendTo()).error).toBeUndefined();
				expect(await sent()).toMatchObject([{ inboxId: other, delivered: true }]);
			},
		);

		test('the one used last counts, and a template of the other one is refused', async () => {
			const { workspace, own, other, write, sendTo, sent } = await onTwoNumbers(true);
			await write(own, 2);
			expect((await sendTo()).error?.message).toContain(
				'can only be sent on the channel WhatsApp Nord.',
			);
			await write(other, 1);
			expect((await sendTo()).error).toBeUndefined();
			expect(await sent()).toMatchObject([{ inboxId: other, delivered: true }]);
			expect((await workspace.summary()).byOperation.sendWhatsappTemplate).toBe(1);
		});

		test('a time that n8n cannot read does not say which was used last', async () => {
			const { workspace, own, other, write, sendTo, sent } = await onTwoNumbers(true);
			await write(own, 2);
			const { id } = await write(other, 1);
			await workspace.changeMessage(id, { createdAt: '2 hours ago' });
			expect((await sendTo()).error).toBeUndefined();
			expect(await sent()).toMatchObject([{ inboxId: other, delivered: true }]);
		});
	});

	test.each(['flash_sale', 'two_products'])(
		'refuses the template %s on a service that does not list what it takes',
		async (name) => {
			const { run, workspace, send } = await withTemplates({
				faults: { templateParamsDropped: true },
			});
			const { error } = await run(send(name, { body_1: 'Ann' }));
			expect(error?.message).toMatch(
				/^This service can't fill in the template .*, because it has a part of the type /,
			);
			expect(error?.message).toContain('Use Trigger Flow with a flow that sends the template.');
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	test.each(['MPM', 'CATALOG', 'OTP', 'SPM'] as const)(
		'refuses a template with a button of the type %s on a service that does not list what it takes',
		async (type) => {
			const made = await withTemplates({ faults: { templateParamsDropped: true } });
			const { run, workspace, send, addTemplate } = made;
			const buttons = [{ type, text: 'See' }];
			const id = await addTemplate('with_button', [
				{ type: 'BODY', text: 'Hi' },
				{ type: 'BUTTONS', buttons },
			]);
			const { error } = await run({ ...send('order_shipped'), templateId: by('id', id) });
			expect(error?.message).toBe(
				`This service can't fill in the template with_button (en_US), because it has a part of the type ${type}. Nothing was sent. Use Trigger Flow with a flow that sends the template. [item 0]`,
			);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	test.each([
		['new_hours', 'is not approved (PENDING), so WhatsApp would not deliver it.'],
		['win_a_car', 'is not approved (REJECTED), so WhatsApp would not deliver it.'],
		['order_received', 'can only be sent on the channel WhatsApp Nord.'],
	])(
		'refuses the template %s, which services accept and lose (difference 29)',
		async (name, message) => {
			const { run, workspace, send } = await withTemplates();
			const { error } = await run(send(name, { body_1: 'Ann' }));
			expect(error?.message).toContain(message);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	test('says that the contact is not on the channel of a template', async () => {
		const { run, send } = await withTemplates();
		const { error } = await run(send('order_received', { body_1: 'Ann' }));
		expect(error?.message).toBe(
			'Ann is not on WhatsApp Nord. The template order_received (en_US) can only be sent on the channel WhatsApp Nord. Nothing was sent. Choose a template of a channel that the contact is on; the list shows these first. [item 0]',
		);
	});

	test('names an empty place of one item by the words around it, before anything is sent to the others', async () => {
		const { run, workspace, send } = await withTemplates();
		const values = { body_1: '={{ $json.name }}', body_2: 'A-100' };
		const { error } = await run(send('order_shipped', values), [{ name: 'Ann' }, { name: ' ' }]);
		expect(error?.message).toBe(
			'"Text 1 of 2: Hi ▢, your order … is on" of the template must not be empty [item 1]',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'order_shipped',
			{ ...order, body_3: 'x' },
			'The template "order_shipped" has no parameter "body_3". Its parameters are: body.1, body.2 [item 0]',
		],
		[
			'new_collection',
			{ header: 'http://example.com/a.jpg' },
			'"Header image" of the template must be an https address, but is "http://example.com/a.jpg" [item 0]',
		],
		[
			'flash_sale',
			{ offer_expiration_ms: '2020-01-01', body_1: 'A', button_0: 'B', button_1: 'C' },
			'"Offer ends at" of the template must be a time in the future, but is "2020-01-01" [item 0]',
		],
	])('refuses a value of %s that does not fit', async (name, values, message) => {
		const { run, workspace, send } = await withTemplates();
		expect((await run(send(name, values))).error?.message).toBe(message);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'half an emoji in a value',
			{ ...order, body_2: 'A-100 \ud83d' },
			'"Text 2 of 2: your order ▢ is on its way." of the template must not contain half a character (a lone surrogate) [item 0]',
		],
		[
			'an item without a value at the end of the address of a button',
			{ button: 'undefined' },
			'"Button: track/▢" of the template has "undefined" in the address. Point the expression at a field that has a value. [item 0]',
		],
	])('refuses %s', async (_, values, message) => {
		const { run, workspace, send } = await withTemplates();
		const { button: button_0, ...others } = values;
		const invoice = send('invoice', {
			header: 'https://example.com/a.pdf',
			body_1: 'Ann',
			button_0,
		});
		const { error } = await run(button_0 === undefined ? send('order_shipped', others) : invoice);
		expect(error?.message).toBe(message);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('drops what nobody sees around a value, and refuses a value of nothing else', async () => {
		const { run, send, sent } = await withTemplates();
		const parameters = send('order_shipped', { ...order, body_1: '={{ $json.cell }}' });
		await run(parameters, [{ cell: '\u200b Ann\u00a0\u00ad' }]);
		expect(await sent()).toMatchObject([{ params: { 'body.1': 'Ann' } }]);
		for (const cell of ['\u200b', '\u3164', '\u00a0\u2800', '\u{e0020}']) {
			const { error } = await run(parameters, [{ cell }]);
			expect(error?.message).toContain('of the template must not be empty');
		}
		expect(await sent()).toHaveLength(1);
	});

	describe("a value behind a button's own address", () => {
		/** Sends a template whose button has this address before its value. */
		async function withButton(start: string, button_0: string, faults = {}) {
			const { run, workspace, send, sent, addTemplate } = await withTemplates({ faults });
			const id = await addTemplate('with_link', [
				{ type: 'BODY', text: 'Hi' },
				{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'See', url: `${start}{{1}}` }] },
			]);
			const parameters = { ...send('welcome', { button_0 }), templateId: by('id', id) };
			const { error } = await run(parameters);
			return { error, writes: await writesOf(workspace), sent: await sent() };
		}

		test.each([
			['https://shop.example/track/', 'https://shop.example/track/A-100'],
			['https://shop.example/track/', 'shop.example/track/A-100'],
			['https://shop.example/track/', 'HTTPS://Shop.example/track/A-100'],
			['https://shop.example/', 'https://www.shop.example/track/A-100'],
			['https://shop.example/', 'http://shop.example/track/A-100'],
			['https://shop.example/pay?id=', 'https://shop.example/pay?id=7'],
			['https://shop.example/track/', 'www.shop.example/track/A-100'],
			['https://www.shop.example/track/', 'shop.example/track/A-100'],
			['https://shop.example/track/', '//shop.example/track/A-100'],
			['https://shop.example/track/', 'https:shop.example/track/A-100'],
			['https://shop.example/track/', 'https:/shop.example/track/A-100'],
		])('is refused behind %s if it is a whole address: %s', async (start, value) => {
			const { error, writes } = await withButton(start, value);
			expect(error?.message).toContain(
				`of the template must be only what comes behind ${start} in the address, but is "${value}" [item 0]`,
			);
			expect(writes).toEqual([]);
		});

		test.each([
			['https://shop.example/track/', 'A-100'],
			['https://shop.example/', 'track/A-100?from=https://example.com'],
			['https://go.example/?to=', 'https://shop.example/track/A-100'],
			['https://shop.example/track/', 'https'],
			['https://shop.example/track/', 'www.other.example'],
			['https://shop.example/', '/track/A-100'],
		])('is sent behind %s: %s', async (start, value) => {
			const { error, sent } = await withButton(start, value);
			expect(error).toBeUndefined();
			expect(sent).toMatchObject([{ params: { 'button.0': value } }]);
		});

		test('is refused in a card, too', async () => {
			const { run, send, workspace } = await withTemplates();
			const { error } = await run(
				send('two_products', {
					body_1: 'Ann',
					card_0_header: 'https://example.com/a.jpg',
					card_0_body_1: 'Ann',
					card_0_button_1: 'cup',
					card_1_header: 'https://example.com/b.jpg',
					card_1_body_1: 'Ann',
					card_1_button_1: 'https://shop.example/plates/plate',
				}),
			);
			expect(error?.message).toContain('must be only what comes behind https://shop.example/');
			expect(await writesOf(workspace)).toEqual([]);
		});
	});

	describe('the place of a location', () => {
		const at = (header_latitude: unknown, header_longitude: unknown) =>
			({ header_latitude, header_longitude, body_1: 'A-100' }) as INodeParameters;

		test.each([
			['latitude', 90, at('91', '13.4'), '91'],
			['latitude', 90, at(-90.1, '13.4'), '-90.1'],
			['latitude', 90, at('52,52', '13.4'), '52,52'],
			['latitude', 90, at('52.5° N', '13.4'), '52.5° N'],
			['latitude', 90, at('5252e-2', '13.4'), '5252e-2'],
			['longitude', 180, at('52.5', '180.5'), '180.5'],
			['longitude', 180, at('52.5', 'east'), 'east'],
		])('is refused for its %s beyond %d', async (kind, max, values, shown) => {
			const { run, workspace, send } = await withTemplates();
			expect((await run(send('pickup_point', values))).error?.message).toBe(
				`"Header ${kind}" of the template must be a number from -${max} to ${max}, such as 52.52, but is "${shown}" [item 0]`,
			);
			expect(await writesOf(workspace)).toEqual([]);
		});

		test.each([at(90, -180), at('-90', '+180'), at('0', '0'), at(52.52, 13), at('-33.45', '151')])(
			'is sent: %j',
			async (values) => {
				const { run, send, sent } = await withTemplates();
				expect((await run(send('pickup_point', values))).error).toBeUndefined();
				expect(await sent()).toMatchObject([{ delivered: true }]);
			},
		);
	});

	describe('white space that WhatsApp refuses later', () => {
		const hint = (items: string) =>
			`WhatsApp refuses line breaks, tabs and more than 4 spaces in a row in the values of a template, so n8n replaced them with one space (${items}).`;
		const columns = { mappingMode: 'autoMapInputData', value: null };

		test.each([
			['Ann\nLee', 'Ann Lee'],
			['Ann \r\n\r\n Lee', 'Ann Lee'],
			['Ann\tLee', 'Ann Lee'],
			['Ann\u2028Lee', 'Ann Lee'],
			['Ann     Lee', 'Ann Lee'],
			['Ann\u00a0\u00a0\u00a0\u00a0\u00a0Lee', 'Ann Lee'],
			['Ann    Lee', 'Ann    Lee'],
			['Ann\u00a0Lee', 'Ann\u00a0Lee'],
			['{{first_name}}\nLee', '{{first_name}} Lee'],
			['\nAnn\n', 'Ann'],
		])('%j goes out as %j', async (name, value) => {
			const { run, send, sent } = await withTemplates();
			const { json, hints } = await run(send('order_shipped', { ...order, body_1: name }));
			expect(await sent()).toMatchObject([{ params: { 'body.1': value } }]);
			expect(json).toMatchObject([{ text: `Hi ${value}, your order A-100 is on its way.` }]);
			expect(hints).toEqual(/[\n\t\u2028]|\s{5}/.test(name.trim()) ? [hint('item 0')] : []);
		});

		test('becomes one space in header, text and cards, but not in an address', async () => {
			const { run, send, sent } = await withTemplates();
			await run(send('appointment', { header_1: 'Mon\nday', body_1: 'A\tnn', body_2: 'nine' }));
			await run(
				send('two_products', {
					body_1: 'A\nnn',
					card_0_header: 'https://example.com/a     b.jpg',
					card_0_body_1: 'A\nnn',
					card_0_button_1: 'cup',
					card_1_header: 'https://example.com/b.jpg',
					card_1_body_1: 'Ann',
					card_1_button_1: 'plate',
				}),
			);
			expect(await sent()).toMatchObject([
				{ params: { 'header.1': 'Mon day', 'body.1': 'A nn', 'body.2': 'nine' } },
				{
					params: {
						'body.1': 'A nn',
						'card.0.header': 'https://example.com/a%20%20%20%20%20b.jpg',
						'card.0.body.1': 'A nn',
					},
				},
			]);
		});

		test('becomes one space on a service that takes the values as data', async () => {
			const made = await withTemplates({ faults: { templateParamsDropped: true } });
			const { run, send, sent } = made;
			await run(send('order_shipped', { ...order, body_1: 'Ann\nLee' }));
			const texts = ['Ann Lee', 'A-100'].map((text) => ({ type: 'text', text }));
			expect(await sent()).toMatchObject([{ data: { body: texts } }]);
		});

		test.each([
			['inputs of the panel', { value: { body_1: '={{ $json.body_1 }}', body_2: 'A-100' } }],
			['automatic mapping', columns],
		])('is named once a run with its items: %s', async (_, templateParams) => {
			const { run, send, sent } = await withTemplates();
			const names = ['A\nnn', 'Bob', 'C\nid', 'D\nee'];
			const items = names.map((body_1) => ({ body_1, body_2: 'A-100' }));
			const { hints } = await run(send('order_shipped', {}, { templateParams }), items);
			expect(hints).toEqual([`${hint('items 0, 2–3')} n8n counts from 0: item 0 is the 1st.`]);
			const texts = (await sent()).map(({ params }) => params?.['body.1']);
			expect(texts).toEqual(['A nn', 'Bob', 'C id', 'D ee']);
		});

		test('is a space in a preview, too', async () => {
			const { run, send } = await withTemplates();
			const values = { ...order, body_1: 'Ann\nLee' };
			const preview = send('order_shipped', values, { options: { preview: true } });
			const { json, hints } = await run(preview);
			expect(json).toMatchObject([{ text: 'Hi Ann Lee, your order A-100 is on its way.' }]);
			expect(hints).toContain(hint('item 0'));
		});

		test('stays in the text that goes out instead of the template, without a hint', async () => {
			const { run, workspace, send, ann, whatsapp } = await withTemplates({
				faults: { showsChannelTimes: true },
			});
			const at = new Date().toISOString();
			await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp.id, at });
			const values = { ...order, body_1: 'Ann\nLee' };
			const textIfRecent = 'Hi\nAnn';
			const { json, hints } = await run(
				send('order_shipped', values, { options: { textIfRecent } }),
			);
			expect(json).toMatchObject([{ sent: 'message', text: 'Hi\nAnn' }]);
			expect(hints).toEqual([]);
		});

		test('is a space in what an agent fills in', async () => {
			const { workspace, ann, sent } = await withTemplates();
			const call = toolOf(workspace, {
				resource: 'message',
				operation: 'sendTemplate',
				contact: `id:${ann.id}`,
				templateName: 'order_shipped',
				language: 'en_US',
				templateValues: '={{ $json.values }}',
			});
			const values = { 'body.1': 'Ann\nLee', 'body.2': 'A-100' };
			expect(await call({ values })).toMatchObject([
				{ text: 'Hi Ann Lee, your order A-100 is on its way.' },
			]);
			expect(await sent()).toMatchObject([{ params: { 'body.1': 'Ann Lee' } }]);
		});
	});

	describe('a header with its values', () => {
		// With the text before it, 60 characters.
		const longest = '1234567890123456789012345678901234567890';
		const values = { body_1: 'Ann', body_2: 'nine' };

		test.each([longest, `${longest.slice(1)}🎉`, `${longest}{{first_name}}`])(
			'may be %s',
			async (header_1) => {
				const { run, send, sent } = await withTemplates();
				await run(send('appointment', { ...values, header_1 }));
				expect(await sent()).toMatchObject([{ params: { 'header.1': header_1 } }]);
			},
		);

		test('of more than 60 characters is refused before anything is sent', async () => {
			const { run, workspace, send } = await withTemplates();
			const header_1 = '={{ $json.day }}';
			const items = [{ day: 'Monday' }, { day: `${longest}8` }];
			const { error } = await run(send('appointment', { ...values, header_1 }), items);
			expect(error?.message).toBe(
				'The header of the template must have at most 60 characters when it is filled in, but has 61: "Your appointment on 1234567890123456789012345678901234567890…" [item 1]',
			);
			expect(await writesOf(workspace)).toEqual([]);
		});
	});

	test.each(['SUMMER 20', 'SUMMER\n20', 'SUMMER\u00a020'])(
		'refuses the coupon code %j with white space in it before anything is sent',
		async (code) => {
			const { run, workspace, send } = await withTemplates();
			const offer_expiration_ms = new Date(Date.now() + HOUR_MS).toISOString();
			const values = { offer_expiration_ms, body_1: 'Ann', button_1: 'x' };
			const { error } = await run(send('flash_sale', { ...values, button_0: code }));
			expect(error?.message).toBe(
				`"Button Copy code" of the template must not contain white space, but is "${code}" [item 0]`,
			);
			expect(await writesOf(workspace)).toEqual([]);
		},
	);

	describe('the address of a file', () => {
		const label = '"Header image" of the template';

		test.each([
			[
				'https://example.com/a.jpg\nhttps://example.com/b.jpg',
				'must be one address, but has a line break',
			],
			['https://example.com/\ta.jpg', 'must be one address, but has a line break'],
			[
				'https://example.com/a.jpg,https://example.com/b.jpg',
				'must be one address, but is "https://example.com/a.jpg,https://example.com/b.jpg"',
			],
			[
				'https://example.com/a b.jpg; http://example.com/c.jpg',
				'must be one address, but is "https://example.com/a b.jpg; http://example.com/c.jpg"',
			],
			[
				'https://example.com/a.jpg https://example.com/b.jpg',
				'must be one address, but is "https://example.com/a.jpg https://example.com/b.jpg"',
			],
			['https://example.com/undefined', 'has "undefined" in the address'],
			['https://example.com/undefined.jpg', 'has "undefined" in the address'],
			['https://example.com/null/a.jpg', 'has "null" in the address'],
			['https://example.com/a.jpg?id=NaN', 'has "NaN" in the address'],
			['https://undefined/a.jpg', 'has "undefined" in the address'],
			['https://example.com/%5Bobject%20Object%5D', 'has "%5Bobject%20Object%5D" in the address'],
		])('is refused if it is %j', async (header, problem) => {
			const { run, workspace, send } = await withTemplates();
			const { error } = await run(send('new_collection', { header }));
			expect(error?.message).toContain(`${label} ${problem}`);
			expect(error?.message).toContain('[item 0]');
			expect(await writesOf(workspace)).toEqual([]);
		});

		test.each([
			['https://example.com/w_1,h_1/a.jpg', 'https://example.com/w_1,h_1/a.jpg'],
			['https://example.com/my photo 1.jpg', 'https://example.com/my%20photo%201.jpg'],
			[' https://example.com/a.jpg\n', 'https://example.com/a.jpg'],
			['https://example.com/fetch/https://example.com/a.jpg', undefined],
			['https://example.com/undefined-size/nullable.jpg?of=NaNa', undefined],
		])('can be %j', async (header, address) => {
			const { run, send, sent } = await withTemplates();
			expect((await run(send('new_collection', { header }))).error).toBeUndefined();
			expect(await sent()).toMatchObject([
				{ params: { header: address ?? header }, delivered: true },
			]);
		});
	});

	describe('a file of the workflow', () => {
		const photo = { data: '/9j/4A==', fileName: 'photo.jpg', mimeType: 'image/jpeg' };
		const named = (fileName: string, mimeType: string) => ({ ...photo, fileName, mimeType });
		const films = [
			{ type: 'HEADER' as const, format: 'VIDEO' as const },
			{ type: 'BODY' as const, text: 'See' },
		];
		/** Sends a template with a file as its header. */
		async function sendFile(format: string, file: IBinaryData) {
			const made = await withTemplates();
			const { run, send, addTemplate } = made;
			const id = await addTemplate('film', films);
			const values = {
				header: 'data',
				...(format === 'document' && { body_1: 'Ann', button_0: 'A-100' }),
			};
			const name = format === 'document' ? 'invoice' : 'new_collection';
			const parameters = {
				...send(name, values),
				...(format === 'video' && { templateId: by('id', id) }),
			};
			const result = await run(parameters, [{}], { files: [{ data: file }] });
			return { ...made, ...result };
		}

		test.each([
			['image', data, 'a JPEG or PNG image, but "bill.pdf" is application/pdf'],
			['image', named('a.txt', 'text/plain'), 'a JPEG or PNG image, but "a.txt" is text/plain'],
			['image', named('a.mp4', 'video/mp4'), 'a JPEG or PNG image, but "a.mp4" is video/mp4'],
			['image', named('a.heic', 'image/heic'), 'a JPEG or PNG image, but "a.heic" is image/heic'],
			['video', photo, 'an MP4 or 3GP video, but "photo.jpg" is image/jpeg'],
			['document', photo, 'a document such as a PDF, but "photo.jpg" is image/jpeg'],
		])('that is no %s is refused before anything is sent: %j', async (format, file, problem) => {
			const { error, workspace } = await sendFile(format, file);
			expect(error?.message).toBe(`"Header ${format}" of the template must be ${problem} [item 0]`);
			expect(await writesOf(workspace)).toEqual([]);
		});

		test.each([
			['image', photo],
			['image', named('a.png', 'IMAGE/PNG; q=1')],
			['image', named('a.jpg', 'application/octet-stream')],
			['image', named('a.jpg', '')],
			['video', named('a.mp4', 'video/mp4')],
			['document', data],
			['document', named('a.csv', 'text/csv')],
			[
				'document',
				named('a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
			],
		])('can be a header %s: %j', async (format, file) => {
			const { error, sent } = await sendFile(format, file);
			expect(error).toBeUndefined();
			expect(await sent()).toMatchObject([{ delivered: true }]);
		});

		test('that is empty is refused before anything is sent', async () => {
			const { error, workspace } = await sendFile('document', { ...data, data: '' });
			expect(error?.message).toBe(
				'"Header document" of the template must not be empty, but "bill.pdf" has 0 bytes [item 0]',
			);
			expect(await writesOf(workspace)).toEqual([]);
		});
	});

	test('finds a template by name and language, and suggests others', async () => {
		const { run, send, sent, idOf } = await withTemplates();
		const named = (text: string) => ({
			...send('order_shipped', order),
			templateId: by('name', text),
		});
		expect((await run(named('order_shipped, DE'))).json).toMatchObject([
			{ language: 'de', text: 'Hallo Ann, deine Bestellung A-100 ist unterwegs.' },
		]);
		expect(await sent()).toMatchObject([{ templateId: idOf('order_shipped', 'de') }]);
		const several = await run(named('order_shipped'));
		expect(several.error?.message).toMatch(
			/2 templates fit the name "order_shipped": "order_shipped \(\w+\)" \(\d+\), "order_shipped \(\w+\)" \(\d+\)\./,
		);
		const none = await run(named('order_shiped, en_US'));
		expect(none.error?.message).toContain('There is no template "order_shiped (en_US)".');
		expect(none.error?.message).toContain('"order_shipped (en_US)"');
		const gone = await run({ ...send('order_shipped'), templateId: by('id', '4711') });
		expect(gone.error?.message).toContain('No template has the ID 4711.');
	});

	test('takes the columns of an item', async () => {
		const { run, send, sent } = await withTemplates();
		const mapper = { mappingMode: 'autoMapInputData', value: null };
		const items = [{ 'body.1': 'Ann', body_2: 'A-100', other: 'x' }];
		expect(
			(await run({ ...send('order_shipped'), templateParams: mapper }, items)).error,
		).toBeUndefined();
		expect(await sent()).toMatchObject([{ params: { 'body.1': 'Ann', 'body.2': 'A-100' } }]);
	});

	test('names the columns that it does not use, once a run', async () => {
		const { run, send } = await withTemplates();
		const mapper = { mappingMode: 'autoMapInputData', value: null };
		const items = [
			{ 'body.1': 'Ann', body_2: 'A-100', Plan: 'x', Größe: 'XL' },
			{ 'body.1': 'Bob', body_2: 'A-101', Plan: '', header: '' },
		];
		const { hints } = await run({ ...send('order_shipped'), templateParams: mapper }, items);
		expect(hints).toEqual(['Not used in the template: columns Plan, Größe.']);
	});

	test('says once that nothing was sent', async () => {
		const { run, send } = await withTemplates();
		const templateId = by('id', '4711');
		const { error } = await run(send('order_shipped', order, { templateId }), [{}, {}]);
		expect(error?.message).toContain('No template has the ID 4711. Nothing was sent.');
		expect(error?.description).toContain('Items 0–1 have the same problem.');
	});

	test('names the columns that a template takes if one is missing', async () => {
		const { run, workspace, send } = await withTemplates();
		const templateParams = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await run({ ...send('order_shipped'), templateParams }, [
			{ body_1: 'Ann', body_2: 'A-100' },
			{ body_1: 'Bob', order: 'A-101' },
		]);
		expect(error?.message).toBe(
			'The template order_shipped (en_US) takes the input fields body.1, body.2, but body.2 is empty or missing [item 1]',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('shows a preview of all items and sends nothing', async () => {
		const { run, workspace, send } = await withTemplates();
		const values = { body_1: '={{ $json.name }}', body_2: 'A-100' };
		const { json, hints } = await run(
			send('order_shipped', values, { options: { preview: true } }),
			[{ name: 'Ann' }, { name: 'Bob' }],
		);
		expect(json.map(({ sent, text }) => [sent, text])).toEqual([
			['preview', 'Hi Ann, your order A-100 is on its way.'],
			['preview', 'Hi Bob, your order A-100 is on its way.'],
		]);
		expect(hints).toEqual([
			'Preview: nothing was sent. Without Preview, n8n would send 2 messages for 2 items.',
		]);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('shows in a preview which items the run would refuse, and why', async () => {
		const { run, workspace, send, ann } = await withTemplates();
		const [web] = await workspace.addContacts([{ firstName: 'Web' }]);
		const values = { body_1: '={{ $json.name }}', body_2: 'A-100' };
		const more = { identifier: by('id', '={{ $json.who }}'), options: { preview: true } };
		const items = [
			{ who: ann.id, name: 'Ann' },
			{ who: ann.id, name: '' },
			{ who: web.id, name: 'Web' },
			{ who: '4711', name: 'Nobody' },
		];
		const { json, error, hints } = await run(send('order_shipped', values, more), items);
		expect(error).toBeUndefined();
		expect(json.map(({ sent, reason }) => [sent, reason])).toEqual([
			['preview', undefined],
			['nothing', '"Text 1 of 2: Hi ▢, your order … is on" of the template must not be empty.'],
			[
				'nothing',
				'This contact has no WhatsApp channel. A template needs the phone number on WhatsApp.',
			],
			['nothing', expect.stringMatching(/^No contact has the ID 4711\./)],
		]);
		expect(hints).toEqual([
			'Preview: nothing was sent. Without Preview, the run would stop, because n8n refuses 3 of 4 items. With On Error set to Continue, it would send 1 message.',
		]);
		expect(await writesOf(workspace)).toEqual([]);
		const continued = await run(send('order_shipped', values, more), items, {
			onError: 'continueRegularOutput',
		});
		expect(continued.hints).toEqual([
			'Preview: nothing was sent. Without Preview, n8n would send 1 message for 4 items.',
		]);
	});

	test('reports a token without the right to read templates without an item number', async () => {
		const { run, send } = await withTemplates({ token: { scopes: ['inbox', 'contacts'] } });
		const { error } = await run(send('order_shipped', order), [{}, {}]);
		expect(error?.message).toMatch(/^The access token is missing the scope "broadcasts" \(403\)\./);
		expect(error?.message).not.toContain('[item');
	});

	test('puts a file of the workflow into the media library', async () => {
		const { run, workspace, send, sent } = await withTemplates();
		const values = { header: 'data', body_1: 'Ann', button_0: 'A-100' };
		const { error } = await run(send('invoice', values), [{}], { files: [{ data }] });
		expect(error).toBeUndefined();
		const [{ params }] = await sent();
		expect(params?.header).toMatch(/^https:\/\/.*bill\.pdf$/);
		expect((await workspace.journal()).uploads).toMatchObject([{ size: 4 }]);
		const dragged = { ...values, header: '={{ $binary.data }}' };
		expect(
			(await run(send('invoice', dragged), [{}], { files: [{ data }] })).error,
		).toBeUndefined();
		expect((await sent())[1].params?.header).toMatch(/bill\.pdf$/);
		const none = await run(send('invoice', { ...values, header: 'photo' }), [{}], {
			files: [{ data }],
		});
		expect(none.error?.message).toContain('data');
		expect(await sent()).toHaveLength(2);
	});

	test('uploads a file once for all contacts, and says that nothing was sent if the library fails', async () => {
		const { run, workspace, send, sent } = await withTemplates();
		const invoice = send('invoice', { header: 'data', body_1: 'Ann', button_0: 'A-100' });
		const items = Array.from({ length: 5 }, () => ({}));
		await workspace.faults({ dropAfter: { match: { operation: 'createMediaFile' }, times: 1 } });
		expect(
			(await run(invoice, items, { files: items.map(() => ({ data })) })).error,
		).toBeUndefined();
		expect((await workspace.journal()).uploads).toHaveLength(1);
		expect(await sent()).toHaveLength(5);
		await workspace.faults({
			dropAfter: null,
			fail: [{ match: { operation: 'createMediaUpload' }, status: 400 }],
		});
		const { error } = await run(invoice, [{}], { files: [{ data }] });
		expect(error?.message).toContain('Nothing was sent.');
		expect(await sent()).toHaveLength(5);
	});

	test.each<[INodeParameters, string]>([
		[
			{ options: { textIfRecent: '={{ $json.m }}' } },
			'Text Within 24 Hours must be 1 to 1,000 characters long, but is an object. Drag one of its fields, such as text. [item 0]',
		],
		[
			{ options: { textIfRecent: '=Hi {{ $json.m }}' } },
			'Text Within 24 Hours contains [object Object]. Point the expression at one of its fields. [item 0]',
		],
		[
			{
				templateParams: {
					mappingMode: 'defineBelow',
					value: { ...order, body_1: '=Mr {{ $json.m }}' },
				},
			},
			'"Text 1 of 2: Hi ▢, your order … is on" of the template contains [object Object]. Point the expression at one of its fields. [item 0]',
		],
		[
			{
				templateParams: {
					mappingMode: 'defineBelow',
					value: { ...order, body_1: '={{ $json.m }}' },
				},
			},
			'"Text 1 of 2: Hi ▢, your order … is on" of the template must be text, but is an object [item 0]',
		],
	])('refuses an object in place of a text: %j', async (more, message) => {
		const { run, workspace, send } = await withTemplates();
		const { error } = await run(send('order_shipped', order, more), [{ m: { text: 'x' } }]);
		expect(error?.message).toBe(message);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('refuses a channel of another number before it sends anything to the others', async () => {
		const { run, workspace, send, whatsapp, channels } = await withTemplates();
		const other = channels.find(({ id }) => id !== whatsapp.id)!;
		const inboxId = by('id', '={{ $json.channel }}');
		const { error } = await run(send('order_shipped', order, { inboxId }), [
			{ channel: whatsapp.id },
			{ channel: other.id },
		]);
		expect(error?.message).toContain(
			'The template order_shipped (en_US) can only be sent on the channel WhatsApp Süd.',
		);
		expect(error?.message).toContain('[item 1]');
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('tells templates of the same name on two numbers apart by the channel', async () => {
		const { run, workspace, send, sent, templates, whatsapp } = await withTemplates();
		const [own] = templates;
		const twin = {
			...own,
			id: undefined,
			integrationWhatsapp: { ...own.integrationWhatsapp, inboxId: '4711' },
		};
		await workspace.add('templates', twin);
		const named = (more = {}) => ({
			...send('order_shipped', order, more),
			templateId: by('name', 'order_shipped, en_US'),
		});
		const unclear = await run(named());
		expect(unclear.error?.message).toContain('2 templates fit the name "order_shipped": ');
		expect(unclear.error?.message).toContain('Choose the Channel.');
		expect((await run(named({ inboxId: by('id', whatsapp.id) }))).error).toBeUndefined();
		expect(await sent()).toMatchObject([{ templateId: own.id }]);
	});

	test('takes the record of a template', async () => {
		const { run, send, sent, templates } = await withTemplates();
		const templateId = by('id', '={{ $json.template }}');
		const { id, name } = templates[0];
		expect(
			(await run({ ...send('order_shipped', order), templateId }, [{ template: { id, name } }]))
				.error,
		).toBeUndefined();
		expect(await sent()).toHaveLength(1);
	});

	test('tells who fills in by key which key is missing', async () => {
		const { workspace, ann } = await withTemplates();
		const tool = {
			resource: 'message',
			operation: 'sendTemplate',
			contact: `id:${ann.id}`,
			language: 'en_US',
		};
		const call = toolOf(workspace, {
			...tool,
			templateName: 'order_shipped',
			templateValues: '={{ $json.values }}',
		});
		await expect(call({ values: '{"body.1":"Ann"}' })).rejects.toThrow(
			'(body.2) of the template must not be empty',
		);
		await expect(call({ values: '{"1":"Ann"}' })).rejects.toThrow(
			'Its parameters are: body.1, body.2',
		);
	});

	test('asks for an address if the service has no media library', async () => {
		const { run, workspace, send, sent } = await withTemplates();
		await workspace.faults({ missing: { createMediaUpload: 404 } });
		const invoice = send('invoice', { header: 'data', body_1: 'Ann', button_0: 'A-100' });
		const { error } = await run(invoice, [{}], { files: [{ data }] });
		expect(error?.message).toContain('Instead, enter an https address of the file.');
		expect(error?.message).toContain('Nothing was sent.');
		expect(await sent()).toEqual([]);
	});

	test('reads templates and their parameters once a run', async () => {
		const { run, workspace, send } = await withTemplates();
		await run(send('order_shipped', order), [{}, {}, {}]);
		const { byOperation } = await workspace.summary();
		expect(byOperation).toMatchObject({
			listTemplateMessages: 1,
			getWhatsappTemplate: 1,
			getContact: 1,
			sendWhatsappTemplate: 3,
		});
	});

	test('works for an agent with plain fields', async () => {
		const { workspace, ann, sent } = await withTemplates();
		const call = toolOf(workspace, {
			resource: 'message',
			operation: 'sendTemplate',
			contact: `id:${ann.id}`,
			templateName: '={{ $json.name }}',
			language: 'en_US',
			templateValues: '={{ $json.values }}',
		});
		expect(
			await call({ name: 'order_shipped', values: '{"body.1":"Ann","body.2":"A-100"}' }),
		).toMatchObject([{ sent: 'template' }]);
		expect(await sent()).toHaveLength(1);
	});

	test.each(['reference', 'older'] as const)(
		'names the way round on a service of the kind %s',
		async (service) => {
			const { run, workspace } = await testWorkspace({ contacts: 0, service });
			const { channels } = await workspace.state();
			const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
			const [{ id }] = await workspace.addContacts([{ firstName: 'Ann', inboxIds: [whatsapp.id] }]);
			const { error } = await run({
				resource: 'message',
				operation: 'sendTemplate',
				identifier: by('id', id),
				templateId: by('name', 'order_shipped, en_US'),
				templateParams: { mappingMode: 'defineBelow', value: order },
			});
			expect(error?.message).toContain('Trigger Flow');
			expect((await workspace.journal()).templates).toEqual([]);
		},
	);

	test('is sent once although the answer is lost, and although the node runs again', async () => {
		const { run, workspace, send, sent } = await withTemplates();
		await workspace.faults({
			dropAfter: { match: { operation: 'sendWhatsappTemplate' }, times: 1 },
		});
		expect(
			(await run(send('order_shipped', order), [{}], { executionId: '7' })).error,
		).toBeUndefined();
		await run(send('order_shipped', order), [{}], { executionId: '7' });
		expect(await sent()).toHaveLength(1);
	});
});

describe('Text Within 24 Hours', () => {
	const options = { textIfRecent: 'Your order is on its way.' };

	test.each([
		[23, 'message', true],
		[25, 'template', true],
		[23, 'template', false],
	])(
		'after %d hours sends a %s (time of the channel shown: %s)',
		async (hours, what, showsChannelTimes) => {
			const { run, workspace, send, sent, ann, whatsapp } = await withTemplates({
				faults: { showsChannelTimes },
			});
			const at = new Date(Date.now() - hours * HOUR_MS).toISOString();
			await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp.id, at });
			const { json } = await run(send('order_shipped', order, { options }));
			expect(json).toMatchObject([{ sent: what }]);
			expect(await sent()).toHaveLength(what === 'template' ? 1 : 0);
			const { messages } = await workspace.journal();
			expect(messages.map(({ text, inboxId }) => [text, inboxId])).toEqual(
				what === 'message' ? [[options.textIfRecent, whatsapp.id]] : [],
			);
		},
	);

	test('has at most 1,000 characters', async () => {
		const { run, workspace, send } = await withTemplates();
		const { error } = await run(
			send('order_shipped', order, { options: { textIfRecent: 'x'.repeat(1001) } }),
		);
		expect(error?.message).toBe(
			'Text Within 24 Hours must be 1 to 1,000 characters long, but has 1,001 characters [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
		const most = { options: { textIfRecent: 'x'.repeat(1000) } };
		expect((await run(send('order_shipped', order, most))).error).toBeUndefined();
	});

	test('has no half an emoji', async () => {
		const { run, workspace, send } = await withTemplates();
		const { error } = await run(
			send('order_shipped', order, { options: { textIfRecent: 'Hi \ud83d' } }),
		);
		expect(error?.message).toBe(
			'Text Within 24 Hours must not contain half a character (a lone surrogate) [item 0]',
		);
		expect(await writesOf(workspace)).toEqual([]);
	});

	test('gives way to the template if the service shows a time that n8n cannot read', async () => {
		const { run, workspace, send, sent, ann, whatsapp } = await withTemplates({
			faults: { showsChannelTimes: true },
		});
		const { id } = await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp.id });
		await workspace.changeMessage(id, { createdAt: 'just now' });
		expect((await run(send('order_shipped', order, { options }))).json).toMatchObject([
			{ sent: 'template' },
		]);
		expect(await sent()).toHaveLength(1);
	});
});

describe('Template: Get Many', () => {
	const list = (filters = {}, more = {}) => ({
		resource: 'template',
		operation: 'getAll',
		returnAll: true,
		filters,
		...more,
	});

	test('shows the text and what a template leaves open', async () => {
		const { run, whatsapp } = await withTemplates();
		const { json } = await run(list({ keyword: 'ORDER_SHIP', language: 'en_us' }));
		expect(json).toMatchObject([
			{
				name: 'order_shipped',
				language: 'en_US',
				status: 'APPROVED',
				inboxId: whatsapp.id,
				text: 'Hi {{body.1}}, your order {{body.2}} is on its way.',
				parameters: ['body.1', 'body.2'],
			},
		]);
	});

	test('lists every place of a template, in the order in which the contact sees them', async () => {
		const { run } = await withTemplates();
		const placesOf = async (keyword: string) => (await run(list({ keyword }))).json[0].parameters;
		expect(await placesOf('flash_sale')).toEqual([
			'offer.expiration_ms',
			'body.1',
			'button.0',
			'button.1',
		]);
		expect(await placesOf('two_products')).toEqual([
			'body.1',
			...[0, 1].flatMap((card) => [
				`card.${card}.header`,
				`card.${card}.body.1`,
				`card.${card}.button.1`,
			]),
		]);
	});

	test.each([{ newest: true }, { newest: false }, { service: 'older' as const, newest: false }])(
		'applies its filters on a service that ignores them: %j',
		async (options) => {
			const { run, templates, whatsapp } = await withTemplates(options);
			const count = async (filters: object) => (await run(list(filters))).json.length;
			expect(await count({})).toBe(templates.length);
			expect(await count({ status: 'PENDING' })).toBe(1);
			expect(await count({ inboxId: by('id', whatsapp.id) })).toBe(
				templates.filter(({ integrationWhatsapp }) => integrationWhatsapp.inboxId === whatsapp.id)
					.length,
			);
		},
	);
});
