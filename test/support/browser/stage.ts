import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useN8n, type RunningN8n } from '../../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../../sandbox/client';
import type { WorkspaceOptions } from '../../../sandbox/options';
import { Editor } from './editor';

/** All that a test of the editor needs. */
export interface Stage {
	sandbox: Sandbox;
	workspace: SandboxWorkspace;
	n8n: RunningN8n;
	editor: Editor;
	stop: () => Promise<void>;
}

/** Brings up a workspace of the sandbox, n8n with this package, and a browser with n8n's editor. */
export async function setStage(token: string, options?: WorkspaceOptions): Promise<Stage> {
	const stops: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const end of stops.reverse()) await end();
	};
	try {
		const sandbox = await startSandbox();
		stops.push(sandbox.stop);
		const workspace = await sandbox.workspace(token, options);
		const n8n = await useN8n();
		stops.push(n8n.stop);
		// Never what somebody keeps in an n8n of their own.
		if (!process.env.N8N_TEST_URL) await n8n.client.deleteAll();
		const editor = await Editor.open(n8n);
		stops.push(async () => await editor.close());
		return { sandbox, workspace, n8n, editor, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Creates a test in the browser: its error names a picture of the moment when it failed. */
export function seen(
	stage: () => Stage,
	test: (stage: Stage) => Promise<void>,
): () => Promise<void> {
	return async () => {
		try {
			await test(stage());
		} catch (error) {
			const path = join(await mkdtemp(join(tmpdir(), 'editor-')), 'failed.png');
			await stage().editor.page.screenshot({ path });
			throw new Error(`The editor at that moment: ${path}`, { cause: error });
		}
	};
}
