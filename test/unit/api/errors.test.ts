import {
	createTag,
	getBroadcast,
	getContact,
	listFlows,
	listSequences,
	updateContact,
} from '../../../nodes/WorkspaceMessaging/contract';
import { apiRequest } from '../../../nodes/WorkspaceMessaging/api/request';
import {
	failureError,
	statusError,
	tooManyRequestsError,
} from '../../../nodes/WorkspaceMessaging/api/errors';
import type { HttpFailure, HttpResponse } from '../../../nodes/WorkspaceMessaging/api/http';
import { serverMessageOf } from '../../../nodes/WorkspaceMessaging/api/serverMessage';
import { labelAt } from '../../../nodes/WorkspaceMessaging/validation/labels';

const answer = (status: number, body?: unknown, headers = {}): HttpResponse => ({
	status,
	headers,
	body,
	isText: typeof body === 'string',
});
const labels = { phoneNumber: 'Phone Number', tagIds: 'Tags', name: 'Name' };
const label = (path: readonly PropertyKey[]) => labelAt(path, labels);
const identifier = 'email:a@b.co';
const read = apiRequest(getContact, { params: { identifier } });
const write = apiRequest(updateContact, { params: { identifier } });
const create = apiRequest(createTag);
const unknown = 'It is not known whether this was carried out';

describe('the words of the service', () => {
	test.each([
		[{ message: 'Taken' }, 'Taken'],
		[{ error: 'Taken' }, 'Taken'],
		[{ error: { message: 'Taken' } }, 'Taken'],
		[{ code: 'CONFLICT', status: 409, message: 'Taken', data: { issues: [] } }, 'Taken'],
		[{ errors: ['Taken', 'Too long'] }, 'Taken; Too long'],
		[{ errors: [{ message: 'Taken' }, { detail: 'Too long' }] }, 'Taken; Too long'],
		[{ errors: [{ field: 'name', message: 'is taken' }] }, 'Name: is taken'],
		[{ data: { issues: [{ path: ['phoneNumber'], message: 'is wrong' }] } }, 'Phone Number: is wrong'],
		[{ error: { issues: [{ path: 'phoneNumber', message: 'is wrong' }] } }, 'Phone Number: is wrong'],
		[{ data: { issues: [{ path: ['body', 'tagIds', 1], message: 'is wrong' }] } }, 'Tags 2: is wrong'],
		[{ data: { issues: [{ path: [], message: 'is wrong' }] } }, 'is wrong'],
		[{ title: 'Conflict', detail: 'Taken' }, 'Taken'],
		[{ message: ['Taken', 'Too long'], error: 'Bad Request' }, 'Taken; Too long'],
		[{ message: '<html><body><h1>Bad gateway</h1></body></html>', error: 'Taken' }, 'Taken'],
		['Taken', 'Taken'],
		[' Taken\n\tby another  ', 'Taken by another'],
	])('%j', (body, words) => {
		expect(serverMessageOf(answer(409, body), label)).toBe(words);
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
	])('there are none in %j', (body) => {
		expect(serverMessageOf(answer(500, body), label)).toBe('');
	});

	test('are cut, and so is their number', () => {
		expect(serverMessageOf(answer(500, 'x'.repeat(10_000)), label).length).toBeLessThan(400);
		const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `e${index}` }));
		expect(serverMessageOf(answer(500, { errors }), label).split(';').length).toBeLessThan(10);
	});

	test('become a sentence in the message', () => {
		const { message } = statusError(write, answer(409, { message: 'Name is taken' }), false);
		expect(message).toContain('(409): Name is taken. Nothing was changed.');
		expect(statusError(write, answer(409, { message: 'Taken!' }), false).message).toContain('Taken! Nothing');
	});
});

describe('what became of it', () => {
	test.each([
		[read, 404, false, 'refused'],
		[read, 500, false, 'refused'],
		[write, 422, false, 'refused'],
		[write, 422, true, 'unknown'],
		[write, 500, true, 'unknown'],
		[create, 503, true, 'unknown'],
		[write, 302, false, 'refused'],
		[create, 200, false, 'unknown'],
	])('%#: %d', (call, status, maybeDone, outcome) => {
		const { message, details } = statusError(
			call,
			answer(status, status === 200 ? 'text' : undefined),
			maybeDone,
		);
		expect(details.outcome).toBe(outcome);
		expect(message.includes(unknown)).toBe(outcome === 'unknown');
		expect(message.includes('Nothing was changed.')).toBe(call !== read && outcome === 'refused');
	});

	test.each<[string, Partial<HttpFailure>, typeof read, string]>([
		['never sent', { kind: 'notSent', code: 'ECONNREFUSED' }, write, 'notSent'],
		['never sent, reading', { kind: 'notSent', code: 'ENOTFOUND' }, read, 'notSent'],
		['broken', { kind: 'broken', code: 'ECONNRESET' }, write, 'unknown'],
		['broken, reading', { kind: 'broken', code: 'ECONNRESET' }, read, 'refused'],
		['too large', { kind: 'broken', code: 'TOO_LARGE' }, create, 'unknown'],
		['cancelled', { kind: 'cancelled', code: 'ERR_CANCELED' }, write, 'unknown'],
	])('%s', (_, failure, call, outcome) => {
		const whole = { isTransient: true, message: 'x', kind: 'broken', ...failure } as HttpFailure;
		const error = failureError(call, whole, 'https://chat.example.com', false);
		expect(error.details.outcome).toBe(outcome);
		if (call !== read) expect(error.message.includes(unknown)).toBe(outcome === 'unknown');
	});

	test.each([
		[read, false, 'refused'],
		[create, false, 'refused'],
		[write, true, 'unknown'],
	])('%#: too many requests', (call, maybeDone, outcome) => {
		const { message, details } = tooManyRequestsError(call, maybeDone, 90_000);
		expect(details).toEqual({ outcome, status: 429 });
		expect(message).toContain('too many requests (429) and has to be left alone for 90 s.');
		expect(message.includes(unknown)).toBe(outcome === 'unknown');
		expect(message.includes('Nothing was changed.')).toBe(call === create);
	});

	test('not sent now, but perhaps before', () => {
		const failure: HttpFailure = { kind: 'notSent', code: 'ECONNREFUSED', isTransient: true, message: '' };
		const error = failureError(write, failure, 'https://chat.example.com', true);
		expect(error.details.outcome).toBe('unknown');
		expect(error.message).toContain(unknown);
	});
});

describe('the host is named, and why it cannot be reached', () => {
	test.each([
		['ECONNREFUSED', 'nothing accepts connections there'],
		['ENOTFOUND', 'there is no such host'],
		['EAI_AGAIN', 'the name of the host could not be looked up'],
		['EHOSTUNREACH', 'there is no way to that host'],
		['CERT_HAS_EXPIRED', 'its TLS certificate cannot be trusted'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'its TLS certificate cannot be trusted'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its TLS certificate cannot be trusted'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'its TLS certificate cannot be trusted'],
		['EWHATEVER', 'the network failed'],
	])('%s', (code, reason) => {
		const failure: HttpFailure = { kind: 'notSent', code, isTransient: true, message: 'x' };
		expect(failureError(read, failure, 'https://chat.example.com:8443/a', false).message).toContain(
			`The service at chat.example.com:8443 cannot be reached: ${reason}.`,
		);
	});

	test('what n8n itself refused is passed on', () => {
		const failure: HttpFailure = { kind: 'notSent', isTransient: false, message: 'Domain not allowed' };
		expect(failureError(write, failure, 'https://chat.example.com', false).message).toBe(
			'Domain not allowed. Nothing was changed.',
		);
	});
});

describe('404 and 405', () => {
	const flows = apiRequest(listFlows);
	const sequences = apiRequest(listSequences);
	const broadcast = apiRequest(getBroadcast, { params: { broadcastId: 'Sale' } });

	test.each([
		[read, 404, 'There is no contact email:a@b.co (404).'],
		[broadcast, 404, 'There is no broadcast with the ID or name Sale (404).'],
		[create, 404, 'The service does not know this address (404). Check the Base URL in the credential.'],
		[read, 405, 'The service does not know this address (405). Check the Base URL in the credential.'],
		[flows, 404, 'This service does not offer the operation (404), which is not part of the documented API.'],
		[flows, 405, 'This service does not offer the operation (405), which is not part of the documented API.'],
	])('%#: %d', (call, status, sentence) => {
		expect(statusError(call, answer(status), false).message).toContain(sentence);
	});

	test.each([
		['a web page', answer(404, '<html><body>Not Found</body></html>')],
		['the words of a router', answer(404, { message: 'Cannot GET /api/v1/contacts/id:1' })],
	])('with %s may mean that the Base URL is wrong', (_, notFound) => {
		expect(statusError(read, notFound, false).message).toContain(
			'There is no contact email:a@b.co, or the Base URL in the credential is not that of the API (404).',
		);
	});

	test('name the documented way round, where there is one', () => {
		expect(statusError(sequences, answer(404), false).message).toContain(
			'Instead, read single sequences by their ID.',
		);
	});
});

test('a redirect is told with its origin, without the rest of the address', () => {
	const redirect = (location: string) =>
		statusError(read, answer(302, undefined, { location }), false).message;
	expect(redirect('https://other.example/login?token=abc')).toContain('(https://other.example)');
	expect(redirect('https://other.example/login?token=abc')).not.toContain('abc');
	expect(redirect('/login')).not.toContain('login');
});
