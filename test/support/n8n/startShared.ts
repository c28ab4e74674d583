import { SHARED_N8N_URLS, startN8n, type RunningN8n } from '../../../scripts/n8n/run';

/**
 * Installs n8n and starts one or more for the test files that neither restart it nor give it
 * settings of their own. A start takes longer than most files; here it counts against no test's
 * time.
 */
export async function startShared(count: number): Promise<void> {
	if (process.env.N8N_TEST_URL) return;
	const shared: RunningN8n[] = [];
	for (let index = 0; index < count; index++) shared.push(await startN8n());
	process.env[SHARED_N8N_URLS] = shared.map(({ address }) => address).join(' ');
	(globalThis as { stopShared?: () => Promise<unknown> }).stopShared = async () =>
		await Promise.all(shared.map(async ({ stop }) => await stop()));
}

export default async () => await startShared(1);
