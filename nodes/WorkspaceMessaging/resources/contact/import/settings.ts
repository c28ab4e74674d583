import type { Item } from '../../../execution/item';
import { quoted } from '../../../validation/messages';

/** Where the contacts of an import come from: a file of the input, the items themselves, or a file of the workspace. */
export type Source = 'input' | 'items' | 'id';

/** How an import is waited for. */
export interface WaitSettings {
	/** Whether to wait for its end. */
	forEnd: boolean;
	/** Whether to wait for another one that keeps it from starting. */
	forOthers: boolean;
	/** For how many minutes at most. */
	maxMinutes: number;
}

/** The source of an item; a tool of an agent has no choice but By ID. */
export const sourceOf = (item: Item) => item.parameter('source', 'id') as Source;

/** How the import of an item is waited for. Throws an error when the time is none. */
export function waitSettings(item: Item): WaitSettings {
	const given = item.parameter('options.maxWait', 10);
	// Nothing is no number, although JavaScript takes it for 0.
	const maxMinutes = Number(String(given).trim() || NaN);
	if (!(maxMinutes >= 0))
		throw new Error(`Max Wait must be a number of minutes, but is ${quoted(String(given))}`);
	return {
		// An expression can give it as text.
		forEnd: String(item.parameter('waitForCompletion', false)) === 'true',
		forOthers: item.parameter('options.ifAnotherRuns', 'fail') === 'wait',
		maxMinutes,
	};
}
