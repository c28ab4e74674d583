import { z } from 'zod/v4';

/*
 * Schemas for the input of newer and older services. They drop unknown keys, as z.object does.
 * Numbers and booleans in text are converted before; IDs that are numbers are not.
 */

/** An ID; these services accept any text with a digit. */
export const id = z.string().regex(/\d/);

/** The contact that a path names; whether the form is right is found out when it is looked up. */
export const ofContact = z.object({ identifier: z.string() });

/** Text that is trimmed before its length is checked. */
export const trimmed = (min: number, max: number) => z.string().trim().min(min).max(max);

const page = z.number().int().min(1).default(1);

/** The paging of newer lists: more than 50 a page is refused. */
export const strictPaging = { page, perPage: z.number().int().min(1).max(50).default(50) };

/** Paging that takes any number, and cuts it to 50 without a word. */
export const clampedPaging = (usual: number) => ({
	page,
	perPage: z
		.number()
		.int()
		.min(1)
		.default(usual)
		.transform((asked) => Math.min(asked, 50)),
});

/**
 * `[{ id, desc }]`, as JSON text or, in newer services, in brackets; what cannot be read is
 * ignored.
 */
export const sort = z
	.unknown()
	.transform((value): Array<{ id: string; desc: boolean }> => {
		let orders = value;
		if (typeof value === 'string') {
			try {
				orders = JSON.parse(value);
			} catch {
				return [];
			}
		}
		const parsed = z.array(z.object({ id: z.string(), desc: sortDirection })).safeParse(orders);
		return parsed.success ? parsed.data : [];
	})
	.optional();

const sortDirection = z
	.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
	.default(false);

/** Records of one page. */
export const slice = <T>(
	records: readonly T[],
	{ page: number, perPage }: { page: number; perPage: number },
) => records.slice((number - 1) * perPage, number * perPage);

/** One page of a newer list. */
export const paged = <T>(
	records: readonly T[],
	query: { page: number; perPage: number },
	show: (record: T) => unknown = (record) => record,
) => ({
	data: slice(records, query).map(show),
	pageCount: Math.ceil(records.length / query.perPage),
});

/** Whether a text holds another, whichever case they are in. */
export const holds = (text: string | null | undefined, part: string) =>
	text?.toLowerCase().includes(part.toLowerCase()) ?? false;

/**
 * Records in the order asked for by `name`, `createdAt` or `updatedAt`; other columns are ignored.
 */
export function sorted<T extends object>(
	records: readonly T[],
	orders: ReadonlyArray<{ id: string; desc: boolean }> | undefined,
	columns: readonly string[],
): T[] {
	const known = (orders ?? []).filter((order) => columns.includes(order.id));
	const valueOf = (record: T, column: string) =>
		(record as Record<string, string | null | undefined>)[column] ?? null;
	return [...records].sort((left, right) => {
		for (const { id: column, desc } of known) {
			const [a, b] = [valueOf(left, column), valueOf(right, column)];
			if (a === b) continue;
			// Those without a value come last, whichever way the others are sorted.
			if (a === null) return 1;
			if (b === null) return -1;
			return a < b === desc ? 1 : -1;
		}
		return 0;
	});
}
