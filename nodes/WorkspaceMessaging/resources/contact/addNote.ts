import { z } from 'zod/v4';
import { contactOutput, describeContact } from '../../contacts/output';
import { limits } from '../../contract/limits';
import { noteApi } from '../../contract/note';
import { anyText, string, strings, text } from '../../contract/values';
import { optional, textField } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { firstPartsDoneError, type ApiError } from '../../transport/errors/ApiError';
import { readRecord } from '../../service/lists/records';
import { notBlank } from '../../values/blankText';
import { splitText } from '../../values/splitText';

const { min, max } = limits.note;
const maxNoteLength = max.toLocaleString('en-US');

const shortNote = notBlank(text(min, max, ' (to save a longer one, add Split Long Text)'));
const longNote = notBlank(anyText.min(1, 'must not be empty'));

export const addNote = defineOperation({
	name: 'Add Note',
	value: 'addNote',
	action: 'Add note to contact',
	description:
		'Add a note about a contact for the people who answer, such as a summary; the contact does not see it',
	endpoint: noteApi.addNote,
	fields: [
		contactLocator,
		textField({
			displayName: 'Note',
			name: 'text',
			typeOptions: { rows: 4 },
			required: true,
			placeholder: 'e.g. Wants a call on Monday',
			hint: `Up to ${maxNoteLength} characters. Add Split Long Text to save longer texts as several notes.`,
		}),
		optional('options', [
			{
				displayName: 'Split Long Text',
				name: 'splitLongText',
				type: 'boolean',
				default: true,
				description: 'Whether to save a longer text as several notes',
			},
		]),
	],
	output: contactOutput.extend({ text: string, noteIds: strings }),

	schema: (item) => ({
		body: z.strictObject({ text: item.isOn('options.splitLongText') ? longNote : shortNote }),
	}),
	normalize({ body }) {
		const { text } = body;
		if (typeof text !== 'string') return { body };
		// White space alone stays, so that the error can say so.
		return { body: { ...body, text: text.trim() || text } };
	},

	async run(item) {
		const { params, body } = item;
		const parts = splitText(body.text, max);
		const noteIds: string[] = [];
		for (const [position, text] of parts.entries()) {
			// Two parts can have the same text.
			const dedupeKey = item.clientId(position);
			const note = await readRecord(item, noteApi.addNote, {
				params,
				body: { text },
				dedupeKey,
			}).catch((error: ApiError) => {
				if (position > 0)
					throw firstPartsDoneError(error, position, parts.length, ['notes', 'saved']);
				throw error;
			});
			noteIds.push(String(note.id));
		}
		return [{ success: true, ...describeContact(item), text: body.text, noteIds }];
	},
});
