import { z } from 'zod/v4';
import type { CustomField, Tag } from '../../records';
import { after, type Workspace } from '../../workspace';
import { operation, type Operations } from './router';
import { holds, id, paged, sort, sorted, strictPaging, trimmed } from './inputs';
import { businessRefusal, notFound } from './problems';

/** The most that older lists without paging show. */
const unpagedMost = 50;

const name = trimmed(1, 255);
const folderId = z.string().nullish();
const byId = z.object({ id });
const newerQuery = z.object({
	...strictPaging,
	name: z.string().optional(),
	folderId: z.string().optional(),
	sort,
});
const columns = ['name', 'createdAt', 'updatedAt'];

const newestFirst = <T>(records: Iterable<T>): T[] => [...records].reverse();

/** What a list keeps by name and folder; folder `0` is the root. */
const kept = (
	record: { name: string; folderId?: string | null },
	query: { name?: string; folderId?: string },
): boolean =>
	(!query.name || holds(record.name, query.name)) &&
	(query.folderId === undefined || (record.folderId ?? '0') === query.folderId);

function refuseTakenName(
	workspace: Workspace,
	table: 'tags' | 'customFields',
	wanted: string,
	self?: string,
) {
	for (const record of workspace.tables[table].values()) {
		if (record.name === wanted && record.id !== self) {
			throw businessRefusal(workspace, 'name', 'Name is already taken.');
		}
	}
}

/** Adds a tag. */
export function newTag(workspace: Workspace, fields: Pick<Tag, 'name' | 'folderId'>): Tag {
	const now = new Date().toISOString();
	const tag: Tag = {
		id: workspace.nextId(),
		createdAt: now,
		updatedAt: now,
		workspaceId: workspace.record.id,
		deletedAt: null,
		...fields,
	};
	workspace.tables.tags.set(tag.id, tag);
	return tag;
}

function tagOf(workspace: Workspace, tagId: string): Tag {
	const tag = workspace.tables.tags.get(tagId);
	if (!tag) throw notFound('Tag');
	return tag;
}

function contactsByTag({ contacts }: Workspace): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { tagIds } of contacts.values()) {
		for (const tagId of tagIds) counts.set(tagId, (counts.get(tagId) ?? 0) + 1);
	}
	return counts;
}

/** Writing tags, as in newer and older services alike. */
export const tagOperations = {
	createTag: operation(z.object({ name, folderId }), ({ workspace }, body) => {
		refuseTakenName(workspace, 'tags', body.name);
		const tag = newTag(workspace, { name: body.name, folderId: body.folderId ?? null });
		return { id: tag.id, name: tag.name };
	}),
	getTag: operation(byId, ({ workspace }, input) => tagOf(workspace, input.id)),
	updateTag: operation(byId.extend({ name }), ({ workspace }, body) => {
		const tag = tagOf(workspace, body.id);
		refuseTakenName(workspace, 'tags', body.name, tag.id);
		Object.assign(tag, { name: body.name, updatedAt: after(tag.updatedAt) });
		return { id: tag.id, name: tag.name };
	}),
	deleteTag: operation(byId, ({ workspace }, input) => {
		workspace.tables.tags.delete(tagOf(workspace, input.id).id);
	}),
} satisfies Operations;

const definition = ({ id: fieldId, name: fieldName, type, description }: CustomField) => ({
	id: fieldId,
	name: fieldName,
	type,
	description,
});

function fieldOf(workspace: Workspace, fieldId: string): CustomField {
	const field = workspace.tables.customFields.get(fieldId);
	if (!field) throw notFound('Custom field');
	return field;
}

const fieldType = z.enum([
	'shortText',
	'longText',
	'number',
	'date',
	'datetime',
	'boolean',
	'email',
	'phoneNumber',
]);

/** Writing custom fields, as in newer and older services alike. */
export const customFieldOperations = {
	createCustomField: operation(
		z.object({ name, type: fieldType, folderId }),
		({ workspace }, body) => {
			refuseTakenName(workspace, 'customFields', body.name);
			const field: CustomField = {
				id: workspace.nextId(),
				name: body.name,
				type: body.type,
				workspaceId: workspace.record.id,
				folderId: body.folderId ?? null,
				description: null,
			};
			workspace.tables.customFields.set(field.id, field);
			return definition(field);
		},
	),
	getCustomField: operation(byId, ({ workspace }, input) =>
		definition(fieldOf(workspace, input.id)),
	),
	updateCustomField: operation(
		byId.extend({ name, description: z.string().optional(), folderId }),
		({ workspace }, { id: fieldId, ...changes }) => {
			const field = fieldOf(workspace, fieldId);
			refuseTakenName(workspace, 'customFields', changes.name, field.id);
			Object.assign(field, changes);
			return definition(field);
		},
	),
	deleteCustomField: operation(byId, ({ workspace }, input) => {
		workspace.tables.customFields.delete(fieldOf(workspace, input.id).id);
	}),
} satisfies Operations;

/** The newer lists: paged, and found by name. */
export const newerNameLists = {
	listTags: operation(newerQuery, ({ workspace }, query) => {
		const counts = contactsByTag(workspace);
		const tags = newestFirst(workspace.tables.tags.values()).filter((tag) => kept(tag, query));
		return paged(sorted(tags, query.sort, columns), query, (tag) => ({
			id: tag.id,
			name: tag.name,
			folderId: tag.folderId ?? null,
			contactsCount: counts.get(tag.id) ?? 0,
		}));
	}),
	listCustomFields: operation(newerQuery, ({ workspace }, query) => {
		const fields = newestFirst(workspace.tables.customFields.values()).filter((field) =>
			kept(field, query),
		);
		return paged(sorted(fields, query.sort, columns), query);
	}),
} satisfies Operations;

const nothing = z.object({});

/** The older lists: the newest, and no way to the others. */
export const olderNameLists = {
	listTags: operation(nothing, ({ workspace }) => ({
		data: newestFirst(workspace.tables.tags.values()).slice(0, unpagedMost),
	})),
	listCustomFields: operation(nothing, ({ workspace }) => ({
		data: newestFirst(workspace.tables.customFields.values()).slice(0, unpagedMost),
	})),
} satisfies Operations;
