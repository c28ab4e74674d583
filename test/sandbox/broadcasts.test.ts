import { broadcastKinds } from '../../nodes/WorkspaceMessaging/contract/broadcast';
import type { Contact } from '../../sandbox/records';
import type { WorkspaceOptions } from '../../sandbox/options';
import { until } from '../support/n8n/until';
import { both, service, type Client } from './service';

const minuteMs = 60_000;
const soon = () => ({
	schedulesType: 'future',
	schedulesAt: new Date(Date.now() + 10 * minuteMs).toISOString(),
});
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * minuteMs).toISOString();
type Reply = Awaited<ReturnType<Client['get']>>;
const said = ({ status, json }: Reply) => [status, json.code, json.message];

/** Three contacts on WhatsApp, and one on Telegram; the first has the tag VIP. */
async function broadcasts(options: WorkspaceOptions = {}) {
	const made = await service('newer', { contacts: 0, newest: true, ...options });
	const { client, workspace, state, inbox } = made;
	const vip = state.tags.find(({ name }) => name === 'VIP')!.id;
	const whatsapp = inbox('whatsapp');
	const people = await workspace.addContacts([
		{ firstName: 'Ann', inboxIds: [inbox('webchat'), whatsapp], tagIds: [vip] },
		{ firstName: 'Bob', inboxIds: [whatsapp] },
		{ firstName: 'Cid', inboxIds: [whatsapp] },
		{ firstName: 'Dee', inboxIds: [inbox('telegram')] },
	]);
	const [flow] = state.flows;
	const template = state.templates.find(({ name }) => name === 'win_back')!;
	const ofTelegram = {
		channel: 'telegram',
		subaction: 'telegramAllContacts',
		flowId: flow.id,
		integrationWhatsappId: undefined,
	};
	const ofTemplate = {
		channel: 'whatsapp',
		subaction: 'whatsappTemplateMessage',
		templateId: template.id,
		integrationWhatsappId: template.integrationWhatsappId,
		templateParams: { 'body.1': 'friend' },
	};
	const now = { schedulesType: 'now', schedulesAt: null };
	const create = (body: object, headers = {}) =>
		client.send(
			'POST',
			'broadcasts',
			{ ...ofTemplate, ...now, saveAsDraft: true, ...body },
			{ headers },
		);
	const step = (id: string, name: string, body?: object) =>
		client.send('POST', `broadcasts/${id}/${name}`, body);
	const statusOf = async (id: string) => (await client.get(`broadcasts/${id}`)).json.status;
	const recipients = async (id: string, eventType: string) => {
		const { json } = await client.get(`broadcasts/${id}/contacts?eventType=${eventType}`);
		return json.data as Array<{ contactId: string; occurredAt: string; errorContent: string }>;
	};
	/** Lets so much time pass that a broadcast began so many minutes ago. */
	const letRun = async (id: string, minutes: number) => {
		const { schedulesAt } = (await client.get(`broadcasts/${id}`)).json;
		const wait = Date.parse(schedulesAt) - Date.now();
		await workspace.letBroadcastsRun(wait / minuteMs + minutes);
	};
	/** Sends a broadcast that began five minutes ago. */
	const run = async (body: object = {}) => {
		const { id } = (await create(body)).json;
		await step(id, 'schedule', soon());
		await letRun(id, 5);
		return id as string;
	};
	return {
		...made,
		...{ people, vip, whatsapp, flow, template, ofTelegram, ofTemplate, now },
		...{ create, step, statusOf, recipients, letRun, run },
	};
}

const writes = [
	['POST', 'broadcasts'],
	['POST', 'broadcasts/audience/preview'],
	['PUT', 'broadcasts/1'],
	['POST', 'broadcasts/1/schedule'],
	['POST', 'broadcasts/1/move-to-draft'],
	['POST', 'broadcasts/1/stop'],
	['DELETE', 'broadcasts/1'],
] as const;
const all = [...writes, ['GET', 'broadcasts/1/contacts'] as const];

describe('The endpoints of broadcasts', () => {
	test.each(both.flatMap((name) => all.map((call) => [name, ...call] as const)))(
		'of the kind %s lack %s /%s',
		async (name, method, path) => {
			const { client } = await service(name);
			const reply = await client.send(method, path);
			expect([reply.status, reply.text]).toEqual([404, 'Not found']);
		},
	);

	test.each(all)('of the newest builds have %s /%s', async (method, path) => {
		const { client } = await broadcasts();
		expect((await client.send(method, path)).text).not.toBe('Not found');
	});

	test('of the older kind have a list that takes no token, and one broadcast that does', async () => {
		const { client, state } = await service('older');
		expect(said(await client.get('broadcasts'))).toEqual([
			400,
			'systemError',
			'User is not associated with this workspace',
		]);
		expect((await client.get(`broadcasts/${state.broadcasts[0].id}`)).status).toBe(200);
	});

	test.each(all)('need the scope of broadcasts for %s /%s', async (method, path) => {
		const { client } = await broadcasts({ token: { scopes: ['contacts'] } });
		expect((await client.send(method, path)).json.message).toBe(
			"Token is not authorized for the 'broadcasts' scope",
		);
	});

	test.each(writes)('need a token that writes for %s /%s', async (method, path) => {
		const { client } = await broadcasts({ token: { readOnly: true } });
		expect((await client.send(method, path)).json.message).toBe(
			'Read-only token cannot perform this operation',
		);
	});
});

describe('Creating a broadcast', () => {
	test('answers the ID of a draft, which the service names', async () => {
		const { client, create, flow, ofTelegram } = await broadcasts();
		const { status, json } = await create({ ...ofTelegram, templateId: undefined });
		expect(status).toBe(201);
		expect((await client.get(`broadcasts/${json.id}`)).json).toEqual(json);
		expect(json).toMatchObject({
			name: expect.stringMatching(/^Broadcast /),
			status: 'draft',
			schedulesType: 'now',
			schedulesAt: null,
			contactCount: null,
			flowId: flow.id,
			sendRatePerMinute: 500,
		});
	});

	const future = { schedulesType: 'future' };
	test.each([
		['no channel', { channel: undefined }, 'channel', undefined],
		['another channel', { channel: 'pigeon' }, 'channel', undefined],
		['another kind', { subaction: 'everybody' }, 'subaction', undefined],
		['no type of schedule', { schedulesType: undefined }, 'schedulesType', undefined],
		['no key for the time', { schedulesAt: undefined }, 'schedulesAt', undefined],
		['0 messages per minute', { sendRatePerMinute: 0 }, 'sendRatePerMinute', undefined],
		['1,001 messages per minute', { sendRatePerMinute: 1001 }, 'sendRatePerMinute', undefined],
		['a time that has passed', { ...future, schedulesAt: hoursAgo(1) }, 'schedulesAt', 'after'],
		['no time for the future', future, 'schedulesAt', 'Schedules must be after now.'],
		['nothing to send', { templateId: undefined }, 'flowId', 'Either flow or template must be'],
		['both to send', { flowId: '1' }, 'templateId', 'A broadcast sends either a flow or a temp'],
		[
			'values in both forms',
			{ templateData: {} },
			'templateParams',
			'Send templateParams or templateData, not both',
		],
		[
			'a template of no number',
			{ integrationWhatsappId: undefined },
			'inboxIds',
			'Select the page',
		],
		['an invalid filter', { contactFilter: { operator: 'and' } }, 'contactFilter.conditions', ''],
	])('refuses %s', async (_, body, path, message) => {
		const { create } = await broadcasts();
		const { status, json } = await create(body);
		expect([status, json.code]).toEqual([422, 'invalidRequestData']);
		const [issue] = json.data.issues;
		expect(issue.path.join('.')).toBe(path);
		expect(issue.message).toContain(message ?? '');
	});

	test.each(Object.entries(broadcastKinds))(
		'as %s takes one kind of content, on its channels alone',
		async (subaction, { channels, content }) => {
			const { create, flow, template } = await broadcasts();
			const send = async (channel: string, body: object) =>
				(await create({ channel, subaction, templateId: undefined, ...body })).status;
			const flowId = { flowId: flow.id, templateParams: undefined };
			const templateId = { templateId: template.id };
			const [fitting, other] = content === 'flow' ? [flowId, templateId] : [templateId, flowId];
			for (const channel of channels) {
				expect(await send(channel, fitting)).toBe(201);
				expect(await send(channel, other)).toBe(422);
			}
			const wrong = (channels as readonly string[]).includes('whatsapp') ? 'zalo' : 'whatsapp';
			expect(await send(wrong, fitting)).toBe(422);
		},
	);

	test('refuses flows, templates and values of a template that do not fit', async () => {
		const { create, ofTelegram } = await broadcasts();
		expect(said(await create({ ...ofTelegram, flowId: '4711', templateId: undefined }))).toEqual([
			404,
			'notFound',
			'Flow not found',
		]);
		expect(said(await create({ templateId: '4711' }))).toEqual([
			404,
			'notFound',
			'Template not found',
		]);
		expect(said(await create({ templateParams: { 'body.9': 'x' } }))).toEqual([
			422,
			'validation',
			'Template parameters do not match the template (missing: body.1; unknown: body.9)',
		]);
	});

	test('puts it on the schedule if it is not saved as a draft, at a whole minute', async () => {
		const { client, create } = await broadcasts();
		const at = new Date(Date.now() + 90 * minuteMs);
		const sent = { saveAsDraft: false, schedulesType: 'future', schedulesAt: at.toISOString() };
		const { json } = await create(sent);
		expect(json.status).toBe('scheduled');
		const { schedulesAt } = (await client.get(`broadcasts/${json.id}`)).json;
		expect(Date.parse(schedulesAt)).toBe(Math.floor(at.getTime() / minuteMs) * minuteMs);
	});

	test('happens once for its Idempotency-Key', async () => {
		const { create, workspace } = await broadcasts();
		const { broadcasts: before } = await workspace.counts();
		const replies = [await create({}, { 'idempotency-key': 'a' })];
		replies.push(await create({}, { 'idempotency-key': 'a' }));
		expect(replies[1].json).toEqual(replies[0].json);
		expect((await workspace.counts()).broadcasts).toBe(before + 1);
	});

	test('is refused by the plan when it is put on the schedule, and not as a draft', async () => {
		const { create, step, now } = await broadcasts({ plan: 'broadcastPlanLimit' });
		const { status, json } = await create({});
		expect(status).toBe(201);
		expect((await create({ saveAsDraft: false })).json.code).toBe('broadcastPlanLimit');
		expect((await step(json.id, 'schedule', now)).status).toBe(403);
	});
});

describe('The steps of a broadcast', () => {
	test('renaming answers nothing, and needs a name of 1 to 255 characters', async () => {
		const { client, create } = await broadcasts();
		const { id } = (await create({})).json;
		const rename = (name: string, of = id) => client.send('PUT', `broadcasts/${of}`, { name });
		const { status, text } = await rename(' Spring ');
		expect([status, text]).toEqual([200, '']);
		expect((await client.get('broadcasts/Spring')).json.id).toBe(id);
		expect((await rename(' ')).status).toBe(422);
		expect((await rename('x'.repeat(255))).status).toBe(200);
		expect((await rename('x'.repeat(256))).status).toBe(422);
		expect(said(await rename('Spring', '4711'))).toEqual([404, 'notFound', 'Broadcast not found']);
	});

	test('a draft is scheduled, and moves back', async () => {
		const { create, step, statusOf } = await broadcasts();
		const { id } = (await create({})).json;
		const { status, json } = await step(id, 'schedule', soon());
		expect([status, json]).toEqual([200, { id }]);
		expect(await statusOf(id)).toBe('scheduled');
		expect((await step(id, 'move-to-draft')).json).toEqual({ id });
		expect(await statusOf(id)).toBe('draft');
	});

	test('what is scheduled for now begins with the next minute', async () => {
		const { client, create, step, now } = await broadcasts();
		const { id } = (await create({})).json;
		const at = Date.now();
		await step(id, 'schedule', now);
		const start = Date.parse((await client.get(`broadcasts/${id}`)).json.schedulesAt);
		expect([start % minuteMs, start > at, start <= Date.now() + minuteMs]).toEqual([0, true, true]);
	});

	test('a schedule needs its keys and a time to come', async () => {
		const { create, step } = await broadcasts();
		const { id } = (await create({})).json;
		const schedule = async (body: object) => {
			const { status, json } = await step(id, 'schedule', body);
			return [status, json.data?.issues[0].path.join('.')];
		};
		expect(await schedule({ schedulesType: 'now' })).toEqual([422, 'schedulesAt']);
		const past = { schedulesType: 'future', schedulesAt: hoursAgo(1) };
		expect(await schedule(past)).toEqual([422, 'schedulesAt']);
		expect(
			await schedule({ schedulesType: 'now', schedulesAt: null, sendRatePerMinute: 1001 }),
		).toEqual([422, 'sendRatePerMinute']);
	});

	test.each([
		['schedule', 'draft'],
		['move-to-draft', 'scheduled'],
		['stop', 'sending'],
	])('%s needs the status %s', async (name, wanted) => {
		const { workspace, create, step, now } = await broadcasts();
		const statuses = ['draft', 'scheduled', 'sending', 'sent', 'cancelled', 'failed'];
		const answers: Array<[string, boolean]> = [];
		for (const status of statuses) {
			const { id } = (await create({})).json;
			await workspace.change('broadcasts', id, { status, schedulesAt: '2999-01-01T00:00:00.000Z' });
			const reply = await step(id, name, name === 'schedule' ? now : undefined);
			answers.push([status, reply.status < 300]);
			if (status === wanted) continue;
			expect(said(reply)).toEqual([404, 'notFound', 'Broadcast not found']);
		}
		expect(answers).toEqual(statuses.map((status) => [status, status === wanted]));
	});

	test('a deleted one is gone; one that is being sent cannot be deleted', async () => {
		const { client, workspace, create } = await broadcasts();
		const { id } = (await create({})).json;
		expect((await client.send('DELETE', `broadcasts/${id}`)).status).toBe(204);
		expect((await client.get(`broadcasts/${id}`)).status).toBe(404);
		const other = (await create({})).json;
		await workspace.change('broadcasts', other.id, { status: 'sending' });
		expect(said(await client.send('DELETE', `broadcasts/${other.id}`))).toEqual([
			404,
			'notFound',
			'Broadcast not found or cannot be deleted',
		]);
	});
});

describe('The preview of an audience', () => {
	test('counts who is on the channel, by the filter and the kind', async () => {
		const { client, workspace, people, vip, whatsapp, inbox, template } = await broadcasts();
		const [ann, bob] = people;
		const preview = async (body: object) => {
			const { status, json } = await client.send('POST', 'broadcasts/audience/preview', body);
			const names = status === 200 && json.data.map((each: Contact) => each.firstName);
			return [status, json.total, names];
		};
		const tagged = (value: string[]) => ({
			contactFilter: { operator: 'and', conditions: [{ field: 'tags', operator: 'in', value }] },
		});
		const onWhatsapp = { channels: ['whatsapp'], subaction: 'whatsappTemplateMessage' };
		expect(await preview({ channel: 'whatsapp' })).toEqual([200, 0, []]);
		const all = { channels: ['omnichannel'] };
		expect(await preview(all)).toEqual([200, 5, ['Ann', 'Ann', 'Bob', 'Cid', 'Dee']]);
		expect(await preview({ ...all, perPage: 1 })).toEqual([200, 5, ['Ann']]);
		expect(await preview(onWhatsapp)).toEqual([200, 3, ['Ann', 'Bob', 'Cid']]);
		expect(await preview({ ...onWhatsapp, ...tagged([vip]) })).toEqual([200, 1, ['Ann']]);
		expect(await preview({ ...onWhatsapp, ...tagged(['4711']) })).toEqual([200, 0, []]);
		expect(await preview({ inboxIds: [inbox('webchat')] })).toEqual([200, 1, ['Ann']]);
		const { integrationWhatsappId } = template;
		expect(await preview({ integrationWhatsappId })).toEqual([200, 3, ['Ann', 'Bob', 'Cid']]);
		expect((await preview({ contactFilter: {} }))[0]).toBe(422);
		await workspace.write(`id:${ann.id}`, { text: 'Hi', inboxId: whatsapp, at: hoursAgo(25) });
		await workspace.write(`id:${bob.id}`, { text: 'Hi', inboxId: whatsapp, at: hoursAgo(23) });
		const active = { channels: ['whatsapp'], subaction: 'whatsappWithin24Hours' };
		expect(await preview(active)).toEqual([200, 1, ['Bob']]);
	});

	test('knows no Idempotency-Key', async () => {
		const { client, workspace } = await broadcasts();
		const headers = { 'idempotency-key': 'x'.repeat(300) };
		const all = { channels: ['omnichannel'] };
		const send = () => client.send('POST', 'broadcasts/audience/preview', all, { headers });
		expect((await send()).json.total).toBe(5);
		await workspace.addContacts([{ firstName: 'Eve' }]);
		expect((await send()).json.total).toBe(6);
	});
});

describe('Sending a broadcast', () => {
	test('reaches each contact once, who has it in the conversation', async () => {
		const { client, workspace, run, people, template, whatsapp, recipients } = await broadcasts();
		const id = await run({ templateParams: { 'body.1': '{{first_name}} {{lastName}}!' } });
		const shown = (await client.get(`broadcasts/${id}`)).json;
		expect([shown.status, shown.contactCount]).toEqual(['sent', 3]);
		const [ann, bob, cid] = people;
		const messages = await workspace.messages(`id:${ann.id}`);
		expect(messages).toMatchObject([
			{
				senderType: 'bot',
				messageType: 'outgoing',
				contentAttributes: {
					template: { id: template.id, params: { 'body.1': 'Ann !' } },
				},
			},
		]);
		const { broadcastMessages } = await workspace.journal();
		expect(broadcastMessages.map(({ contactId }) => contactId)).toEqual([ann.id, bob.id, cid.id]);
		expect(broadcastMessages[0]).toEqual({
			at: expect.any(Number),
			broadcastId: id,
			contactId: ann.id,
			inboxId: whatsapp,
			templateId: template.id,
			delivered: true,
		});
		expect(await recipients(id, 'message:delivered')).toHaveLength(3);
		const [progress] = await workspace.broadcasts(ann.id);
		expect(progress).toMatchObject({ id, status: 'sent', sent: 3, failed: 0 });
		expect(progress.messageId).toBe(messages[0].id);
	});

	test('runs a flow for each contact', async () => {
		const { workspace, run, people, ofTelegram, flow } = await broadcasts();
		await run({ ...ofTelegram, templateId: undefined, templateParams: undefined });
		const { flowRuns, broadcastMessages } = await workspace.journal();
		expect(flowRuns).toMatchObject([{ contactId: people[3].id, flowId: flow.id }]);
		expect(broadcastMessages).toMatchObject([{ flowId: flow.id, delivered: true }]);
	});

	test('goes on at the rate of messages per minute until it is stopped', async () => {
		const { client, workspace, create, step, statusOf, recipients, letRun } = await broadcasts();
		const { id } = (await create({})).json;
		await step(id, 'schedule', { ...soon(), sendRatePerMinute: 1 });
		await letRun(id, 1.5);
		expect(await statusOf(id)).toBe('sending');
		const sent = await recipients(id, 'message:sent');
		// The first is sent at once, the second after a minute; the third is not yet due.
		expect(sent).toHaveLength(2);
		expect(Date.parse(sent[0].occurredAt) - Date.parse(sent[1].occurredAt)).toBe(minuteMs);
		expect((await step(id, 'stop')).json).toEqual({ id });
		await workspace.letBroadcastsRun(60);
		expect(await statusOf(id)).toBe('cancelled');
		expect(await recipients(id, 'message:sent')).toHaveLength(2);
		expect((await client.get(`broadcasts/${id}`)).json.contactCount).toBe(3);
	});

	test('begins by itself when its time has come', async () => {
		const { workspace, create, step, letRun } = await broadcasts();
		const { id } = (await create({})).json;
		await step(id, 'schedule', soon());
		await letRun(id, -0.02);
		// No request reads the broadcast meanwhile.
		const messages = async () => (await workspace.journal()).broadcastMessages;
		await until(messages, ({ length }) => length === 3);
	});

	test('reaches those whom the filter finds when sending begins', async () => {
		const { workspace, create, step, letRun, people, vip } = await broadcasts();
		const conditions = [{ field: 'tags', operator: 'in', value: [vip] }];
		const { id } = (await create({ contactFilter: { operator: 'and', conditions } })).json;
		await step(id, 'schedule', soon());
		await workspace.changeContacts([
			{ identifier: `id:${people[1].id}`, changes: { tagIds: [vip] } },
		]);
		await letRun(id, 1);
		expect((await workspace.journal()).broadcastMessages).toHaveLength(2);
	});

	test('of nobody is sent', async () => {
		const { client, run } = await broadcasts();
		const conditions = [{ field: 'tags', operator: 'in', value: ['4711'] }];
		const id = await run({ contactFilter: { operator: 'and', conditions } });
		expect((await client.get(`broadcasts/${id}`)).json).toMatchObject({
			status: 'sent',
			contactCount: 0,
		});
	});
});

describe('The recipients of a broadcast', () => {
	test('are listed by what happened, the latest first, with the text of the provider', async () => {
		const { workspace, run, client, people, recipients, whatsapp } = await broadcasts();
		const [ann, bob, cid] = people;
		await workspace.faults({ broadcastRefusals: { [bob.id]: '(#131026) Message undeliverable' } });
		const id = await run();
		await workspace.react(id, `id:${cid.id}`, 'message:seen');
		await workspace.react(id, `id:${cid.id}`, 'flow:clicked');
		const who = async (event: string) =>
			(await recipients(id, event)).map(({ contactId }) => contactId);
		expect(await who('message:sent')).toEqual([cid.id, bob.id, ann.id]);
		expect(await who('message:delivered')).toEqual([cid.id, ann.id]);
		expect(await who('message:seen')).toEqual([cid.id]);
		expect(await who('flow:clicked')).toEqual([cid.id]);
		const { json } = await client.get(`broadcasts/${id}/contacts?eventType=message:failed`);
		expect(json).toEqual({
			data: [
				{
					contactId: bob.id,
					contactInboxId: expect.any(String),
					channel: 'whatsapp',
					errorContent: '(#131026) Message undeliverable',
					occurredAt: expect.any(String),
					conversationId: bob.conversation!.id,
					firstName: 'Bob',
					lastName: null,
					fullName: 'Bob',
					avatar: null,
				},
			],
			total: 1,
			pageCount: 1,
		});
		expect(await workspace.messages(`id:${bob.id}`)).toEqual([]);
		expect((await client.get('error-logs')).json.data).toEqual([]);
		const [failed] = (await workspace.journal()).broadcastMessages.filter(
			({ delivered }) => !delivered,
		);
		expect([failed.contactId, failed.inboxId]).toEqual([bob.id, whatsapp]);
		await workspace.faults({ bareRecipients: true });
		expect((await recipients(id, 'message:failed'))[0]).not.toHaveProperty('fullName');
	});

	test('have it two seconds after it was sent', async () => {
		const { workspace, create, step, letRun, recipients } = await broadcasts();
		const { id } = (await create({})).json;
		await step(id, 'schedule', { ...soon(), sendRatePerMinute: 1 });
		await letRun(id, 0);
		const [sent] = await recipients(id, 'message:sent');
		await workspace.letBroadcastsRun(0.5);
		const [delivered] = await recipients(id, 'message:delivered');
		const wait = Date.parse(delivered.occurredAt) - (Date.parse(sent.occurredAt) - minuteMs / 2);
		expect(wait).toBe(2000);
	});

	test('come in pages of at most 50, and need an event', async () => {
		const { client, workspace, run, whatsapp } = await broadcasts();
		await workspace.addContacts(Array.from({ length: 57 }, () => ({ inboxIds: [whatsapp] })));
		const id = await run();
		const list = (query: string) => client.get(`broadcasts/${id}/contacts?${query}`);
		const { json } = await list('eventType=message:sent&page=2');
		expect([json.data.length, json.total, json.pageCount]).toEqual([10, 60, 2]);
		expect((await list('eventType=message:sent&perPage=51')).status).toBe(422);
		expect((await list('eventType=message:lost')).status).toBe(422);
		expect((await list('')).status).toBe(422);
		expect((await client.get('broadcasts/4711/contacts?eventType=message:sent')).status).toBe(404);
	});

	test('are found by the filter of contacts', async () => {
		const { client, workspace, run, people } = await broadcasts();
		const [, bob] = people;
		await workspace.faults({ broadcastRefusals: { [bob.id]: 'no' } });
		const id = await run();
		const count = async (field: string) => {
			const conditions = [{ field, operator: 'in', value: [id] }];
			const body = { contactFilter: { operator: 'and', conditions } };
			return (await client.send('POST', 'contacts/search', body)).json.totalCount;
		};
		expect(await count('broadcastSent')).toBe(3);
		expect(await count('broadcastDelivered')).toBe(2);
		expect(await count('broadcastFailed')).toBe(1);
		expect(await count('broadcastSeen')).toBe(0);
		await workspace.react(id, `id:${people[0].id}`, 'message:seen');
		expect(await count('broadcastSeen')).toBe(1);
	});

	test.each([
		['that is not approved', 'win_a_car', '(#132001)'],
		['of another number', 'order_received', '(#132001)'],
		['with an empty value', 'win_back', '(#132000)'],
	])('fail with a template %s, and after ten minutes so has all', async (_, name, code) => {
		const { workspace, state, run, statusOf, recipients } = await broadcasts();
		const { id: templateId } = state.templates.find((each) => each.name === name)!;
		const id = await run({ templateId, templateParams: { 'body.1': '{{last_name}}' } });
		expect(await statusOf(id)).toBe('sent');
		const failed = await recipients(id, 'message:failed');
		expect(failed).toHaveLength(3);
		expect(failed[0].errorContent).toContain(code);
		expect(await recipients(id, 'message:sent')).toEqual([]);
		await workspace.letBroadcastsRun(10);
		expect(await statusOf(id)).toBe('failed');
	});

	test('of a flow on WhatsApp are those who wrote within a day', async () => {
		const { workspace, people, flow, whatsapp, run, letRun, recipients, create, step } =
			await broadcasts();
		const [ann, bob] = people;
		const write = (contact: typeof ann, hours: number) =>
			workspace.write(`id:${contact.id}`, { text: 'Hi', inboxId: whatsapp, at: hoursAgo(hours) });
		await write(ann, 25);
		const last = await write(bob, 1);
		const ofFlow = {
			subaction: 'whatsappWithin24Hours',
			flowId: flow.id,
			templateId: undefined,
			templateParams: undefined,
		};
		const sent = await recipients(await run(ofFlow), 'message:sent');
		expect(sent.map(({ contactId }) => contactId)).toEqual([bob.id]);
		// Who is no longer active when the message has its turn fails.
		await write(ann, 1);
		const { id } = (await create(ofFlow)).json;
		await step(id, 'schedule', { ...soon(), sendRatePerMinute: 1 });
		await letRun(id, 0.5);
		await workspace.changeMessage(last.id, { createdAt: hoursAgo(25) });
		await workspace.letBroadcastsRun(2);
		const [failed] = await recipients(id, 'message:failed');
		expect(failed).toMatchObject({
			contactId: bob.id,
			errorContent: '(#131047) Re-engagement message',
		});
	});
});

describe('The list of broadcasts', () => {
	test('of the newest builds keeps what a query asks for, and refuses unknown columns', async () => {
		const { client, create } = await broadcasts({ counts: { broadcasts: 0 } });
		const schedulesAt = new Date(Date.now() + 90 * minuteMs).toISOString();
		const later = { saveAsDraft: false, schedulesType: 'future', schedulesAt };
		const [{ json: draft }, { json: scheduled }] = [await create({}), await create(later)];
		await client.send('PUT', `broadcasts/${draft.id}`, { name: 'A draft' });
		const ids = async (query: string) => {
			const { json } = await client.get(`broadcasts?${query}`);
			return json.data.map(({ id }: { id: string }) => id);
		};
		const both = [draft.id, scheduled.id];
		expect(await ids('')).toEqual(both);
		expect(await ids('status=scheduled')).toEqual([scheduled.id]);
		expect(await ids('name=DRAFT')).toEqual([draft.id]);
		expect(await ids('channel=telegram')).toEqual([]);
		expect(await ids('channel=whatsapp')).toEqual(both);
		expect(await ids(`scheduledFrom=${new Date().toISOString()}`)).toEqual([scheduled.id]);
		expect(await ids(`scheduledTo=${new Date().toISOString()}`)).toEqual([]);
		const sort = (id: string) => `sort[0][id]=${id}&sort[0][desc]=true`;
		expect(await ids(sort('name'))).toEqual(both.toReversed());
		expect((await client.get(`broadcasts?${sort('shoeSize')}`)).status).toBe(422);
	});
});
