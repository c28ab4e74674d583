import { N8nClient, owner } from './client';
import { PACKAGE_NAME } from './community';
import { installN8n } from './install';
import { step } from './progress';
import { startServer } from './server';

export * from './client';

/** The action node, as workflows name it. */
export const NODE_TYPE = `${PACKAGE_NAME}.workspaceMessaging`;

/**
 * The environment variable with the addresses of the n8ns that the files of a suite share, each its
 * own of Jest's workers or all of them one.
 */
export const SHARED_N8N_URLS = 'N8N_SHARED_URLS';

/** A running n8n that has this package, with its owner logged in. */
export interface RunningN8n {
	/** Where the editor is. */
	address: string;
	client: N8nClient;
	/** Ends n8n and removes everything it stored. */
	stop: () => Promise<void>;
	/** Ends n8n and starts it again with everything it stored; `meanwhile` is done in between. */
	restart: (meanwhile?: () => Promise<unknown>) => Promise<void>;
	/** The same, but n8n is killed, without a chance to end anything. */
	crash: (meanwhile?: () => Promise<unknown>) => Promise<void>;
	/** Processor time of n8n's main process so far, in seconds. */
	readCpu: () => Promise<number>;
	/** The last lines that n8n logged. */
	readLog: () => Promise<string>;
}

/**
 * Starts a real n8n with this package as a community package; build the package first. The n8n has
 * its own ports and its own home folder, and only connects to this machine.
 *
 * With `N8N_TEST_URL`, it starts nothing: see `connectN8n`.
 *
 * @param settings environment variables of n8n besides those that every test needs
 */
export async function startN8n(
	version?: string,
	settings?: NodeJS.ProcessEnv,
): Promise<RunningN8n> {
	const url = process.env.N8N_TEST_URL;
	if (url) return await connectN8n(url, settings);
	const install = await installN8n(version);
	return await step(`Starting n8n ${install.version} with this package`, async () => {
		const server = await startServer(install, settings);
		try {
			const client = new N8nClient(server.address, install.version);
			await client.setUpOwner();
			if (!(await client.hasNode(NODE_TYPE))) {
				throw new Error(
					`n8n did not load ${NODE_TYPE}. Its last lines:\n${await server.readLog()}`,
				);
			}
			const { address, stop, restart, crash, readCpu, readLog } = server;
			return { address, client, stop, restart, crash, readCpu, readLog };
		} catch (error) {
			await server.stop();
			throw error;
		}
	});
}

/**
 * Returns the n8n that the suite has started for many files, or starts one if the suite has none.
 * Others use it, too, so a test cannot restart it, and must not count on what is not its own.
 */
export async function useN8n(): Promise<RunningN8n> {
	const urls = process.env[SHARED_N8N_URLS]?.split(' ') ?? [];
	const worker = Number(process.env.JEST_WORKER_ID ?? 1);
	const url = process.env.N8N_TEST_URL ?? urls[(worker - 1) % urls.length];
	return url ? await connectN8n(url) : await startN8n();
}

/**
 * Logs in to an n8n that somebody else has started, with this package in it. `stop` leaves it
 * running, with all that the tests have stored.
 */
async function connectN8n(url: string, settings: NodeJS.ProcessEnv = {}): Promise<RunningN8n> {
	const address = url.replace(/\/+$/, '');
	const needed = Object.keys(settings);
	if (needed.length > 0)
		throw new Error(
			`These tests start an n8n of their own with ${needed.join(', ')}. Unset N8N_TEST_URL.`,
		);
	const { N8N_TEST_EMAIL: email = owner.email, N8N_TEST_PASSWORD: password = owner.password } =
		process.env;
	const anyVersion = new N8nClient(address, '');
	await anyVersion.logIn({ email, password });
	const { versionCli } = await anyVersion.request<{ versionCli: string }>('GET', '/settings');
	const client = new N8nClient(address, versionCli);
	await client.logIn({ email, password });
	if (!(await client.hasNode(NODE_TYPE)))
		throw new Error(
			`The n8n ${versionCli} at ${address} has no ${NODE_TYPE}. Install the package in it.`,
		);
	const notOurs = async (): Promise<never> =>
		await Promise.reject(
			new Error('n8n was not started by this test, so it cannot be restarted or measured.'),
		);
	const stop = async () => await Promise.resolve();
	return {
		address,
		client,
		stop,
		restart: notOurs,
		crash: notOurs,
		readCpu: notOurs,
		readLog: notOurs,
	};
}
