import { z } from 'zod/v4';
import type { Workspace } from '../workspace';
import { about, ofWorkspace, workspaceOf } from './base';

/** What the page on which one writes as a contact shows besides the workspace. */
const page = z.strictObject({
	/** Address of the editor of the n8n that hears the contacts. */
	editorUrl: z.url({ protocol: /^https?$/ }).optional(),
	/** What to write, and what starts then. */
	phrases: z.array(z.strictObject({ text: z.string().min(1), starts: z.string() })).optional(),
	/** How many seconds are between two polls of that n8n. */
	pollSeconds: z.number().positive().optional(),
});
export type ChatPage = z.input<typeof page>;

const pages = new WeakMap<Workspace, ChatPage>();

/** Returns when somebody has last read the list of conversations, within the time of one poll. */
function polledAt({ journal }: Workspace, { pollSeconds = 60 }: ChatPage): number[] {
	const since = Date.now() - pollSeconds * 1000;
	const times: number[] = [];
	for (const { at, operation } of journal.entries.slice(-500)) {
		if (operation === 'listConversations' && at > since) times.push(at);
	}
	return times;
}

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
			return { ...shown, polledAt: polledAt(workspace, shown) };
		}),
};
