import { apiRequest } from '../../../nodes/WorkspaceMessaging/transport/request';
import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import { workspaceApi } from '../../../nodes/WorkspaceMessaging/contract/workspace';
import {
	identifierKey,
	parseIdentifier,
	readIdentifier,
} from '../../../nodes/WorkspaceMessaging/values/identifier';

const read = (locator: unknown) =>
	readIdentifier(locator, 'Contact', (text) => text.replace(/ /g, ''));

describe('readIdentifier', () => {
	test.each([
		['list', '12', 'id:12'],
		['id', '12', 'id:12'],
		['id', 12, 'id:12'],
		['email', 'a@b.co', 'email:a@b.co'],
		['phone', '+4915112345678', 'phone:+4915112345678'],
		['phone', 4915112345678, 'phone:4915112345678'],
		['list', 'email:a@b.co', 'email:a@b.co'],
		['email', 'phone:+4915112345678', 'phone:+4915112345678'],
		['phone', 'id:12', 'id:12'],
		['id', ' 12\n', 'id:12'],
		['email', '\u00a0a@b.co\t', 'email:a@b.co'],
		['phone', ' phone: +49 15112345678 ', 'phone:+4915112345678'],
		['email', ' ', ''],
		['id', 'email: ', 'email:'],
		['id', 'a@b.co', 'email:a@b.co'],
		['list', '+49 15112345678', 'phone:+4915112345678'],
		['', 'a@b.co', 'email:a@b.co'],
		['id', '\u200e+4915112345678\u200b', 'phone:+4915112345678'],
		['customField', ' Order No = 1 ', 'customField:Order No=1'],
		['customField', 'Sum = 1=1', 'customField:Sum=1=1'],
		['id', 'customField:Order No = 1', 'customField:Order No=1'],
		['customField', 'email:a@b.co', 'email:a@b.co'],
		['id', '', ''],
		['id', null, ''],
		['id', undefined, ''],
		['id', 2 ** 53, 2 ** 53],
		['id', 1.5, 1.5],
		['id', true, true],
	])('in mode "%s" reads %p as %p', (mode, value, identifier) => {
		expect(read({ mode, value })).toBe(identifier);
	});

	test.each([
		['id', 'ID:12', 'an ID made of digits, an email address, or a phone number with its leading +'],
		[
			'id',
			'4915112345678 x',
			'an ID made of digits, an email address, or a phone number with its leading +',
		],
		['email', '+4915112345678', 'an email address, such as nathan@example.com'],
		['phone', 'a@b.co', 'a phone number of 10 to 20 digits, with an optional leading +'],
		[
			'customField',
			'Order No',
			'the name of a custom field, = and its value, such as Order No = 4711',
		],
	])('in mode "%s" rejects %p', (mode, value, rule) => {
		expect(() => read({ mode, value })).toThrow(`Contact must be ${rule}, but is "${value}"`);
	});

	test('without a mode reads a text by its form', () => {
		expect(['email:a@b.co', 'a@b.co', '12', ''].map(read)).toEqual([
			'email:a@b.co',
			'email:a@b.co',
			'id:12',
			'',
		]);
	});
});

test('Identifiers have the same key if they differ only in case or in how a number is written', () => {
	const keys = (...texts: string[]) =>
		new Set(texts.map((text) => identifierKey(parseIdentifier(text)!)));
	expect(keys('email:Ann@B.co', 'email:ann@b.CO').size).toBe(1);
	expect(keys('phone:+4915112345678', 'phone:4915112345678', 'phone:0049 151 12345678').size).toBe(
		1,
	);
	expect(keys('customField:Name=Ann', 'customField:Name=ann').size).toBe(2);
	expect(keys('id:1', 'phone:1', 'email:1').size).toBe(3);
});

describe('apiRequest', () => {
	test.each([
		['a/b', 'a%2Fb'],
		['../x', '..%2Fx'],
		['a?b#c', 'a%3Fb%23c'],
		['50 % + 1', '50%20%25%20%2B%201'],
		['Größe 春', 'Gr%C3%B6%C3%9Fe%20%E6%98%A5'],
		['\\', '%5C'],
		['{broadcastId}$&', '%7BbroadcastId%7D%24%26'],
	])('writes %p as one segment of the path', (name, segment) => {
		expect(apiRequest(workspaceApi.getBroadcast, { params: { broadcastId: name } }).path).toBe(
			`/api/v1/broadcasts/${segment}`,
		);
	});

	test('names its subject', () => {
		expect(
			apiRequest(contactApi.getContact, { params: { identifier: 'email:a@b.co' } }).subject,
		).toBe('contact with the email a@b.co');
		expect(apiRequest(workspaceApi.getBroadcast, { params: { broadcastId: 'Sale' } }).subject).toBe(
			'broadcast with the ID or name Sale',
		);
	});
});
