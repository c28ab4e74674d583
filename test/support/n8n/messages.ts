import type { SandboxWorkspace } from '../../../sandbox/client';
import type { JournalEntry } from '../../../sandbox/journal';

/**
 * The examples poll every minute, which n8n asks of each poll time; six of them save a test some
 * minutes.
 */
export const everyTenSeconds = [0, 10, 20, 30, 40, 50].map((second) => ({
	mode: 'custom',
	cronExpression: `${second} * * * * *`,
}));

/** Whether a poll for messages began with a request: it asks for the archived conversations once. */
export const isPoll = ({ path }: JournalEntry) =>
	path.includes('conversations?') && path.includes('archived');

/** How often a trigger has polled for messages. */
export async function countPolls(workspace: SandboxWorkspace): Promise<number> {
	const { requests } = await workspace.journal();
	return requests.filter(isPoll).length;
}

/** What a contact got from a workflow, oldest first. */
export async function textsTo(workspace: SandboxWorkspace, contact: string): Promise<unknown[]> {
	const messages = await workspace.messages(contact);
	return messages.filter(({ messageType }) => messageType === 'outgoing').map(({ text }) => text);
}
