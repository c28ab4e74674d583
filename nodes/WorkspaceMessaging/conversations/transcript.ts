import type { IDataObject } from 'n8n-workflow';
import { describeAttachments, describeMessage } from './messages';

/** Who wrote messages, by name. */
export interface Names {
	contact: string;
	/** Names of users by their IDs. */
	users: Map<string, string>;
}

const senders: Record<string, string> = {
	user: 'Person',
	bot: 'Bot',
	api: 'API',
	system: 'System',
};

/** What a reader can take for the end of a line. */
const LINE_BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Returns a message as a line of a transcript, such as `Ann: Where is my order?`. A name is in one
 * line, and what somebody writes goes on indented, so that neither looks like the line of somebody
 * else.
 */
export function toLine(message: IDataObject, names: Names): string {
	const sender = toLines(getSender(message, names)).join(' ');
	const text = describeMessage(message).trim();
	const attachments = message.text ? describeAttachments(message) : '';
	const written = toLines(`${text} ${attachments}`).join('\n  ');
	return [`${sender}:`, written].filter(Boolean).join(' ');
}

/** Returns the lines of a text that are not empty. */
const toLines = (text: string) =>
	text
		.split(LINE_BREAKS)
		.map((line) => line.trim())
		.filter(Boolean);

function getSender({ senderType, senderId }: IDataObject, { contact, users }: Names): string {
	if (senderType === 'contact') return contact;
	const name = senderType === 'user' ? users.get(String(senderId)) : undefined;
	return name ?? senders[String(senderType)] ?? String(senderType);
}

/**
 * Returns the last lines that fit into so many characters of JSON, and their number. If not even
 * the last one fits, it is cut.
 */
export function fitLines(lines: string[], maxLength: number): { text: string; count: number } {
	let left = maxLength;
	let first = lines.length;
	while (first > 0) {
		// As text in JSON, with the line break.
		left -= JSON.stringify(lines[first - 1]).length;
		if (left < 0) break;
		first--;
	}
	if (first < lines.length || lines.length === 0)
		return { text: lines.slice(first).join('\n'), count: lines.length - first };
	let text = lines[lines.length - 1];
	while (JSON.stringify(`${text}…`).length > maxLength)
		text = text.slice(0, Math.floor(text.length * 0.9));
	// Not between the two halves of a character.
	return { text: `${text.replace(/\p{Surrogate}$/u, '')}…`, count: 1 };
}
