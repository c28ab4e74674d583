import { z } from 'zod/v4';
import { limits } from '../../../nodes/WorkspaceMessaging/contract/limits';
import type { StoredContact } from '../reference/contacts';
import type { Workspace } from '../../workspace';
import { tagsNamed } from './contactTags';
import { id, trimmed } from './inputs';
import { notFound } from './problems';
import { operation, type Operations } from './router';

const { bulkContacts, bulkTags, bulkSequences, name } = limits;
const listOf = <Entry extends z.ZodType>(
	entry: Entry,
	{ min, max }: { min: number; max: number },
) => z.array(entry).min(min).max(max);

const contactIds = listOf(id, bulkContacts);
const byNames = z.object({ contactIds, tags: listOf(trimmed(name.min, name.max), bulkTags) });
const bySequences = z.object({ contactIds, sequenceIds: listOf(id, bulkSequences) });

/** The contact with an ID, unless bulk calls skip it. */
function contactFor({ contacts, faults }: Workspace, contactId: string): StoredContact | undefined {
	if (faults.settings.skippedInBulk?.includes(contactId)) return undefined;
	return /^\d+$/.test(contactId) ? contacts.find(`id:${contactId}`) : undefined;
}

/** Changes a list of each contact, and answers how many were found and who was not. */
function changeEach(
	workspace: Workspace,
	sent: readonly string[],
	list: 'tagIds' | 'sequenceIds',
	change: (held: readonly string[]) => readonly string[],
) {
	const skippedContactIds: string[] = [];
	let processed = 0;
	for (const contactId of new Set(sent)) {
		const contact = contactFor(workspace, contactId);
		if (!contact) {
			skippedContactIds.push(contactId);
			continue;
		}
		workspace.changeContact(contact, { [list]: change(contact[list] ?? []) });
		processed++;
	}
	return { processed, skippedContactIds };
}

const plus = (added: readonly string[]) => (held: readonly string[]) => [
	...new Set([...held, ...added]),
];
const minus = (removed: readonly string[]) => (held: readonly string[]) =>
	held.filter((each) => !removed.includes(each));

/** Sequences, of which each must exist: one that does not fails the request for all contacts. */
function known({ tables }: Workspace, sequenceIds: readonly string[]): readonly string[] {
	if (!sequenceIds.every((each) => tables.sequences.has(each))) throw notFound('Sequence');
	return sequenceIds;
}

/** What newer services do to many contacts in one request. Names of tags are exact text. */
export const bulkOperations = {
	// Tags that do not exist are created, as by the names of one contact's tags.
	bulkAddTags: operation(byNames, ({ workspace }, { contactIds: sent, tags }) => {
		const tagIds = tagsNamed(workspace, tags).map((tag) => tag.id);
		return changeEach(workspace, sent, 'tagIds', plus(tagIds));
	}),
	bulkAddSequences: operation(bySequences, ({ workspace }, { contactIds: sent, sequenceIds }) =>
		changeEach(workspace, sent, 'sequenceIds', plus(known(workspace, sequenceIds))),
	),
} satisfies Operations;

/** The opposite; only the newest services have it. */
export const newestBulkOperations = {
	bulkRemoveTags: operation(byNames, ({ workspace }, { contactIds: sent, tags }) => {
		const tagIds = [...workspace.tables.tags.values()]
			.filter((tag) => tags.includes(tag.name))
			.map((tag) => tag.id);
		return changeEach(workspace, sent, 'tagIds', minus(tagIds));
	}),
	bulkRemoveSequences: operation(bySequences, ({ workspace }, { contactIds: sent, sequenceIds }) =>
		changeEach(workspace, sent, 'sequenceIds', minus(known(workspace, sequenceIds))),
	),
} satisfies Operations;
