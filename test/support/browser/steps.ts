import type { Editor } from './editor';

/**
 * Runs in the page. A click and a drag begin with the first event; a field gets the second one when
 * a test fills it.
 */
const COUNT_STEPS = `
	for (const type of ['pointerdown', 'input'])
		addEventListener(type, () => (sessionStorage.steps = Number(sessionStorage.steps ?? 0) + 1), true);
`;

/** Counts clicks, drags and typed fields, in all pages that the editor opens from now on. */
export async function countSteps({ page }: Editor): Promise<void> {
	await page.addInitScript(COUNT_STEPS);
}

/** Returns how many clicks, drags and typed fields the editor has seen since the last call. */
export const stepsOf = async ({ page }: Editor): Promise<number> =>
	await page.evaluate<number>(
		'((seen) => ((sessionStorage.steps = 0), seen))(Number(sessionStorage.steps ?? 0))',
	);
