import type { Endpoint } from '../../../nodes/WorkspaceMessaging/contract/endpoint';
import { limits } from '../../../nodes/WorkspaceMessaging/contract/limits';
import type { Workspace } from '../../workspace';

/** Page of a list that a request asks for. */
export interface PageQuery {
	page?: number;
	perPage?: number;
}

/** The lists whose answers carry `pageCount` (parts 4.1, 4.4 and 4.5). */
const COUNTED = new Set(['/api/v1/contacts', '/api/v1/members', '/api/v1/channels']);

/**
 * One page of a list, in the shape that the endpoint has; `show` makes an answer's item of a
 * record.
 */
export function page<T>(
	workspace: Workspace,
	endpoint: Endpoint,
	records: readonly T[],
	query: PageQuery,
	show: (record: T) => unknown = (record) => record,
): unknown {
	const { maxPerPage, pageCount, ignorePaging } = workspace.faults.settings;
	const asked = query.perPage ?? limits.defaultPerPage;
	const perPage = Math.min(asked, maxPerPage ?? asked);
	const number = ignorePaging ? 1 : (query.page ?? 1);
	const data = records.slice((number - 1) * perPage, number * perPage).map(show);
	const counted = COUNTED.has(endpoint.path) || pageCount === 'everywhere';
	if (!counted || pageCount === 'nowhere') return whole(workspace, data);
	const pages = Math.ceil(records.length / (pageCount === 'fromAsked' ? asked : perPage));
	return whole(workspace, data, { pageCount: pages });
}

/** A list that comes in one piece. */
export function whole(
	workspace: Workspace,
	data: unknown[],
	extra?: { pageCount: number },
): unknown {
	return workspace.faults.settings.bareArrays ? data : { data, ...extra };
}

/** Keeps the records whose names hold a keyword. */
export function named<T>(
	records: Iterable<T>,
	keyword: string | undefined,
	namesOf: (record: T) => Array<string | null>,
) {
	if (!keyword) return [...records];
	const wanted = keyword.toLowerCase();
	return [...records].filter((record) =>
		namesOf(record).some((name) => name?.toLowerCase().includes(wanted)),
	);
}

/** Lets others create or delete a contact before a page is read, so that rows move. */
export function changeMeanwhile(workspace: Workspace, page: number): void {
	const { creates, deletesAt } = workspace.faults.changeBeforeList(page);
	if (creates) workspace.addContact({ firstName: 'Newcomer' });
	if (deletesAt === undefined) return;
	const contacts = [...workspace.contacts.values()].reverse();
	const contact = contacts[Math.floor(deletesAt * contacts.length)];
	if (contact) workspace.contacts.remove(contact);
}
