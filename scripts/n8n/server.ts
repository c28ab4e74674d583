import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addCommunityPackage } from './community';
import type { N8nInstall } from './install';

const START_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 15_000;
const LOG_TAIL_LINES = 40;

/** The n8n process: its address and a function that ends it. */
interface N8nServer {
	address: string;
	/** Ends n8n and everything it started, and removes its home folder. */
	stop: () => Promise<void>;
	/** Ends n8n and starts it again with all that it has stored; `meanwhile` is done in between. */
	restart: (meanwhile?: () => Promise<unknown>) => Promise<void>;
	/** The same, but n8n is killed, without a chance to end anything. */
	crash: (meanwhile?: () => Promise<unknown>) => Promise<void>;
	/** The last lines that n8n logged. */
	readLog: () => Promise<string>;
	/** Processor time of n8n's main process so far, user and system, in seconds. */
	readCpu: () => Promise<number>;
}

/** Returns free ports; it opens all of them at once, so that they differ. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(
		Array.from({ length: count }, async () => {
			const server = createServer();
			await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
			return server;
		}),
	);
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(
		servers.map(async (server) => await new Promise((resolve) => server.close(resolve))),
	);
	return ports;
}

/**
 * Modules that ask the internet for something as soon as n8n starts; versions before 2 do not know
 * them.
 */
const onlineModules = (version: string) =>
	Number(version.split('.')[0]) >= 2 ? 'mcp-registry' : '';

/**
 * All environment variables of n8n. The user's own variables are left out, because their database
 * or proxy is for another n8n.
 */
export const environment = (
	version: string,
	home: string,
	port: number,
	brokerPort: number,
): NodeJS.ProcessEnv => ({
	PATH: process.env.PATH,
	HOME: home,
	N8N_USER_FOLDER: home,
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_PORT: String(port),
	N8N_RUNNERS_BROKER_PORT: String(brokerPort),
	N8N_SECURE_COOKIE: 'false',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
	// Node.js keeps what it has compiled of n8n for the next start.
	NODE_COMPILE_CACHE: join(tmpdir(), `n8n-${version}-compiled`),
	EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
	// Nothing that needs the internet, and nothing that stands between a user and the editor.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DISABLED_MODULES: onlineModules(version),
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
});

/** Whether somebody answers at an address, and not with an error. */
export const answers = async (url: string) =>
	await fetch(url).then(
		(response) => response.ok,
		() => false,
	);

/** n8n reports itself ready some time before its REST API is there. */
export const isReady = async (address: string) =>
	(await answers(`${address}/healthz/readiness`)) && (await answers(`${address}/rest/settings`));

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Ends n8n, and everything that it started. */
export async function end(child: ChildProcess) {
	if (!hasEnded(child)) {
		const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
		child.kill('SIGTERM');
		await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	}
	try {
		// n8n leads its own process group: this ends what it may leave, such as a task runner.
		if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
	} catch {
		// Nothing was left.
	}
}

/** Asks n8n how much processor time it has used; see `stopWithParent.ts`. */
async function cpuOf(child: ChildProcess): Promise<number> {
	return await new Promise((resolve) => {
		const listen = (message: { cpuUsage?: NodeJS.CpuUsage }) => {
			if (!message.cpuUsage) return;
			child.off('message', listen);
			resolve((message.cpuUsage.user + message.cpuUsage.system) / 1e6);
		};
		child.on('message', listen);
		child.send('cpuUsage');
	});
}

/**
 * Starts n8n with this package in a new home folder, and returns when it answers.
 *
 * @param settings environment variables besides the usual ones
 */
export async function startServer(
	{ version, node, bin }: N8nInstall,
	settings: NodeJS.ProcessEnv = {},
): Promise<N8nServer> {
	const home = await mkdtemp(join(tmpdir(), 'n8n-home-'));
	const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
	process.once('exit', removeHome);
	await addCommunityPackage(home);

	const [port, brokerPort] = await freePorts(2);
	const address = `http://127.0.0.1:${port}`;
	const logFile = join(home, 'n8n.log');
	const readLog = async () =>
		(await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n');
	let child: ChildProcess;
	const stop = async () => {
		await end(child);
		removeHome();
		process.off('exit', removeHome);
	};
	const start = async () => {
		const log = openSync(logFile, 'a');
		child = spawn(node, ['--require', join(__dirname, 'stopWithParent.ts'), bin, 'start'], {
			cwd: home,
			env: { ...environment(version, home, port, brokerPort), ...settings },
			detached: true,
			stdio: ['ignore', log, log, 'ipc'],
		});
		closeSync(log);
		const deadline = Date.now() + START_TIMEOUT_MS;
		while (!(await isReady(address))) {
			if (hasEnded(child) || Date.now() > deadline) {
				const reason = hasEnded(child) ? 'ended while it started' : 'did not get ready in time';
				const lines = await readLog();
				await stop();
				throw new Error(`n8n ${version} ${reason}. Its last lines:\n${lines}`);
			}
			await sleep(200);
		}
	};
	await start();
	return {
		address,
		stop,
		readLog,
		readCpu: async () => await cpuOf(child),
		async restart(meanwhile = async () => {}) {
			await end(child);
			await meanwhile();
			await start();
		},
		async crash(meanwhile = async () => {}) {
			process.kill(-child.pid!, 'SIGKILL');
			await end(child);
			await meanwhile();
			await start();
		},
	};
}
