import { startShared } from '../n8n/startShared';
import { ensureChromium } from './chromium';

/**
 * Installs a browser and n8n, and starts an n8n for each of Jest's workers: what one file stores in
 * it would change what another one sees.
 */
export default async function globalSetup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	await ensureChromium();
	await startShared(maxWorkers);
}
