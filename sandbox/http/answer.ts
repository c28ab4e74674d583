import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorAnswer, failure, send, sendHostile, tooManyRequests, type Answer } from './answers';
import type { Sandboxes } from '../control/base';
import type { Entry } from '../journal';
import { isMultipart, partsOf } from './multipart';
import { services } from '../services';
import { recordUnknownRequest } from './unknownRequests';
import type { OperationName } from '../routes';
import { queryTokenOf, tokenOf } from './http';

/** Where redirects within the origin lead: the same API once more, without the redirect. */
const redirected = '/redirected';

/** Where redirects of a fault lead. */
const redirectTo = (to: 'same' | 'other', otherUrl: string, path: string) =>
	to === 'same' ? `${redirected}${path}` : `${otherUrl}${path}`;

/** Recognizes bodies that are not text. */
const hashOf = (body: Buffer | undefined) =>
	body && createHash('sha256').update(body).digest('hex');

/** The workspace that a request's token opens. */
function workspaceOf({ workspaces }: Sandboxes, request: IncomingMessage) {
	const token = tokenOf(request);
	if (token !== undefined) return { token, workspace: workspaces.get(token) };
	const inQuery = queryTokenOf(request) ?? '';
	const workspace = workspaces.get(inQuery);
	return { token: inQuery, workspace: workspace?.service === 'reference' ? undefined : workspace };
}

/** Answers a request of the API, with all faults on the way that are due. */
export async function answer(
	sandboxes: Sandboxes,
	otherUrl: string,
	request: IncomingMessage,
	response: ServerResponse,
	body: Buffer | undefined,
): Promise<void> {
	const { token, workspace } = workspaceOf(sandboxes, request);
	if (workspace === undefined) {
		const service = services[sandboxes.service];
		const refusal = await service.refuseToken(request.method ?? '', request.url ?? '');
		recordUnknownRequest(sandboxes, 'api', request, refusal.status);
		send(response, refusal);
		return;
	}
	const service = services[workspace.service];
	const { journal, faults } = workspace;
	const method = request.method ?? '';
	const wirePath = request.url ?? '';
	const wasRedirected = wirePath.startsWith(redirected);
	const path = wasRedirected ? wirePath.slice(redirected.length) : wirePath;
	const contentType = request.headers['content-type'];
	const hasParts = body !== undefined && isMultipart(contentType);
	const text = hasParts ? undefined : body?.toString();
	const entry: Entry = {
		at: Date.now(),
		method,
		path: wirePath,
		body: text,
		contentType,
		operation: (await service.operationOf(workspace, method, path)) as OperationName | undefined,
		status: null,
		...(hasParts && { parts: await partsOf(body, contentType) }),
		...(request.headers['idempotency-key'] !== undefined && {
			idempotencyKey: String(request.headers['idempotency-key']),
		}),
	};
	journal.open(entry);
	response.once('close', () => journal.close(entry));

	const rate = faults.meter(entry.at);
	const finish = (result: Answer, fault?: string) => {
		entry.status = result.status;
		entry.fault = fault;
		send(response, { ...result, headers: { ...result.headers, ...rate.headers } });
	};
	const drop = (fault: string) => {
		entry.fault = fault;
		request.socket.destroy();
	};
	if (rate.refused) {
		const { body: shape = 'json' } = faults.settings.rateLimit ?? {};
		const refusal = rate.toldInWords
			? tooManyRequests(rate.toldInWords)
			: errorAnswer(429, shape, 'Too many requests');
		finish(refusal, 'rateLimit');
		return;
	}

	const target = { method, path: wirePath, body: text ?? hashOf(body), operation: entry.operation };
	const latency = faults.latency(target, journal.entries.length);
	if (latency > 0) await sleep(latency, undefined, { ref: false });
	if (faults.strikes('dropBefore', target)) {
		drop('dropBefore');
		return;
	}
	const { redirect, missing: absent } = faults.settings;
	if (redirect && !wasRedirected && faults.strikes('redirect', target)) {
		finish(
			{ status: redirect.status, headers: { location: redirectTo(redirect.to, otherUrl, path) } },
			'redirect',
		);
		return;
	}
	const early = faults.failing(target, false);
	if (early) {
		finish(failure(early, token), 'fail');
		return;
	}
	const absence = entry.operation && absent?.[entry.operation];
	if (absence) {
		finish(service.missing(absence), 'missing');
		return;
	}

	const work = service.handle(
		{ workspace, storage: sandboxes.storage },
		{ method, path, headers: request.headers, body },
	);
	if (faults.strikes('dropDuring', target)) drop('dropDuring');
	const result = await work;
	if (entry.fault === 'dropDuring') return;
	if (result.headers?.['Idempotent-Replayed']) entry.replayed = true;
	if (faults.strikes('dropAfter', target)) {
		drop('dropAfter');
		return;
	}
	const late = faults.failing(target, true);
	if (late) {
		// With another status, a proxy may have answered.
		if (late.status === 500) workspace.idempotencyKeys.forget(entry.idempotencyKey);
		finish(failure(late, token), 'fail');
		return;
	}
	const hostile = faults.hostile(target);
	if (hostile) {
		entry.status = 200;
		entry.fault = hostile.mode;
		sendHostile(response, hostile, result, (bytes) => {
			entry.sentBytes = bytes;
		});
		return;
	}
	finish(result);
}
