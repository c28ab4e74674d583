import type { IncomingMessage } from 'node:http';
import type { Sandboxes, UnknownRequest } from '../control/base';
import { hideToken } from '../journal';
import { tokenOf } from './http';

/** More unknown requests than any test makes; the rest is forgotten. */
const kept = 10_000;

/** Notes a request that belongs to no workspace. */
export function recordUnknownRequest(
	{ workspaces, unknownRequests }: Sandboxes,
	listener: UnknownRequest['listener'],
	request: IncomingMessage,
	status: number,
): void {
	const { headers, method = '', url = '' } = request;
	const bearer = tokenOf(request) === undefined ? 'other' : 'bearer';
	unknownRequests.push({
		at: Date.now(),
		listener,
		method,
		path: [...workspaces.keys()].reduce(hideToken, url),
		authorization: headers.authorization === undefined ? 'none' : bearer,
		headers: Object.keys(headers),
		status,
	});
	if (unknownRequests.length > kept) unknownRequests.shift();
}
