import type { IDataObject } from 'n8n-workflow';
import { broadcastApi } from '../../../contract/broadcast';
import type { AnyItem } from '../../../run/item';
import { lacksError } from '../../../service/capabilities';
import {
	errorBeforeChange,
	refusedError,
	unexpectedAnswerError,
} from '../../../transport/errors/ApiError';
import { objectsIn, toObject } from '../../../transport/guards';
import { counted } from '../../../values/labels';

/** What says whom a broadcast reaches, besides its channel and its targets. */
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
	const { channel, targets } = broadcast;
	const inboxIds = objectsIn(targets).map(({ inboxId }) => String(inboxId));
	const entries = audienceKeys.map((key) => [key, broadcast[key] ?? undefined]);
	const body = {
		channels: [channel],
		...Object.fromEntries(entries),
		inboxIds: inboxIds.length > 0 ? inboxIds : undefined,
		perPage: 1,
	};
	return await item
		.request(broadcastApi.previewAudience, { body })
		.then(readTotal)
		.catch(errorBeforeChange('changed'));
}

function readTotal(answer: unknown): number {
	const { total } = toObject(answer);
	if (typeof total !== 'number') throw unexpectedAnswerError();
	return total;
}

/** Throws an `ApiError` if a record does not show whom its broadcast goes to. */
export function refuseHiddenAudience(broadcast: IDataObject): void {
	// Null means everybody; what a record does not show at all is unknown.
	const needed = ['channel', 'subaction', 'contactFilter'];
	if (needed.every((key) => broadcast[key] !== undefined)) return;
	throw lacksError(
		"show whom a broadcast goes to, so n8n can't count its recipients",
		'Schedule it in the workspace, or when you create it.',
	);
}

/** Throws an `ApiError` if nobody would get a broadcast, or more than the user allows. */
export function refuseWrongCount(count: number, most = 0): void {
	if (count === 0)
		throw refusedError('No contact would get the broadcast now.', 'Check its channel and tag.');
	if (count <= most) return;
	throw refusedError(
		`Up to ${counted(count, 'contact')} would get the broadcast, but Most Recipients allows ${most.toLocaleString('en-US')}.`,
		'Raise Most Recipients, or use a tag that fewer contacts have.',
	);
}
