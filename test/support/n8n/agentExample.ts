import { randomUUID } from 'node:crypto';
import { modelCredential, nodeOf, readExample } from '../../../scripts/examples';
import type { RunningN8n, WorkflowFile } from '../../../scripts/n8n/run';
import { startScriptedModel, type ScriptedModel, type Turn } from './scriptedModel';

/* The example of an agent with our node as its tools, and a model that says what a test wants. */

/** What the model does next; it can depend on what the last tool returned. */
type NextTurn = Turn | ((toolResult: string) => Turn);

/** A stand-in for a model that takes its turns from a list, and then says "Done.". */
export async function startTurns(
	n8n: RunningN8n,
): Promise<{ model: ScriptedModel; turns: NextTurn[] }> {
	const turns: NextTurn[] = [];
	const model = await startScriptedModel(
		Array.from({ length: 12 }, () => (toolResult: string) => {
			const turn = turns.shift() ?? { say: 'Done.' };
			return typeof turn === 'function' ? turn(toolResult) : turn;
		}),
	);
	await n8n.client.importCredential(modelCredential(model.url));
	return { model, turns };
}

/** Publishes the example with a change to its nodes. Returns its ID, and what talks to its agent. */
export async function publishAgent(n8n: RunningN8n, change: (workflow: WorkflowFile) => void) {
	const workflow = readExample('ai-support-agent.json');
	const chat = nodeOf(workflow, 'Chat');
	chat.parameters.public = true;
	const webhookId = randomUUID();
	chat.webhookId = webhookId;
	change(workflow);
	const id = await n8n.client.importWorkflow(workflow);
	await n8n.client.activate(id);
	return { id, say: async (text: string) => await n8n.client.chat(webhookId, text) };
}
