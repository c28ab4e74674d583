import { nextPollAt } from '../../sandbox/control/polls';

/** Reads of the list of conversations, at seconds. */
const reads = (
	seconds: number[],
	operation: 'listConversations' | 'listErrorLogs' | 'listTags' = 'listConversations',
) => seconds.map((second) => ({ at: second * 1000, operation }));

/** The second at which the page says that n8n looks for messages next. */
const next = (entries: ReturnType<typeof reads>, now: number) => {
	const at = nextPollAt(entries, now * 1000);
	return at === undefined ? undefined : Math.round(at / 1000);
};

it.each([
	['a minute after the first poll', reads([100]), 101, 160],
	['as long after a poll as this one came after the one before', reads([100, 400]), 401, 700],
	[
		'as long after the last two polls if the time between polls was changed',
		reads([100, 160, 460]),
		461,
		760,
	],
	[
		'at the next poll of two workflows that poll at different seconds',
		reads([100, 115, 160, 175]),
		176,
		220,
	],
	[
		'at the next poll of two workflows with other intervals',
		reads([100, 130, 160, 220, 280, 340, 400, 430]),
		431,
		460,
	],
	['at the next poll that reads the error log', reads([100, 700], 'listErrorLogs'), 800, 1300],
	['once for a poll that reads several pages', reads([100, 101, 400, 401]), 402, 700],
	['at whole minutes, also if a poll was late', reads([100, 402]), 403, 702],
	['at no time if it reads other lists only', reads([100], 'listTags'), 101, undefined],
	['at no time after a poll that did not come', reads([100, 400]), 701, undefined],
])('The page says that n8n looks for messages %s', (_, entries, now, expected) => {
	expect(next(entries, now)).toBe(expected);
});

it('A poll of the error log does not say when a workflow reads conversations at the same second', () => {
	const entries = [...reads([100], 'listErrorLogs'), ...reads([400])];
	expect(next(entries, 401)).toBe(460);
});
