import type { IDataObject, IHookFunctions, INodeParameters } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { WorkspaceOptions } from '../../../sandbox/options';
import {
	formatQuestionNote,
	type QuestionNote,
} from '../../../nodes/WorkspaceMessaging/contacts/customFields/questionNote';
import { QUESTION_FIELD } from '../../../nodes/WorkspaceMessaging/contract/customField';
import { makeKey } from '../../../nodes/WorkspaceMessaging/trigger/instant/addressKey';
import { readInstantSettings } from '../../../nodes/WorkspaceMessaging/trigger/instant/settings';
import { InstantHost } from './instantHost';
import { workspaceWithAnn } from './workspace';

/** The secret that n8n has saved for the node. */
const SECRET = '0123456789abcdef0123456789abcdef';

/** A workspace with one contact, Ann, and an n8n with a workflow that the trigger starts. */
export interface Called {
	workspace: SandboxWorkspace;
	/** Ann's ID. */
	id: string;
	host: InstantHost;
	/** The query of a call that has the right key. */
	query: { key: string };
}

/** Makes an n8n whose trigger the service is to call. */
export async function called(
	parameters: INodeParameters,
	options: WorkspaceOptions = {},
): Promise<Called> {
	const { workspace, ann } = await workspaceWithAnn({ service: 'newer', ...options });
	const credential = { baseUrl: workspace.url, accessToken: workspace.token };
	const host = new InstantHost(credential, parameters);
	host.database.staticData = { [`node:${host.name}`]: { secret: SECRET } };
	return {
		workspace,
		id: String(ann.id),
		host,
		query: { key: makeKey(SECRET, subjectOf(parameters)) },
	};
}

/** Writes the note of a question into the custom field that n8n has for it, and makes that first. */
export async function writeNote(
	workspace: SandboxWorkspace,
	contactId: string,
	note: QuestionNote,
): Promise<void> {
	const { customFields } = await workspace.state();
	const known = customFields.find(({ name }) => name === QUESTION_FIELD);
	const field =
		known ?? (await workspace.add('customFields', { name: QUESTION_FIELD, type: 'longText' }));
	const value = formatQuestionNote(note);
	const operations = [{ operation: 'set', customFieldId: field.id, value }];
	const response = await fetch(`${workspace.url}/api/v1/contacts/id:${contactId}/custom-fields`, {
		method: 'PATCH',
		headers: { authorization: `Bearer ${workspace.token}`, 'content-type': 'application/json' },
		body: JSON.stringify({ operations }),
	});
	if (!response.ok) throw new Error(`The note was not written (${response.status})`);
}

/** Returns what the key of a call is for. */
export function subjectOf(parameters: INodeParameters): string {
	const context = {
		getNode: () => ({ parameters }),
		getNodeParameter: (name: string) => parameters[name] ?? null,
	};
	return readInstantSettings(context as unknown as IHookFunctions).subject;
}

/** What the service posts when somebody archives a conversation. */
export const archivedCall = (contactId: string): IDataObject => ({
	event: 'conversation_archived',
	contact_id: contactId,
	timestamp: '2026-09-01T08:05:00.123Z',
	conversation_id: '7400000000000000001',
	archived_by: 'system',
});
