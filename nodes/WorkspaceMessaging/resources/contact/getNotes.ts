import { z } from 'zod/v4';
import { noteApi, note } from '../../contract/note';
import { returnAllOrLimit } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { defineOperation } from '../../run/operation';
import { readRecords } from '../../service/lists/records';
import { parseTime } from '../../values/dates';
import { string } from '../../contract/values';

export const getNotes = defineOperation({
	name: 'Get Notes',
	value: 'getNotes',
	action: 'Get notes of contact',
	description: 'Get the notes about a contact, newest first',
	endpoint: noteApi.listNotes,
	fields: [contactLocator, ...returnAllOrLimit],
	output: z.object({ contact: string, ...note.shape }),

	async run(item) {
		const { params, limit } = item;
		const answer = await item.request(noteApi.listNotes, { params });
		const newestFirst = readRecords(answer).sort(
			(a, b) => parseTime(b.createdAt) - parseTime(a.createdAt),
		);
		const newest = newestFirst.slice(0, limit);
		const contact = params.identifier;
		return newest.map((note) => ({ contact, ...note }));
	},
});
