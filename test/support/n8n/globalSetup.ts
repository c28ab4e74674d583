import { installN8n } from '../../../scripts/n8n/install';

/** Installs n8n before the first test, so that its minutes count against no test's time. */
export default async function globalSetup(): Promise<void> {
	if (!process.env.N8N_TEST_URL) await installN8n();
}
