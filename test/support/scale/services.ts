import { spawn, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installPackages } from '../../../scripts/n8n/apt';
import { hasCommand, runCommand } from '../../../scripts/n8n/command';

/** Where Debian puts the programs of PostgreSQL that are not for everybody's use. */
const POSTGRES = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 300_000;

const isRoot = () => process.getuid?.() === 0;

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
function postgresFolder(): string | undefined {
	const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES) : [];
	return versions
		.map((version) => join(POSTGRES, version, 'bin'))
		.find((bin) => existsSync(join(bin, 'initdb')));
}

/** Makes sure that Redis and PostgreSQL are installed on this machine. */
export async function ensureServices(): Promise<void> {
	const missing = [
		...((await hasCommand('redis-server')) ? [] : ['redis-server']),
		...(postgresFolder() ? [] : ['postgresql']),
	];
	if (missing.length === 0 || (await installPackages(missing))) return;
	throw new Error(`These tests need ${missing.join(' and ')}. Install it first.`);
}

/** A program that runs during the tests. */
interface Service {
	stop(): Promise<void>;
}

const accepts = async (port: number) =>
	await new Promise<boolean>((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});

async function serviceOf(child: ChildProcess, port: number, folder: string): Promise<Service> {
	const kill = () => void child.kill('SIGKILL');
	process.once('exit', kill);
	const stop = async () => {
		process.off('exit', kill);
		if (child.exitCode === null && child.signalCode === null) {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			child.kill('SIGINT');
			await ended;
		}
		await rm(folder, { recursive: true, force: true });
	};
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await accepts(port))) {
		if (child.exitCode !== null || Date.now() > deadline) {
			await stop();
			throw new Error(`${child.spawnfile} did not start`);
		}
		await sleep(50);
	}
	return { stop };
}

/** Starts a Redis that keeps nothing. */
export async function startRedis(port: number): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), 'scale-redis-'));
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	return await serviceOf(
		spawn('redis-server', args, { cwd: folder, stdio: 'ignore' }),
		port,
		folder,
	);
}

/** Starts a PostgreSQL with an empty database `postgres` of the user `n8n`. */
export async function startPostgres(port: number): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), 'scale-postgres-'));
	const bin = postgresFolder() ?? '';
	// It refuses to run as root; Debian's package brings a user for it.
	let user: { uid?: number; gid?: number } = {};
	if (isRoot()) {
		const idOf = async (kind: string) => Number(await runCommand('id', [kind, 'postgres']));
		user = { uid: await idOf('-u'), gid: await idOf('-g') };
		chownSync(folder, user.uid!, user.gid!);
	}
	const data = join(folder, 'data');
	await new Promise<void>((resolve, reject) => {
		const args = ['--pgdata', data, '--auth', 'trust', '--username', 'n8n', '--no-sync'];
		spawn(join(bin, 'initdb'), args, { cwd: folder, stdio: 'ignore', ...user })
			.once('error', reject)
			.once('exit', (code) =>
				code === 0 ? resolve() : reject(new Error(`initdb ended with ${code}`)),
			);
	});
	const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'];
	return await serviceOf(
		spawn(join(bin, 'postgres'), args, { cwd: folder, stdio: 'ignore', ...user }),
		port,
		folder,
	);
}
