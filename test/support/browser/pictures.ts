import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';

/** Where the pictures of the README are. */
const FOLDER = resolve(__dirname, '../../../docs/images');

/** Whether this run takes the pictures again. */
export const takesPictures = process.env.SCREENSHOTS === 'true';

/**
 * What n8n shows above the page or the canvas: notes for some seconds, tips, buttons, and the plus
 * behind a last node.
 */
const HIDDEN = `.el-notification, .n8n-tooltip, [class*="nodeButtonsWrapper"], [data-test-id="canvas-handle-plus-wrapper"] {
	visibility: hidden !important;
}`;

/** Waits until movements and fades end, except endless ones such as a spinner. */
const ANIMATIONS_END = `Promise.allSettled(
	document.getAnimations()
		.filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
		.map(({ finished }) => finished),
)`;

/**
 * Takes a picture of the smallest rectangle around these parts of the page, if pictures are turned
 * on.
 */
export async function pictureOf(
	page: Page,
	name: string,
	parts: Locator[],
	margin = 0,
): Promise<void> {
	if (!takesPictures) return;
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

/** Joins several pictures of a phone into one for the documents, if pictures are turned on. */
export async function sideBySide(
	browser: Browser,
	name: string,
	pictures: Buffer[],
): Promise<void> {
	if (!takesPictures) return;
	const page = await browser.newPage({ deviceScaleFactor: 2 });
	const images = pictures.map(
		(picture) => `<img src="data:image/png;base64,${picture.toString('base64')}">`,
	);
	const style = 'display:inline-flex;gap:24px;padding:24px;background:#fff';
	const image = 'img{width:300px;border:1px solid #d5dce5;border-radius:20px}';
	await page.setContent(
		`<style>body{margin:0}${image}</style><main style="${style}">${images.join('')}</main>`,
	);
	await page.locator('main').screenshot({ path: join(FOLDER, `${name}.png`) });
	await page.close();
}
