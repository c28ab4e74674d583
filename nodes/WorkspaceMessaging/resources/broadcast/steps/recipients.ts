import type { IDataObject } from 'n8n-workflow';
import { broadcastApi } from '../../../contract/broadcast';
import type { AnyItem } from '../../../run/item';
import { lacksError } from '../../../service/capabilities';
import { refusedError, unexpectedAnswerError } from '../../../transport/errors/ApiError';
import { objectsIn, toObject } from '../../../transport/guards';
import { apiRequest } from '../../../transport/request';
import { counted } from '../../../values/labels';

/** What says whom a broadcast reaches, besides its channel. */
const audienceKeys = [
	'subaction',
	'contactFilter',
	'integrationWhatsappId',
	'integrationMessengerId',
	'audienceRangeStart',
	'audienceRangeEnd',
];

/**
 * Asks the service how many contacts a broadcast would reach now, at most: it counts a contact on
 * two channels twice.
 *
 * @param broadcast its record, or the body that creates it
 */
export async function countRecipients(item: AnyItem, broadcast: IDataObject): Promise<number> {
	const entries = audienceKeys.map((key) => [key, broadcast[key] ?? undefined]);
	const pages = objectsIn(broadcast.targets);
	const inboxIds = pages.map((target) => String(target.inboxId));
	const body = {
		channels: [broadcast.channel],
		...Object.fromEntries(entries),
		inboxIds: pages.length > 0 ? inboxIds : undefined,
		perPage: 1,
	};
	const answer = await item.request(broadcastApi.previewAudience, { body });
	const { total } = toObject(answer);
	if (typeof total === 'number') return total;
	throw unexpectedAnswerError(apiRequest(broadcastApi.previewAudience, { body }));
}

/** Throws an `ApiError` if a record does not show whom its broadcast goes to. */
export function refuseHiddenAudience(broadcast: IDataObject): void {
	const shown = ['channel', 'subaction', 'contactFilter'];
	if (shown.every((key) => broadcast[key] !== undefined)) return;
	throw lacksError(
		"show whom a broadcast goes to, so n8n can't count its recipients",
		'Schedule it in the workspace, or when you create it.',
	);
}

/** Throws an `ApiError` if nobody would get a broadcast, or more than the user allows. */
export function refuseOtherCount(count: number, most = 0): void {
	if (count === 0)
		throw refusedError('No contact would get the broadcast now.', 'Check its channel and tag.');
	if (count <= most) return;
	throw refusedError(
		`Up to ${counted(count, 'contact')} would get the broadcast, but Most Recipients allows ${most.toLocaleString('en-US')}.`,
		'Raise Most Recipients, or use a tag that fewer contacts have.',
	);
}
