import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Chat {
	model: string;
	messages: Array<{ role: string; content: string }>;
}

/** Returns what the model says: nobody should take it for a real one. */
function answerTo({ messages }: Chat): string {
	const heard = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? '';
	return `You wrote: "${heard}". That is all I can say, because I am a stand-in: choose a real model in the workflow.`;
}

/** Starts a server that speaks as much of OpenAI's API as n8n's agent needs, and repeats what it hears. It needs no account. */
export async function startEchoModel(): Promise<{ url: string; stop: () => Promise<void> }> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const chat = JSON.parse(body) as Chat;
			const message = { role: 'assistant', content: answerTo(chat) };
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					id: 'echo',
					object: 'chat.completion',
					created: 0,
					model: chat.model,
					choices: [{ index: 0, message, finish_reason: 'stop' }],
					usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
				}),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
