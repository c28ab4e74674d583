import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';
import { undocumentedApi } from '../../../nodes/WorkspaceMessaging/contract/undocumented';
import { workspaceApi } from '../../../nodes/WorkspaceMessaging/contract/workspace';
import { encodeForm } from '../../../nodes/WorkspaceMessaging/transport/multipart';
import { apiRequest } from '../../../nodes/WorkspaceMessaging/transport/request';
import {
	statusError,
	tooManyRequestsError,
} from '../../../nodes/WorkspaceMessaging/transport/errors/requestErrors';
import { failureError } from '../../../nodes/WorkspaceMessaging/transport/errors/connectionErrors';
import {
	describeApiError,
	isDuplicate,
} from '../../../nodes/WorkspaceMessaging/transport/errors/ApiError';
import { readServerMessage } from '../../../nodes/WorkspaceMessaging/transport/errors/serverMessage';
import type { HttpResponse } from '../../../nodes/WorkspaceMessaging/transport/http';
import {
	classifyFailure,
	type HttpFailure,
} from '../../../nodes/WorkspaceMessaging/transport/errors/networkFailure';
import { mayHaveHadEffect } from '../../../nodes/WorkspaceMessaging/transport/errors/loss';
import { labelAt } from '../../../nodes/WorkspaceMessaging/values/labels';

const answer = (status: number, body?: unknown, headers = {}): HttpResponse => ({
	status,
	headers,
	body,
	isText: typeof body === 'string',
});
const labels = { phoneNumber: 'Phone Number', tagIds: 'Tags', name: 'Name' };
const label = (path: readonly PropertyKey[]) => labelAt(path, labels);
const identifier = 'email:a@b.co';
const read = apiRequest(contactApi.getContact, { params: { identifier } });
const write = apiRequest(contactApi.updateContact, { params: { identifier } });
const create = apiRequest(tagApi.createTag);
const unknown = 'This may or may not have gone through';

describe('The message of the service', () => {
	test.each([
		[{ message: 'Taken' }, 'Taken'],
		[{ error: 'Taken' }, 'Taken'],
		[{ error: { message: 'Taken' } }, 'Taken'],
		[{ code: 'CONFLICT', status: 409, message: 'Taken', data: { issues: [] } }, 'Taken'],
		[{ errors: ['Taken', 'Too long'] }, 'Taken; Too long'],
		[{ errors: [{ message: 'Taken' }, { detail: 'Too long' }] }, 'Taken; Too long'],
		[{ errors: [{ field: 'name', message: 'is taken' }] }, 'Name: is taken'],
		[
			{ data: { issues: [{ path: ['phoneNumber'], message: 'is wrong' }] } },
			'Phone Number: is wrong',
		],
		[
			{ error: { issues: [{ path: 'phoneNumber', message: 'is wrong' }] } },
			'Phone Number: is wrong',
		],
		[
			{ data: { issues: [{ path: ['body', 'tagIds', 1], message: 'is wrong' }] } },
			'Tags 2: is wrong',
		],
		[{ data: { issues: [{ path: [], message: 'is wrong' }] } }, 'is wrong'],
		[{ title: 'Conflict', detail: 'Taken' }, 'Taken'],
		[{ message: ['Taken', 'Too long'], error: 'Bad Request' }, 'Taken; Too long'],
		[{ message: '<html><body><h1>Bad gateway</h1></body></html>', error: 'Taken' }, 'Taken'],
		['Taken', 'Taken'],
		[' Taken\n\tby another  ', 'Taken by another'],
	])('is found in %j', (body, words) => {
		expect(readServerMessage(answer(409, body), label)).toBe(words);
	});

	test.each([
		'<!DOCTYPE html><html><body>Bad Gateway</body></html>',
		'  <html>\n<body></body></html>',
		'<?xml version="1.0"?><error>no</error>',
		null,
		undefined,
		42,
		{},
		[],
		{ message: {} },
		{ message: [] },
		{ error: { error: { error: { error: { error: 'too deep' } } } } },
		{ errors: [{}, null, 5] },
	])('is missing in %j', (body) => {
		expect(readServerMessage(answer(500, body), label)).toBe('');
	});

	test('is cut if it is long, and so is the number of messages', () => {
		expect(readServerMessage(answer(500, 'x'.repeat(10_000)), label).length).toBeLessThan(400);
		const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `e${index}` }));
		expect(readServerMessage(answer(500, { errors }), label).split(';').length).toBeLessThan(10);
	});

	test('ends as a sentence in the error', () => {
		const { message } = statusError(write, answer(409, { message: 'Name is taken' }), false);
		expect(message).toContain('(409): Name is taken. Nothing was changed.');
		expect(statusError(write, answer(409, { message: 'Taken!' }), false).message).toContain(
			'Taken! Nothing',
		);
	});
});

describe('The outcome of a failed request', () => {
	test.each([
		['refused', 404, 'a read', read, false],
		['refused', 500, 'a read', read, false],
		['refused', 422, 'a write', write, false],
		['unknown', 422, 'a write whose earlier try was lost', write, true],
		['unknown', 500, 'a write whose earlier try was lost', write, true],
		['unknown', 503, 'a creation whose earlier try was lost', create, true],
		['refused', 302, 'a write', write, false],
		['unknown', 200, 'a creation, if the answer is no JSON', create, false],
	])('is %s after a %d to %s', (outcome, status, _, call, maybeDone) => {
		const { message, details } = statusError(
			call,
			answer(status, status === 200 ? 'text' : undefined),
			maybeDone,
		);
		expect(details.outcome).toBe(outcome);
		expect(message.includes(unknown)).toBe(outcome === 'unknown');
		expect(message.includes('Nothing was changed.')).toBe(call !== read && outcome === 'refused');
	});

	test.each([
		[400, 'The service rejected the request (400): Taken.', 'Correct the value and try again.'],
		[401, 'The service rejected the access token (401).', 'Copy a valid token into the credential'],
		[
			403,
			"The access token isn't allowed to do this (403): Taken.",
			'Use a token with more rights',
		],
		[404, 'No contact has the email a@b.co.', 'The service said: Taken.'],
		[405, "This service doesn't offer this operation (405).", 'check the Base URL'],
		[409, 'This conflicts with a record that already exists (409): Taken.', 'Use another name'],
		[422, 'The service rejected the request (422): Taken.', 'Correct the value and try again.'],
		[500, 'The service failed (500): Taken.', 'Try again later.'],
		[502, 'The service failed (502): Taken.', 'Try again later.'],
		[503, 'The service failed (503): Taken.', 'Try again later.'],
	])('is told in the sentence of its status (%d), with what to do', (status, happened, todo) => {
		const taken = answer(status, { message: 'Taken' });
		const reading = statusError(read, taken, false).message;
		expect(reading).toContain(happened);
		expect(reading).toContain(todo);
		expect(reading).not.toMatch(/Nothing was changed|may or may not/);

		const writing = statusError(write, taken, false).message;
		expect(writing).toContain(happened);
		expect(writing).toContain(status < 500 ? todo : 'Check the workspace');
		expect(writing).toContain(status < 500 ? 'Nothing was changed.' : unknown);

		const silent = statusError(write, answer(status, '<html></html>'), false).message;
		if (status !== 404) expect(silent).toContain(`(${status})`);
		expect(silent).not.toContain('html');
	});

	test.each<[string, Partial<HttpFailure>, typeof read, string]>([
		['never sent', { kind: 'notSent', code: 'ECONNREFUSED' }, write, 'notSent'],
		['never sent, reading', { kind: 'notSent', code: 'ENOTFOUND' }, read, 'notSent'],
		['broken', { kind: 'broken', code: 'ECONNRESET' }, write, 'unknown'],
		['broken, reading', { kind: 'broken', code: 'ECONNRESET' }, read, 'refused'],
		['too large', { kind: 'broken', code: 'TOO_LARGE' }, create, 'unknown'],
		['cancelled', { kind: 'cancelled', code: 'ERR_CANCELED' }, write, 'unknown'],
	])('depends on the failure: %s', (_, failure, call, outcome) => {
		const whole = { isTransient: true, message: 'x', kind: 'broken', ...failure } as HttpFailure;
		const error = failureError(call, whole, 'https://chat.example.com', false);
		expect(error.details.outcome).toBe(outcome);
		if (call !== read) expect(error.message.includes(unknown)).toBe(outcome === 'unknown');
	});

	test.each([
		[read, false, 'refused'],
		[create, false, 'refused'],
		[write, true, 'unknown'],
	])('depends on the method after too many requests (case %#)', (call, maybeDone, outcome) => {
		const { message, details } = tooManyRequestsError(call, maybeDone, 90_000);
		expect(details).toMatchObject({ outcome, status: 429 });
		expect(message).toContain('Rate limit reached (429). The service asks to wait 90 seconds.');
		expect(message.includes(unknown)).toBe(outcome === 'unknown');
		expect(message.includes('Nothing was changed.')).toBe(call === create);
	});

	test.each([
		[90_000, 300_000, 'The service asks to wait 90 seconds.'],
		[
			3_600_000,
			300_000,
			'The service asks to wait 60 minutes, but n8n waits for at most 5 minutes.',
		],
		[
			86_400_000,
			600_000,
			'The service asks to wait 24 hours, but n8n waits for at most 10 minutes.',
		],
		[90_000, 60_000, 'The service asks to wait 90 seconds, but n8n waits for at most 60 seconds.'],
		[90_000, 0, 'The service asks to wait 90 seconds.'],
		[0, 300_000, ''],
	])(
		'says how long the service asks to wait (%d ms), and n8n waits (%d ms)',
		(asked, most, said) => {
			const { details } = tooManyRequestsError(read, false, asked, most);
			expect(details.cause ?? '').toBe(said);
		},
	);

	test('is unknown if the last try was not sent but an earlier one may have been', () => {
		const failure: HttpFailure = {
			kind: 'notSent',
			code: 'ECONNREFUSED',
			isTransient: true,
			message: '',
		};
		const error = failureError(write, failure, 'https://chat.example.com', true);
		expect(error.details.outcome).toBe('unknown');
		expect(error.message).toContain(unknown);
	});
});

describe("An error about a host that can't be reached", () => {
	test.each([
		['ECONNREFUSED', 'it refuses connections'],
		['ENOTFOUND', "the host doesn't exist"],
		['EAI_AGAIN', "the host name couldn't be looked up"],
		['EHOSTUNREACH', 'the host is unreachable'],
		['CERT_HAS_EXPIRED', "its TLS certificate isn't trusted"],
		['DEPTH_ZERO_SELF_SIGNED_CERT', "its TLS certificate isn't trusted"],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "its TLS certificate isn't trusted"],
		['ERR_TLS_CERT_ALTNAME_INVALID', "its TLS certificate isn't trusted"],
		['EPROTO', 'no secure connection could be made; perhaps it only answers http'],
		[
			'ERR_SSL_WRONG_VERSION_NUMBER',
			'no secure connection could be made; perhaps it only answers http',
		],
		['EWHATEVER', 'the network failed'],
	])('names the host and the reason: %s', (code, reason) => {
		const failure: HttpFailure = { kind: 'notSent', code, isTransient: true, message: 'x' };
		expect(failureError(read, failure, 'https://chat.example.com:8443/a', false).message).toContain(
			`The service at chat.example.com:8443 can't be reached: ${reason}.`,
		);
	});

	test('repeats the reason if n8n itself refused the request', () => {
		const failure: HttpFailure = {
			kind: 'notSent',
			isTransient: false,
			message: 'Domain not allowed',
		};
		expect(failureError(write, failure, 'https://chat.example.com', false).message).toBe(
			'Domain not allowed. Nothing was changed.',
		);
	});
});

describe('An error with the status 404 or 405', () => {
	const flows = apiRequest(workspaceApi.listFlows);
	const sequences = apiRequest(workspaceApi.listSequences);
	const broadcast = apiRequest(workspaceApi.getBroadcast, { params: { broadcastId: 'Sale' } });

	test.each([
		['a contact', 404, read, 'No contact has the email a@b.co.'],
		['a broadcast', 404, broadcast, 'No broadcast has the ID or name Sale.'],
		[
			'a new tag',
			404,
			create,
			"This service doesn't offer this operation (404). Nothing was changed. If every operation fails like this, check the Base URL",
		],
		[
			'a contact',
			405,
			read,
			"This service doesn't offer this operation (405). If every operation fails like this, check the Base URL",
		],
		['the flows', 404, flows, "This service doesn't offer this operation (404)."],
		['the flows', 405, flows, "This service doesn't offer this operation (405)."],
	])('names the missing record or operation: %s, %d', (_, status, call, sentence) => {
		expect(statusError(call, answer(status), false).message).toContain(sentence);
	});

	test.each([
		['a web page', answer(404, '<html><body>Not Found</body></html>')],
		['the words of a router', answer(404, { message: 'Cannot GET /api/v1/contacts/id:1' })],
		['the words of a web server', answer(404, '404 Not Found')],
		['the words of another web server', answer(404, '404 page not found')],
	])('mentions a wrong Base URL if the answer is %s', (_, notFound) => {
		expect(statusError(read, notFound, false).message).toContain(
			"This service doesn't offer this operation (404). If every operation fails like this, check the Base URL in the credential.",
		);
	});

	test('names the documented alternative if there is one', () => {
		expect(statusError(sequences, answer(404), false).message).toContain(
			'Instead, enter the IDs of sequences.',
		);
	});
});

test.each([
	['its own error', { code: 'ECONNRESET', syscall: 'connect' }, 'notSent'],
	['that of one of its addresses', { code: 'X', errors: [{ syscall: 'connect' }] }, 'notSent'],
	['the cause of its error', { code: 'X', cause: { syscall: 'connect' } }, 'notSent'],
	['a cause that could not read', { code: 'X', cause: { code: 'X', syscall: 'read' } }, 'broken'],
])('Whether a failed request was sent is known by %s', (_, error, kind) => {
	expect(classifyFailure({ message: 'It failed', cause: error }).kind).toBe(kind);
});

test('The error about a redirect names its origin and not the rest of the address', () => {
	const redirect = (location: string) =>
		statusError(read, answer(302, undefined, { location }), false).message;
	expect(redirect('https://other.example/login?token=abc')).toContain(
		' https://other.example (302).',
	);
	expect(redirect('https://other.example/login?token=abc')).not.toContain('abc');
	expect(redirect('/login')).not.toContain('login');
});

/** An error in the form that newer and older services have in common. */
const told = (status: number, code: string, message: string, data?: unknown) =>
	answer(status, { defined: false, code, status, message, data });

const issues = (...list: unknown[]) =>
	told(422, 'invalidRequestData', 'Input validation failed', { issues: list });

describe('The messages of newer and older services (difference 26)', () => {
	const received = (expected: string, name: string) => ({
		code: 'invalid_type',
		expected,
		path: [name],
		message: `Invalid input: expected ${expected}, received number`,
	});

	test.each([
		[
			'the first of several forms',
			issues({
				code: 'invalid_union',
				path: [],
				message: 'Invalid input',
				errors: [
					[
						{
							code: 'too_big',
							path: ['name'],
							message: 'Too big: expected string to have <=1000 characters',
						},
						{
							code: 'invalid_type',
							path: ['files'],
							message: 'Invalid input: expected array, received undefined',
						},
					],
					[
						{
							code: 'too_big',
							path: ['name'],
							message: 'Too big: expected string to have <=1000 characters',
						},
					],
					[
						{
							code: 'invalid_type',
							path: ['flowId'],
							message: 'Invalid input: expected string, received undefined',
						},
					],
				],
			}),
			'Name: must have at most 1000 characters',
		],
		[
			'a form inside a form, behind the path of the outer one',
			issues({
				code: 'invalid_union',
				path: ['tagIds', 2],
				message: 'Invalid input',
				errors: [
					[
						{
							code: 'invalid_union',
							path: [],
							message: 'Invalid input',
							errors: [[{ path: [], message: 'Operator requires a value' }]],
						},
					],
				],
			}),
			'Tags 3: Operator requires a value',
		],
		[
			'forms without anything said',
			issues({ code: 'invalid_union', path: ['name'], message: 'Invalid input', errors: [] }),
			'Name: is not accepted',
		],
		[
			'_errors with fields',
			told(422, 'invalidRequestData', 'Validation Exception', {
				_errors: ['Validation Exception'],
				phoneNumber: { _errors: ['Please include the country code (e.g. +84)'] },
			}),
			'Phone Number: Please include the country code (e.g. +84)',
		],
		[
			'_errors without fields',
			told(422, 'invalidRequestData', 'Input validation failed', {
				_errors: ['Workspace is closed'],
			}),
			'Workspace is closed',
		],
		[
			'_errors of an entry of a list',
			told(422, 'invalidRequestData', 'x', {
				_errors: [],
				tagIds: { _errors: [], 1: { _errors: ['is old'] } },
			}),
			'Tags 2: is old',
		],
		[
			'a key of a translation, as words of the service',
			told(400, 'validation', 'validation.maxItemsReached (max=20)'),
			'"validation.maxItemsReached (max=20)"',
		],
		['a type', issues(received('string', 'name')), 'Name: must be text'],
		['a type without a word', issues(received('constructor', 'name')), 'Name: has the wrong form'],
		[
			'a choice',
			issues({ path: ['name'], message: 'Invalid option: expected one of "male"|"female"' }),
			'Name: must be one of male, female',
		],
		[
			'a number',
			issues({ path: ['name'], message: 'Too small: expected number to be >0' }),
			'Name: must be more than 0',
		],
		[
			'a field that is missing and in the panel',
			issues({
				path: ['phoneNumber'],
				message: 'Invalid input: expected string, received undefined',
			}),
			'this service needs Phone Number',
		],
	])('become a sentence: %s', (_, response, words) => {
		expect(readServerMessage(response, label)).toBe(words);
		expect(statusError(write, response, false, label).message).toContain(words);
	});

	test('name the field of a missing channel', () => {
		const missing = (...names: string[]) =>
			issues(
				...names.map((name) => ({
					path: [name],
					message: 'Invalid input: expected string, received undefined',
				})),
			);
		const request = apiRequest(contactApi.createContact);
		for (const response of [
			missing('channel', 'inboxId'),
			missing('inboxId'),
			missing('channel'),
		]) {
			expect(statusError(request, response, false, label).message).toBe(
				'This service also needs a channel for new contacts (422). Nothing was changed. Add Channel under Additional Fields.',
			);
		}
		expect(statusError(request, missing('wabaId', 'region'), false, label).message).toBe(
			'The service rejected the request (422): this service also needs "wabaId", which this node has no field for; this service also needs "region", which this node has no field for. Nothing was changed. Send this request with an HTTP Request node and the same credential.',
		);
		const both = statusError(request, missing('wabaId', 'name'), false, label).message;
		expect(both).toContain(
			'this service also needs "wabaId", which this node has no field for; this service needs Name',
		);
		expect(both).not.toMatch(/received|undefined/);
	});
});

describe('The reason of a rejection', () => {
	test.each([
		[
			'token',
			told(401, 'INVALID_CHATBOT_TOKEN', 'Invalid or missing workspace API token'),
			'The service rejected the access token (401). Nothing was changed. Copy a valid token into the credential',
		],
		[
			'token',
			told(500, 'INVALID_CHATBOT_TOKEN', 'INVALID_CHATBOT_TOKEN'),
			'The service rejected the access token (500). Nothing was changed. Copy a valid token into the credential',
		],
		[
			'scope',
			told(403, 'FORBIDDEN', "Token is not authorized for the 'inbox' scope"),
			'The access token is missing the scope "inbox" (403). Nothing was changed. Add this scope',
		],
		[
			'readOnlyToken',
			told(403, 'FORBIDDEN', 'Read-only token cannot perform this operation'),
			'The access token is read-only (403). Nothing was changed. Use one with write',
		],
		[
			'trialExpired',
			told(403, 'trialExpired', 'Trial expired'),
			"The workspace's trial has ended, so it is read-only (403). Nothing was changed. Choose a plan",
		],
		[
			'trialExpired',
			told(403, 'FORBIDDEN', 'Trial expired'),
			"The workspace's trial has ended, so it is read-only (403)",
		],
		[
			'contactLimit',
			told(403, 'macLimitReached', 'Monthly active contact limit reached'),
			'active contacts (403). Nothing was changed. Choose a larger plan',
		],
		[
			'deletionScheduled',
			told(403, 'FORBIDDEN', 'Workspace deletion scheduled'),
			'The workspace is scheduled for deletion, so the service rejects all requests (403)',
		],
		[
			'importRunning',
			told(400, 'contactImportAlreadyRunning', 'An import is already in progress'),
			'Another import is running in this workspace (400)',
		],
		[
			'forPeopleOnly',
			told(400, 'systemError', 'User is not associated with this workspace'),
			"An access token can't read this on this service; only a logged-in user can (400). Nothing was changed. If you need an ID from it, enter the ID yourself.",
		],
		[
			'phoneTaken',
			told(422, 'phoneExists', 'Phone number already exists'),
			'Another contact already has this phone number (422)',
		],
		[
			'phoneTaken',
			told(400, 'validation', 'Phone number is exists'),
			'Another contact already has this phone number (400)',
		],
		[
			'contactTaken',
			told(422, 'validation', 'This contact already exists on the selected inbox'),
			'This contact already exists on the channel (422)',
		],
		[
			'nameTaken',
			told(422, 'validation', 'Name is already taken.'),
			'This name is already taken (422). Nothing was changed. Use another name',
		],
	])('is %s (case %#)', (reason, response, words) => {
		const error = statusError(write, response, false);
		expect(error.message).toContain(words);
		expect(error.details).toMatchObject({ reason, outcome: 'refused' });
		expect(mayHaveHadEffect(response)).toBe(false);
	});

	test('stays uncertain if an earlier try may have gone through', () => {
		const error = statusError(write, told(422, 'validation', 'Phone number is exists'), true);
		expect(error.details.outcome).toBe('unknown');
		expect(error.message).toContain(unknown);
	});

	test('is empty if the failure does not give one', () => {
		const response = told(500, 'INTERNAL_SERVER_ERROR', 'Internal server error');
		expect(statusError(write, response, false).details).toMatchObject({
			outcome: 'unknown',
			reason: undefined,
		});
		expect(mayHaveHadEffect(response)).toBe(true);
		// A code that every object seems to have.
		expect(statusError(write, told(422, 'constructor', 'x'), false).details.reason).toBeUndefined();
	});
});

test('The error about a message that is too large quotes the service', () => {
	const files = [{ fileName: 'a.txt', mimeType: 'text/plain', content: Buffer.from('a') }];
	const form = encodeForm({}, files);
	const upload = apiRequest(contactApi.sendMessage, { params: { identifier }, body: {}, form });
	expect(statusError(upload, answer(413, { message: 'At most 10 MB' }), false).message).toBe(
		"The service, or a server in front of it, doesn't accept messages of this size (413). The service said: At most 10 MB. Nothing was sent. Send smaller or fewer files, or raise the limit of the service.",
	);
});

test('A duplicate is recognized in every wording', () => {
	const duplicate = (response: HttpResponse) => isDuplicate(statusError(create, response, false));
	const inFields = {
		_errors: ['Validation Exception'],
		phoneNumber: { _errors: ['Phone number is exists'] },
	};
	expect(
		[
			answer(409),
			told(409, 'CONFLICT', 'Taken'),
			told(500, 'INTERNAL_SERVER_ERROR', 'Name is already taken.'),
			told(422, 'invalidRequestData', 'Validation Exception', inFields),
			told(400, 'validation', 'Phone number is exists'),
			told(422, 'validation', 'This contact already exists on the selected inbox'),
			issues({ path: ['name'], message: 'Name is already taken.' }),
		].map(duplicate),
	).toEqual(Array(7).fill(true));
	expect(
		[
			told(
				409,
				'contactImportAlreadyRunning',
				'An import is already in progress for this workspace.',
			),
			told(
				409,
				'idempotencyKeyConflict',
				'A request with this Idempotency-Key is still in progress',
			),
			told(422, 'validation', 'Phone number is required for WhatsApp'),
			told(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
			answer(404, 'Name is already taken.'),
		].map(duplicate),
	).toEqual(Array(5).fill(false));
	expect(isDuplicate(new Error('Name is already taken.'))).toBe(false);
});

describe('A missing record, operation or service (difference 1)', () => {
	const object = told(404, 'notFound', 'Contact not found');
	const operation = answer(404, 'Not found');

	test.each([
		[read, object, 'objectMissing', 'No contact has the email a@b.co.'],
		[
			apiRequest(undocumentedApi.getImportHeaders, { params: { fileId: '7' } }),
			told(404, 'contactImportFileNotFound', 'Import file not found'),
			'objectMissing',
			'No file has the ID 7. The service said: Import file not found.',
		],
		[
			read,
			operation,
			'operationMissing',
			"This service doesn't offer this operation (404). If every operation fails like this",
		],
		[
			apiRequest(workspaceApi.listFlows),
			operation,
			'operationMissing',
			"This service doesn't offer this operation (404)",
		],
		[
			apiRequest({
				method: 'GET',
				path: '/api/v1/contacts/count',
				undocumented: {},
			}),
			told(404, 'notFound', 'Invalid identifier format. Use id:, email:, or phone: prefix'),
			'operationMissing',
			"This service doesn't offer this operation (404)",
		],
		[
			apiRequest(contactApi.sendMessage, { params: { identifier } }),
			told(404, 'notFound', 'Conversation not found'),
			'noConversation',
			"The contact with the email a@b.co has no conversation on this channel, and the API can't start one (404). Nothing was sent.",
		],
		[
			apiRequest(contactApi.createContact),
			told(404, 'notFound', 'Inbox not found'),
			'objectMissing',
			"The flow, tag or channel in this request doesn't exist (404). The service said: Inbox not found.",
		],
		[
			write,
			told(404, 'notFound', 'Flow not found'),
			'objectMissing',
			"The flow, tag or channel in this request doesn't exist (404). The service said: Flow not found. Nothing was changed.",
		],
		// A service without such codes.
		[
			read,
			told(404, 'NOT_FOUND', 'Contact not found'),
			'objectMissing',
			'No contact has the email a@b.co.',
		],
		[
			read,
			answer(404, 'The contact does not exist.'),
			'objectMissing',
			'No contact has the email a@b.co.',
		],
		[
			read,
			told(404, 'NOT_FOUND', 'Route not found'),
			undefined,
			'check the Base URL in the credential',
		],
		[
			read,
			answer(404, '<h1>Not found</h1>'),
			undefined,
			'If every operation fails like this, check the Base URL in the credential.',
		],
	])('gets its own error (case %#)', (request, response, refusal, words) => {
		const error = statusError(request, response, false);
		expect(error.details.reason).toBe(refusal);
		expect(error.message).toContain(words);
	});
});

test('The error for an item says that nothing changed for it although other items may have gone through', () => {
	const message = (request: typeof write) =>
		describeApiError(statusError(request, answer(422), false), true);
	expect(message(write)).toContain('Nothing was changed for this item.');
	expect(message(apiRequest(contactApi.sendMessage, { params: { identifier } }))).toContain(
		'Nothing was sent for this item.',
	);
	expect(message(read)).not.toContain('Nothing');
});
