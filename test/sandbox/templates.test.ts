import type { Component, Template } from '../../sandbox/services/newer/templates/template';
import type { WorkspaceOptions } from '../../sandbox/options';
import { sandbox } from '../support/sandbox';
import { both, service, type Extra } from './service';

type Reply = Awaited<ReturnType<Awaited<ReturnType<typeof service>>['client']['get']>>;

const said = ({ status, json }: Reply) => [status, json?.code, json?.message];

/**
 * A contact on WhatsApp and another on the web chat, in a service with all operations of templates.
 */
async function templates(options: WorkspaceOptions = {}) {
	const made = await service('newer', { contacts: 0, newest: true, ...options });
	const { client, workspace, state, inbox } = made;
	const whatsapp = inbox('whatsapp');
	const [ann, bob] = await workspace.addContacts([
		{ firstName: 'Ann', inboxIds: [inbox('webchat'), whatsapp] },
		{ firstName: 'Bob' },
	]);
	const named = (name: string, language = 'en_US') =>
		state.templates.find((each) => each.name === name && each.language === language)!;
	const send = (body: object, to = ann, extra?: Extra) =>
		client.send(
			'POST',
			`conversations/${to.conversation!.id as string}/whatsapp-template`,
			body,
			extra,
		);
	/** Adds a template of the seeded number. */
	const add = async (components: Component[], other: Partial<Template> = {}) => {
		const { integrationWhatsappId, integrationWhatsapp } = named('order_shipped');
		const usual = {
			name: 'mine',
			language: 'en_US',
			status: 'APPROVED',
			category: 'UTILITY',
		} as const;
		return await workspace.add('templates', {
			...usual,
			components,
			integrationWhatsappId,
			integrationWhatsapp,
			...other,
		});
	};
	const lost = async () =>
		(await workspace.journal()).templates.map(({ lostBecause }) => lostBecause ?? null);
	return { ...made, whatsapp, ann, bob, named, send, add, lost };
}

const orderShipped = { 'body.1': 'Ann', 'body.2': 'A-100' };
const body = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
const reads = ['whatsapp/templates', 'whatsapp/templates/1'];

describe('The endpoints of templates', () => {
	test.each(both)('of the kind %s have the old list', async (name) => {
		const { client } = await service(name);
		expect((await client.get('template-messages')).status).toBe(200);
	});

	test.each(
		both.flatMap((name) => [
			...reads.map((path) => [name, 'GET', path] as const),
			[name, 'POST', 'conversations/1/whatsapp-template'] as const,
		]),
	)('of the kind %s lack %s /%s', async (name, method, path) => {
		const { client } = await service(name);
		expect((await client.send(method, path)).text).toBe('Not found');
	});

	test('are there with `newest`, and one by one with `additionalOperations`', async () => {
		const { client } = await service('newer', { newest: true });
		expect((await client.get(reads[0])).status).toBe(200);
		expect(said(await client.get(reads[1]))).toEqual([404, 'notFound', 'Template not found']);
		const other = await service('newer', { additionalOperations: ['listWhatsappTemplates'] });
		expect((await other.client.get(reads[0])).status).toBe(200);
		expect((await other.client.get(reads[1])).text).toBe('Not found');
	});

	test.each(reads)('lack GET /%s with the fault `templateParamsDropped`', async (path) => {
		const { client } = await templates({ faults: { templateParamsDropped: true } });
		expect((await client.get(path)).text).toBe('Not found');
	});

	test('have the old list with the fault `templateParamsDropped`', async () => {
		const { client } = await templates({ faults: { templateParamsDropped: true } });
		expect((await client.get('template-messages')).status).toBe(200);
	});

	test.each([
		...['template-messages', ...reads].map((path) => ['broadcasts', 'GET', path] as const),
		['inbox', 'POST', 'conversations/{conversation}/whatsapp-template'] as const,
		['media', 'POST', 'media-library/files/upload-url'] as const,
		['media', 'POST', 'media-library/files'] as const,
	])('need the scope %s for %s /%s', async (scope, method, path) => {
		const { client, ann } = await templates({ token: { scopes: ['contacts'] } });
		const reply = await client.send(
			method,
			path.replace('{conversation}', String(ann.conversation!.id)),
			method === 'POST' ? {} : undefined,
		);
		expect(said(reply)).toEqual([
			403,
			'FORBIDDEN',
			`Token is not authorized for the '${scope}' scope`,
		]);
	});
});

describe('The lists of templates', () => {
	test.each(both)(
		'of the kind %s are an array of all, oldest first, whatever status is asked for',
		async (name) => {
			const { client, state } = await service(name);
			const { json } = await client.get('template-messages?status=PENDING');
			expect(json).toEqual(state.templates);
			expect(json[0]).toMatchObject({
				name: 'order_shipped',
				status: 'APPROVED',
				category: 'UTILITY',
			});
		},
	);

	test.each(['template-messages', 'whatsapp/templates'])(
		'of the newest builds keep those of a status, of an inbox or of a number (%s)',
		async (list) => {
			const { client, named, whatsapp } = await templates();
			const names = async (query: string) => {
				const { json } = await client.get(`${list}?${query}`);
				return (json as Template[]).map(({ name }) => name);
			};
			expect(await names('status=PENDING')).toEqual(['new_hours']);
			expect(await names('status=REJECTED')).toEqual(['win_a_car']);
			const { integrationWhatsappId, integrationWhatsapp: other } = named('order_received');
			expect(await names(`integrationWhatsappId=${integrationWhatsappId}`)).toEqual([
				'order_received',
			]);
			expect(await names(`inboxId=${other.inboxId}`)).toEqual(['order_received']);
			const own = await names(`inboxId=${whatsapp}&status=APPROVED`);
			expect(own.slice(0, 3)).toEqual(['order_shipped', 'order_shipped', 'welcome']);
			expect(own).not.toContain('order_received');
		},
	);

	test('show the phone number, whose ID is not that of the inbox', async () => {
		const { client, whatsapp } = await templates();
		const [{ integrationWhatsappId, integrationWhatsapp }] = (await client.get('template-messages'))
			.json;
		expect(integrationWhatsapp).toEqual({
			id: integrationWhatsappId,
			name: 'WhatsApp Süd',
			inboxId: whatsapp,
			displayPhoneNumber: '+49 30 9018200',
		});
		expect(integrationWhatsappId).not.toBe(whatsapp);
	});
});

describe('The parameters of a template', () => {
	const text = (key: string, placeholder = '1') => [
		key,
		key.split('.')[0],
		'text',
		true,
		placeholder,
	];
	const cardOf = (index: number) => [
		[`card.${index}.header`, 'carousel', 'image', true, undefined],
		[`card.${index}.body.1`, 'carousel', 'text', true, '1'],
		[`card.${index}.button.1`, 'carousel', 'url_suffix', true, '1'],
	];

	test.each([
		['order_shipped', [text('body.1'), text('body.2', '2')]],
		['welcome', [text('body.name', 'name'), text('body.shop', 'shop')]],
		[
			'invoice',
			[
				['header', 'header', 'document', true, undefined],
				text('body.1'),
				['button.0', 'button', 'url_suffix', true, '1'],
			],
		],
		['new_collection', [['header', 'header', 'image', true, undefined]]],
		// The body has its second placeholder twice; a quick reply takes nothing.
		['appointment', [text('header.1'), text('body.1'), text('body.2', '2')]],
		[
			'pickup_point',
			[
				['header.latitude', 'header', 'latitude', true, undefined],
				['header.longitude', 'header', 'longitude', true, undefined],
				['header.name', 'header', 'location_name', false, undefined],
				['header.address', 'header', 'location_address', false, undefined],
				text('body.1'),
			],
		],
		[
			'flash_sale',
			[
				['offer.expiration_ms', 'limited_time_offer', 'expiration_ms', true, undefined],
				text('body.1'),
				['button.0', 'button', 'coupon_code', true, undefined],
				['button.1', 'button', 'url_suffix', true, '1'],
			],
		],
		['two_products', [text('body.1'), ...cardOf(0), ...cardOf(1)]],
		['new_hours', []],
	])('%s', async (name, expected) => {
		const { client, named } = await templates();
		const { parameters, ...item } = (await client.get(`whatsapp/templates/${named(name).id}`)).json;
		expect(item).toEqual(named(name));
		expect(
			parameters.map((each: Record<string, unknown>) => [
				each.key,
				each.component,
				each.kind,
				each.required,
				each.placeholder,
			]),
		).toEqual(expected);
	});

	test('leave out a button for several products, and do not require that of the catalog', async () => {
		const { client, add } = await templates();
		const { id } = await add([
			{
				type: 'BUTTONS',
				buttons: [
					{ type: 'MPM', text: 'Products' },
					{ type: 'CATALOG', text: 'Catalog' },
					{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+4930123' },
				],
			},
		]);
		expect((await client.get(`whatsapp/templates/${id}`)).json.parameters).toEqual([
			{ key: 'button.1', component: 'button', kind: 'catalog_product', required: false },
		]);
	});
});

describe('Sending a template', () => {
	test('queues it, and then it is a message of the conversation', async () => {
		const { workspace, send, ann, named, whatsapp } = await templates();
		const { id } = named('order_shipped', 'de');
		const { status, json } = await send({
			templateId: ` ${id} `,
			inboxId: whatsapp,
			templateParams: orderShipped,
		});
		expect([status, json]).toEqual([202, { queued: true }]);
		const [message, ...more] = await workspace.messages(`id:${ann.id}`);
		expect(more).toEqual([]);
		expect(message).toMatchObject({
			messageType: 'outgoing',
			senderType: 'bot',
			text: 'Template: order_shipped',
			contentAttributes: {
				type: 'whatsapp_template',
				template: { id, name: 'order_shipped', language: 'de', params: orderShipped },
			},
			sourceId: expect.stringContaining('wamid.'),
			sendError: null,
		});
		const { templates: sent, messages } = await workspace.journal();
		expect(sent).toEqual([
			{
				at: expect.any(Number),
				contactId: ann.id,
				inboxId: whatsapp,
				templateId: id,
				params: orderShipped,
				delivered: true,
			},
		]);
		expect(messages).toEqual([]);
		await workspace.clearJournal();
		expect((await workspace.journal()).templates).toEqual([]);
	});

	test('reaches who was silent for 25 hours, and the error log stays empty', async () => {
		const { client, workspace, send, ann, named, whatsapp, lost } = await templates();
		const at = new Date(Date.now() - 25 * 3_600_000).toISOString();
		await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp, at });
		const templateId = named('order_shipped').id;
		await send({ templateId, inboxId: whatsapp, templateParams: orderShipped });
		expect(await lost()).toEqual([null]);
		expect((await client.get('error-logs')).json.data).toEqual([]);
	});

	test('needs a template ID, texts as values, and one form of them', async () => {
		const { send, named } = await templates();
		const templateId = named('order_shipped').id;
		const issue = async (sent: object) => {
			const { status, json } = await send(sent);
			const [{ path, message }] = json.data.issues;
			return [status, json.code, path.join('.'), message];
		};
		expect(await issue({ templateId: ' ' })).toEqual([
			422,
			'invalidRequestData',
			'templateId',
			expect.any(String),
		]);
		expect(await issue({ templateId, templateParams: { 'body.1': 5 } })).toEqual([
			422,
			'invalidRequestData',
			'templateParams.body.1',
			expect.any(String),
		]);
		expect(await issue({ templateId, templateParams: orderShipped, templateData: {} })).toEqual([
			422,
			'invalidRequestData',
			'templateParams',
			'Send templateParams or templateData, not both',
		]);
	});

	test('needs a conversation, and an inbox of the contact on WhatsApp', async () => {
		const { client, send, ann, bob, inbox, named, whatsapp } = await templates();
		const { id: templateId } = named('order_shipped');
		const sent = { templateId, templateParams: orderShipped };
		expect(said(await client.send('POST', 'conversations/4711/whatsapp-template', sent))).toEqual([
			404,
			'notFound',
			'Conversation not found',
		]);
		const noInbox = [404, 'notFound', 'Inbox not found'];
		expect(said(await send({ ...sent, inboxId: inbox('telegram') }))).toEqual(noInbox);
		expect(said(await send({ ...sent, inboxId: whatsapp }, bob))).toEqual(noInbox);
		expect(said(await send(sent, bob))).toEqual(noInbox);
		expect(said(await send({ ...sent, inboxId: inbox('webchat') }, ann))).toEqual([
			400,
			'systemError',
			'This conversation has no WhatsApp inbox',
		]);
	});

	test('takes the latest WhatsApp inbox of the contact if none is named', async () => {
		const { workspace, send, ann, inbox, named, whatsapp } = await templates();
		const second = await workspace.add('channels', {
			name: 'WhatsApp Nord',
			channel: 'whatsapp',
			status: 'connected',
		});
		const identifier = `id:${ann.id}`;
		const inboxIds = [inbox('webchat'), whatsapp, second.id];
		await workspace.changeContacts([{ identifier, changes: { inboxIds } }]);
		const sent = { templateId: named('order_shipped').id, templateParams: orderShipped };
		const used = async () => {
			expect((await send(sent)).status).toBe(202);
			return (await workspace.journal()).templates.at(-1)?.inboxId;
		};
		expect(await used()).toBe(whatsapp);
		await workspace.write(identifier, { text: 'Hi', inboxId: second.id });
		await workspace.write(identifier, { text: 'Hi', inboxId: inbox('webchat') });
		expect(await used()).toBe(second.id);
	});

	test('is answered again, and not done again, for the same Idempotency-Key', async () => {
		const { workspace, send, ann, named } = await templates();
		const sent = { templateId: named('order_shipped').id, templateParams: orderShipped };
		const key = { headers: { 'idempotency-key': 'k1' } };
		await send(sent, ann, key);
		const again = await send(sent, ann, key);
		expect([again.status, again.json, again.headers.get('idempotent-replayed')]).toEqual([
			202,
			{ queued: true },
			'true',
		]);
		expect((await workspace.journal()).templates).toHaveLength(1);
		expect(await workspace.messages(`id:${ann.id}`)).toHaveLength(1);
	});
});

describe('Template parameters', () => {
	const card = (index: number) => ({
		[`card.${index}.header`]: 'https://images.example.com/cup.jpg',
		[`card.${index}.body.1`]: '9 €',
		[`card.${index}.button.1`]: 'cup-1',
	});

	test.each([
		['welcome', { 'body.name': 'Ann', 'body.shop': 'Café Süd' }],
		['invoice', { header: 'https://x.io/bill.pdf', 'body.1': 'Ann', 'button.0': 'INV-17' }],
		['appointment', { 'header.1': 'Monday', 'body.1': 'Ann', 'body.2': 'the shop' }],
		[
			'pickup_point',
			{ 'header.latitude': '52.5', 'header.longitude': '-13.4', 'header.name': ' ', 'body.1': '1' },
		],
		[
			'flash_sale',
			{
				'offer.expiration_ms': '1790000000000',
				'body.1': 'Ann',
				'button.0': 'S20',
				'button.1': 'x',
			},
		],
		['two_products', { 'body.1': 'Ann', ...card(0), ...card(1) }],
	])('that fit are delivered: %s', async (name, templateParams) => {
		const { send, named, lost } = await templates();
		expect((await send({ templateId: named(name).id, templateParams })).status).toBe(202);
		expect(await lost()).toEqual([null]);
	});

	test.each([
		['order_shipped', {}, 'missing: body.1, body.2'],
		['order_shipped', { 'body.1': ' ', 'body.2': '1' }, 'missing: body.1'],
		['order_shipped', { ...orderShipped, 'body.3': 'x', header: 'y' }, 'unknown: body.3, header'],
		['welcome', { 'body.1': 'Ann', 'body.shop': 'x' }, 'missing: body.name; unknown: body.1'],
		['new_collection', { header: 'http://x.io/a.jpg' }, 'invalid: header'],
		['new_collection', { header: 'https://localhost/a.jpg' }, 'invalid: header'],
		[
			'pickup_point',
			{ 'header.latitude': '91', 'header.longitude': 'east', 'body.1': '1' },
			'invalid: header.latitude, header.longitude',
		],
		[
			'flash_sale',
			{ 'offer.expiration_ms': '0', 'body.1': 'Ann', 'button.1': 'x', 'body.2': 'x' },
			'missing: button.0; unknown: body.2; invalid: offer.expiration_ms',
		],
		[
			'two_products',
			{ 'body.1': 'Ann', ...card(0), ...card(1), 'card.1.header': '', ...card(2) },
			'missing: card.1.header; unknown: card.2.header, card.2.body.1, card.2.button.1',
		],
	])('that do not fit are refused: %s %j', async (name, templateParams, problems) => {
		const { workspace, send, named } = await templates();
		expect(said(await send({ templateId: named(name).id, templateParams }))).toEqual([
			422,
			'validation',
			`Template parameters do not match the template (${problems})`,
		]);
		expect((await workspace.journal()).templates).toEqual([]);
	});

	test('cannot hold several products', async () => {
		const { send, add, lost } = await templates();
		const { id: templateId } = await add([
			{ type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'See' }] },
		]);
		expect(said(await send({ templateId, templateParams: {} }))).toEqual([
			422,
			'validation',
			'Template parameters do not match the template (send templateData for: button.0)',
		]);
		const button = { sub_type: 'mpm', index: 0, sections: [{ title: 'Cups' }] };
		expect((await send({ templateId, templateData: { button: [button] } })).status).toBe(202);
		expect(await lost()).toEqual([null]);
	});

	test('of an unknown template are refused', async () => {
		const { send } = await templates();
		expect(said(await send({ templateId: '4711', templateParams: {} }))).toEqual([
			404,
			'notFound',
			'Template not found',
		]);
	});
});

describe('Template data', () => {
	const media = { type: 'document', document: { link: 'https://x.io/bill.pdf' } };
	const location = { latitude: 52.5, longitude: 13.4, name: 'Shop', address: 'Street 1' };
	const cards = [0, 1].map((card_index) => ({
		card_index,
		header: [{ type: 'image', image: { link: 'https://x.io/cup.jpg' } }],
		body: body('9 €'),
		button: [
			{ sub_type: 'quick_reply', index: 0, payload: 'more' },
			{ sub_type: 'url', index: 1, text: 'cup-1' },
		],
	}));

	test.each([
		['order_shipped', { body: body('Ann', 'A-100') }],
		[
			'welcome',
			{
				body: [
					{ type: 'text', text: 'Ann', parameter_name: 'name' },
					{ type: 'text', text: 'Café', parameter_name: 'shop' },
				],
			},
		],
		[
			'invoice',
			{ header: [media], body: body('Ann'), button: [{ sub_type: 'url', index: '0', text: 'x' }] },
		],
		['appointment', { header: body('Monday'), body: body('Ann', 'the shop') }],
		['pickup_point', { header: [{ type: 'location', location }], body: body('A-100') }],
		[
			'flash_sale',
			{
				limited_time_offer: { expiration_time_ms: 1_790_000_000_000 },
				body: body('Ann'),
				button: [
					{ sub_type: 'copy_code', index: 0, coupon_code: 'S20' },
					{ sub_type: 'url', index: 1, text: 'x' },
				],
			},
		],
		['two_products', { body: body('Ann'), carousel: cards }],
	])('that fit are delivered: %s', async (name, templateData) => {
		const { workspace, send, ann, named } = await templates();
		expect((await send({ templateId: named(name).id, templateData })).status).toBe(202);
		expect((await workspace.journal()).templates).toMatchObject([
			{ delivered: true, data: templateData },
		]);
		const [{ contentAttributes }] = await workspace.messages(`id:${ann.id}`);
		expect(contentAttributes.template).toMatchObject({ name, params: templateData });
	});

	test.each([
		['order_shipped', { body: body('Ann') }],
		['order_shipped', { body: body('Ann', 'A-100', 'more') }],
		['welcome', { body: body('Ann', 'Café') }],
		['new_collection', { header: [media] }],
		['flash_sale', { body: body('Ann'), button: [{ sub_type: 'url', index: 0, text: 'x' }] }],
	])(
		'that do not fit are accepted, and the template is lost: %s %j',
		async (name, templateData) => {
			const { workspace, send, ann, named, lost } = await templates();
			const { status, json } = await send({ templateId: named(name).id, templateData });
			expect([status, json]).toEqual([202, { queued: true }]);
			expect(await lost()).toEqual(['parametersDoNotFit']);
			expect(await workspace.messages(`id:${ann.id}`)).toEqual([]);
		},
	);
});

describe('A template that was accepted is lost without a word', () => {
	test('if it is unknown, and the request has no template parameters', async () => {
		const { workspace, send, ann, lost } = await templates();
		expect((await send({ templateId: '4711', templateData: {} })).status).toBe(202);
		expect((await send({ templateId: '4711' })).status).toBe(202);
		expect(await lost()).toEqual(['unknownTemplate', 'unknownTemplate']);
		expect(await workspace.messages(`id:${ann.id}`)).toEqual([]);
	});

	test('if it has parameters, and the request has neither form of them', async () => {
		const { send, named, lost } = await templates();
		expect((await send({ templateId: named('order_shipped').id })).status).toBe(202);
		expect(await lost()).toEqual(['parametersDoNotFit']);
	});

	test('if it is not approved, or belongs to another number, even if the parameters fit', async () => {
		const { workspace, send, ann, add, named, lost } = await templates();
		const paused = await add([], { status: 'PAUSED' });
		for (const [id, templateParams] of [
			[named('new_hours').id, {}],
			[named('win_a_car').id, { 'body.1': 'Ann' }],
			[paused.id, {}],
			[named('order_received').id, { 'body.1': 'Ann' }],
		]) {
			expect((await send({ templateId: id, templateParams })).status).toBe(202);
		}
		expect(await lost()).toEqual(['notApproved', 'notApproved', 'notApproved', 'otherNumber']);
		expect(await workspace.messages(`id:${ann.id}`)).toEqual([]);
	});
});

describe('A build that drops template parameters', () => {
	const earlier = () => templates({ faults: { templateParamsDropped: true } });

	test('loses a template that needs them, and delivers one that needs none', async () => {
		const { workspace, send, ann, add, named, whatsapp } = await earlier();
		const plain = await add([{ type: 'BODY', text: 'We are open again.' }]);
		for (const id of [named('order_shipped').id, plain.id]) {
			const sent = { templateId: id, inboxId: whatsapp, templateParams: orderShipped };
			expect((await send(sent)).status).toBe(202);
		}
		const { templates: sent } = await workspace.journal();
		expect(sent).toMatchObject([
			{ delivered: false, lostBecause: 'parametersDoNotFit' },
			{ delivered: true },
		]);
		expect(sent[0]).not.toHaveProperty('params');
		expect(await workspace.messages(`id:${ann.id}`)).toHaveLength(1);
	});

	test('takes template data, alone or with parameters', async () => {
		const { send, named, whatsapp, lost } = await earlier();
		const { id: templateId } = named('order_shipped');
		const sent = { templateId, inboxId: whatsapp, templateData: { body: body('Ann', 'A-100') } };
		expect((await send(sent)).status).toBe(202);
		expect((await send({ ...sent, templateParams: orderShipped })).status).toBe(202);
		expect(await lost()).toEqual([null, null]);
	});

	test('takes the latest inbox of any channel if none is named', async () => {
		const { workspace, send, ann, named, inbox, whatsapp } = await earlier();
		const sent = {
			templateId: named('order_shipped').id,
			templateData: { body: body('Ann', 'A-100') },
		};
		await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: inbox('webchat') });
		expect(said(await send(sent))).toEqual([
			400,
			'systemError',
			'This conversation has no WhatsApp inbox',
		]);
		await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp });
		expect((await send(sent)).status).toBe(202);
	});
});

describe('The media library', () => {
	const upload = { fileName: 'bill ü.pdf', mimeType: 'application/pdf' };

	async function uploaded() {
		const made = await templates({ newest: false });
		const { status, json } = await made.client.send(
			'POST',
			'media-library/files/upload-url',
			upload,
		);
		const put = (headers: Record<string, string>) =>
			fetch(json.uploadUrl, { method: 'PUT', headers, body: 'abc' });
		const create = (path: string) =>
			made.client.send('POST', 'media-library/files', {
				name: 'bill.pdf',
				path,
				mimeType: upload.mimeType,
				size: 3,
			});
		return { ...made, status, place: json as Record<string, string>, put, create };
	}

	test('takes a file without a token, and keeps it under a public address', async () => {
		const { status, place, put, create, workspace } = await uploaded();
		expect(status).toBe(201);
		expect(Object.keys(place)).toEqual(['path', 'uploadUrl', 'publicUrl']);
		expect(place.uploadUrl.startsWith(sandbox.otherUrl)).toBe(true);
		expect(place.publicUrl).toMatch(/^https:\/\/media\.example\.com\/.+bill%20%C3%BC\.pdf$/);
		const missing = [400, 'systemError', 'Media library file not found'];
		expect(said(await create(place.path))).toEqual(missing);
		expect((await put({ 'content-type': upload.mimeType, authorization: 'Bearer x' })).status).toBe(
			400,
		);
		expect((await put({ 'content-type': 'text/plain' })).status).toBe(403);
		expect((await put({ 'content-type': upload.mimeType })).status).toBe(200);
		expect((await workspace.journal()).uploads).toMatchObject([
			{ fileName: 'bill ü.pdf', contentType: 'application/pdf', size: 3 },
		]);
		const { status: created, json: file } = await create(place.path);
		expect([created, file]).toMatchObject([
			201,
			{
				id: expect.any(String),
				url: place.publicUrl,
				name: 'bill.pdf',
				path: place.path,
				folderId: null,
			},
		]);
	});

	test('has files that messages can send', async () => {
		const { client, workspace, place, put, create, bob } = await uploaded();
		await put({ 'content-type': upload.mimeType });
		const { id } = (await create(place.path)).json;
		const path = `contacts/id:${bob.id}/messages`;
		expect((await client.send('POST', path, { text: 'Hi', mediaFileId: id })).status).toBe(204);
		expect((await client.send('POST', path, { mediaFileIds: [id, '4711'] })).status).toBe(400);
		const [message, ...more] = await workspace.messages(`id:${bob.id}`);
		expect(more).toEqual([]);
		expect(message).toMatchObject({ text: 'Hi', attachments: [{ name: 'bill.pdf', size: 3 }] });
		expect(await (await fetch(message.attachments[0].url ?? '')).text()).toBe('abc');
		expect((await workspace.journal()).messages).toMatchObject([
			{ text: 'Hi', files: [{ size: 3 }] },
		]);
	});

	test('has addresses that can stand in the header of a template', async () => {
		const { client, workspace, send, named, ann } = await templates();
		const { json } = await client.send('POST', 'media-library/files/upload-url', upload);
		const templateParams = { header: json.publicUrl, 'body.1': 'Ann', 'button.0': 'x' };
		expect((await send({ templateId: named('invoice').id, templateParams })).status).toBe(202);
		expect(await workspace.messages(`id:${ann.id}`)).toHaveLength(1);
	});

	test('is not in older services', async () => {
		const { client } = await service('older');
		expect((await client.send('POST', 'media-library/files', {})).text).toBe('Not found');
	});
});
