/** What services can give the first row below the names of the columns: 2 as in a spreadsheet, or else 1 or 0. */
const FIRST_NUMBERS = [0, 1, 2];

/**
 * The number that a service has given the first row of a file, as far as the numbers of some of its rows prove it: undefined
 * where they fit more than one way of counting, or none.
 *
 * @param numbers numbers of rows, in any order
 * @param count how many rows the file has, without the names of the columns
 */
export function firstRowNumber(numbers: number[], count: number): number | undefined {
	const fitting = FIRST_NUMBERS.filter((first) =>
		numbers.every((number) => Number.isInteger(number) && number >= first && number < first + count),
	);
	return fitting.length === 1 ? fitting[0] : undefined;
}
