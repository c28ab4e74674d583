import { z } from 'zod/v4';
import { limits } from '../../../nodes/WorkspaceMessaging/contract/limits';
import { compareContacts, isSortField, type StoredContact } from '../reference/contacts';
import { changeMeanwhile } from '../reference/lists';
import type { Workspace } from '../../workspace';
import { inclusions, showRow } from './contactRecord';
import { contactFilter, matcherOf, type ContactFilter } from './contactFilter';
import { operation, type Operations } from './router';
import { describeFilterFields } from './filterFields';
import { clampedPaging, holds, slice, sort } from './inputs';
import { problem } from './problems';

/** Up to how many contacts a list is counted. */
const usualCountCap = 10_000;

/** The most that are found by a custom field. */
const mostFound = 100;

const selection = {
	keyword: z.string().optional(),
	sort,
	/** Checked later, because services treat an invalid filter differently. */
	contactFilter: z.unknown().optional(),
	// Accepted, and not applied.
	channels: z.array(z.string()).optional(),
	inboxIds: z.array(z.string()).optional(),
};

const include = z.array(z.enum(inclusions)).optional();

type Selection = z.output<z.ZodObject<typeof selection>>;

/** Whether a keyword finds a contact: the form of the keyword decides which fields count. */
export function matchesKeyword(keyword: string): (contact: StoredContact) => boolean {
	const onPlatform = ({ platformIds = {} }: StoredContact) =>
		Object.values(platformIds).includes(keyword);
	if (keyword.includes('@')) return ({ email }) => holds(email, keyword);
	if (/^\d+$/.test(keyword)) {
		return (contact) =>
			[contact.firstName, contact.lastName, contact.email, contact.phoneNumber].some((text) =>
				holds(text, keyword),
			) || onPlatform(contact);
	}
	if (/^[+\d\s().-]+$/.test(keyword) && keyword.replace(/\D/g, '').length >= 6) {
		return ({ phoneNumber }) => holds(phoneNumber, keyword);
	}
	// The first and last name are separate: no search finds both together.
	return (contact) =>
		holds(contact.firstName, keyword) || holds(contact.lastName, keyword) || onPlatform(contact);
}

/** Returns the filter of a request, undefined if the service does not apply it. */
function filterOf({ service, faults }: Workspace, sent: unknown): ContactFilter | undefined {
	const treatment = faults.settings.contactFilter ?? (service === 'older' ? 'ignored' : 'strict');
	if (sent === undefined || treatment === 'ignored') return undefined;
	const parsed = contactFilterText.safeParse(sent);
	if (parsed.success) return parsed.data;
	if (treatment === 'lenient') return undefined;
	throw problem(422, 'invalidRequestData', 'Input validation failed', {
		issues: parsed.error.issues.map((issue) => ({
			...issue,
			path: ['contactFilter', ...issue.path],
		})),
	});
}

/** In a query the filter is JSON text. */
const contactFilterText = z.string().transform(parseJson).pipe(contactFilter);

function parseJson(text: string, ctx: z.RefinementCtx): unknown {
	try {
		return JSON.parse(text);
	} catch {
		ctx.addIssue({ code: 'custom', message: 'Invalid JSON' });
		return z.NEVER;
	}
}

/** Returns the contacts that a request selects, in the requested order; newest first by default. */
function select(workspace: Workspace, query: Selection): StoredContact[] {
	const filter = filterOf(workspace, query.contactFilter);
	const { ignoreSort, sortByFirstField, emptyFirst } = workspace.faults.settings;
	const orders = ignoreSort ? [] : (query.sort ?? []).slice(0, sortByFirstField ? 1 : undefined);
	const make = () => {
		const matches = [
			...(query.keyword ? [matchesKeyword(query.keyword)] : []),
			...(filter ? [matcherOf(workspace, filter)] : []),
		];
		return [...workspace.contacts.values()]
			.filter((contact) => matches.every((match) => match(contact)))
			.reverse()
			.sort(
				compareContacts(
					orders.flatMap(({ id: field, desc }) =>
						isSortField(field)
							? [{ field, order: desc ? ('desc' as const) : ('asc' as const) }]
							: [],
					),
					emptyFirst ?? false,
				),
			);
	};
	return filter && looksBeyondContacts(filter)
		? make()
		: workspace.contacts.listOf(JSON.stringify([orders, emptyFirst, query.keyword, filter]), make);
}

/**
 * Whether what matches a filter can change without a change of any contact, because it looks at the
 * clock, at channels or at broadcasts.
 */
function looksBeyondContacts({ conditions }: ContactFilter): boolean {
	return conditions
		.flatMap((entry) => ('type' in entry ? entry.conditions : [entry]))
		.some(({ field }) =>
			/MinutesAgo$|^interactedInLast24h$|^currentChannel$|^broadcast/.test(field),
		);
}

const findByCustomField = operation(
	z.object({ customFieldId: z.string(), value: z.string() }),
	({ workspace }, { customFieldId, value }) => {
		const held = (contact: StoredContact) => {
			if (customFieldId === 'email') return contact.email;
			if (customFieldId === 'phone') return contact.phoneNumber;
			const stored = contact.values.get(customFieldId)?.value;
			return stored === undefined ? null : String(stored);
		};
		const found = [...workspace.contacts.values()].filter((contact) => held(contact) === value);
		return { data: found.slice(0, mostFound).map((contact) => showRow(workspace, contact)) };
	},
);

const newerQuery = z.object({
	...clampedPaging(limits.searchedContacts.max),
	...selection,
	include,
	withCount: z.boolean().default(true),
});

function newerList(workspace: Workspace, query: z.output<typeof newerQuery>) {
	changeMeanwhile(workspace, query.page);
	const contacts = select(workspace, query);
	const cap = workspace.options.countCap ?? usualCountCap;
	const totalCount = query.withCount ? Math.min(contacts.length, cap) : 0;
	return {
		data: slice(contacts, query).map((contact) => showRow(workspace, contact, query.include)),
		pageCount: Math.ceil(totalCount / query.perPage),
		totalCount,
		totalCountCapped: query.withCount && contacts.length > cap,
	};
}

/** Lists of contacts of newer services, and what goes with them. */
export const newerContactLists = {
	listContacts: operation(newerQuery, ({ workspace }, query) => newerList(workspace, query)),
	searchContacts: operation(
		newerQuery.extend({ contactFilter: contactFilter.optional() }),
		({ workspace }, { contactFilter: filter, ...query }) =>
			newerList(workspace, { ...query, ...(filter && { contactFilter: JSON.stringify(filter) }) }),
	),
	countContacts: operation(
		z.object({ keyword: selection.keyword, contactFilter: selection.contactFilter }),
		({ workspace }, query) => {
			const isEstimate = !query.keyword && query.contactFilter === undefined;
			return { total: isEstimate ? workspace.contactsAtFirst : select(workspace, query).length };
		},
	),
	listFilterFields: operation(z.object({}), ({ workspace }) => describeFilterFields(workspace)),
	findContactsByCustomField: findByCustomField,
} satisfies Operations;

/** Lists of contacts of older services. */
export const olderContactLists = {
	listContacts: operation(
		z.object({ ...clampedPaging(20), ...selection, include }),
		({ workspace }, query) => {
			changeMeanwhile(workspace, query.page);
			const contacts = select(workspace, query);
			return {
				data: slice(contacts, query).map((contact) => showRow(workspace, contact, query.include)),
				pageCount: Math.ceil(contacts.length / query.perPage),
			};
		},
	),
	findContactsByCustomField: findByCustomField,
} satisfies Operations;
