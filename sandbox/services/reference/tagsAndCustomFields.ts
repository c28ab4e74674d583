import { customFieldApi } from '../../../nodes/WorkspaceMessaging/contract/customField';
import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';
import { named, page, type PageQuery } from './lists';
import type { CustomField, Tag } from '../../records';
import { after, type Workspace } from '../../workspace';

interface NamedQuery extends PageQuery {
	keyword?: string;
}

const reference = ({ id, name }: Tag) => ({ id, name });
const definition = ({ id, name, type, description }: CustomField) => ({
	id,
	name,
	type,
	description,
});

export const tagHandlers = {
	listTags(workspace: Workspace, { query }: { query: NamedQuery }): unknown {
		const keyword = workspace.faults.settings.ignoreKeyword ? undefined : query.keyword;
		const tags = named(workspace.tables.tags.values(), keyword, ({ name }) => [name]);
		return page(workspace, tagApi.listTags, tags, query);
	},

	createTag(workspace: Workspace, { body }: { body: { name: string; folderId?: string | null } }) {
		workspace.refuseTakenName('tags', body.name);
		const now = new Date().toISOString();
		const tag: Tag = {
			id: workspace.nextId(),
			name: body.name,
			createdAt: now,
			updatedAt: now,
			workspaceId: workspace.record.id,
			deletedAt: null,
			folderId: body.folderId ?? null,
		};
		workspace.tables.tags.set(tag.id, tag);
		return reference(tag);
	},

	updateTag(
		workspace: Workspace,
		{ params, body }: { params: { tagId: string }; body: { name: string } },
	) {
		const tag = workspace.recordOf('tags', params.tagId, 'Tag');
		workspace.refuseTakenName('tags', body.name, tag.id);
		Object.assign(tag, { name: body.name, updatedAt: after(tag.updatedAt) });
		return reference(tag);
	},

	deleteTag(workspace: Workspace, { params }: { params: { tagId: string } }): void {
		workspace.tables.tags.delete(workspace.recordOf('tags', params.tagId, 'Tag').id);
	},
};

export const customFieldHandlers = {
	listCustomFields(workspace: Workspace, { query }: { query: NamedQuery }): unknown {
		const fields = named(workspace.tables.customFields.values(), query.keyword, ({ name }) => [
			name,
		]);
		return page(workspace, customFieldApi.listCustomFields, fields, query);
	},

	createCustomField(
		workspace: Workspace,
		{ body }: { body: Pick<CustomField, 'name' | 'type'> & { folderId?: string | null } },
	) {
		workspace.refuseTakenName('customFields', body.name);
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

	updateCustomField(
		workspace: Workspace,
		{
			params,
			body,
		}: {
			params: { customFieldId: string };
			body: { name: string; description?: string; folderId?: string | null };
		},
	) {
		const field = workspace.recordOf('customFields', params.customFieldId, 'Custom field');
		workspace.refuseTakenName('customFields', body.name, field.id);
		Object.assign(field, body);
		return definition(field);
	},

	deleteCustomField(workspace: Workspace, { params }: { params: { customFieldId: string } }): void {
		const { id } = workspace.recordOf('customFields', params.customFieldId, 'Custom field');
		workspace.tables.customFields.delete(id);
	},
};
