import { z } from 'zod/v4';
import type { Workspace } from '../workspace';
import { about, ofWorkspace, workspaceOf } from './base';
import { nextPollAt } from './polls';

/** What the page on which one writes as a contact shows besides the workspace. */
const page = z.strictObject({
	/** Address of the editor of the n8n that hears the contacts. */
	editorUrl: z.url({ protocol: /^https?$/ }).optional(),
	/** What to write, and what starts then. */
	phrases: z.array(z.strictObject({ text: z.string().min(1), starts: z.string() })).optional(),
});
export type ChatPage = z.input<typeof page>;

const pages = new WeakMap<Workspace, ChatPage>();

/** What the page shows, and who sets it. */
export const pageControl = {
	setPage: about('PUT', '/page')
		.input(z.object({ params: ofWorkspace, body: page }))
		.handler(({ context, input: { params, body } }) => {
			pages.set(workspaceOf(context, params.token), body);
		}),
	page: about('GET', '/page')
		.input(z.object({ params: ofWorkspace }))
		.handler(({ context, input: { params } }) => {
			const workspace = workspaceOf(context, params.token);
			const shown = pages.get(workspace) ?? {};
			return { ...shown, nextPollAt: nextPollAt(workspace.journal.entries, Date.now()) };
		}),
};
