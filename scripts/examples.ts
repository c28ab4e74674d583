import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { INode } from 'n8n-workflow';
import type { CredentialFile, WorkflowFile } from './n8n/run';
import type { SandboxWorkspace } from '../sandbox/client';
import type { Journal } from '../sandbox/journal';
import type { WorkspaceState } from '../sandbox/records';

const EXAMPLES = resolve(__dirname, '../examples');

/** File names of the importable workflows. */
export const exampleFiles = () => readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));

/** One of the importable workflows. */
export const readExample = (file: string) =>
	JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as WorkflowFile;

/** A node of a workflow, by its name. */
export function nodeOf({ name: workflowName, nodes }: WorkflowFile, name: string): INode {
	const node = nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`"${workflowName}" has no node "${name}"`);
	return node;
}

/**
 * Picks something from the list of a field, as users do in the panel of a node after they imported
 * an example.
 */
export function pick(
	workflow: WorkflowFile,
	nodeName: string,
	field: string,
	list: Array<{ id: string; name?: string }>,
	name: string,
): void {
	const entry = list.find((candidate) => candidate.name === name);
	if (!entry) throw new Error(`The list has no "${name}"`);
	nodeOf(workflow, nodeName).parameters[field] = {
		__rl: true,
		mode: 'list',
		value: entry.id,
		cachedResultName: name,
	};
}

/** The credential that lets the examples work on a workspace of the sandbox. */
export const credentialFor = ({ url, token }: SandboxWorkspace): CredentialFile => ({
	name: 'Workspace Messaging account',
	type: 'workspaceMessagingApi',
	data: { baseUrl: url, accessToken: token, requestsPerMinute: 10_000 },
});

/** The credential that lets n8n's OpenAI nodes talk to a stand-in for a model. */
export const modelCredential = (url: string, name = 'OpenAI account'): CredentialFile => ({
	name,
	type: 'openAiApi',
	data: { apiKey: 'none', url },
});

/** One row of the leads in the main example. */
export interface Lead {
	number: string;
	firstName: string;
	lastName: string;
	email: string;
	phoneNumber: string;
	gender: string;
	vip: boolean;
}

/** The main example, and what it is about to do. */
export interface NewLeads {
	workflow: WorkflowFile;
	leads: Lead[];
	tagName: string;
}

/** Reads the main example. */
export function readNewLeads(): NewLeads {
	const workflow = readExample('new-leads.json');
	const { leads } = JSON.parse(nodeOf(workflow, 'Leads').parameters.jsonOutput as string) as {
		leads: Lead[];
	};
	return { workflow, leads, tagName: String(nodeOf(workflow, 'Add Tag').parameters.tagNames) };
}

/** The contacts with a lead's email address. */
export const contactsOf = (lead: Lead, { contacts }: WorkspaceState) =>
	contacts.filter(({ email }) => email?.toLowerCase() === lead.email.toLowerCase());

/** One thing that can be counted after a run. */
export interface Count {
	what: string;
	expected: number;
	seen: number;
}

const succeeded = ({ requests }: Journal, name: string) =>
	requests.filter(({ operation, status }) => operation === name && status !== null && status < 300);

/**
 * Compares the result of a first run of the main example in a workspace with the expected result.
 */
export function countNewLeads(
	{ leads, tagName }: NewLeads,
	before: WorkspaceState,
	after: WorkspaceState,
	journal: Journal,
): Count[] {
	const known = leads.filter((lead) => contactsOf(lead, before).length > 0);
	const vips = leads.filter(({ vip }) => vip);
	const onlyContact = (lead: Lead) => {
		const contacts = contactsOf(lead, after);
		return contacts.length === 1 ? contacts[0] : undefined;
	};
	const gotOne = (list: Array<{ contactId: string }>) => (lead: Lead) =>
		list.filter(({ contactId }) => contactId === onlyContact(lead)?.id).length === 1;

	return [
		{
			what: 'contacts created',
			expected: leads.length - known.length,
			seen: after.contacts.length - before.contacts.length,
		},
		{
			what: 'contacts updated',
			expected: known.length,
			seen: succeeded(journal, 'updateContact').length,
		},
		{
			what: 'leads with exactly one contact',
			expected: leads.length,
			seen: leads.filter(onlyContact).length,
		},
		{
			what: `leads with the tag "${tagName}"`,
			expected: leads.length,
			seen: leads.filter((lead) => onlyContact(lead)?.tags.some(({ name }) => name === tagName))
				.length,
		},
		{ what: 'messages delivered', expected: leads.length, seen: journal.messages.length },
		{
			what: 'leads with exactly one message',
			expected: leads.length,
			seen: leads.filter(gotOne(journal.messages)).length,
		},
		{ what: 'flows started', expected: vips.length, seen: journal.flowRuns.length },
		{
			what: 'VIPs with exactly one flow',
			expected: vips.length,
			seen: vips.filter(gotOne(journal.flowRuns)).length,
		},
	];
}
