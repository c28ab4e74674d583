import { StandardOpenAPIHandler } from '@orpc/openapi/standard';
import { z } from 'zod/v4';
import { collectionNames, type CollectionName } from '../records';
import { contactChange, faults, workspaceOptions } from '../options';
import { addFile, newWorkspace } from '../seed';
import { withInbox } from '../services/newer/conversations/conversation';
import { about, ofWorkspace, route, workspaceOf, type Sandboxes } from './base';
import { broadcastControl } from './broadcasts';
import { conversationControl } from './conversations';
import { pageControl } from './page';
import { webhookControl } from './webhooks';
import type { Workspace } from '../workspace';

const record = z.record(z.string(), z.unknown());
const ofCollection = ofWorkspace.extend({ collection: z.enum(collectionNames) });
const ofRecord = ofCollection.extend({ id: z.string() });

const table = (workspace: Workspace, name: CollectionName) =>
	workspace.tables[name] as Map<string, { id: string }>;

/** How tests look at workspaces and change them, as other users would. */
const router = {
	put: about('PUT')
		.input(z.object({ params: ofWorkspace, body: workspaceOptions.optional() }))
		.handler(({ context: { workspaces, service }, input: { params, body } }) => {
			workspaces.get(params.token)?.close();
			const workspace = newWorkspace({ service, ...body });
			workspaces.set(params.token, workspace);
			return workspace.counts();
		}),
	remove: about('DELETE')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) => {
			workspaceOf(context, params.token).close();
			context.workspaces.delete(params.token);
		}),

	journal: about('GET', '/journal')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) =>
			workspaceOf(context, params.token).journal.read(params.token),
		),
	summary: about('GET', '/journal/summary')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) =>
			workspaceOf(context, params.token).journal.summary(),
		),
	clearJournal: about('DELETE', '/journal')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) =>
			workspaceOf(context, params.token).journal.clear(),
		),
	changeFaults: about('PATCH', '/faults')
		.input(z.object({ params: ofWorkspace, body: faults }))
		.handler(({ context, input: { params, body } }) =>
			workspaceOf(context, params.token).faults.change(body),
		),

	state: about('GET', '/state')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) => workspaceOf(context, params.token).state()),
	counts: about('GET', '/counts')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) => workspaceOf(context, params.token).counts()),
	contact: about('GET', '/contacts/{identifier}')
		.input(z.object({ params: ofWorkspace.extend({ identifier: z.string() }) }))
		.handler(({ context, input: { params } }) => {
			const workspace = workspaceOf(context, params.token);
			return workspace.show(workspace.contactOf(params.identifier));
		}),

	addContacts: about('POST', '/contacts')
		.input(z.object({ params: ofWorkspace, body: z.array(contactChange) }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			return body.map((fields) =>
				workspace.show(workspace.addContact(withInbox(workspace, fields))),
			);
		}),
	changeContacts: about('PATCH', '/contacts')
		.input(
			z.object({
				params: ofWorkspace,
				body: z.array(z.strictObject({ identifier: z.string(), changes: contactChange })),
			}),
		)
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			for (const { identifier, changes } of body) {
				workspace.changeContact(workspace.contactOf(identifier), changes);
			}
		}),
	removeContacts: about('DELETE', '/contacts')
		.input(z.object({ params: ofWorkspace, body: z.array(z.string()) }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			for (const identifier of body) workspace.contacts.remove(workspace.contactOf(identifier));
		}),

	...broadcastControl,
	...conversationControl,
	...pageControl,
	...webhookControl,

	addFile: about('POST', '/files')
		.input(z.object({ params: ofWorkspace, body: z.array(z.record(z.string(), z.string())) }))
		.handler(({ context, input: { params, body } }) =>
			addFile(workspaceOf(context, params.token), body),
		),
	addRecord: about('POST', '/records/{collection}')
		.input(z.object({ params: ofCollection, body: record }))
		.handler(({ context, input: { params, body } }) => {
			const workspace = workspaceOf(context, params.token);
			const added = { id: workspace.nextId(), ...body };
			table(workspace, params.collection).set(added.id, added);
			return added;
		}),
	changeRecord: about('PATCH', '/records/{collection}/{id}')
		.input(z.object({ params: ofRecord, body: record }))
		.handler(({ context, input: { params, body } }) =>
			Object.assign(
				workspaceOf(context, params.token).recordOf(params.collection, params.id, 'Record'),
				body,
			),
		),
	removeRecord: about('DELETE', '/records/{collection}/{id}')
		.input(z.object({ params: ofRecord }))
		.handler(({ context, input: { params } }) => {
			table(workspaceOf(context, params.token), params.collection).delete(params.id);
		}),

	unknownRequests: route('GET', '/unknown-requests')
		.input(z.object({ query: z.strictObject({ containing: z.string().optional() }) }))
		.handler(({ context: { unknownRequests }, input: { query } }) =>
			unknownRequests.filter(({ path }) => path.includes(query.containing ?? '')),
		),
	clearUnknownRequests: route('DELETE', '/unknown-requests').handler(
		({ context: { unknownRequests } }) => {
			unknownRequests.length = 0;
		},
	),
};

/** Answers requests to `/_sandbox`. */
export const control = new StandardOpenAPIHandler<Sandboxes>(router, {});
