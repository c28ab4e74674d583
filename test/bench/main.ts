import '../support/home';
import { writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { runNode } from '../support/engine/engine';
import { fileStorage } from '../support/engine/files';
import { startSandbox, type Sandbox } from '../../sandbox/client';
import type { Faults } from '../../sandbox/options';
import type { ServiceName } from '../../sandbox/services/names';
import { contactsWithConditions } from './conditions';
import { loading } from './loading';
import { measure, median, type Measure } from './measure';
import { editFields, httpRequest, oneAtATime, ours, type Contender } from './nodes';
import { PLOT_FILE, toTable, writeTable, type Row } from './page';
import { drawPlot } from './plot';
import { cpuInN8n, secondsInN8n } from './realN8n';

/*
 * What a run costs, side by side with what a user would pick instead: the same engine, the same
 * sandbox, one after the other in one process. `npm run bench`; `--json` for one JSON object;
 * `--quick` for small numbers; `--only=text` for the tables whose title contains the text; `--write`
 * to put the tables into docs/internals/measurements.md. The plot goes there as well, and else into
 * the folder for temporary files.
 */

const quick = process.argv.includes('--quick');
const json = process.argv.includes('--json');
const write = process.argv.includes('--write');
if (quick && write) throw new Error('--write needs the numbers without --quick');
const [, only = ''] = /--only=([^\0]*)/.exec(process.argv.slice(2).join('\0')) ?? [];
const MESSAGES = quick ? 200 : 2000;
const CONTACTS = quick ? 1000 : 10_000;
const ROUNDS = quick ? 1 : 3;

let tokens = 0;

async function newWorkspace(
	sandbox: Sandbox,
	contacts: number,
	faults: Faults,
	service?: ServiceName,
) {
	const workspace = await sandbox.workspace(`bench-token-${++tokens}`, {
		contacts,
		faults,
		service,
	});
	return { workspace, credential: { baseUrl: workspace.url, accessToken: workspace.token } };
}

/** Sends one message to each of `count` contacts and checks that every one of them has arrived. */
async function sendMessages(
	sandbox: Sandbox,
	contender: Contender,
	count: number,
	faults: Faults,
	requestsPerMinute?: number,
) {
	const { workspace, credential } = await newWorkspace(sandbox, count, faults);
	const items = (await workspace.state()).contacts.map(({ id }, n) => ({ id, n }));
	await workspace.clearJournal();
	const { result, cost } = await measure(
		async () =>
			await runNode({
				parameters: contender.sendMessages(workspace.url),
				node: contender.node,
				items,
				credential: { ...credential, ...(requestsPerMinute && { requestsPerMinute }) },
			}),
	);
	const summary = await workspace.summary();
	const arrivals = (await workspace.journal()).requests.map(({ at }) => at);
	await workspace.remove();
	return { cost, error: result.error?.message, summary, arrivals };
}

const round = (value: number, digits = 2) => Number(value.toFixed(digits));

const memoryPerItem = (megabytes: number, count: number) =>
	megabytes < 0 ? 'below 0' : round((megabytes * 1024) / count, 1);

/** One at a time takes minutes, and as long for each message however many there are. */
const messagesFor = (contender: Contender) => (contender === oneAtATime ? MESSAGES / 10 : MESSAGES);

async function messagesWithoutLimit(sandbox: Sandbox, contenders: Contender[]): Promise<Row[]> {
	const rows: Row[] = [];
	for (const latencyMs of [0, 20, 100]) {
		const costs = new Map<string, Measure[]>();
		const inFlight = new Map<string, number>();
		// In turns, so that what the machine does besides hits all of them.
		for (let turn = 0; turn < 2 * ROUNDS + 1; turn++) {
			for (const contender of contenders) {
				const count = messagesFor(contender);
				if (contender === oneAtATime && turn > 0) continue;
				const { cost, error, summary } = await sendMessages(sandbox, contender, count, {
					latencyMs,
					rateLimit: null,
				});
				if (error || summary.messages.delivered !== count)
					throw new Error(`${contender.name}: ${error ?? 'messages are missing'}`);
				costs.set(contender.name, [...(costs.get(contender.name) ?? []), cost]);
				inFlight.set(contender.name, summary.maxInFlight);
			}
		}
		for (const contender of contenders) {
			const { name } = contender;
			const all = costs.get(name)!;
			const count = messagesFor(contender);
			rows.push({
				'service time (ms)': latencyMs,
				node: name,
				'messages/s': Math.round(count / median(all.map(({ seconds }) => seconds))),
				'CPU per item (ms)': round(
					(median(all.map(({ cpuSeconds }) => cpuSeconds)) * 1000) / count,
				),
				'memory per item (kB)': memoryPerItem(median(all.map(({ memoryMb }) => memoryMb)), count),
				'most at once': latencyMs === 0 ? '–' : inFlight.get(name)!,
			});
		}
	}
	return rows;
}

/** More messages than two minutes allow: how much of the limit is used, and what is refused. */
async function messagesAtTheLimit(sandbox: Sandbox, contenders: Contender[]): Promise<Row[]> {
	const perMinute = quick ? 600 : 10_000;
	const count = Math.round(perMinute * 2.2);
	const rows: Row[] = [];
	for (const contender of contenders.filter(({ name }) => name !== oneAtATime.name)) {
		const { cost, error, summary, arrivals } = await sendMessages(
			sandbox,
			contender,
			count,
			{ rateLimit: { requests: perMinute, windowMs: 60_000, kind: 'sliding', tell: 'none' } },
			perMinute,
		);
		const second = arrivals.filter(
			(at) => at >= arrivals[0] + 60_000 && at < arrivals[0] + 120_000,
		);
		rows.push({
			node: contender.name,
			messages: count,
			delivered: summary.messages.delivered,
			seconds: round(cost.seconds, 1),
			'share of the limit in the second minute': `${round((100 * second.length) / perMinute, 1)} %`,
			'429 answers': summary.byStatus['429'] ?? 0,
			'end of the run': error ? 'failed' : 'all sent',
		});
	}
	return rows;
}

/**
 * A limit far below the credential's, of which only the text of a 429 tells: 120 requests in each
 * fixed 10 s. The second run shows what is kept of the first.
 */
async function messagesAtAnUnknownLimit(sandbox: Sandbox): Promise<Row[]> {
	const requests = 120;
	const count = quick ? 240 : 500;
	const rateLimit = { requests, windowMs: 10_000, kind: 'fixed', tell: 'words' } as const;
	const { workspace, credential } = await newWorkspace(sandbox, 2 * count, {
		latencyMs: 40,
		rateLimit,
	});
	const items = (await workspace.state()).contacts.map(({ id }, n) => ({ id, n }));
	const rows: Row[] = [];
	for (const run of ['first', 'second']) {
		await workspace.clearJournal();
		const { result, cost } = await measure(
			async () =>
				await runNode({
					parameters: ours.sendMessages(workspace.url),
					items: items.splice(0, count),
					credential,
				}),
		);
		const { messages, byStatus } = await workspace.summary();
		rows.push({
			run,
			messages: count,
			delivered: messages.delivered,
			seconds: round(cost.seconds, 1),
			'seconds at the rate of the limit': round((10 * count) / requests, 1),
			'429 answers': byStatus['429'] ?? 0,
			'end of the run': result.error ? 'failed' : 'all sent',
		});
	}
	await workspace.remove();
	return rows;
}

/** One file of 4 MB to each contact; n8n keeps the files in a folder. */
async function messagesWithFiles(sandbox: Sandbox, contenders: Contender[]): Promise<Row[]> {
	const count = quick ? 20 : 100;
	const storage = await fileStorage();
	const rows: Row[] = [];
	try {
		for (const contender of contenders) {
			if (!contender.sendFiles) continue;
			const { workspace, credential } = await newWorkspace(
				sandbox,
				count,
				{ latencyMs: 20 },
				'newer',
			);
			const items = (await workspace.state()).contacts.map(({ id }, n) => ({ id, n }));
			const content = Buffer.alloc(4_000_000, 'file');
			const files = await Promise.all(
				items.map(async () => ({ data: await storage.store(content) })),
			);
			const parameters = contender.sendFiles(workspace.url);
			const { result, cost } = await measure(
				async () => await runNode({ parameters, node: contender.node, items, files, credential }),
			);
			const { messages } = await workspace.journal();
			const arrived = messages.filter((message) => message.files?.length === 1).length;
			if (result.error || arrived !== count)
				throw new Error(
					`${contender.name}: ${result.error?.message ?? `${arrived} files arrived`}`,
				);
			rows.push({
				node: contender.name,
				'messages with 4 MB': count,
				seconds: round(cost.seconds, 1),
				'CPU per item (ms)': round((cost.cpuSeconds * 1000) / count, 1),
				'most memory meanwhile (MB)': Math.round(cost.peakMb),
				'most at once': (await workspace.summary()).maxInFlight,
			});
			await workspace.remove();
		}
	} finally {
		storage.close();
	}
	return rows;
}

async function allContacts(sandbox: Sandbox, contenders: Contender[]): Promise<Row[]> {
	const rows: Row[] = [];
	for (const contender of contenders) {
		const { workspace, credential } = await newWorkspace(sandbox, CONTACTS, {
			latencyMs: 50,
			maxPerPage: 50,
			rateLimit: null,
		});
		const { result, cost } = await measure(
			async () =>
				await runNode({
					parameters: contender.readContacts!(workspace.url),
					node: contender.node,
					credential,
				}),
		);
		const found =
			contender.name === 'HTTP Request'
				? result.json.flatMap(({ data }) => data as object[])
				: result.json;
		if (new Set(found.map((contact) => (contact as { id: string }).id)).size !== CONTACTS) {
			throw new Error(`${contender.name} found ${found.length} contacts: ${result.error?.message}`);
		}
		rows.push({
			node: contender.name,
			contacts: found.length,
			requests: (await workspace.summary()).requests,
			seconds: round(cost.seconds),
			'memory (MB)': round(cost.memoryMb, 1),
		});
		await workspace.remove();
	}
	return rows;
}

/** A nightly sync: most rows have not changed, some have, few are new. */
async function nightlySync(sandbox: Sandbox): Promise<Row[]> {
	const { workspace, credential } = await newWorkspace(sandbox, CONTACTS, {
		latencyMs: 20,
		rateLimit: null,
	});
	const known = (await workspace.state()).contacts
		.filter(({ email, phoneNumber }) => email !== null && phoneNumber !== null)
		.map(({ email, phoneNumber, firstName }) => ({
			email,
			phoneNumber,
			firstName: firstName ?? '',
		}));
	const rows = known.map((row, n) => (n % 20 === 0 ? { ...row, firstName: `New ${n}` } : row));
	const fresh = Array.from({ length: CONTACTS / 100 }, (_, n) => ({
		email: `fresh${n}@example.com`,
		phoneNumber: `+4979${String(n).padStart(9, '0')}`,
		firstName: 'Fresh',
	}));
	await workspace.clearJournal();
	const parameters = {
		resource: 'contact',
		operation: 'upsert',
		email: '={{ $json.email }}',
		phoneNumber: '={{ $json.phoneNumber }}',
		additionalFields: { firstName: '={{ $json.firstName }}' },
	};
	const { result, cost } = await measure(
		async () => await runNode({ parameters, items: [...rows, ...fresh], credential }),
	);
	if (result.error) throw new Error(result.error.message);
	const count = (outcome: string) => result.json.filter((item) => item.outcome === outcome).length;
	const { requests } = await workspace.summary();
	await workspace.remove();
	return [
		{
			rows: rows.length + fresh.length,
			unchanged: count('unchanged'),
			updated: count('updated'),
			created: count('created'),
			requests,
			seconds: round(cost.seconds),
		},
	];
}

async function growth(sandbox: Sandbox): Promise<Row[]> {
	const rows: Row[] = [];
	for (const count of quick ? [100, 300] : [100, 1000, 10_000]) {
		const { cost, error } = await sendMessages(sandbox, ours, count, { rateLimit: null });
		if (error) throw new Error(error);
		rows.push({
			items: count,
			'CPU per item (ms)': round((cost.cpuSeconds * 1000) / count),
			'memory per item (kB)': memoryPerItem(cost.memoryMb, count),
			seconds: round(cost.seconds),
		});
	}
	return rows;
}

/** What n8n pays for the package whether it is used or not. */
async function size(): Promise<Row[]> {
	return (await loading(quick ? 1 : 7)).map(({ node, ms, characters }) => ({
		node,
		'loading (ms)': Math.round(ms),
		'description (kB)': round(characters / 1024, 1),
	}));
}

/** Seconds of this node and two of n8n's own in a real n8n, which it also draws. */
async function secondsOfN8n(sandbox: Sandbox, contenders: Contender[]) {
	const counts = quick ? [50, 100, 200] : [500, 2000, 5000];
	const rows = await secondsInN8n(sandbox, contenders, counts, ROUNDS);
	const lines = contenders.map(({ name }) => ({
		name,
		points: rows
			.filter(({ node }) => node === name)
			.map(({ messages, seconds }) => ({ x: messages, y: seconds })),
	}));
	const plot = drawPlot(
		{
			title: 'Time of one run in a real n8n, 20 ms an answer',
			x: 'messages (items)',
			y: 'time (seconds)',
		},
		lines,
	);
	const file = write ? PLOT_FILE : path.join(tmpdir(), path.basename(PLOT_FILE));
	await writeFile(file, plot);
	process.stderr.write(`The plot is in ${file}\n`);
	return rows;
}

async function main() {
	const contenders = [ours, await httpRequest(), oneAtATime];
	const sandbox = await startSandbox();
	try {
		const measurements: Record<string, () => Promise<Row[]>> = {
			[`${MESSAGES} messages, no limit in the way`]: () =>
				messagesWithoutLimit(sandbox, contenders),
			'Messages with a file, 20 ms an answer': () => messagesWithFiles(sandbox, contenders),
			[`All of ${CONTACTS} contacts, 50 ms an answer, at most 50 a page`]: () =>
				allContacts(sandbox, contenders),
			[`All of ${CONTACTS} contacts, without conditions and with three`]: () =>
				contactsWithConditions(sandbox, CONTACTS, 2 * ROUNDS + 1),
			'Create or Update of a whole list, 20 ms an answer': () => nightlySync(sandbox),
			'Growth with the number of items': () => growth(sandbox),
			'More messages than the limit of a minute': () => messagesAtTheLimit(sandbox, contenders),
			'A limit that is not known before': () => messagesAtAnUnknownLimit(sandbox),
			'Loading, in a fresh process': () => size(),
			'Seconds of a real n8n': async () =>
				await secondsOfN8n(sandbox, [ours, contenders[1], await editFields()]),
			'Processor time of a real n8n': () =>
				cpuInN8n(sandbox, contenders.slice(0, 2), MESSAGES, ROUNDS),
		};
		const titles = Object.keys(measurements).filter((title) => title.includes(only));
		// n8n runs for days, so what counts is code that Node.js has compiled.
		for (const contender of contenders)
			await sendMessages(sandbox, contender, messagesFor(contender), { rateLimit: null });
		if (!json) process.stdout.write(`Node.js ${process.version}, ${cpus().length} processors\n`);
		const tables: Record<string, Row[]> = {};
		for (const title of titles) {
			tables[title] = await measurements[title]();
			if (!json) process.stdout.write(`\n**${title}**\n\n${toTable(tables[title])}\n`);
			if (write) await writeTable(title, tables[title]);
		}
		if (json) {
			process.stdout.write(
				`${JSON.stringify({ node: process.version, processors: cpus().length, tables })}\n`,
			);
		}
	} finally {
		await sandbox.stop();
	}
}

void main();
