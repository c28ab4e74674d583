import type { ClientRequest } from 'node:http';
import { passTime, realm, spendTime } from './skipPauses';

const http = nodeRequire('node:http') as typeof import('node:http');

/** A request of the node. */
interface Sent {
	method: string;
	path: string;
}

/** What the node does when so much time has passed. */
interface Timeout {
	at: number;
	controller: AbortController;
}

/**
 * Lets each request of the node take time by the clocks of the node, without waiting. Its timeouts
 * end it then, before or after the service has done what was asked for.
 *
 * @param pickMs returns the milliseconds of a way: each request has one `there` and one `back`
 * @param onSend called before a request is sent
 * @returns a function that ends this
 */
export function slowRequests(
	pickMs: (way: 'there' | 'back') => number,
	onSend: (sent: Sent) => Promise<unknown> = async () => {},
): () => void {
	const { request } = http;
	const { timeout } = realm.AbortSignal;
	const timeouts = new Set<Timeout>();
	realm.AbortSignal.timeout = (ms) => {
		const controller = new realm.AbortController();
		timeouts.add({ at: realm.performance.now() + ms, controller });
		return controller.signal;
	};
	const travel = (way: 'there' | 'back') => {
		spend(pickMs(way), timeouts);
	};
	http.request = ((...args: Parameters<typeof request>) => {
		const sent = request(...args);
		delay(
			sent,
			async () => {
				await onSend(sent);
				travel('there');
			},
			() => travel('back'),
		);
		return sent;
	}) as typeof request;
	return () => {
		http.request = request;
		realm.AbortSignal.timeout = timeout;
	};
}

/** Lets time pass, but not beyond the first timeout, which then happens. */
function spend(ms: number, timeouts: Set<Timeout>): void {
	const start = realm.performance.now();
	const due = [...timeouts].map(({ at }) => at).filter((at) => at > start);
	const end = Math.min(start + ms, ...due);
	spendTime(end - start);
	passTime(end - start);
	for (const timeout of timeouts) {
		if (timeout.at > realm.performance.now()) continue;
		timeouts.delete(timeout);
		timeout.controller.abort(new Error('Timeout'));
	}
}

/** @param before comes before anything is sent, and `after` before the answer shows */
function delay(sent: ClientRequest, before: () => Promise<void>, after: () => void): void {
	type Call = (...args: unknown[]) => boolean;
	const end = sent.end.bind(sent) as unknown as Call;
	const write = sent.write.bind(sent) as unknown as Call;
	const emit = sent.emit.bind(sent) as Call;
	const written: unknown[][] = [];
	sent.write = ((...args: unknown[]) => written.push(args) > 0) as typeof sent.write;
	sent.end = ((...args: unknown[]) => {
		void before().then(() => {
			if (sent.destroyed) return;
			for (const each of written) write(...each);
			end(...args);
		});
		return sent;
	}) as typeof sent.end;
	sent.emit = ((event: string, ...args: unknown[]) => {
		if (event === 'response') after();
		return sent.destroyed || emit(event, ...args);
	}) as typeof sent.emit;
}
