import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import { SIDE_BY_SIDE } from '../../../nodes/WorkspaceMessaging/service/lists/pages';
import { MovingListReader } from '../../../nodes/WorkspaceMessaging/service/lists/movingLists';
import { Service } from '../../../nodes/WorkspaceMessaging/transport/request';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';

/** How a list moves. The seed decides everything that happens. */
export interface ListHistory {
	seed: number;
	contacts: number;
	perPage: number;
	/** The share of requests before which a contact is created or deleted. */
	creates: number;
	deletes: number;
	/** How many of the newest contacts somebody deletes between the first request and the second. */
	deletesAtOnce?: number;
	/** How many contacts the caller wants; all if empty. */
	limit?: number;
	/** Whether nobody knows on which page the caller has enough, as with conditions. */
	endsEarly?: boolean;
	/** How the service counts its pages. */
	counts?: 'right' | 'never' | 'tooMany';
}

/**
 * Reads a list, newest first, whose contacts are created and deleted between any two requests.
 * Requests that are sent side by side arrive in any order.
 *
 * @returns the contacts that were wanted and there all the time, but are missing; what the user is
 * told; requests
 */
export async function readMovingList(history: ListHistory) {
	const {
		contacts,
		perPage,
		creates,
		deletes,
		deletesAtOnce = 0,
		limit = Infinity,
		endsEarly,
		counts = 'right',
	} = history;
	const random = sequenceOf(history.seed);
	let rows = Array.from({ length: contacts }, (_, index) => ({ id: String(contacts - index) }));
	let next = contacts;
	let expected = rows.slice(0, limit);
	const hints: string[] = [];
	let requests = 0;
	const change = () => {
		if (random() < creates) rows = [{ id: String(++next) }, ...rows];
		if (random() < deletes) {
			const place = Math.floor(random() * rows.length);
			rows = rows.filter((_, index) => index !== place);
		}
		if (requests === 2) rows = rows.slice(deletesAtOnce);
		const wanted = new Set(rows.slice(0, limit));
		expected = expected.filter((row) => wanted.has(row));
	};
	const client: Requester = {
		service: new Service(),
		hint: (text) => hints.push(text),
		async request(_, { query = {} } = {}) {
			requests++;
			for (let wait = Math.floor(random() * 4); wait > 0; wait--) await Promise.resolve();
			change();
			const page = Number(query.page);
			const data: IDataObject[] = rows.slice((page - 1) * perPage, page * perPage);
			const related = { tags: [], contactCustomFields: [], contactInboxes: [], conversation: null };
			const pageCount = Math.ceil(rows.length / perPage) + (counts === 'tooMany' ? 3 : 0);
			return {
				data: data.map((row) => ({ ...row, ...related })),
				...(counts !== 'never' && { pageCount }),
			};
		},
	};
	const found: IDataObject[] = [];
	const pages = (rowsOfFirst: number) => Math.ceil(limit / rowsOfFirst);
	const isEnough = () => found.length >= limit;
	const atMost = endsEarly ? undefined : pages;
	const options = { perPage, ahead: SIDE_BY_SIDE, pages, atMost, isEnough };
	const list = new MovingListReader(client, contactApi.listContacts, {}, options);
	for await (const { fresh, startsOver } of list.pages()) {
		if (startsOver) found.length = 0;
		found.push(...fresh);
	}
	const ids = found.slice(0, limit).map(({ id }) => String(id));
	const lost = expected.map(({ id }) => id).filter((id) => !ids.includes(id));
	return { ids, lost, hints, requests, isComplete: list.isComplete };
}
