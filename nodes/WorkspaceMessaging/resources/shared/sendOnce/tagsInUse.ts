import type { AnyItem } from '../../../run/item';
import { oncePerRun } from '../../../run/run';

/*
 * Two runs of this process that send once with the same tag: the second waits for the end of the
 * first, and reads who has the tag after that.
 */

/** The folded names of the tags of a run. */
export const tagsOfRun = oncePerRun<AnyItem, [], Set<string>>(() => new Set());

/** When the last run with a tag ends, by the address of the service and the tag. */
const lastRuns = new Map<string, Promise<unknown>>();

/** Waits for the runs of this process that use a tag of this run; once for all its items. */
export const waitForOtherRuns = oncePerRun(async (item: AnyItem): Promise<void> => {
	const { run } = item;
	const others = enter(item);
	if (others.length === 0) return;
	run.waitsFor = 'another run with the same tag under Send Once';
	const haveEnded = Promise.all(others);
	await Promise.race([haveEnded, untilCancelled(item)]);
	run.waitsFor = undefined;
});

/** Lines a run up behind those that use one of its tags; returns these. */
function enter(item: AnyItem): Array<Promise<unknown>> {
	const { client, ended } = item.run;
	const tags = [...tagsOfRun(item)];
	const keys = tags.map((tag) => `${client!.baseUrl} ${tag}`);
	// For all tags at once: one after another, two runs could wait for each other.
	const others = keys.flatMap((key) => lastRuns.get(key) ?? []);
	const end = Promise.all([...others, ended]);
	for (const key of keys) lastRuns.set(key, end);
	void end.then(() => forget(end));
	return others;
}

/** Forgets a run that has ended, unless another one came after it. */
function forget(end: Promise<unknown>) {
	for (const [key, last] of lastRuns) {
		if (last === end) lastRuns.delete(key);
	}
}

/** Ends when the execution is cancelled. */
async function untilCancelled({ run }: AnyItem): Promise<void> {
	const signal = run.cancelSignal;
	await new Promise<void>((resolve) => {
		if (signal?.aborted) resolve();
		signal?.addEventListener('abort', () => resolve(), { once: true });
	});
}
