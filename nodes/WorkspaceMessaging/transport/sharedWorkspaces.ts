import { createHash } from 'node:crypto';
import { limits } from '../contract/limits';
import type { Credential } from './credential';
import { RateLimiter } from './rateLimit/limiter';
import { Service } from './request';

/** What all nodes and executions of this process share that use the same workspace. */
export interface SharedWorkspace {
	limiter: RateLimiter;
	service: Service;
	/** Whether its address has ever answered. */
	hasAnswered: boolean;
	/**
	 * Whether the service itself has ever answered: a proxy in front of it answers, too, if it does
	 * not run.
	 */
	hasWorked: boolean;
	/** In milliseconds since 1970. */
	usedAt: number;
}

const knownWorkspaces = new Map<string, SharedWorkspace>();

/** After so long without use, a workspace is forgotten; its rate limit only looks back a minute. */
const FORGET_AFTER_MS = 3_600_000;

/** Returns the workspace of a credential: that of its access token, at its Base URL. */
export function getSharedWorkspace({
	baseUrl,
	token,
	requestsPerMinute,
}: Credential): SharedWorkspace {
	const now = Date.now();
	for (const [key, { limiter, usedAt }] of knownWorkspaces) {
		if (usedAt < now - FORGET_AFTER_MS && limiter.isIdle) knownWorkspaces.delete(key);
	}
	// The token itself is not kept.
	const key = createHash('sha256').update(`${baseUrl}\n${token}`).digest('hex');
	const limit = requestsPerMinute >= 1 ? Math.floor(requestsPerMinute) : limits.requestsPerMinute;
	const workspace = knownWorkspaces.get(key) ?? {
		limiter: new RateLimiter(limit),
		service: new Service(),
		hasAnswered: false,
		hasWorked: false,
		usedAt: now,
	};
	if (workspace.service.createdAt < now - FORGET_AFTER_MS) workspace.service = new Service();
	workspace.limiter.setLimit(limit);
	workspace.usedAt = now;
	knownWorkspaces.set(key, workspace);
	return workspace;
}
