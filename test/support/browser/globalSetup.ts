import { installN8n } from '../../../scripts/n8n/install';
import { ensureChromium } from './chromium';

/**
 * Installs n8n and a browser before the first test, where their minutes count against no test's
 * time.
 */
export default async function globalSetup(): Promise<void> {
	await ensureChromium();
	await installN8n();
}
