import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** Where the pictures of the README are. */
const FOLDER = resolve(__dirname, '../../../docs/images');

/** Whether this run is to take the pictures anew. */
const wanted = process.env.SCREENSHOTS === 'true';

/** Notes that n8n shows for some seconds over whatever is below. */
const HIDDEN = '.el-notification { visibility: hidden !important }';

/** Waits until what moves or fades has arrived; what moves for ever, such as a spinner, is left alone. */
const ANIMATIONS_END = `Promise.allSettled(
	document.getAnimations()
		.filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
		.map(({ finished }) => finished),
)`;

/** Takes a picture of the smallest rectangle that holds these parts of the page, if pictures are wanted. */
export async function pictureOf(page: Page, name: string, parts: Locator[], margin = 0): Promise<void> {
	if (!wanted) return;
	await mkdir(FOLDER, { recursive: true });
	const boxes = await Promise.all(
		parts.map(async (part) => {
			const box = await part.first().boundingBox();
			if (!box) throw new Error(`A part of the picture ${name} is not shown`);
			return box;
		}),
	);
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	// Names are below what they belong to.
	const top = Math.min(...boxes.map(({ y }) => y)) - margin / 3;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	await page.evaluate(ANIMATIONS_END);
	await page.screenshot({
		path: join(FOLDER, `${name}.png`),
		clip: { x: left, y: top, width: right - left, height: bottom - top },
		style: HIDDEN,
	});
}
