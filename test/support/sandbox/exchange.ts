import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, methodsOf, operationOf } from './api';
import {
	errorAnswer,
	failure,
	missing,
	send,
	sendHostile,
	tooManyRequests,
	unauthorized,
	type Answer,
} from './answers';
import type { Sandboxes } from './control';
import type { Entry } from './journal';
import { noteStray } from './stray';
import { standard, tokenOf } from './wire';
import type { Workspace } from './workspace';

/** Where redirects within the origin lead: the same API once more, without the redirect. */
const redirected = '/redirected';

/** Where redirects of a fault lead. */
const redirectTo = (to: 'same' | 'other', otherUrl: string, path: string) =>
	to === 'same' ? `${redirected}${path}` : `${otherUrl}${path}`;

/** The true answer to a request of the API. */
async function handle(
	workspace: Workspace,
	request: IncomingMessage,
	path: string,
	body: string | undefined,
): Promise<Answer> {
	const result = await api.handle(standard(request, path, body), { context: { workspace } });
	if (result.matched) return { status: result.response.status, json: result.response.body };
	const methods = await methodsOf(path);
	return methods.length > 0 ? missing(405, { allow: methods.join(', ') }) : missing(404);
}

/** Answers a request of the API, with all faults on the way that are due. */
export async function answer(
	sandboxes: Sandboxes,
	otherUrl: string,
	request: IncomingMessage,
	response: ServerResponse,
	body: string | undefined,
): Promise<void> {
	const token = tokenOf(request);
	const workspace = token === undefined ? undefined : sandboxes.workspaces.get(token);
	if (token === undefined || workspace === undefined) {
		noteStray(sandboxes, 'api', request, 401);
		send(response, unauthorized);
		return;
	}
	const { journal, faults } = workspace;
	const method = request.method ?? '';
	const wirePath = request.url ?? '';
	const wasRedirected = wirePath.startsWith(redirected);
	const path = wasRedirected ? wirePath.slice(redirected.length) : wirePath;
	const entry: Entry = {
		at: Date.now(),
		method,
		path: wirePath,
		body,
		contentType: request.headers['content-type'],
		operation: await operationOf(method, path),
		status: null,
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
		const { body = 'json' } = faults.settings.rateLimit ?? {};
		const refusal = rate.toldInWords
			? tooManyRequests(rate.toldInWords)
			: errorAnswer(429, body, 'Too many requests');
		finish(refusal, 'rateLimit');
		return;
	}

	const target = { method, path: wirePath, body, operation: entry.operation };
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
		finish(missing(absence), 'missing');
		return;
	}

	const result = await handle(workspace, request, path, body);
	if (faults.strikes('dropAfter', target)) {
		drop('dropAfter');
		return;
	}
	const late = faults.failing(target, true);
	if (late) {
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
