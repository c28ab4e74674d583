import { firstRowNumber } from '../../../nodes/WorkspaceMessaging/resources/contact/import/rowNumbers';

test.each<[string, number[], number, number | undefined]>([
	['the last of a spreadsheet', [4], 3, 2],
	['one in the middle beside the last of a spreadsheet', [4, 2], 3, 2],
	['all rows, counted from 2', [3, 2, 4], 3, 2],
	['all rows, counted from 1', [1, 2, 3], 3, 1],
	['the first and the last, counted from 1', [3, 1], 3, 1],
	['the very first, counted from 0', [0], 3, 0],
	['the only one', [2], 1, 2],
	['one that fits any way of counting', [2], 3, undefined],
	['the first of some, or the second counted from 0', [1], 3, undefined],
	['the second of a spreadsheet, or the last counted from 1', [3], 3, undefined],
	['numbers that fit no way of counting', [0, 4], 3, undefined],
	['a number beyond the file', [5], 3, undefined],
	['what is no number of a row', [2.5, NaN], 3, undefined],
	['none', [], 3, undefined],
])('%s', (_, numbers, count, first) => {
	expect(firstRowNumber(numbers, count)).toBe(first);
});
