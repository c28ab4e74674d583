import type { IDataObject } from 'n8n-workflow';
import { describeMessage } from './messages';

/** Who wrote messages, by name. */
export interface SenderNames {
	contact: string;
	/** Names of users by their IDs. */
	users: Map<string, string>;
}

const senders: Record<string, string> = {
	user: 'Person',
	bot: 'Bot',
	api: 'n8n',
	system: 'System',
};

/** What a reader can take for the end of a line. */
const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Returns a message as a line of a transcript, such as `Ann: Where is my order?`. A name is in one
 * line, and what somebody writes goes on indented, so that neither looks like the line of somebody
 * else.
 */
export function toTranscriptLine(message: IDataObject, names: SenderNames): string {
	const name = getSender(message, names);
	const sender = toLines(name).join(' ');
	const lines = toLines(describeMessage(message));
	if (lines.length === 0) return `${sender}:`;
	const content = lines.join('\n  ');
	return `${sender}: ${content}`;
}

/** Returns the lines of a text that are not empty. */
const toLines = (text: string) =>
	text
		.split(LINE_BREAKS)
		.map((line) => line.trim())
		.filter(Boolean);

function getSender({ senderType, senderId }: IDataObject, names: SenderNames) {
	if (senderType === 'contact') return names.contact;
	if (senderType === 'user') {
		const user = names.users.get(String(senderId));
		if (user !== undefined) return user;
	}
	const type = String(senderType);
	return senders[type] ?? type;
}

/**
 * Returns the last lines that fit into so many characters of JSON, and their number. If not even
 * the last one fits, it is cut.
 */
export function fitTranscriptLines(
	lines: string[],
	maxLength: number,
): { text: string; count: number } {
	let left = maxLength;
	let count = 0;
	for (const line of [...lines].reverse()) {
		// As text in JSON, with the line break.
		left -= JSON.stringify(line).length;
		if (left < 0) break;
		count++;
	}
	const last = lines.at(-1);
	if (count === 0 && last !== undefined) return { text: cutToFit(last, maxLength), count: 1 };
	const shown = lines.slice(lines.length - count);
	return { text: shown.join('\n'), count };
}

function cutToFit(line: string, maxLength: number) {
	const fits = (part: string) => JSON.stringify(`${part}…`).length <= maxLength;
	let text = line;
	while (text !== '' && !fits(text)) {
		const length = Math.floor(text.length * 0.9);
		text = text.slice(0, length);
	}
	// Not between the two halves of a character.
	const whole = text.replace(/\p{Surrogate}$/u, '');
	return `${whole}…`;
}
