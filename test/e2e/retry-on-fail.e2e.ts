import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { credentialFor } from '../../scripts/examples';
import { NODE_TYPE, useN8n, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import { chain, node } from '../support/n8n/workflow';

/* Retry On Fail of a real n8n, whose first row has a contact that the service does not know. */

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-tries');
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Runs an operation of an older service for rows, with three tries. */
async function tryThreeTimes(
	rows: IDataObject[],
	parameters: INodeParameters,
	onError: NonNullable<INode['onError']>,
) {
	const settings = { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 };
	const nodes = [
		node('Rows', 'n8n-nodes-base.code', 2, { jsCode: `return ${JSON.stringify(rows)};` }),
		{ ...node('Send', NODE_TYPE, 1, parameters), ...settings },
	];
	const id = await n8n.client.importWorkflow(chain('Three tries', nodes));
	const { data } = await n8n.client.run(id);
	const [sent] = data.resultData.runData.Send;
	return { sent, error: data.resultData.error };
}

/** Runs an operation for an unknown contact and four others. */
async function runForFive(more: INodeParameters, onError: NonNullable<INode['onError']>) {
	await workspace.reset({ service: 'older', contacts: 4 });
	const { contacts } = await workspace.state();
	const rows = ['999999', ...contacts.map(({ id }) => id)].map((id) => ({ id }));
	const identifier = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const { sent, error } = await tryThreeTimes(rows, { identifier, ...more }, onError);
	const { messages, flowRuns, requests } = await workspace.journal();
	// In a manual run, n8n first looks when the contact wrote, and then asks for the contact.
	const asked = requests.filter(({ path }) => path.includes('999999'));
	const tries = asked.filter((_, place) => place % 2 === 1);
	const known = rows.slice(1).map(({ id }) => id);
	const contactsOf = (effects: Array<{ contactId: string }>) =>
		effects.map(({ contactId }) => contactId).sort();
	return { rows, sent, messages, flowRuns, tries, error, known: known.sort(), contactsOf };
}

const hello = { resource: 'message', operation: 'send', text: 'Hello' };

test('With Continue (using error output), each contact gets one message, and the unknown one is tried three times', async () => {
	const { rows, sent, messages, tries, known, contactsOf } = await runForFive(
		hello,
		'continueErrorOutput',
	);
	expect(contactsOf(messages)).toEqual(known);
	expect(tries).toHaveLength(3);
	const [outputs, failures] = sent.data!.main;
	expect(outputs!.map(({ json, pairedItem }) => [json.contactId, pairedItem])).toEqual(
		rows.slice(1).map(({ id }, index) => [id, { item: index + 1 }]),
	);
	expect(failures).toMatchObject([{ json: { id: '999999', error: expect.any(String) } }]);
	expect(JSON.stringify(sent.hints)).toContain('n8n did not repeat 4 of 5 items');
});

test('With Stop Workflow, each contact gets one message, too, and the error says so', async () => {
	const { messages, tries, error } = await runForFive(hello, 'stopWorkflow');
	expect(messages).toHaveLength(4);
	expect(tries).toHaveLength(3);
	expect(error?.description).toContain('5 items: 4 sent (items 1–4), 1 failed (item 0).');
});

test('With Send Once, each contact gets one message and keeps the first tag, and the hints of the first try stay', async () => {
	const options = { sendOnce: 'sent: spring' };
	const { sent, messages, known, contactsOf } = await runForFive(
		{ ...hello, options },
		'continueErrorOutput',
	);
	expect(contactsOf(messages)).toEqual(known);
	const { contacts } = await workspace.state();
	const tagged = contacts.filter(({ tags }) => tags.some(({ name }) => name === 'sent: spring'));
	expect(tagged).toHaveLength(4);
	expect(JSON.stringify(contacts)).not.toContain('(sending)');
	expect(JSON.stringify(sent.hints)).toContain('there was no tag');
});

test('Trigger Flow starts one flow for each contact', async () => {
	const flowId = { __rl: true, mode: 'list', value: '' };
	await workspace.reset({ service: 'older', contacts: 0 });
	flowId.value = (await workspace.state()).flows[0].id;
	const trigger = { resource: 'contact', operation: 'triggerFlow', flowId };
	const { flowRuns, known, contactsOf } = await runForFive(trigger, 'continueErrorOutput');
	expect(contactsOf(flowRuns)).toEqual(known);
});

test('Create makes each contact once after a row that the service refuses', async () => {
	await workspace.reset({ service: 'older', contacts: 0 });
	const fail = [
		{
			status: 403,
			times: 1,
			match: { operation: 'createContact' as const },
		},
	];
	await workspace.faults({ fail });
	const inbox = (await workspace.state()).channels.find(({ channel }) => channel === 'webchat')!.id;
	const rows = [0, 1, 2].map((n) => ({ email: `c${n}@example.com`, phone: `+491511234567${n}` }));
	const create: INodeParameters = {
		resource: 'contact',
		operation: 'create',
		email: '={{ $json.email }}',
		phoneNumber: '={{ $json.phone }}',
		gender: 'unknown',
		additionalFields: { channel: 'webchat', inboxId: { __rl: true, mode: 'id', value: inbox } },
	};
	const { sent } = await tryThreeTimes(rows, create, 'continueErrorOutput');
	expect((await workspace.counts()).contacts).toBe(3);
	expect(sent.data!.main[0]!.map(({ json }) => json.email)).toEqual(rows.map(({ email }) => email));
});
