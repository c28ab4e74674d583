import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Parameters {
	properties?: Record<string, Parameters>;
	required?: string[];
}

interface Tool {
	function: { name: string; parameters?: Parameters };
}

interface Chat {
	model: string;
	messages: Array<{ role: string; content: string }>;
	tools?: Tool[];
}

/**
 * What tells the model to call a tool: `Call send message: Hello`, or `Call get contact: contact =
 * ann@example.com`.
 */
const CALL = /^\s*call\s+([^:]+?)\s*(?::(.*))?$/is;

/** The tools that hand a conversation over to a person, in their order. */
const HAND_OVER = ['addnote', 'assign', 'handover'];

/** The words that call for a person. */
export const ASKS_FOR_PERSON = /\b(person|human|colleague)\b/i;

/** The letters and digits of a name, so that `send message` is found in `Send_message`. */
const lettersOf = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * Reads the arguments of a call: `field = value; field = value`, or a single value for the first
 * field that the tool needs.
 */
function readArguments(written: string, parameters: Parameters): Record<string, unknown> {
	const { toolParameters } = parameters.properties ?? {};
	// A tool behind a human review.
	if (toolParameters)
		return { toolParameters: readArguments(written, toolParameters), hitlParameters: {} };
	const names = Object.keys(parameters.properties ?? {});
	const pairs = written
		.split(';')
		.map((pair) => pair.split('='))
		.flatMap(([field, ...value]) => {
			// n8n makes names of labels: `Contact_Email__Phone_or_ID` for `contact`.
			const wanted = lettersOf(field);
			const name =
				names.find((each) => lettersOf(each) === wanted) ??
				names.find((each) => wanted !== '' && lettersOf(each).startsWith(wanted));
			return name !== undefined && value.length > 0
				? [[name, value.join('=').trim()] as const]
				: [];
		});
	if (pairs.length > 0) return Object.fromEntries(pairs);
	const [first] = [...(parameters.required ?? []), ...names];
	return first === undefined || written.trim() === '' ? {} : { [first]: written.trim() };
}

/** Returns the call of a tool with what the user wrote for it. */
const callOf = ({ function: { name, parameters = {} } }: Tool, written: string, id: string) => ({
	content: null,
	tool_calls: [
		{
			id,
			type: 'function',
			function: { name, arguments: JSON.stringify(readArguments(written, parameters)) },
		},
	],
});

/** Returns what the model says or calls: nobody should take it for a real one. */
function answerTo({ messages, tools = [] }: Chat) {
	const asked = messages.findLastIndex(({ role }) => role === 'user');
	const heard = messages[asked]?.content ?? '';
	const results = messages.slice(asked + 1).filter(({ role }) => role === 'tool');
	const id = `call_${messages.length}`;
	const [, wanted = '', written = ''] = CALL.exec(heard) ?? [];

	const steps = HAND_OVER.flatMap(
		(step) => tools.find(({ function: f }) => lettersOf(f.name) === step) ?? [],
	);
	if (wanted === '' && ASKS_FOR_PERSON.test(heard) && steps.length === HAND_OVER.length) {
		const next = steps[results.length];
		return next
			? callOf(next, `The contact wrote: "${heard}"`, id)
			: { content: 'A person will answer you.' };
	}

	const [result] = results.slice(-1);
	if (result) return { content: `The tool returned: ${result.content}` };
	const isWanted = ({ function: { name } }: Tool) => lettersOf(name).includes(lettersOf(wanted));
	const tool = wanted === '' ? undefined : tools.find(isWanted);
	if (tool) return callOf(tool, written, id);
	const content = `You wrote: "${heard}". That is all I can say, because I am a stand-in: choose a real model in the workflow.`;
	return { content };
}

/** Returns the text of an uploaded recording; the stand-in cannot hear, and says its name. */
function transcribe(form: string): string {
	const [, name = 'the recording'] = /filename="([^"]*)"/.exec(form) ?? [];
	return `(what ${name} says)`;
}

/**
 * Starts a server that speaks as much of OpenAI's API as n8n's agent needs. It repeats what it
 * hears, calls a tool if the message says so, and hands over to a person who is asked for. It needs
 * no account.
 */
export async function startStandInModel(): Promise<{ url: string; stop: () => Promise<void> }> {
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			response.setHeader('content-type', 'application/json');
			if (request.url?.endsWith('/audio/transcriptions')) {
				response.end(JSON.stringify({ text: transcribe(body) }));
				return;
			}
			const chat = JSON.parse(body) as Chat;
			const message = { role: 'assistant', ...answerTo(chat) };
			const reason = 'tool_calls' in message ? 'tool_calls' : 'stop';
			response.end(
				JSON.stringify({
					id: 'stand-in',
					object: 'chat.completion',
					created: 0,
					model: chat.model,
					choices: [{ index: 0, message, finish_reason: reason }],
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
