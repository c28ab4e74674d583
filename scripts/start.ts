import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FilterValue, INode } from 'n8n-workflow';
import {
	countNewLeads,
	credentialFor,
	exampleFiles,
	nodeOf,
	pick,
	readExample,
	readNewLeads,
	type Count,
	modelCredential,
} from './examples';
import { z } from 'zod/v4';
import { ASKS_FOR_PERSON, startStandInModel } from './standInModel';
import { runCommand } from './n8n/command';
import { DEFAULT_N8N_VERSION } from './n8n/install';
import { step } from './n8n/progress';
import { owner, startN8n, type RunningN8n, type WorkflowFile } from './n8n/run';
import { startSandbox, type SandboxWorkspace } from '../sandbox/client';
import { newerRateLimit } from '../sandbox/options';
import type { Contact } from '../sandbox/records';
import { routeOf } from '../sandbox/routes';
import { serviceNames } from '../sandbox/services/names';
import type { Journal } from '../sandbox/journal';

const usage = `Usage: npm start [-- options]

Brings up a real n8n with this package and a sandbox of the API, runs the main example, and checks what it did.

  --once         ends after the run instead of leaving the editor open
  --n8n <v>      version of n8n; ${DEFAULT_N8N_VERSION} when left out
  --service <s>  what the sandbox stands for: reference, newer or older; newer when left out
  --help         prints this`;

const say = (...lines: string[]) => process.stdout.write(`${lines.join('\n')}\n`);

function requestTable({ requests }: Journal): string[] {
	const counts = new Map<string, number>();
	for (const { operation, method, path } of requests) {
		const route = operation && routeOf(operation);
		const name = `${method.padEnd(6)} ${route ? route.path : path}`;
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return [...counts].map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`);
}

function countTable(counts: Count[]): string[] {
	const width = Math.max(...counts.map(({ what }) => what.length));
	return [
		`  ${''.padEnd(width)}  expected  seen`,
		...counts.map(({ what, expected, seen }) => {
			const mark = expected === seen ? '' : '  ← differs';
			return `  ${what.padEnd(width)}  ${String(expected).padStart(8)}  ${String(seen).padStart(4)}${mark}`;
		}),
	];
}

/** Adds the people and the tag that the examples name. Returns the people, who are on WhatsApp. */
async function addPeople(workspace: SandboxWorkspace): Promise<Contact[]> {
	await workspace.add('tags', { name: 'No campaigns' });
	const { channels } = await workspace.state();
	const { id } = channels.find(({ channel }) => channel === 'whatsapp')!;
	const names = [
		['Nathan', 'Reed'],
		['Anna', 'Berg'],
		['Omar', 'Haddad'],
		['Clara', 'Rossi'],
	];
	return await workspace.addContacts(
		names.map(([firstName, lastName], index) => ({
			firstName,
			lastName,
			email: `${firstName.toLowerCase()}@example.com`,
			phoneNumber: `+49151234560${index}`,
			inboxIds: [id],
		})),
	);
}

/**
 * Lets contacts write, so that the first test event of a trigger shows a message. The newest is too
 * old for the instant trigger, which would answer it together with the next one. Services of the
 * reference have no conversations.
 */
async function letContactsWrite(workspace: SandboxWorkspace, people: Contact[]) {
	const [nathan, anna, omar, clara] = people.map(({ id }) => `id:${id}`);
	const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
	await workspace.write(clara, { text: 'Please send me the invoice.', at: hoursAgo(50) });
	await workspace.write(omar, { text: 'Can I change my address?', at: hoursAgo(26) });
	await workspace.write(anna, { text: 'Do you have it in blue, too?', at: hoursAgo(0.5) });
	await workspace.write(nathan, { text: 'Hello! When will my order arrive?', at: hoursAgo(0.25) });
}

/**
 * Adds the team that the support agent calls for contacts on WhatsApp; a workspace has the other
 * one.
 */
const addTeam = async (workspace: SandboxWorkspace) =>
	await workspace.add('teams', { name: 'Sales', inboxTeamMembers: [] });

/** The examples that hear contacts. */
const LIVE = [
	'answer-at-once.json',
	'support-agent.json',
	'book-appointment.json',
	'order-paid.json',
];

/** Puts an If node behind the trigger of a workflow, which goes on at one of its outputs. */
function goOnOnlyIf(workflow: WorkflowFile, question: INode, isMet: boolean): void {
	const { nodes, connections } = workflow;
	const { main } = connections['Message Received'];
	const others = nodes.filter(({ type }) => type === question.type).length;
	nodes.push({ ...question, position: [200 * others, 200] });
	connections['Message Received'] = { main: [[{ node: question.name, type: 'main', index: 0 }]] };
	connections[question.name] = { main: isMet ? [main[0], []] : [[], main[0]] };
}

/**
 * Lets one workflow answer each message, although all three hear it: the booking and the agent that
 * calls a person what has their words, and the agent that answers at once everything else.
 */
function shareMessages(atOnce: WorkflowFile, caller: WorkflowFile, booking: WorkflowFile): void {
	const wantsAppointment = nodeOf(booking, 'Wants an Appointment?');
	const asksForPerson = {
		...structuredClone(wantsAppointment),
		id: randomUUID(),
		name: 'Asks for a Person?',
	};
	const { conditions } = asksForPerson.parameters.conditions as unknown as FilterValue;
	conditions[0].rightValue = String(ASKS_FOR_PERSON);
	conditions[0].operator.operation = 'regex';
	goOnOnlyIf(atOnce, wantsAppointment, false);
	goOnOnlyIf(atOnce, asksForPerson, false);
	goOnOnlyIf(caller, wantsAppointment, false);
	goOnOnlyIf(caller, asksForPerson, true);
}

/** Lets a flow of the workspace call n8n with each message that no keyword takes. */
async function addDefaultReply(workspace: SandboxWorkspace, atOnce: WorkflowFile): Promise<void> {
	const { id } = await workspace.add('flows', { name: 'Default Reply', active: true });
	const { eventName } = nodeOf(atOnce, 'Message Received').parameters;
	await workspace.flowCalls(id, [String(eventName)]);
	await workspace.setDefaultReply(id);
}

/**
 * Publishes the examples that hear contacts, with a model that needs no account, and shows on the
 * page what starts them. Returns what one can write.
 *
 * @param editorUrl address of n8n's editor
 */
async function publishExamples(
	n8n: RunningN8n,
	workspace: SandboxWorkspace,
	modelUrl: string,
	editorUrl: string,
) {
	await n8n.client.importCredential(modelCredential(modelUrl));
	const { flows } = await workspace.state();
	const flow = flows.find(({ name }) => name === 'Feedback') ?? flows[0];
	await workspace.flowCalls(flow.id, ['order_paid']);
	const [atOnce, caller, booking, order] = LIVE.map(readExample);
	shareMessages(atOnce, caller, booking);
	await addDefaultReply(workspace, atOnce);
	for (const workflow of [atOnce, caller, booking, order])
		await n8n.client.activate(await n8n.client.importWorkflow(workflow));
	await workspace.setPage({
		editorUrl,
		phrases: [
			{ text: 'Hello!', starts: `${atOnce.name}, at once` },
			{ text: 'I want to talk to a person', starts: `${caller.name}, within two minutes` },
			{ text: 'appointment', starts: `${booking.name}, within a minute` },
			{ text: flow.name, starts: `a flow that calls ${order.name}` },
		],
	});
	return [
		`To write as a contact, and see the answers: ${workspace.chatUrl}`,
		`  Anything: "${atOnce.name}" answers in about a second (the first time in four), because a flow calls n8n.`,
		'    Its model is a stand-in: it repeats what it hears (docs/ai-agents.md says more).',
		'    It is silent while a person is in charge.',
		`  appointment: "${booking.name}" asks back within a minute, and goes on with what you type.`,
		`  I want to talk to a person: within two minutes, "${caller.name}"`,
		'    writes a note, assigns the conversation and hands it over.',
		`  ${flow.name}: starts a flow that calls "${order.name}", which answers at once.`,
	];
}

/**
 * What an interruption does: as long as all is still being brought up, it ends this, and all that
 * was started with it.
 */
let onInterruption: () => void = () => process.exit(130);
process.on('SIGINT', () => onInterruption()).on('SIGTERM', () => onInterruption());

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			n8n: { type: 'string', default: DEFAULT_N8N_VERSION },
			service: { type: 'string', default: 'newer' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		say(usage);
		return;
	}

	const service = z.enum(serviceNames).parse(values.service);
	await step('Building the package', async () => {
		// As in CI it draws no moving progress, which would garble the report of a failure.
		await runCommand('npm', ['run', 'build'], {
			cwd: resolve(__dirname, '..'),
			env: { ...process.env, CI: 'true' },
		});
	});
	const sandbox = await step('Starting the sandbox of the API', startSandbox);
	const workspace = await sandbox.workspace(randomBytes(24).toString('hex'), {
		contacts: 50,
		service,
		// n8n runs on this machine, and webhooks call it.
		allowPrivateUrls: true,
		// Newer services have this limit; in the tests it is off unless one asks for it.
		...(service === 'newer' && {
			newest: true,
			faults: { rateLimit: newerRateLimit, showsChannelTimes: true },
		}),
	});
	if (service !== 'reference') {
		await addTeam(workspace);
		await letContactsWrite(workspace, await addPeople(workspace));
		say(
			'While n8n is being prepared, which takes minutes the first time, have a look at',
			`  what your contacts will see: ${workspace.chatUrl}`,
			`  what you can build:          ${resolve(__dirname, '../docs/recipes.md')}`,
		);
	}
	const model = await startStandInModel();
	const n8n = await startN8n(values.n8n);
	try {
		await n8n.client.importCredential(credentialFor(workspace));
		const before = await workspace.state();
		const newLeads = readNewLeads();
		pick(newLeads.workflow, 'Trigger Flow', 'flowId', before.flows, 'Welcome');
		const id = await n8n.client.importWorkflow(newLeads.workflow);
		const isLive = service === 'newer' && !values.once;
		const others = exampleFiles()
			.filter((file) => !isLive || !LIVE.includes(file))
			.map(readExample)
			.filter(({ name }) => name !== newLeads.workflow.name);
		for (const workflow of others) await n8n.client.importWorkflow(workflow);

		const { status, data } = await step(
			`Running "${newLeads.workflow.name}"`,
			async () => await n8n.client.run(id),
		);
		const journal = await workspace.journal();
		const counts = countNewLeads(newLeads, before, await workspace.state(), journal);
		const differing = counts.filter(({ expected, seen }) => expected !== seen);
		const { error } = data.resultData;

		say(
			'',
			`"${newLeads.workflow.name}" ran in n8n ${values.n8n} against the ${service} service: ${status}${error ? `, ${error.message}` : ''}`,
			'',
			`What the sandbox saw of its ${newLeads.leads.length} leads:`,
			...countTable(counts),
			'',
			`By ${journal.requests.length} requests:`,
			...requestTable(journal),
			'',
		);
		if (status !== 'success' || differing.length > 0) {
			say('This is not what was expected.');
			process.exitCode = 1;
			return;
		}
		say('Everything worked.');
		if (values.once) return;

		const editorUrl = `${n8n.address}/workflow/${id}`;
		await workspace.setPage({ editorUrl });
		const live = isLive
			? [...(await publishExamples(n8n, workspace, model.url, editorUrl)), '']
			: [];
		say(
			'',
			`Editor:   ${editorUrl}`,
			`Login:    ${owner.email}, password ${owner.password}`,
			`Imported: ${[newLeads.workflow, ...others].map(({ name }) => name).join(', ')}`,
			'',
			...live,
			'To create your own credential for the sandbox:',
			`Base URL:         ${workspace.url}`,
			`API Access Token: ${workspace.token}`,
			'',
			'Press Ctrl-C to stop. Nothing is kept.',
		);
		await new Promise<void>((resolve) => {
			onInterruption = resolve;
		});
	} finally {
		await n8n.stop();
		await model.stop();
		await sandbox.stop();
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
});
