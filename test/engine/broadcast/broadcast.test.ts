import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, once, received, shownOf } from '../../support/engine/helpers';
import { TOOL, toolOf } from '../../support/engine/tool';
import { withBroadcasts } from './helpers';

const MINUTE_MS = 60_000;
const inAnHour = new Date(Date.now() + 60 * MINUTE_MS);
const past = new Date(Date.now() - MINUTE_MS).toISOString();
const steps = [
	'createBroadcast',
	'renameBroadcast',
	'previewAudience',
	'scheduleBroadcast',
] as const;

describe('Create', () => {
	test('makes a draft, names it and counts who would get it', async () => {
		const { run, workspace, create, template } = await withBroadcasts();
		const { json, error } = await run(create({ options: { sendRatePerMinute: 30 } }));
		expect(error).toBeUndefined();
		const { id } = json[0];
		expect(json).toEqual([
			{ id, name: 'Spring', status: 'draft', schedulesAt: null, recipientsAtMost: 3 },
		]);
		const whom = {
			subaction: 'whatsappTemplateMessage',
			integrationWhatsappId: template.integrationWhatsappId,
		};
		const writes = (await received(workspace)).filter(({ method }) => method !== 'GET');
		expect(writes).toEqual([
			{
				method: 'POST',
				path: '/api/v1/broadcasts',
				body: {
					channel: 'whatsapp',
					...whom,
					templateId: template.id,
					templateParams: { 'body.1': '{{first_name}}' },
					schedulesType: 'now',
					schedulesAt: null,
					saveAsDraft: true,
					sendRatePerMinute: 30,
				},
			},
			{ method: 'PUT', path: `/api/v1/broadcasts/${String(id)}`, body: { name: 'Spring' } },
			{
				method: 'POST',
				path: '/api/v1/broadcasts/audience/preview',
				body: { channels: ['whatsapp'], ...whom, perPage: 1 },
			},
		]);
	});

	test('says how fast to send when it schedules, too, because a service may start from its own rate', async () => {
		const { run, workspace, create } = await withBroadcasts();
		const plan = { schedulesType: 'now', maxRecipients: 3, options: { sendRatePerMinute: 30 } };
		const { error } = await run(create(plan));
		expect(error).toBeUndefined();
		const sent = (await received(workspace)).find(({ path }) => path.endsWith('/schedule'));
		expect(sent?.body).toMatchObject({ schedulesType: 'now', sendRatePerMinute: 30 });
	});

	test('schedules what it has just counted', async () => {
		const { run, create, all } = await withBroadcasts();
		const plan = { schedulesType: 'future', schedulesAt: inAnHour.toISOString(), maxRecipients: 3 };
		const { json, error } = await run(create(plan));
		expect(error).toBeUndefined();
		const schedulesAt = new Date(inAnHour.getTime() - (inAnHour.getTime() % MINUTE_MS));
		const planned = { status: 'scheduled', schedulesAt: schedulesAt.toISOString() };
		expect(json).toMatchObject([{ ...planned, recipientsAtMost: 3 }]);
		expect(await all()).toMatchObject([{ id: json[0].id, name: 'Spring', ...planned }]);
	});

	test('reads a time without an offset in the time zone of the workflow', async () => {
		const { run, create } = await withBroadcasts();
		const plan = { schedulesType: 'future', schedulesAt: '2099-07-01T09:30', maxRecipients: 3 };
		const { json } = await run(create(plan), [{}], { settings: { timezone: 'Europe/Berlin' } });
		expect(json).toMatchObject([{ schedulesAt: '2099-07-01T07:30:00.000Z' }]);
	});

	test('sends to those who have the tag, if the user wants that', async () => {
		const { run, workspace, create, vip, people, now, all } = await withBroadcasts();
		const tag = { audience: 'tag', tagId: by('list', vip.id) };
		const { json } = await run(create({ ...tag, ...now }));
		expect(json).toMatchObject([{ status: 'scheduled', recipientsAtMost: 1 }]);
		await workspace.letBroadcastsRun(2);
		const { broadcastMessages } = await workspace.journal();
		expect(broadcastMessages.map(({ contactId }) => contactId)).toEqual([people[0].id]);
		expect(await all()).toMatchObject([{ status: 'sent' }]);
	});

	test.each([
		['telegram', 'telegramAllContacts'],
		['omnichannel', 'allContacts'],
		['zalo', 'allContacts'],
		['instagram', 'instagramActiveContacts'],
		['messenger', 'messengerActiveContacts'],
		['tiktok', 'tiktokActiveContacts'],
		['whatsapp', 'whatsappWithin24Hours'],
	])('sends a flow on %s as %s', async (channel, subaction) => {
		const { run, create, state, all } = await withBroadcasts();
		const [{ id }] = state.flows;
		const flowId = by('list', id);
		const { error } = await run(create({ channel, content: 'flow', flowId }));
		expect(error).toBeUndefined();
		expect(await all()).toMatchObject([{ channel, subaction, flowId: id, templateId: null }]);
	});

	test('ignores the content of another channel', async () => {
		const { run, create, state, all } = await withBroadcasts();
		const flowId = by('list', state.flows[0].id);
		await run(create({ channel: 'telegram', content: 'template', flowId }));
		expect(await all()).toMatchObject([{ subaction: 'telegramAllContacts', templateId: null }]);
	});

	test.each<[string, INodeParameters, string]>([
		['no name', { name: ' ' }, 'Name must be 1 to 255 characters long'],
		['another channel', { channel: 'webchat', flowId: by('id', '1') }, 'Channel must be one of'],
		[
			'no flow',
			{ channel: 'zalo', flowId: by('id', fromItem()) },
			'The expression of Flow returns nothing',
		],
		[
			'no template',
			{ templateId: by('id', fromItem()) },
			'The expression of Template returns nothing',
		],
		['no value', { templateParams: {} }, 'of the template must not be empty'],
		[
			'a variable of the service that was pasted',
			{ templateParams: { mappingMode: 'defineBelow', value: { body_1: '=Dear {{first_name}}' } } },
			"must not have the expression {{first_name}}, which n8n can't fill in. If the service replaces it, set the field to Fixed",
		],
		[
			'no tag',
			{ audience: 'tag', tagId: by('id', fromItem()) },
			'The expression of Tag returns nothing',
		],
		['no limit', { schedulesType: 'now' }, 'Most Recipients must be a whole number of at least 1'],
		[
			'an empty limit',
			{ schedulesType: 'now', maxRecipients: fromItem() },
			'The expression of Most Recipients returns nothing',
		],
		['half a contact', { schedulesType: 'now', maxRecipients: 1.5 }, 'Most Recipients must be a'],
		[
			'no such time',
			{ schedulesType: 'future', schedulesAt: 'soon', maxRecipients: 3 },
			'Start Time must be a date and a time, such as 2026-12-31T09:30, but is "soon"',
		],
		[
			'a time that has passed',
			{ schedulesType: 'future', schedulesAt: past, maxRecipients: 3 },
			`Start Time must be after now, but is "${past}"`,
		],
		[
			'another speed',
			{ options: { sendRatePerMinute: 1001 } },
			'Messages per Minute must be a whole number from 1 to 1000, but is "1001"',
		],
	])('refuses %s before it creates anything', async (_, more, message) => {
		const { run, create, all } = await withBroadcasts();
		const result = await run(create(more));
		expect(shownOf(result)).toContain(message);
		expect(await all()).toEqual([]);
	});

	test('leaves a draft if more would get it than the user allows', async () => {
		const { run, create, now, all } = await withBroadcasts();
		const result = await run(create({ ...now, maxRecipients: 2 }));
		const [{ id, status }] = await all();
		expect(status).toBe('draft');
		expect(shownOf(result)).toContain(
			`The draft "Spring" (${id}) was created, but not scheduled. Up to 3 contacts would get the broadcast, but Most Recipients allows 2. Raise`,
		);
	});

	test('leaves a draft if nobody would get it', async () => {
		const { run, create, now, all, state } = await withBroadcasts();
		const tag = state.tags.find(({ name }) => name !== 'VIP')!;
		const tagId = by('list', tag.id);
		const result = await run(create({ ...now, audience: 'tag', tagId }));
		expect(shownOf(result)).toContain('No contact would get the broadcast now.');
		expect(await all()).toMatchObject([{ status: 'draft' }]);
	});

	test.each([
		['renameBroadcast', 'named'],
		['previewAudience', 'scheduled'],
		['scheduleBroadcast', 'scheduled'],
	] as const)('says that the draft is there if %s fails', async (operation, missing) => {
		const { run, workspace, create, now, all } = await withBroadcasts();
		await workspace.faults({ fail: [{ match: { operation }, status: 403 }] });
		const result = await run(create(now));
		const made = await all();
		expect(made).toMatchObject([{ status: 'draft' }]);
		expect(shownOf(result)).toContain(
			`The draft "Spring" (${made[0].id}) was created, but not ${missing}.`,
		);
	});

	test.each([
		['drops the connection', { dropBefore: {} }],
		['fails', { fail: [{ status: 500 }] }],
		['answers without a number', { hostile: [{ mode: 'wrongShape', shape: 'emptyObject' }] }],
	] as const)('is sure that nothing was scheduled if the preview %s', async (_, fault) => {
		const { run, workspace, create, step, draft, now } = await withBroadcasts();
		const id = await draft();
		const match = { operation: 'previewAudience' } as const;
		const [[name, rule]] = Object.entries(fault);
		const own = Array.isArray(rule) ? [{ ...rule[0], match }] : { match };
		await workspace.faults({ [name]: own });
		const created = shownOf(await run(create({ ...now, ...once })));
		const scheduled = shownOf(await run(step('schedule', id, { ...now, ...once })));
		expect(created).toContain('was created, but not scheduled.');
		expect(scheduled).toContain('Nothing was changed.');
		expect(created + scheduled).not.toContain('may or may not');
	});

	test('is not sure if neither Schedule nor the look at the status is answered', async () => {
		const { run, workspace, create, now } = await withBroadcasts();
		await workspace.faults({
			dropAfter: { match: { operation: 'scheduleBroadcast' } },
			fail: [{ match: { operation: 'getBroadcast' }, status: 403 }],
		});
		const shown = shownOf(await run(create({ ...now, ...once })));
		expect(shown).toContain('was created, but not scheduled. The connection to');
		expect(shown).toContain('This may or may not have gone through');
	});

	test("creates no second draft when n8n's Retry On Fail tries again", async () => {
		const { run, workspace, create, now, all } = await withBroadcasts();
		const match = { operation: 'renameBroadcast' } as const;
		await workspace.faults({ fail: [{ match, status: 403, times: 1 }] });
		const { json, error } = await run(create(now), [{}], {
			retryOnFail: { maxTries: 2, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(await all()).toMatchObject([{ id: json[0].id, name: 'Spring', status: 'scheduled' }]);
	});

	test.each(steps)(
		'schedules one broadcast although the answer of %s is lost',
		async (operation) => {
			const { run, workspace, create, now, all } = await withBroadcasts();
			await workspace.faults({ dropAfter: { match: { operation }, times: 1 } });
			const { json, error } = await run(create(now));
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ status: 'scheduled', recipientsAtMost: 3 }]);
			expect(await all()).toMatchObject([{ id: json[0].id, name: 'Spring', status: 'scheduled' }]);
		},
	);

	test('does not create again if the service may have created the draft and then failed', async () => {
		const { run, workspace, create, all } = await withBroadcasts();
		const match = { operation: 'createBroadcast' } as const;
		await workspace.faults({ fail: [{ match, status: 500, after: true }] });
		const result = await run(create());
		expect(shownOf(result)).toContain(
			'This may or may not have gone through. Check the workspace for a draft before you run it again.',
		);
		expect(await all()).toHaveLength(1);
	});

	test('as a tool of an agent makes drafts, and schedules nothing', async () => {
		const { workspace, create, now, all, state } = await withBroadcasts();
		const flowId = by('list', state.flows[0].id);
		const call = toolOf(workspace, create({ ...now, content: 'flow', flowId }));
		expect(await call()).toMatchObject([{ status: 'draft' }]);
		expect(await all()).toMatchObject([{ status: 'draft' }]);
	});
});

/** What each status is called. */
const wrong: Record<string, string> = {
	draft: 'is a draft',
	scheduled: 'is scheduled',
	sending: 'is being sent',
	sent: 'has been sent',
	cancelled: 'was stopped',
	failed: 'was sent, but nobody got it',
	paused: 'has the status "paused"',
};
const others = (...right: string[]) =>
	Object.entries(wrong).filter(([name]) => !right.includes(name));
const later = '2999-01-01T00:00:00.000Z';

describe('Schedule', () => {
	test('schedules a draft after it has counted who would get it', async () => {
		const { run, workspace, step, draft, now, all } = await withBroadcasts();
		const id = await draft();
		const { json, error } = await run(step('schedule', id, now));
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{ id, name: 'Spring', status: 'scheduled', schedulesAt: null, recipientsAtMost: 3 },
		]);
		const paths = (await received(workspace)).map(({ path }) => path);
		expect(paths.slice(-2)).toEqual([
			'/api/v1/broadcasts/audience/preview',
			`/api/v1/broadcasts/${id}/schedule`,
		]);
		expect(await all()).toMatchObject([{ status: 'scheduled' }]);
	});

	test('refuses a draft that more would get than the user allows', async () => {
		const { run, workspace, step, draft, now, inboxOf, all } = await withBroadcasts();
		const id = await draft();
		await workspace.addContacts([{ firstName: 'Dee', inboxIds: [inboxOf('whatsapp')] }]);
		const result = await run(step('schedule', id, now));
		expect(shownOf(result)).toContain(
			'Up to 4 contacts would get the broadcast, but Most Recipients allows 3. Nothing was changed.',
		);
		expect(await all()).toMatchObject([{ status: 'draft' }]);
	});

	test.each(others('draft'))('refuses a broadcast that is %s', async (status, meaning) => {
		const { run, workspace, step, draft, now } = await withBroadcasts();
		const id = await draft();
		await workspace.change('broadcasts', id, { status, schedulesAt: later });
		const result = await run(step('schedule', id, now));
		expect(shownOf(result)).toContain(`The broadcast "Spring" (${id}) ${meaning}.`);
		expect(shownOf(result)).toContain('Only a draft can be scheduled.');
		expect(await received(workspace)).toHaveLength(1);
	});

	test('refuses a draft that somebody else has just scheduled', async () => {
		const { run, step, draft, now } = await withBroadcasts();
		const id = await draft();
		const { json } = await run(step('schedule', id, now), [{}, {}], {
			onError: 'continueRegularOutput',
		});
		const errors = json.flatMap(({ error }) => error ?? []);
		expect(errors).toEqual([
			expect.stringContaining(
				`The broadcast "Spring" (${id}) is scheduled. Nothing was changed for this item. Only a draft can be scheduled. Use Stop first; it is a draft again then.`,
			),
		]);
	});

	test.each([
		['a time that has passed', { schedulesType: 'future', schedulesAt: past }, 'must be after now'],
		[
			'Later',
			{ schedulesType: 'draft' },
			'When to Send must be one of now, future, but is "draft"',
		],
		['an item without a limit', { maxRecipients: fromItem() }, 'Most Recipients returns nothing'],
	])('refuses %s before it asks the service', async (_, more, message) => {
		const { run, workspace, step, draft, now } = await withBroadcasts();
		const id = await draft();
		const result = await run(step('schedule', id, { ...now, ...more }));
		expect(shownOf(result)).toContain(message);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([403, 500])(
		'changes nothing if the look at the broadcast fails (%i)',
		async (status) => {
			const { run, workspace, step, draft, now } = await withBroadcasts();
			const id = await draft();
			await workspace.faults({ fail: [{ match: { operation: 'getBroadcast' }, status }] });
			const result = await run(step('schedule', id, { ...now, ...once }));
			expect(shownOf(result)).toContain('Nothing was changed.');
		},
	);

	test('counts whom a draft of the workspace goes to, with its pages, filter and range', async () => {
		const { run, workspace, step, draft, now, inboxOf } = await withBroadcasts();
		const id = await draft();
		const targets = [{ inboxId: inboxOf('whatsapp') }];
		const audience = {
			integrationMessengerId: '12',
			audienceRangeStart: 1,
			audienceRangeEnd: 500,
			contactFilter: { operator: 'and', conditions: [] },
		};
		const own = { targets, integrationWhatsappId: null, ...audience };
		await workspace.change('broadcasts', id, own);
		const { error } = await run(step('schedule', id, now));
		expect(error).toBeUndefined();
		const preview = (await received(workspace)).find(({ path }) => path.endsWith('/preview'));
		expect(preview?.body).toEqual({
			channels: ['whatsapp'],
			subaction: 'whatsappTemplateMessage',
			inboxIds: [inboxOf('whatsapp')],
			...audience,
			perPage: 1,
		});
	});

	test('refuses a draft if the service does not show whom it goes to', async () => {
		const { run, workspace, step, now } = await withBroadcasts();
		const { id } = await workspace.add('broadcasts', { name: 'Old', status: 'draft' });
		const result = await run(step('schedule', id, now));
		expect(shownOf(result)).toContain(
			"This service doesn't show whom a broadcast goes to, so n8n can't count its recipients.",
		);
	});

	test('is settled by the status if its answers are lost', async () => {
		const { run, workspace, step, draft, now } = await withBroadcasts();
		const id = await draft();
		await workspace.faults({ dropAfter: { match: { operation: 'scheduleBroadcast' } } });
		const { json, error } = await run(step('schedule', id, { ...now, ...once }));
		expect(error).toBeUndefined();
		expect(json).toMatchObject([{ status: 'scheduled' }]);
	});

	test('is unknown if its answers are lost and the draft is still one', async () => {
		const { run, workspace, step, draft, now } = await withBroadcasts();
		const id = await draft();
		await workspace.faults({ dropBefore: { match: { operation: 'scheduleBroadcast' } } });
		const result = await run(step('schedule', id, { ...now, ...once }));
		expect(shownOf(result)).toContain('This may or may not have gone through');
	});

	test.each(['schedule', 'stop', 'delete'])('%s is no tool of agents', async (operation) => {
		const { run, step, draft, now, all } = await withBroadcasts();
		const result = await run(step(operation, await draft(), now), [{}], { node: TOOL });
		expect(shownOf(result)).toContain(`An agent can't ${operation} a broadcast`);
		expect(await all()).toMatchObject([{ status: 'draft' }]);
	});
});

describe('Stop', () => {
	test.each([
		['scheduled', 'move-to-draft', 'draft'],
		['sending', 'stop', 'cancelled'],
	])('turns one that is %s by %s into %s', async (status, path, becomes) => {
		const { run, workspace, step, draft, all } = await withBroadcasts();
		const id = await draft();
		await workspace.change('broadcasts', id, { status, schedulesAt: later });
		const { json, error } = await run(step('stop', id));
		expect(error).toBeUndefined();
		expect(json).toEqual([{ id, name: 'Spring', status: becomes }]);
		expect(await all()).toMatchObject([{ status: becomes }]);
		expect((await received(workspace)).at(-1)?.path).toBe(`/api/v1/broadcasts/${id}/${path}`);
	});

	test.each(others('scheduled', 'sending'))('refuses one that is %s', async (status, meaning) => {
		const { run, workspace, step, draft } = await withBroadcasts();
		const id = await draft();
		await workspace.change('broadcasts', id, { status, schedulesAt: later });
		const result = await run(step('stop', id));
		expect(shownOf(result)).toContain(`The broadcast "Spring" (${id}) ${meaning}.`);
		expect(shownOf(result)).toContain('scheduled or being sent can be stopped');
	});

	test.each([
		['scheduled', 'moveBroadcastToDraft', 'draft'],
		['sending', 'stopBroadcast', 'cancelled'],
	] as const)(
		'is settled by the status if its answers are lost while it is %s',
		async (status, operation, becomes) => {
			const { run, workspace, step, draft } = await withBroadcasts();
			const id = await draft();
			await workspace.change('broadcasts', id, { status, schedulesAt: later });
			await workspace.faults({ dropAfter: { match: { operation } } });
			const { json, error } = await run(step('stop', id, once));
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ status: becomes }]);
		},
	);

	test.each([
		['not found', []],
		['a conflict', [{ match: { operation: 'moveBroadcastToDraft' }, status: 409 }]],
	] as const)(
		'stops one whose sending begins in between: the service answers %s',
		async (_, fail) => {
			const { run, workspace, step, draft, now, all } = await withBroadcasts();
			const id = await draft({ ...now, options: { sendRatePerMinute: 1 } });
			const begin = async () => {
				await workspace.letBroadcastsRun(1.5);
			};
			await workspace.faults({ latencyMs: 400, fail: [...fail] });
			const [{ json, error }] = await Promise.all([
				run(step('stop', id)),
				new Promise((resolve) => setTimeout(resolve, 600)).then(begin),
			]);
			expect(error).toBeUndefined();
			expect(json).toMatchObject([{ status: 'cancelled' }]);
			expect(await all()).toMatchObject([{ status: 'cancelled' }]);
		},
	);
});

describe('Delete', () => {
	test('deletes a draft, also if the answer is lost', async () => {
		const { run, workspace, step, draft, all } = await withBroadcasts();
		const id = await draft();
		await workspace.faults({ dropAfter: { match: { operation: 'deleteBroadcast' }, times: 1 } });
		const { json, error } = await run(step('delete', id));
		expect(error).toBeUndefined();
		expect(json).toEqual([{ success: true, deleted: true, broadcastId: id }]);
		expect(await all()).toEqual([]);
	});

	test.each(others('draft'))('refuses one that is %s', async (status, meaning) => {
		const { run, workspace, step, draft, all } = await withBroadcasts();
		const id = await draft();
		await workspace.change('broadcasts', id, { status, schedulesAt: later });
		const result = await run(step('delete', id));
		expect(shownOf(result)).toContain(`The broadcast "Spring" (${id}) ${meaning}.`);
		expect(await all()).toMatchObject([{ status }]);
	});
});

describe('Get Recipients', () => {
	/** A broadcast that has been sent to Ann, Bob and Cid; Bob did not get it. */
	async function sent() {
		const made = await withBroadcasts();
		const { workspace, people, draft, now } = made;
		const [ann, bob] = people;
		await workspace.faults({ broadcastRefusals: { [bob.id]: '(#131026) Message undeliverable' } });
		const id = await draft(now);
		await workspace.letBroadcastsRun(5);
		await workspace.react(id, `id:${ann.id}`, 'message:seen');
		await workspace.react(id, `id:${ann.id}`, 'flow:clicked');
		return { ...made, id };
	}

	test.each([
		['message:sent', ['Ann', 'Bob', 'Cid']],
		['message:delivered', ['Ann', 'Cid']],
		['message:seen', ['Ann']],
		['message:failed', ['Bob']],
		['flow:clicked', ['Ann']],
	])('returns who has %s, with name and ID', async (eventType, names) => {
		const { run, step, id, people } = await sent();
		const { json, error } = await run(step('getRecipients', id, { eventType, returnAll: true }));
		expect(error).toBeUndefined();
		expect(json.map(({ fullName }) => fullName).sort()).toEqual(names);
		const { id: contactId } = people.find(({ firstName }) => firstName === json[0].fullName)!;
		const errorContent = eventType === 'message:failed' ? '(#131026) Message undeliverable' : null;
		const occurredAt = expect.any(String);
		expect(json[0]).toEqual({ contactId, fullName: json[0].fullName, occurredAt, errorContent });
	});

	test('returns at most Limit, and all fields without Simplify', async () => {
		const { run, step, id } = await sent();
		const all = { eventType: 'message:sent', simplify: false, limit: 2 };
		const { json } = await run(step('getRecipients', id, all));
		expect(json).toHaveLength(2);
		expect(json[0]).toMatchObject({ channel: 'whatsapp', conversationId: expect.any(String) });
	});

	test('returns no names on a service that does not show them', async () => {
		const { run, workspace, step, id } = await sent();
		await workspace.faults({ bareRecipients: true });
		const { json } = await run(step('getRecipients', id, { eventType: 'message:seen' }));
		expect(json).toEqual([
			{ contactId: expect.any(String), occurredAt: expect.any(String), errorContent: null },
		]);
	});
});

test('A plan without broadcasts leaves a draft, and says why', async () => {
	const { run, create, now, all } = await withBroadcasts({ plan: 'broadcastPlanLimit' });
	expect(shownOf(await run(create(now)))).toContain(
		"was created, but not scheduled. The workspace's plan allows no more broadcasts at present",
	);
	expect(await all()).toMatchObject([{ status: 'draft' }]);
});

test('A service without broadcasts says that it does not offer them', async () => {
	const { run, create, state } = await withBroadcasts({ newest: false });
	const flowId = by('list', state.flows[0].id);
	const result = await run(create({ channel: 'telegram', flowId }));
	expect(shownOf(result)).toContain("This service doesn't offer this operation (404).");
});
