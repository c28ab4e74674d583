import { apiRequest } from '../../../nodes/WorkspaceMessaging/transport/request';
import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import { workspaceApi } from '../../../nodes/WorkspaceMessaging/contract/workspace';
import { toIdentifier } from '../../../nodes/WorkspaceMessaging/validation/identifier';

describe('toIdentifier', () => {
	test.each([
		['list', '12', 'id:12'],
		['id', '12', 'id:12'],
		['id', 12, 'id:12'],
		['email', 'a@b.co', 'email:a@b.co'],
		['phone', '+4912', 'phone:+4912'],
		['phone', 4912, 'phone:4912'],
		['list', 'email:a@b.co', 'email:a@b.co'],
		['email', 'phone:+4912', 'phone:+4912'],
		['phone', 'id:12', 'id:12'],
		['id', ' 12\n', 'id:12'],
		['email', '\u00a0a@b.co\t', 'email:a@b.co'],
		['phone', ' phone: +49 12 ', 'phone:+49 12'],
		['email', ' ', ''],
		['id', 'email: ', 'email:'],
		['id', 'ID:12', 'id:ID:12'],
		['id', 'a@b.co', 'email:a@b.co'],
		['list', '+49 12', 'phone:+49 12'],
		['id', '49 12', 'id:49 12'],
		['', 'a@b.co', 'email:a@b.co'],
		['email', '+4912', 'email:+4912'],
		['phone', 'a@b.co', 'phone:a@b.co'],
		['id', '\u200e+4912\u200b', 'phone:+4912'],
		['customField', ' Order No = 1 ', 'customField:Order No = 1'],
		['id', 'customField:Order No = 1', 'customField:Order No = 1'],
		['customField', 'email:a@b.co', 'email:a@b.co'],
		['id', '', ''],
		['id', null, ''],
		['id', undefined, ''],
		['id', 2 ** 53, 2 ** 53],
		['id', 1.5, 1.5],
		['id', true, true],
	])('in mode "%s" reads %p as %p', (mode, value, identifier) => {
		expect(toIdentifier({ mode, value })).toBe(identifier);
	});

	test.each([
		['email:a@b.co', 'email:a@b.co'],
		['nathan', 'id:nathan'],
		['', ''],
	])('without a mode reads %p as %p', (text, identifier) => {
		expect(toIdentifier(text)).toBe(identifier);
	});
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
		expect(apiRequest(contactApi.getContact, { params: { identifier: 'email:a@b.co' } }).subject).toBe(
			'contact with the email a@b.co',
		);
		expect(apiRequest(workspaceApi.getBroadcast, { params: { broadcastId: 'Sale' } }).subject).toBe(
			'broadcast with the ID or name Sale',
		);
	});
});
