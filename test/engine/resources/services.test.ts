import type { INodeParameters } from 'n8n-workflow';
import { caseCount } from '../../support/cases';
import { by, resourceOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { newerOperations, everyOperation, nameOf, operations } from '../../support/operations';

/*
 * Every operation on every kind of service: what is done, what the service refuses and in which
 * words, and what it does not offer. Written down from what such services are known to do, not from
 * what the node happens to do.
 */

const all = [...operations, ...newerOperations];

const NOT_OFFERED = /^This service doesn't offer this operation \(404\)/;
const BEHIND_LOGIN = /An access token can't read this on this service; only a logged-in user can/;

/** What a service of the reference says to those operations. */
const refusals: Record<string, RegExp> = {
	contact: /, or this service doesn't offer this operation \(404\)/,
	conversation: /^This service doesn't have conversations/,
	template: NOT_OFFERED,
};
const furtherOnes = newerOperations.map(
	(operation) => [nameOf(operation), refusals[operation.resource]] as const,
);
/** They may have nothing to return. */
const maybeEmpty = ['contact.getCustomFields', 'contact.getNotes'];

/** What each kind of service does not do; everything else is done. */
const exceptions: Record<'reference' | 'newer' | 'older', Record<string, RegExp | undefined>> = {
	reference: {
		'contact.getImportStatus': /doesn't offer this operation.*\(404\)/,
		...Object.fromEntries(furtherOnes),
		'conversation.getMessages': /^This service doesn't offer this operation \(405\)/,
	},
	newer: { 'aiAgent.getAll': NOT_OFFERED },
	older: {
		'contact.getImportStatus': NOT_OFFERED,
		'aiAgent.getAll': NOT_OFFERED,
		'broadcast.getAll': BEHIND_LOGIN,
		'channel.getAll': BEHIND_LOGIN,
		'sequence.get': BEHIND_LOGIN,
		'sequence.getAll': BEHIND_LOGIN,
		'team.getAll': /\(404\)/,
		...Object.fromEntries(newerOperations.map((operation) => [nameOf(operation), NOT_OFFERED])),
		'conversation.getAll': /^This service doesn't let access tokens read conversations\./,
		'conversation.getMessages': undefined,
		'contact.block': undefined,
		'contact.unblock': undefined,
		// Nobody can have asked there.
		'message.cancelQuestion': undefined,
		'template.getAll': undefined,
	},
};

describe.each(['reference', 'newer', 'older'] as const)('On the %s service', (service) => {
	const run = async (name: string) => {
		const { workspace, run: runOurs } = await testWorkspace({ contacts: 3, service });
		const state = await workspace.state();
		const parameters: INodeParameters = { ...everyOperation(state, all)[name] };
		if (service !== 'reference') {
			const webchat = state.channels.find(({ channel }) => channel === 'webchat')!;
			const channel = {
				inboxId: by('id', webchat.id),
				...(service === 'older' && { channel: 'webchat' }),
			};
			if (name === 'contact.create') parameters.additionalFields = channel;
			const columns = { contactId: state.files[0].columns[0] };
			const imported = { inboxId: by('id', webchat.id), options: columns };
			if (name === 'contact.import') Object.assign(parameters, imported);
			if (name === 'contact.getImportStatus' && service === 'newer') {
				const { json } = await runOurs({ ...everyOperation(state)['contact.import'], ...imported });
				parameters.importId = json[0].importId as string;
			}
		}
		return { ...(await runOurs(parameters)), workspace };
	};

	test.each(all.map(nameOf))('%s works or names what is missing (difference 2)', async (name) => {
		const { error, json } = await run(name);
		const exception = exceptions[service][name];
		if (exception) {
			expect(error?.message).toMatch(exception);
		} else {
			expect(error?.message).toBeUndefined();
			if (!maybeEmpty.includes(name)) expect(json.length).toBeGreaterThan(0);
		}
	});
});

const COUNTRY_CODE_ADVICE =
	'The phone number has no country code. If a contact has it with one, set Default Country Code in the credential.';

describe('A new contact (difference 9)', () => {
	const person = { email: 'new@example.com', phoneNumber: '+4915112345678', gender: 'unknown' };
	const create = { resource: 'contact', operation: 'create', ...person };
	const upsert = { resource: 'contact', operation: 'upsert', ...person };

	test('is created on the chosen channel, and the node looks up the type of the channel once a run', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer' });
		const { channels } = await workspace.state();
		const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
		const items = [1, 2, 3].map((n) => ({ n }));
		const { error } = await run(
			{
				...create,
				email: '=p{{ $json.n }}@example.com',
				phoneNumber: '=+49151123456{{ $json.n }}0',
				additionalFields: { inboxId: by('list', whatsapp.id) },
			},
			items,
		);
		expect(error?.message).toBeUndefined();
		const { contacts } = await workspace.state();
		expect(contacts).toHaveLength(3);
		const { byOperation } = await workspace.summary();
		expect(byOperation).toMatchObject({ createContact: 3 });
		expect(byOperation.listInboxes).toBeLessThanOrEqual(3);
	});

	test('has the ID on the Channel of the item', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer' });
		const { channels } = await workspace.state();
		const telegram = channels.find(({ channel }) => channel === 'telegram')!;
		const additionalFields = { inboxId: by('id', telegram.id), contactId: '100200300' };
		expect((await run({ ...create, additionalFields })).error?.message).toBeUndefined();
		const [{ body }] = (await workspace.journal()).requests.filter(
			({ method }) => method === 'POST',
		);
		expect(body).toMatchObject({
			inboxId: telegram.id,
			channel: 'telegram',
			contactId: '100200300',
		});
	});

	test('needs Channel Type if the service does not list its channels', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0, service: 'older' });
		const webchat = (await workspace.state()).channels.find(
			({ channel }) => channel === 'webchat',
		)!;
		const additionalFields = { inboxId: by('id', webchat.id) };
		const refused = await run({ ...create, additionalFields });
		expect(refused.error?.message).toMatch(
			/can't be looked up.*Add Channel Type under Additional Fields\./,
		);
		const typed = await run({
			...create,
			additionalFields: { ...additionalFields, channel: 'webchat' },
		});
		expect(typed.error?.message).toBeUndefined();
	});

	test('has no channel if none is set', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		await run(create);
		await run({ ...upsert, email: 'other@example.com', phoneNumber: '+4915112345679' });
		const bodies = (await workspace.journal()).requests
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => Object.keys(body as object).sort());
		expect(bodies).toEqual([
			['email', 'gender', 'phoneNumber'],
			['email', 'gender', 'phoneNumber'],
		]);
	});

	test.each(['newer', 'older'] as const)(
		'of Create or Update comes from the upsert of the %s service, and a hint names its channel',
		async (service) => {
			const { workspace, run } = await testWorkspace({ contacts: 0, service });
			const items = [1, 2, 3].map((n) => ({ n }));
			const parameters = {
				...upsert,
				email: '=p{{ $json.n }}@example.com',
				phoneNumber: '=+49151123456{{ $json.n }}0',
			};
			const { json, error, hints } = await run(parameters, items);
			expect(error?.message).toBeUndefined();
			expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
			expect(hints.filter((hint) => /web chat.*add Channel/.test(hint))).toHaveLength(1);
			expect((await workspace.state()).contacts).toHaveLength(3);

			const again = await run(parameters, items);
			expect(again.json.map(({ outcome }) => outcome)).toEqual([
				'unchanged',
				'unchanged',
				'unchanged',
			]);
		},
	);

	test.each([
		['newer', 'validation422'],
		['newer', 'validation400'],
		['newer', 'underscoreErrors'],
		['older', 'hidden'],
	] as const)(
		'of Create or Update needs Default Country Code if another contact has its number with a country code (%s, %s; difference 20)',
		async (service, businessErrors) => {
			const { workspace, run } = await testWorkspace({
				contacts: 0,
				service,
				businessErrors,
				defaultCountryCode: '+49',
			});
			const webchat = (await workspace.state()).channels.find(
				({ channel }) => channel === 'webchat',
			)!;
			await workspace.addContacts([{ email: null, phoneNumber: '+4915112345678' }]);
			const parameters = {
				...upsert,
				phoneNumber: '015112345678',
				additionalFields: { inboxId: by('id', webchat.id), channel: 'webchat', firstName: 'Ann' },
			};
			const { error } = await run(parameters);
			expect(error?.message).toContain(COUNTRY_CODE_ADVICE);
			expect((await workspace.state()).contacts).toMatchObject([{ email: null, firstName: null }]);

			const { json } = await run({ ...parameters, options: { defaultCountryCode: '+49' } });
			expect(json).toMatchObject([{ outcome: 'updated', email: person.email, firstName: 'Ann' }]);
			expect((await workspace.state()).contacts).toHaveLength(1);
		},
	);
});

test('Create or Update stops with an error if the upsert of the service also needs a channel', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer' });
	const issues = [
		{ path: ['inboxId'], message: 'Invalid input: expected string, received undefined' },
	];
	await workspace.faults({
		fail: [{ match: { operation: 'upsertContact' }, status: 422, issues }],
	});
	const { error } = await run({
		resource: 'contact',
		operation: 'upsert',
		email: 'hans@example.de',
		phoneNumber: '+4930555012345',
	});
	expect(error?.message).toContain('(422)');
	expect((await workspace.journal()).requests.length).toBeLessThan(12);
});

test.each([
	['names Default Country Code if the number has no country code', '0305550123', true],
	['does not name Default Country Code if the number has a country code', '+49305550123', false],
])('The error after a 500 for a new contact %s', async (_, phoneNumber, isAdvised) => {
	const { workspace, run } = await testWorkspace({ contacts: 0 });
	await workspace.addContacts([{ email: 'us@example.com', phoneNumber: '+19305550123' }]);
	await workspace.faults({ fail: [{ match: { operation: 'createContact' }, status: 500 }] });
	const { error } = await run({
		resource: 'contact',
		operation: 'upsert',
		email: 'hans@example.de',
		phoneNumber,
	});
	expect(error?.message).toContain('(500)');
	expect(error?.message.includes(COUNTRY_CODE_ADVICE)).toBe(isAdvised);
	expect((await workspace.state()).contacts).toMatchObject([
		{ email: 'us@example.com', firstName: null },
	]);
});

test('A message with a Client ID of the user arrives once, even in several executions', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
	const [{ id }] = (await workspace.state()).contacts;
	const send = {
		resource: 'message',
		operation: 'send',
		identifier: by('id', id),
		text: 'Hi',
		options: { clientId: '4711' },
	};
	await run(send);
	await run(send);
	expect((await workspace.summary()).messages.delivered).toBe(1);
});

describe('Send Message', () => {
	const people = caseCount({ few: 50, many: 100 });

	test.each([
		['newer', 0.2],
		['reference', 0.2],
	] as const)(
		'delivers each message exactly once if answers get lost (%s, %d)',
		async (service, rate) => {
			const { workspace, run } = await testWorkspace({ contacts: people, service });
			const items = (await workspace.state()).contacts.map(({ id }) => ({ id }));
			await workspace.faults({ dropAfter: { rate }, seed: 7, rateLimit: null });
			const { error, json } = await run(
				{
					resource: 'message',
					operation: 'send',
					identifier: by('id', '={{ $json.id }}'),
					text: 'Hi',
					// After two lost answers, the node sends a message again only to a service that says that
					// it deduplicates.
					requestOptions: {
						retryWhenOutcomeUnknown: service === 'reference' ? 'always' : 'messages',
					},
				},
				items,
			);
			expect(error?.message).toBeUndefined();
			expect(json).toHaveLength(people);
			const { messages, byFault } = await workspace.summary();
			expect(byFault.dropAfter).toBeGreaterThan(people / 20);
			expect(messages).toMatchObject({ delivered: people, contacts: people, repeated: 0 });
		},
	);

	test('waits for a message that the service is still sending, and does not send it again', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
		const [{ id }] = (await workspace.state()).contacts;
		await workspace.faults({ dropDuring: { times: 1 }, workMs: 1500 });
		const send = { resource: 'message', operation: 'send', identifier: by('id', id), text: 'Hi' };
		const { error } = await run(send);
		expect(error?.message).toBeUndefined();
		expect((await workspace.summary()).messages.delivered).toBe(1);
		const { requests } = await workspace.journal();
		const stillBusy = requests.filter(({ status }) => status === 409);
		expect(stillBusy.length).toBeGreaterThan(0);
		// It asks once a second.
		expect(stillBusy.length).toBeLessThan(4);
	});

	test('never repeats an Idempotency-Key with another body, and sends one with every write', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 5, service: 'newer' });
		const items = (await workspace.state()).contacts.map(({ id }, n) => ({ id, n }));
		const identifier = by('id', '={{ $json.id }}');
		await run(
			{
				resource: 'contact',
				operation: 'update',
				identifier,
				updateFields: { firstName: '=N{{ $json.n }}' },
			},
			items,
		);
		await run(
			{ resource: 'message', operation: 'send', identifier, text: '=Hi {{ $json.n }}' },
			items,
		);
		const writes = (await workspace.journal()).requests.filter(({ method }) => method !== 'GET');
		expect(writes).toHaveLength(10);
		const keys = writes.map(({ idempotencyKey }) => idempotencyKey);
		expect(keys.every((key) => typeof key === 'string' && key.length <= 255)).toBe(true);
		expect(new Set(keys).size).toBe(10);
	});

	test.each([
		['messages', 'send', true],
		['never', 'send', false],
		['messages', 'triggerFlow', true],
		['never', 'triggerFlow', false],
		['always', 'triggerFlow', true],
	] as const)(
		'with Retry When Outcome Is Unknown set to %s: %s is repeated: %p',
		async (retryWhenOutcomeUnknown, operation, isRepeated) => {
			const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
			const { contacts, flows } = await workspace.state();
			const request = operation === 'send' ? 'sendMessage' : operation;
			await workspace.faults({ dropAfter: { times: 1, match: { operation: request } } });
			const { error } = await run({
				resource: resourceOf(operation),
				operation,
				identifier: by('id', contacts[0].id),
				...(operation === 'send' ? { text: 'Hi' } : { flowId: by('id', flows[0].id) }),
				requestOptions: { retryWhenOutcomeUnknown },
			});
			expect((await workspace.summary()).byOperation[request]).toBe(isRepeated ? 2 : 1);
			if (isRepeated) expect(error?.message).toBeUndefined();
			else expect(error?.message).toContain('This may or may not have gone through');
			const { messages, flowRuns } = await workspace.summary();
			expect(messages.delivered + flowRuns.run).toBe(1);
		},
	);

	test('sends the text, the files and the flow in requests of their own, so that no service loses one', async () => {
		const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
		const { contacts, flows } = await workspace.state();
		const { json, error } = await run({
			resource: 'message',
			operation: 'send',
			identifier: by('id', contacts[0].id),
			text: 'Hi',
			options: { flowId: by('id', flows[0].id) },
		});
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ messages: 2, text: 'Hi', flowId: flows[0].id }]);
		const { messages } = await workspace.journal();
		expect(messages.map(({ text, flowId }) => text ?? flowId)).toEqual(['Hi', flows[0].id]);
	});
});

test('Get Many lists the channels that messages accept (difference 8)', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 1, service: 'newer' });
	const { json } = await run({ resource: 'channel', operation: 'getAll', returnAll: true });
	const { channels } = await workspace.state();
	const connected = channels.filter(({ status }) => status === 'connected').map(({ id }) => id);
	expect(json.map(({ id }) => id).sort()).toEqual(connected.sort());
});

test.each([1, 20, 21, 41])(
	'Set Custom Fields sets %d fields in steps of 20 (difference 13)',
	async (count) => {
		const { workspace, run } = await testWorkspace({
			contacts: 1,
			service: 'newer',
			counts: { customFields: 300 },
		});
		const { contacts, customFields } = await workspace.state();
		const texts = customFields
			.filter(({ type }) => type === 'shortText' || type === 'longText')
			.slice(0, count);
		const value = Object.fromEntries(texts.map(({ id }) => [id, 'x']));
		const { error } = await run({
			resource: 'contact',
			operation: 'setCustomFields',
			identifier: by('id', contacts[0].id),
			customFields: { mappingMode: 'defineBelow', value },
		});
		expect(error?.message).toBeUndefined();
		expect(texts).toHaveLength(count);
		const bodies = (await workspace.journal()).requests
			.filter(({ method }) => method === 'PATCH')
			.map(({ body }) => (body as { operations: unknown[] }).operations.length);
		expect(Math.max(...bodies)).toBeLessThanOrEqual(20);
		expect(bodies.reduce((sum, n) => sum + n, 0)).toBe(texts.length);
	},
);

test('Import returns its ID', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer' });
	const { files, channels } = await workspace.state();
	const webchat = channels.find(({ channel }) => channel === 'webchat')!;
	const { json, error } = await run({
		resource: 'contact',
		operation: 'import',
		source: 'id',
		fileId: files[0].id,
		channel: 'webchat',
		inboxId: by('id', webchat.id),
		options: { contactId: files[0].columns[0] },
	});
	expect(error?.message).toBeUndefined();
	expect(json).toMatchObject([{ importId: expect.stringMatching(/^\d+$/) as string }]);
});
