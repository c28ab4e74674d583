import { createHash } from 'node:crypto';
import type {
	IBinaryKeyData,
	IDataObject,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { RunOptions } from '../../support/engine/engine';
import { fileInMemory } from '../../support/engine/files';
import { by } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';
import type { WorkspaceOptions } from '../../../sandbox/options';

/** Services accept files up to this size; the reference has no uploads. */
export const LARGEST_FILE = 5_000_000;
export const LONGEST_CAPTION = 1000;

export const sha256 = (content: Buffer | string) =>
	createHash('sha256').update(content).digest('hex');

/** A workspace with one contact, who gets files. */
export async function withAnn(options: WorkspaceOptions = {}) {
	const { workspace, run, ann } = await workspaceWithAnn({ service: 'newer', ...options });
	const parametersOf = (
		attachments: NodeParameterValueType,
		more: INodeParameters = {},
		options: INodeParameters = {},
	) => ({
		resource: 'message',
		operation: 'send',
		identifier: by('id', ann.id),
		attachments,
		options,
		...more,
	});
	return {
		workspace,
		ann,
		parametersOf,
		/** Sends the files of one item. */
		async send(
			files: IBinaryKeyData,
			attachments: NodeParameterValueType = 'data',
			more: INodeParameters = {},
			runOptions: Partial<RunOptions> & { options?: INodeParameters; json?: IDataObject } = {},
		) {
			const { options, json = {}, ...rest } = runOptions;
			return await run(parametersOf(attachments, more, options), [json], {
				files: [files],
				...rest,
			});
		},
		run,
		requests: async () => (await workspace.journal()).requests,
		messages: async () => (await workspace.journal()).messages,
	};
}

export const pdf = fileInMemory('%PDF-1.7 …', { fileName: 'invoice.pdf' });
