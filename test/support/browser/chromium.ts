import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { installPackages } from '../../../scripts/n8n/apt';

/** What Chromium and its relatives are called. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser, and a font that has the letters of the names in the sandbox. */
const PACKAGES = ['chromium', 'fonts-noto-core'];

async function find(): Promise<string | undefined> {
	if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
	const folders = (process.env.PATH ?? '').split(delimiter);
	for (const path of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
		const found = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (found) return path;
	}
	return undefined;
}

/** Where Chromium is installed. */
export async function findChromium(): Promise<string> {
	const path = await find();
	if (path === undefined) {
		throw new Error(
			'The browser tests need Chromium. Install it first, for example with: ' +
				`sudo apt-get install ${PACKAGES.join(' ')}, or say where it is with CHROMIUM_PATH.`,
		);
	}
	return path;
}

/** Makes sure that there is a Chromium, and installs one where that is possible without asking. */
export async function ensureChromium(): Promise<void> {
	if ((await find()) === undefined) await installPackages(PACKAGES);
	await findChromium();
}
