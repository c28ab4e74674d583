import { normalizeBaseUrl } from '../../../nodes/WorkspaceMessaging/transport/credential';

test.each([
	['https://chat.example.com', 'https://chat.example.com'],
	['https://chat.example.com/', 'https://chat.example.com'],
	['https://chat.example.com///', 'https://chat.example.com'],
	['  https://chat.example.com\n', 'https://chat.example.com'],
	['HTTPS://Chat.Example.COM', 'https://chat.example.com'],
	['http://localhost:3000', 'http://localhost:3000'],
	['chat.example.com', 'https://chat.example.com'],
	['chat.example.com/', 'https://chat.example.com'],
	['chat.example.com:8443/chat/api/v1', 'https://chat.example.com:8443/chat'],
	['localhost:3000', 'https://localhost:3000'],
	['https://chat.example.com:443', 'https://chat.example.com'],
	['http://[::1]:8080/', 'http://[::1]:8080'],
	['https://chat.example.com/api', 'https://chat.example.com'],
	['https://chat.example.com/api/', 'https://chat.example.com'],
	['https://chat.example.com/api/v1', 'https://chat.example.com'],
	['https://chat.example.com/api/v1/', 'https://chat.example.com'],
	['https://example.com/chat', 'https://example.com/chat'],
	['https://example.com/chat/api/v1/', 'https://example.com/chat'],
	['https://example.com/api/chat', 'https://example.com/api/chat'],
	['https://example.com/my-api', 'https://example.com/my-api'],
	['https://example.com/api/v2', 'https://example.com/api/v2'],
	['\ufeffhttps://chat.example.com\u200b', 'https://chat.example.com'],
	['\u2066chat.exam\u00adple.com\u2069', 'https://chat.example.com'],
	['https://example.com/bu\u0308ro\u200e/api/v1', 'https://example.com/b%C3%BCro'],
])('normalizeBaseUrl turns %p into %s', (given, baseUrl) => {
	expect(normalizeBaseUrl(given)).toBe(baseUrl);
});

test.each([
	['', 'is empty'],
	['   ', 'is empty'],
	[undefined, 'is empty'],
	[null, 'is empty'],
	[42, 'is empty'],
	['//chat.example.com', 'must start with https:// or http://'],
	['ftp://chat.example.com', 'must start with https:// or http://'],
	['javascript:alert(1)', 'must start with https:// or http://'],
	['https:chat.example.com', 'must start with https:// or http://'],
	['https:/chat.example.com', 'must start with https:// or http://'],
	['user@chat.example.com', 'must start with https:// or http://'],
	['user:1@chat.example.com', 'must start with https:// or http://'],
	['chat.example.com:99999', 'is not a valid address'],
	['chat.example.com?a', "can't contain a query"],
	['file:///etc/passwd', 'must start with https:// or http://'],
	['https://', 'is not a valid address'],
	['https://chat.example.com:99999', 'is not a valid address'],
	['https://chat example.com', "can't contain spaces"],
	['https://chat.example.com/a b', "can't contain spaces"],
	['https://chat.example.com\\@evil.example', "can't contain spaces, line breaks or backslashes"],
	['https://chat.exam\tple.com', "can't contain spaces"],
	['https://chat.exam\nple.com', "can't contain spaces, line breaks"],
	['https://user@chat.example.com', "can't contain a user name or password"],
	['https://user:secret@chat.example.com', "can't contain a user name or password"],
	['https://chat.example.com?', "can't contain a query"],
	['https://chat.example.com/?a=b', "can't contain a query"],
	['https://chat.example.com/#', "can't contain a fragment"],
	['https://chat.example.com/#/inbox', "can't contain a fragment"],
])('normalizeBaseUrl refuses %p: it %s', (given, reason) => {
	expect(() => normalizeBaseUrl(given)).toThrow(`The Base URL in the credential ${reason}`);
});

test('normalizeBaseUrl does not repeat a password in its error', () => {
	expect(() => normalizeBaseUrl('https://user:secret@chat.example.com')).not.toThrow(/secret/);
});
