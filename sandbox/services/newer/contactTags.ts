import { z } from 'zod/v4';
import type { StoredContact } from '../reference/contacts';
import type { Tag } from '../../records';
import type { Workspace } from '../../workspace';
import { contactOf } from './contactRecord';
import { operation, type Operations } from './router';
import { id, ofContact, trimmed } from './inputs';
import { newTag } from './tags';

const byId = ofContact.extend({ tagIds: z.array(id).min(1).max(100) });
const tagName = trimmed(1, 255);

function setTags(workspace: Workspace, contact: StoredContact, tagIds: readonly string[]): void {
	workspace.changeContact(contact, { tagIds: [...new Set(tagIds)] });
}

/** The tags of these names; missing ones are created. */
export function tagsNamed(workspace: Workspace, names: readonly string[]): Tag[] {
	return [...new Set(names)].map(
		(name) =>
			[...workspace.tables.tags.values()].find((tag) => tag.name === name) ??
			newTag(workspace, { name }),
	);
}

const idOf = ({ id: tagId }: { id: string }) => tagId;

/** The tags of a contact, as in newer and older services alike. */
export const contactTagOperations = {
	listContactTags: operation(ofContact, ({ workspace }, { identifier }) => ({
		data: contactOf(workspace, identifier).tagIds.flatMap((tagId) => {
			const tag = workspace.tables.tags.get(tagId);
			return tag ? [{ id: tag.id, name: tag.name }] : [];
		}),
	})),
	// Ids that no tag has are ignored without a word.
	addContactTags: operation(byId, ({ workspace }, { identifier, tagIds }) => {
		const contact = contactOf(workspace, identifier);
		const known = tagIds.filter((tagId) => workspace.tables.tags.has(tagId));
		setTags(workspace, contact, [...contact.tagIds, ...known]);
	}),
	removeContactTags: operation(byId, ({ workspace }, { identifier, tagIds }) => {
		const contact = contactOf(workspace, identifier);
		setTags(
			workspace,
			contact,
			contact.tagIds.filter((tagId) => !tagIds.includes(tagId)),
		);
	}),
} satisfies Operations;

/** The tags of a contact by their names: newer services only. */
export const contactTagNameOperations = {
	addContactTagsByName: operation(
		ofContact.extend({ tags: z.array(tagName).min(1).max(100) }),
		({ workspace }, { identifier, tags }) => {
			const contact = contactOf(workspace, identifier);
			setTags(workspace, contact, [...contact.tagIds, ...tagsNamed(workspace, tags).map(idOf)]);
		},
	),
	replaceContactTags: operation(
		ofContact.extend({ tags: z.array(tagName).max(100) }),
		({ workspace }, { identifier, tags }) => {
			const contact = contactOf(workspace, identifier);
			setTags(workspace, contact, tagsNamed(workspace, tags).map(idOf));
		},
	),
} satisfies Operations;

const ofSequences = (least: number) =>
	ofContact.extend({ sequenceIds: z.array(id).min(least).max(100) });

const changeSequences = (
	least: number,
	change: (held: readonly string[], sent: readonly string[]) => readonly string[],
) =>
	operation(ofSequences(least), ({ workspace }, { identifier, sequenceIds }) => {
		const contact = contactOf(workspace, identifier);
		const changed = change(contact.sequenceIds ?? [], sequenceIds);
		workspace.changeContact(contact, { sequenceIds: [...new Set(changed)] });
	});

/** The sequences of a contact: newer services only. */
export const contactSequenceOperations = {
	addContactSequences: changeSequences(1, (held, sent) => [...held, ...sent]),
	replaceContactSequences: changeSequences(0, (_, sent) => sent),
	removeContactSequences: changeSequences(1, (held, sent) =>
		held.filter((sequenceId) => !sent.includes(sequenceId)),
	),
} satisfies Operations;
