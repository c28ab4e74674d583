import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkspaceState } from '../../../sandbox/records';
import type { OperationName } from '../../../sandbox/routes';
import type { ServiceName } from '../../../sandbox/services/names';
import { chatWithAnn } from '../../support/engine/chat';
import { NODE_NAME } from '../../support/engine/engine';
import { by, fromItem, once, parametersFor } from '../../support/engine/helpers';
import { skipPauses } from '../../support/engine/skipPauses';
import { recordLog } from '../../support/engine/record';
import { testWorkspace, workspaceWithAnn } from '../../support/engine/workspace';
import { fileOf, newerWorkspace } from '../import/helpers';
import { withTemplates } from '../template/helpers';

/*
 * n8n's Retry On Fail runs the whole node again if it throws, or if its first output item has an
 * error.
 */

const log = recordLog();

const retryOnFail = { maxTries: 5, waitBetweenTries: 1 };
const goesOn = { retryOnFail, onError: 'continueRegularOutput' } as const;

const contact = parametersFor('contact', { identifier: by('id', fromItem('id')), ...once });
const message = parametersFor('message', { identifier: by('id', fromItem('id')), ...once });
const hello = message('send', { text: 'Hello' });

const faces = ['older', 'reference', 'newer'] as const;

type Test = Pick<Awaited<ReturnType<typeof testWorkspace>>, 'workspace'>;

/** A workspace with four contacts, and rows for them after one whose contact is unknown. */
async function unknownFirst(service: ServiceName) {
	const test = await testWorkspace({ contacts: 4, service });
	const state = await test.workspace.state();
	const rows = ['999999', ...state.contacts.map(({ id }) => id)].map((id) => ({ id }));
	return { ...test, state, rows };
}

/** The requests of an operation, or of all that change something, that the service carried out. */
async function doneBy({ workspace }: Test, operation?: OperationName) {
	const { requests } = await workspace.journal();
	const writes = requests.filter(({ method, status }) => method !== 'GET' && Number(status) < 400);
	return operation ? writes.filter((request) => request.operation === operation) : writes;
}

/** Fails the first time that a service gets one and the same request for an operation. */
const failingOnce = (operation: OperationName, status = 404) => ({
	fail: [{ status, times: 1, per: 'request' as const, match: { operation } }],
});

const mapped = (value: INodeParameters): INodeParameters => ({ mappingMode: 'defineBelow', value });
const fieldOf = ({ customFields }: WorkspaceState, type: string) =>
	customFields.find((field) => field.type === type)!.id;
const webchatOf = ({ channels }: WorkspaceState) => ({
	channel: 'webchat',
	inboxId: by('id', channels.find(({ channel }) => channel === 'webchat')!.id),
});

describe.each(faces)('After a row whose contact is unknown, on the %s service', (service) => {
	const onErrors: Array<NonNullable<INode['onError']>> = [
		'continueErrorOutput',
		'continueRegularOutput',
		'stopWorkflow',
	];

	test.each(onErrors)('four messages arrive once with On Error at %s', async (onError) => {
		const { run, rows, workspace } = await unknownFirst(service);
		const { outputs, hints, error } = await run(hello, rows, { onError, retryOnFail });
		const { messages } = await workspace.journal();
		const ids = messages.map(({ contactId }) => contactId);
		expect(ids.sort()).toEqual(
			rows
				.slice(1)
				.map(({ id }) => id)
				.sort(),
		);
		expect([...hints, error?.description].join(' ')).toContain(
			'Retry On Fail: n8n did not repeat 4 of 5 items, because an earlier try had completed them.',
		);
		const links = outputs.flat().map(({ json, pairedItem }) => [json.contactId, pairedItem]);
		const linked = rows.map(({ id }, item) => [item === 0 ? undefined : id, { item }]);
		expect(links).toHaveLength(onError === 'stopWorkflow' ? 0 : 5);
		expect(linked).toEqual(expect.arrayContaining(links));
	});

	const operations: Array<[string, (state: WorkspaceState) => INodeParameters, ServiceName[]]> = [
		['Trigger Flow', ({ flows }) => contact('triggerFlow', { flowId: by('id', flows[0].id) }), []],
		[
			'Set Custom Fields with Increase',
			(state) =>
				contact('setCustomFields', {
					customFields: mapped({ [fieldOf(state, 'number')]: 3 }),
					options: { writeMode: 'increase' },
				}),
			['older'],
		],
		['Add Note', () => contact('addNote', { text: 'Hi' }), ['older', 'reference']],
		['Update', () => contact('update', { updateFields: { firstName: 'Ann' } }), []],
		['Add Tags', ({ tags }) => contact('addTags', { tagIds: [tags[0].id] }), []],
	];

	test.each(operations.filter(([, , lacking]) => !lacking.includes(service)))(
		'%s changes four contacts once, and tries the first again each time',
		async (_, parametersOf) => {
			const test = await unknownFirst(service);
			await test.run(parametersOf(test.state), test.rows, goesOn);
			const paths = (await doneBy(test)).map(({ path }) => path);
			expect([paths.length, new Set(paths).size]).toEqual([4, 4]);
			const { requests } = await test.workspace.journal();
			const failed = requests.filter(({ path }) => path.includes('999999'));
			expect(failed.length).toBeGreaterThanOrEqual(5);
		},
	);

	test('Create creates two contacts, although its first row is not valid', async () => {
		const test = await testWorkspace({ contacts: 0, service });
		const channel = service === 'reference' ? {} : webchatOf(await test.workspace.state());
		const create = contact('create', {
			email: fromItem('email'),
			phoneNumber: fromItem('phone'),
			gender: fromItem('gender'),
			additionalFields: channel,
		});
		const rows = ['?', 'male', 'female'].map((gender, n) => ({
			gender,
			email: `c${n}@example.com`,
			phone: `+491511234567${n}`,
		}));
		const { json } = await test.run(create, rows, goesOn);
		expect(json.slice(1)).toMatchObject(rows.slice(1).map(({ email }) => ({ email })));
		expect((await test.workspace.counts()).contacts).toBe(2);
	});
});

describe.each(['older', 'reference'] as const)('On the %s service, Retry On Fail', (service) => {
	const lost = { dropAfter: { times: 1, match: { operation: 'sendMessage' as const } } };

	test.each(['messages', 'never'])(
		'sends no message again whose outcome is unknown, with %s',
		async (retryWhenOutcomeUnknown) => {
			const { workspace, run, ann } = await workspaceWithAnn({ service });
			await workspace.faults(lost);
			const requestOptions = { maxRetries: 0, retryWhenOutcomeUnknown };
			const { json } = await run({ ...hello, requestOptions }, [{ id: ann.id }], goesOn);
			expect(json[0].error).toContain('This may or may not have gone through');
			expect((await workspace.journal()).requests).toHaveLength(1);
		},
	);

	test('sends such a message again with Always', async () => {
		const { workspace, run, ann } = await workspaceWithAnn({ service });
		await workspace.faults(lost);
		const requestOptions = { maxRetries: 0, retryWhenOutcomeUnknown: 'always' };
		const { json } = await run({ ...hello, requestOptions }, [{ id: ann.id }], goesOn);
		expect(json).toMatchObject([{ success: true }]);
		expect((await workspace.journal()).requests).toHaveLength(2);
	});

	test('makes a change again whose outcome is unknown if it is the same the second time', async () => {
		const { workspace, run, ann } = await workspaceWithAnn({ service });
		await workspace.faults({ fail: [{ status: 500, times: 1 }] });
		const update = contact('update', { updateFields: { firstName: 'Ann' } });
		const { json } = await run(update, [{ id: ann.id }], goesOn);
		expect(json).toMatchObject([{ success: true }]);
	});
});

describe('Of an item that is done in part, Retry On Fail', () => {
	test.each(faces)(
		'sends only the messages that are missing on the %s service',
		async (service) => {
			const { workspace, run, ann } = await workspaceWithAnn({ service });
			await workspace.faults(failingOnce('sendMessage'));
			// The expression would have another value in each try.
			const text = `={{ $now.toMillis() }} ${`${'word '.repeat(190)}end. `.repeat(3)}`;
			const parameters = message('send', { text, options: { splitLongText: true } });
			const { json } = await run(parameters, [{ id: ann.id }], { retryOnFail });
			expect(json).toMatchObject([{ success: true, messages: 3 }]);
			const { messages } = await workspace.journal();
			const sent = messages.map((each) => each.text).join(' ');
			expect(sent.split(/\s+/)).toEqual(String(json[0].text).trim().split(/\s+/));
		},
	);

	test('saves only the notes that are missing', async () => {
		const test = await workspaceWithAnn({ service: 'newer' });
		await test.workspace.faults(failingOnce('addNote'));
		const text = `${'word '.repeat(900)}\n`.repeat(3);
		const parameters = contact('addNote', { text, options: { splitLongText: true } });
		const { json } = await test.run(parameters, [{ id: test.ann.id }], { retryOnFail });
		const { noteIds } = json[0] as { noteIds: string[] };
		expect(noteIds.length).toBeGreaterThan(1);
		expect(await doneBy(test, 'addNote')).toHaveLength(noteIds.length);
	});

	test('sets the custom fields of the contact that exists by then', async () => {
		const test = await testWorkspace({ contacts: 0, service: 'reference' });
		const state = await test.workspace.state();
		await test.workspace.faults(failingOnce('setContactCustomFields', 403));
		const create = contact('create', {
			email: 'ann@example.com',
			phoneNumber: '+4915112345678',
			gender: 'unknown',
			withCustomFields: true,
			customFields: mapped({ [fieldOf(state, 'shortText')]: 'Blue' }),
		});
		const { json } = await test.run(create, [{}], { retryOnFail });
		expect(Object.values(json[0].customFields ?? {})).toContain('Blue');
		expect(await doneBy(test, 'createContact')).toHaveLength(1);
	});

	test.each(['input', 'items'])(
		'waits for the import from %s that it has started',
		async (source) => {
			const test = await newerWorkspace();
			await test.workspace.faults(failingOnce('getImport', 403));
			const parameters = test.into('whatsapp', source, { phoneNumber: '+4915112345679' });
			const files = [fileOf('phone\n+4915112345679\n')];
			const { json } = await test.run(parameters, [{}], { files, retryOnFail });
			expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
			expect(await doneBy(test, 'importContacts')).toHaveLength(1);
			expect((await test.workspace.journal()).uploads).toHaveLength(1);
		},
	);

	test('imports no items again whose import may have started', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({
			dropAfter: { times: 1, match: { operation: 'importContacts' } },
			fail: [{ status: 500, times: 3, match: { operation: 'listImports' } }],
		});
		const parameters = test.into('whatsapp', 'items', { phoneNumber: fromItem('phone'), ...once });
		const rows = ['+4915112345678', '+4915112345679'].map((phone) => ({ phone }));
		const { json } = await test.run(parameters, rows, goesOn);
		const unknown = { error: expect.stringContaining('may or may not have gone through') };
		expect(json).toMatchObject([unknown, unknown]);
		const { requests } = await test.workspace.journal();
		expect(requests.filter(({ operation }) => operation === 'importContacts')).toHaveLength(1);
	});

	test('imports no rows again that another item held up', async () => {
		const test = await newerWorkspace();
		const parameters = test.into('whatsapp', 'items', {
			phoneNumber: fromItem('phone'),
			firstName: fromItem('name'),
		});
		const rows = [
			{ phone: '+4915112345678', name: { is: 'no text' } },
			{ phone: '+4915112345679' },
		];
		const { json } = await test.run(parameters, rows, goesOn);
		expect(json).toMatchObject([{ error: expect.any(String) }, { successCount: 1 }]);
		expect(await doneBy(test, 'importContacts')).toHaveLength(1);
	});
});

test('Retry On Fail sends each WhatsApp template once, and puts its file into the library once', async () => {
	const test = await withTemplates();
	const bob = await test.workspace.addContacts([
		{ email: 'bob@example.com', inboxIds: [test.whatsapp.id] },
	]);
	// The item that has uploaded the file is done when the other one is tried again.
	const pathPattern = String((await test.workspace.contact(`id:${bob[0].id}`)).conversation?.id);
	const refused = failingOnce('sendWhatsappTemplate', 403).fail[0];
	const { match } = refused;
	await test.workspace.faults({ fail: [{ ...refused, match: { ...match, pathPattern } }] });
	const invoice = test.send('invoice', { header: 'data', body_1: 'Ann', button_0: 'A-100' });
	const data = { data: 'aGk=', mimeType: 'application/pdf', fileName: 'a.pdf' };
	const rows = ['999999', test.ann.id, bob[0].id].map((id) => ({ id }));
	const files = rows.map(() => ({ data }));
	const { json } = await test.run({ ...invoice, identifier: by('id', fromItem('id')) }, rows, {
		...goesOn,
		files,
	});
	expect(json.map(({ error, sent }) => sent ?? Boolean(error))).toEqual([
		true,
		'template',
		'template',
	]);
	expect(await test.sent()).toHaveLength(2);
	expect(await doneBy(test, 'createMediaFile')).toHaveLength(1);
});

describe('What an item had found before its first change', () => {
	const color = ({ customFields }: WorkspaceState) =>
		customFields.find(({ type }) => type === 'shortText')!;
	const upsert = (state: WorkspaceState) =>
		parametersFor('contact', once)('upsert', {
			email: 'ann@example.com',
			phoneNumber: '+4915112345678',
			additionalFields: { firstName: 'Ann' },
			withCustomFields: true,
			customFields: mapped({ [color(state).id]: 'Blue' }),
		});
	const refused = failingOnce('setContactCustomFields', 403);

	test.each(['reference', 'newer'] as const)(
		'still counts in the next try of Create or Update, on the %s service',
		async (service) => {
			const test = await testWorkspace({ contacts: 0, service });
			const state = await test.workspace.state();
			const parameters = upsert(state);
			const change = {
				...parameters,
				additionalFields: { firstName: 'Anna' },
				customFields: mapped({ [color(state).id]: 'Green' }),
			};
			await test.workspace.faults(refused);
			const { json } = await test.run(parameters, [{}], { retryOnFail });
			const changed = ['email', 'phoneNumber', 'firstName', 'My shortText'];
			expect(json).toMatchObject([{ outcome: 'created', changedFields: changed }]);
			await test.workspace.faults(refused);
			const again = await test.run(change, [{}], { retryOnFail });
			expect(again.json).toMatchObject([
				{ outcome: 'updated', changedFields: ['firstName', 'My shortText'] },
			]);
			expect(await doneBy(test, 'updateContact')).toHaveLength(1);
			expect((await test.workspace.counts()).contacts).toBe(1);
		},
	);

	test('still counts in the next try of Set Tags', async () => {
		const test = await workspaceWithAnn({ service: 'newer' });
		const { tags } = await test.workspace.state();
		await test.workspace.changeContacts([
			{ identifier: `id:${test.ann.id}`, changes: { tagIds: [tags[0].id] } },
		]);
		await test.workspace.faults(failingOnce('removeContactTags', 403));
		const parameters = contact('setTags', { tagIds: [tags[1].id] });
		const { json } = await test.run(parameters, [{ id: test.ann.id }], { retryOnFail });
		expect(json).toMatchObject([
			{ addedTagNames: [tags[1].name], removedTagNames: [tags[0].name] },
		]);
	});
});

describe('A question with Retry On Fail', () => {
	test('is sent once if its item has a field named error, as rows of an error output have', async () => {
		const { workspace, run, ann } = await workspaceWithAnn({ service: 'older' });
		const ask = message('sendAndWait', { message: 'May we?' });
		await run(ask, [{ id: ann.id, error: 'earlier' }], { retryOnFail });
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('finds the bot paused in the second try, although the first try has returned it', async () => {
		const test = await chatWithAnn();
		await test.workspace.faults(failingOnce('sendMessage', 400));
		const wasOn: unknown[] = [];
		const answer = async () => {
			const [{ conversation }] = (await test.workspace.state()).contacts;
			wasOn.push(conversation?.botEnabled);
			await test.write('yes');
		};
		const { json } = await test.ask({}, answer, { retryOnFail });
		expect(json[0].data).toMatchObject({ approved: true });
		expect(wasOn).toEqual([false]);
		const keys = (await doneBy(test, 'disableBot')).map(({ idempotencyKey }) => idempotencyKey);
		expect(new Set(keys).size).toBe(2);
	});

	test('waits for the answer to the question that the first try has asked', async () => {
		const test = await chatWithAnn();
		let looks = 0;
		const answer = async () => {
			looks++;
			const fail = [
				{ status: 401, times: 1, match: { operation: 'listContactMessages' as const } },
			];
			if (looks === 1) await test.workspace.faults({ fail });
			else await test.write('yes');
		};
		const { json } = await test.ask({}, answer, { retryOnFail });
		expect(json[0].data).toMatchObject({ approved: true });
		expect((await test.workspace.journal()).messages).toHaveLength(1);
	});
});

describe('What Retry On Fail remembers', () => {
	test('belongs to one run: neither another execution nor another pass of a loop uses it', async () => {
		const { run, rows, workspace } = await unknownFirst('older');
		const executions = ['1', '2'].map((n) => ({ ...goesOn, passes: 2, executionId: `own ${n}` }));
		const results = await Promise.all(
			executions.map(async (execution) => await run(hello, rows, execution)),
		);
		for (const { run: each } of results)
			expect(each.data.resultData.runData[NODE_NAME]).toHaveLength(2);
		expect((await workspace.journal()).messages).toHaveLength(16);
	});

	test('is gone when all items are done', async () => {
		const { workspace, run, ann } = await workspaceWithAnn({ service: 'older' });
		const execution = { retryOnFail, executionId: 'the same' };
		for (let n = 0; n < 2; n++) await run(hello, [{ id: ann.id }], execution);
		expect((await workspace.journal()).messages).toHaveLength(2);
	});

	test('is nothing without Retry On Fail', async () => {
		const { rows, run, workspace } = await unknownFirst('older');
		const execution = { onError: goesOn.onError, executionId: 'without' };
		for (let n = 0; n < 2; n++) await run(hello, rows, execution);
		expect((await workspace.journal()).messages).toHaveLength(8);
	});

	test('makes no batches of items that are done', async () => {
		const { run, rows } = await unknownFirst('reference');
		let pauses = 0;
		const stop = skipPauses(777, async () => await Promise.resolve(pauses++));
		const batching = { batch: { batchSize: 1, batchInterval: 777 } };
		await run({ ...hello, requestOptions: { batching } }, rows, goesOn).finally(stop);
		expect(pauses).toBe(4);
	});

	test('does not let a later item take the Client ID of one that is done', async () => {
		const { run, rows, workspace } = await unknownFirst('older');
		const parameters = { ...hello, options: { clientId: fromItem('number') } };
		const numbered = rows.slice(0, 3).map((row, n) => ({ ...row, number: n === 0 ? '1' : '5' }));
		const { json } = await run(parameters, numbered, goesOn);
		expect(json[2].error).toContain('Client ID must be unique');
		expect((await workspace.journal()).messages).toHaveLength(1);
	});

	test('keeps the hints of an item that failed: Send Once found no tag, and could not remove one', async () => {
		const { run, rows, workspace } = await unknownFirst('newer');
		const fail = [{ status: 403, match: { operation: 'removeContactTags' as const } }];
		await workspace.faults({ fail });
		const { hints } = await run({ ...hello, options: { sendOnce: 'sent' } }, rows, goesOn);
		expect(hints.join(' ')).toContain('there was no tag "sent" yet');
		expect(hints.join(' ')).toContain('4 contacts got the message, but n8n could not remove');
	});

	test('leaves out of a list of contacts those who are done', async () => {
		const test = await testWorkspace({ contacts: 60, service: 'newer' });
		const { contacts } = await test.workspace.state();
		const rows = ['999999', ...contacts.map(({ id }) => id)].map((id) => ({ id }));
		await test.run({ ...hello, options: { sendOnce: 'sent' } }, rows, goesOn);
		const { listContacts = 0, getContact = 0 } = (await test.workspace.summary()).byOperation;
		expect([listContacts < 5, getContact]).toEqual([true, 5]);
	});

	test('keeps the hints of items that are done, and says in the log what is done', async () => {
		const { run, rows, state } = await unknownFirst('reference');
		const remove = contact('removeTags', { tagIds: [state.tags[0].id, '424242'] });
		const { hints } = await run(remove, rows, goesOn);
		expect(hints.join(' ')).toContain('so there was nothing to remove');
		expect(log.join('\n')).toContain('n8n did not repeat 4 of 5 items');
	});
});
