import { trimText } from '../../../nodes/WorkspaceMessaging/values/blankText';

test('trimText removes invisible characters at the ends only', () => {
	expect(trimText('\u200b \ufeffa\u200b b\u0000\n')).toBe('a\u200b b');
	expect(trimText(' \u200b ')).toBe('');
	expect(trimText(' \u{e0020}\u3164 ')).toBe('');
});
