import type { ServerResponse } from 'node:http';
import type { Turn } from './scriptedModel';

/** A request of OpenAI's newer API ("Responses"), which n8n's own agents use. */
export interface ResponsesRequest {
	input: Array<{ output?: string }>;
}

/** What the tool that was called last has returned. */
export const lastOutputIn = ({ input }: ResponsesRequest): string => input.at(-1)?.output ?? '';

/** Answers with a turn, as a stream of events. */
export function streamTurn(response: ServerResponse, turn: Turn, index: number): void {
	const send = (type: string, event: object) =>
		response.write(
			`event: ${type}\ndata: ${JSON.stringify({ type, output_index: 0, ...event })}\n\n`,
		);
	const answer = { id: `answer_${index}`, object: 'response', created_at: 0, model: 'scripted' };
	const id = `item_${index}`;
	const item =
		'say' in turn
			? {
					id,
					type: 'message',
					role: 'assistant',
					content: [{ type: 'output_text', text: turn.say }],
				}
			: {
					...{ id, type: 'function_call', call_id: `call_${index}`, name: turn.tool },
					arguments: JSON.stringify(turn.args),
					status: 'completed',
				};

	response.setHeader('content-type', 'text/event-stream');
	send('response.created', { response: answer });
	if ('say' in turn) {
		send('response.output_item.added', { item: { ...item, content: [] } });
		send('response.output_text.delta', { item_id: id, content_index: 0, delta: turn.say });
	} else {
		send('response.output_item.added', { item: { ...item, arguments: '' } });
	}
	send('response.output_item.done', { item });
	send('response.completed', {
		response: {
			...answer,
			output: [item],
			usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
		},
	});
	response.end();
}
