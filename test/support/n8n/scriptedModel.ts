import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lastOutputIn, streamTurn, type ResponsesRequest } from './responsesApi';

/** One entry of a conversation, as OpenAI's API has it. */
interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
}

/** A tool, as the agent offers it to the model. */
interface OfferedTool {
	function: {
		name: string;
		description: string;
		parameters: { properties: Record<string, { type?: string; description?: string }> };
	};
}

export interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: OfferedTool[];
}

/** What the model does next: call a tool, or say something and end. */
export type Turn = { tool: string; args: Record<string, unknown> } | { say: string };

/** The turns of a model in order; each gets what the tool before it returned. */
export type Script = Array<(toolResult: string) => Turn>;

/** A model that follows a script instead of thinking. */
export interface ScriptedModel {
	/** Base URL to put into an OpenAI credential. */
	url: string;
	/** What it was asked, turn by turn; by the AI Agent node only. */
	requests: ChatRequest[];
	stop: () => Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

const messageOf = (turn: Turn, index: number) =>
	'say' in turn
		? { role: 'assistant', content: turn.say }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						id: `call_${index}`,
						type: 'function',
						function: { name: turn.tool, arguments: JSON.stringify(turn.args) },
					},
				],
			};

/**
 * Starts a server on this machine that speaks as much of OpenAI's API as n8n's agent needs.
 *
 * @param script the turns in order; each gets what the tool before it returned
 * @param otherScript returns the script of a conversation that has one of its own
 */
export async function startScriptedModel(
	script: Script,
	otherScript: (chat: ChatRequest) => Script | undefined = () => undefined,
): Promise<ScriptedModel> {
	const requests: ChatRequest[] = [];
	let turns = 0;
	const turnsOf = new Map<Script, number>();
	const turnAfter = (toolResult: string, own: Script = script): Turn => {
		const turn = turnsOf.get(own) ?? 0;
		turnsOf.set(own, turn + 1);
		turns++;
		return own[turn]?.(toolResult) ?? { say: 'The script has ended.' };
	};
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const index = turns;
			if (request.url?.endsWith('/responses')) {
				const output = lastOutputIn(JSON.parse(body) as ResponsesRequest);
				return streamTurn(response, turnAfter(output), index);
			}
			const chat = JSON.parse(body) as ChatRequest;
			requests.push(chat);
			const turn = turnAfter(chat.messages.at(-1)?.content ?? '', otherScript(chat));
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: `answer_${index}`,
					object: 'chat.completion',
					created: 0,
					model: chat.model,
					choices: [
						{
							index: 0,
							message: messageOf(turn, index),
							finish_reason: 'say' in turn ? 'stop' : 'tool_calls',
						},
					],
					usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
				}),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		requests,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
