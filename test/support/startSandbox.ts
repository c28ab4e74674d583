import { existsSync } from 'node:fs';
import path from 'node:path';
import { startSandbox } from '../../sandbox/client';

/** Starts one sandbox for all test files; each test has its own workspace in it. */
export default async function () {
	if (!existsSync(path.resolve(__dirname, '../../dist/nodes')))
		throw new Error(
			'These tests run the compiled node, but dist/ has none: run `npm run build` first.',
		);
	// n8n's own log lines would hide what the tests say.
	process.env.N8N_LOG_LEVEL = 'silent';
	// The user's proxy does not lead to the sandbox.
	for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
	const sandbox = await startSandbox();
	process.env.SANDBOX_URL = sandbox.url;
	process.env.SANDBOX_OTHER_URL = sandbox.otherUrl;
	(globalThis as { stopSandbox?: () => Promise<void> }).stopSandbox = sandbox.stop;
}
