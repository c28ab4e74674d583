import type { RequestActivity } from '../transport/client';
import type { Run } from './run';

/** How often a run says in n8n's log where it is. */
const EVERY_MS = 10_000;

/** What is said of a long run while it lasts. */
export interface Progress {
	/** Whether anything was said. */
	readonly hasReported: boolean;
	/** Says nothing any more. */
	end(): void;
}

/**
 * Says in n8n's log every ten seconds where a run is: `Send messages: 340 of 1,000 items have ended, 660 are waiting for the
 * requests per minute that the workspace allows. 2,040 items a minute.` The timer keeps nothing from ending.
 */
export function reportProgress(run: Run): Progress {
	const { context, items } = run;
	let timer: AbortSignal;
	let last = { ended: 0, waitedMs: 0 };
	let hasReported = false;
	const report = () => {
		const now = { ended: run.endedItems, waitedMs: run.client?.stats.waitedMs ?? 0 };
		const ended = now.ended - last.ended;
		const isLimited = now.waitedMs - last.waitedMs >= 1000 || ended === 0;
		const text = describeProgress(
			{
				count: items.length,
				ended: now.ended,
				perMinute: (ended * 60_000) / EVERY_MS,
				isLimited,
				waitsFor: run.waitsFor,
			},
			run.client?.activity,
		);
		context.logger.info(`${context.getNode().name}: ${text}`);
		hasReported = true;
		last = now;
		start();
	};
	// Unlike a sleep, this leaves no timer behind that somebody would have to wait for.
	const start = () => {
		timer = AbortSignal.timeout(EVERY_MS);
		timer.addEventListener('abort', report, { once: true });
	};
	start();
	return {
		get hasReported() {
			return hasReported;
		},
		end: () => timer.removeEventListener('abort', report),
	};
}

/** Where a run is. */
export interface Position {
	/** How many items it has. */
	count: number;
	ended: number;
	perMinute: number;
	/** Whether the limit has kept requests waiting lately. */
	isLimited: boolean;
	/** What the service does by itself, and the run waits for. */
	waitsFor?: string;
}

/** Where a run is, in sentences. */
export function describeProgress(
	{ count, ended, perMinute, isLimited, waitsFor }: Position,
	activity?: RequestActivity,
): string {
	const rest = count - ended;
	const are = rest === 1 ? 'is' : 'are';
	const why = waitsFor === undefined ? reason(isLimited, activity) : `for ${waitsFor}`;
	return [
		`${written(ended)} of ${written(count)} items ${ended === 1 ? 'has' : 'have'} ended, ${written(rest)} ${are} waiting ${why}.`,
		`${written(perMinute)} items a minute.`,
	].join(' ');
}

const written = (number: number) => Math.round(number).toLocaleString('en-US');

/** What the rest of a run waits for. */
function reason(isLimited: boolean, activity?: RequestActivity): string {
	if (!activity) return 'to be sent';
	const { waiting, repeating, pausedForMs } = activity;
	if (pausedForMs > 0)
		return `because the service has asked to wait, for ${written(Math.ceil(pausedForMs / 1000))} s more`;
	if (waiting > 0 && isLimited) return 'for the requests per minute that the workspace allows';
	if (repeating > 0)
		return `for answers, ${written(repeating)} ${repeating === 1 ? 'request is' : 'requests are'} about to be repeated`;
	return 'for answers';
}
