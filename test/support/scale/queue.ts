import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { N8nClient } from '../../../scripts/n8n/client';
import { addCommunityPackage } from '../../../scripts/n8n/community';
import { installN8n } from '../../../scripts/n8n/install';
import { step } from '../../../scripts/n8n/progress';
import { answers, end, environment, freePorts, isReady } from '../../../scripts/n8n/server';
import { ensureServices, startPostgres, startRedis } from './services';

const START_TIMEOUT_MS = 300_000;

/** One process that runs executions. */
interface Worker {
	/** Ids of the executions that it has begun. */
	executions(): string[];
	/** Ends it as a power cut would. */
	kill(): void;
}

/**
 * n8n in queue mode: a main process, a process that receives calls as the main process does, and
 * workers. They share a database and a Redis.
 */
export interface Queue {
	address: string;
	webhookAddress: string;
	client: N8nClient;
	workers: Worker[];
	stop(): Promise<void>;
}

/** Starts n8n in queue mode with this package, which has to be built. */
export async function startQueue(workerCount: number): Promise<Queue> {
	await ensureServices();
	const { version, node, bin } = await installN8n();
	const home = await mkdtemp(join(tmpdir(), 'n8n-queue-'));
	await addCommunityPackage(home);
	const [port, webhookPort, redisPort, postgresPort] = await freePorts(4);
	const redis = await startRedis(redisPort);
	const postgres = await startPostgres(postgresPort);
	const children: ChildProcess[] = [];
	const workers: Worker[] = [];

	const start = async (name: string, args: string[], onPort: number) => {
		const [brokerPort, healthPort] = await freePorts(2);
		const logFile = join(home, `${name}.log`);
		const log = openSync(logFile, 'w');
		const child = spawn(
			node,
			['--require', join(__dirname, '../../../scripts/n8n/stopWithParent.ts'), bin, ...args],
			{
				cwd: home,
				env: {
					...environment(version, home, onPort, brokerPort),
					N8N_ENCRYPTION_KEY: 'key-of-these-tests',
					EXECUTIONS_MODE: 'queue',
					OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
					QUEUE_BULL_REDIS_HOST: '127.0.0.1',
					QUEUE_BULL_REDIS_PORT: String(redisPort),
					QUEUE_HEALTH_CHECK_PORT: String(healthPort),
					// n8n then notices within seconds that a worker has ended; the default is a minute and a
					// half.
					QUEUE_WORKER_LOCK_DURATION: '6000',
					QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
					QUEUE_WORKER_STALLED_INTERVAL: '3000',
					DB_TYPE: 'postgresdb',
					DB_POSTGRESDB_HOST: '127.0.0.1',
					DB_POSTGRESDB_PORT: String(postgresPort),
					DB_POSTGRESDB_DATABASE: 'postgres',
					DB_POSTGRESDB_USER: 'n8n',
					N8N_LOG_LEVEL: 'debug',
				},
				detached: true,
				stdio: ['ignore', log, log, 'ipc'],
			},
		);
		closeSync(log);
		children.push(child);
		return { child, readLog: () => readFileSync(logFile, 'utf8') };
	};

	const until = async (
		what: string,
		isDone: () => boolean | Promise<boolean>,
		readLog: () => string,
	) => {
		const deadline = Date.now() + START_TIMEOUT_MS;
		while (!(await isDone())) {
			if (Date.now() > deadline)
				throw new Error(`${what} did not get ready:\n${readLog().slice(-4000)}`);
			await sleep(200);
		}
	};

	const addWorker = async () => {
		const [workerPort] = await freePorts(1);
		const name = `worker-${workers.length + 1}`;
		const { child, readLog } = await start(name, ['worker', '--concurrency=10'], workerPort);
		await until(name, () => readLog().includes('n8n worker is now ready'), readLog);
		const worker: Worker = {
			executions: () =>
				[...readLog().matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id),
			kill: () => process.kill(-child.pid!, 'SIGKILL'),
		};
		workers.push(worker);
	};

	const stop = async () => {
		await Promise.all(children.map(end));
		await redis.stop();
		await postgres.stop();
		await rm(home, { recursive: true, force: true });
	};

	try {
		const address = `http://127.0.0.1:${port}`;
		const webhookAddress = `http://127.0.0.1:${webhookPort}`;
		const client = new N8nClient(address, version);
		await step(`Starting n8n ${version} in queue mode with ${workerCount} workers`, async () => {
			const { readLog } = await start('main', ['start'], port);
			await until('n8n', async () => await isReady(address), readLog);
			await client.setUpOwner();
			const webhooks = await start('webhook', ['webhook'], webhookPort);
			await until(
				'webhook',
				async () => await answers(`${webhookAddress}/healthz/readiness`),
				webhooks.readLog,
			);
			for (let worker = 0; worker < workerCount; worker++) await addWorker();
		});
		return { address, webhookAddress, client, workers, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
