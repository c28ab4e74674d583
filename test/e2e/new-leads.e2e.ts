import {
	contactsOf,
	countNewLeads,
	credentialFor,
	pick,
	readNewLeads,
} from '../../scripts/examples';
import { itemsOf, useN8n, type Execution, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import type { Journal } from '../../sandbox/journal';
import type { WorkspaceState } from '../../sandbox/records';

const newLeads = readNewLeads();
const { leads, workflow, tagName } = newLeads;
const emails = leads.map(({ email }) => email);
const vips = leads.filter(({ vip }) => vip);

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;
let workflowId: string;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-new-leads');
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
	pick(workflow, 'Trigger Flow', 'flowId', (await workspace.state()).flows, 'Welcome');
	workflowId = await n8n.client.importWorkflow(workflow);
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/** Email addresses of the contacts that a list of the journal names, sorted. */
const emailsIn = (list: Array<{ contactId: string }>, { contacts }: WorkspaceState) =>
	list.map(({ contactId }) => contacts.find(({ id }) => id === contactId)?.email).sort();

describe('The first run of the leads workflow', () => {
	let before: WorkspaceState;
	let after: WorkspaceState;
	let journal: Journal;
	let execution: Execution;

	beforeAll(async () => {
		await workspace.reset();
		before = await workspace.state();
		execution = await n8n.client.run(workflowId);
		after = await workspace.state();
		journal = await workspace.journal();
	});

	it('succeeds', () => {
		expect(execution.data.resultData.error).toBeUndefined();
		expect(execution.status).toBe('success');
	});

	it('handles known and new people, including VIPs', () => {
		const known = leads.filter((lead) => contactsOf(lead, before).length > 0);
		expect(new Set(known.map(({ vip }) => vip))).toEqual(new Set([true, false]));
		expect(known.length).toBeLessThan(leads.length);
	});

	it.each(leads)(
		'makes $email exactly one contact, with the name of the list and the tag',
		(lead) => {
			const contacts = contactsOf(lead, after);
			expect(contacts).toHaveLength(1);
			expect(contacts[0]).toMatchObject({
				firstName: lead.firstName,
				lastName: lead.lastName,
				phoneNumber: lead.phoneNumber,
			});
			expect(contacts[0].tags.map(({ name }) => name)).toContain(tagName);
		},
	);

	it('keeps the other values of known contacts', () => {
		const known = before.contacts.filter(({ email }) => emails.includes(email ?? ''));
		expect(known.length).toBeGreaterThan(0);
		for (const { id, tags, country, contactCustomFields } of known) {
			const now = after.contacts.find((contact) => contact.id === id);
			expect(now).toMatchObject({ country, contactCustomFields });
			expect(now?.tags.map((tag) => tag.id)).toEqual(
				expect.arrayContaining(tags.map((tag) => tag.id)),
			);
		}
	});

	it('changes no other contact', () => {
		const others = ({ contacts }: WorkspaceState) =>
			contacts.filter(({ email }) => !emails.includes(email ?? ''));
		expect(others(after)).toEqual(others(before));
	});

	it("sends each lead exactly one message with the lead's name", () => {
		expect(emailsIn(journal.messages, after)).toEqual([...emails].sort());
		for (const lead of leads) {
			const [{ id }] = contactsOf(lead, after);
			expect(journal.messages.find(({ contactId }) => contactId === id)?.text).toContain(
				lead.firstName,
			);
		}
	});

	it('starts the flow once for each VIP and for no other lead', () => {
		expect(emailsIn(journal.flowRuns, after)).toEqual(vips.map(({ email }) => email).sort());
	});

	it('links its output to the leads', () => {
		expect(itemsOf(execution, 'Send Message')).toHaveLength(leads.length);
		expect(
			itemsOf(execution, 'Send Message').every(({ pairedItem }) => pairedItem !== undefined),
		).toBe(true);
		expect(itemsOf(execution, 'Trigger Flow')).toHaveLength(vips.length);
	});

	it('shows the token nowhere', async () => {
		expect(JSON.stringify(execution.data)).not.toContain(workspace.token);
		expect(await sandbox.unknownRequests()).toEqual([]);
	});

	it('matches the counts of `npm start`', () => {
		for (const { what, expected, seen } of countNewLeads(newLeads, before, after, journal)) {
			expect({ what, count: seen }).toEqual({ what, count: expected });
		}
	});
});

describe('The second run of the leads workflow', () => {
	it('creates no contact and sends no message twice', async () => {
		await workspace.reset();
		await n8n.client.run(workflowId);
		const before = await workspace.state();
		await workspace.clearJournal();

		const { status } = await n8n.client.run(workflowId);

		expect(status).toBe('success');
		const after = await workspace.state();
		const { byOperation, messages } = await workspace.summary();
		expect(after.contacts.map(({ id }) => id)).toEqual(before.contacts.map(({ id }) => id));
		expect(after.tags).toEqual(before.tags);
		expect(byOperation).not.toHaveProperty('createContact');
		expect(byOperation).not.toHaveProperty('createTag');
		expect(byOperation).not.toHaveProperty('updateContact');
		// In a manual run, n8n also looks when each contact wrote last.
		expect(byOperation).toMatchObject({
			getContact: 2 * leads.length,
			sendMessage: leads.length,
		});
		expect(messages.delivered).toBe(0);
	});
});

describe('A run of the leads workflow whose look-up fails', () => {
	it('does not create the contact, and says why', async () => {
		const refused = vips[0];
		const sentence = 'This contact may not be read';
		await workspace.reset();
		await workspace.faults({
			fail: [
				{
					match: { operation: 'getContact', pathPattern: encodeURIComponent(refused.email) },
					status: 403,
					message: sentence,
				},
			],
		});

		const { status, data } = await n8n.client.run(workflowId);

		expect(status).toBe('error');
		expect(data.resultData.error?.message).toContain(sentence);
		expect(contactsOf(refused, await workspace.state())).toEqual([]);
	});
});

describe('The leads workflow on a newer service', () => {
	it('has the same result for every lead', async () => {
		const newer = await sandbox.workspace('token-of-new-leads-on-newer', { service: 'newer' });
		await n8n.client.importCredential(credentialFor(newer));
		const before = await newer.state();
		pick(workflow, 'Trigger Flow', 'flowId', before.flows, 'Welcome');
		const { status, data } = await n8n.client.run(await n8n.client.importWorkflow(workflow));
		expect(data.resultData.error?.message).toBeUndefined();
		expect(status).toBe('success');
		const counts = countNewLeads(newLeads, before, await newer.state(), await newer.journal());
		for (const { what, expected, seen } of counts)
			expect({ what, count: seen }).toEqual({ what, count: expected });
		expect(JSON.stringify(data)).not.toContain(newer.token);
	});
});
