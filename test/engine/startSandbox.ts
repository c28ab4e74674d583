import { startSandbox } from '../sandbox/client';

/** Starts one sandbox for all engine tests; each test has a workspace of its own in it. */
export default async function () {
	const sandbox = await startSandbox();
	process.env.SANDBOX_URL = sandbox.url;
	process.env.SANDBOX_OTHER_URL = sandbox.otherUrl;
	(globalThis as { stopSandbox?: () => Promise<void> }).stopSandbox = sandbox.stop;
}
