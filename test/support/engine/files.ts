import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** The properties of a file besides its content. */
interface About {
	fileName?: string;
	mimeType?: string;
	fileExtension?: string;
}

/** A file that n8n keeps in memory, with its content in the item. */
export function fileInMemory(content: Buffer | string, about: About = {}): IBinaryData {
	const bytes = Buffer.from(content);
	return {
		mimeType: 'application/pdf',
		bytes: bytes.length,
		...about,
		data: bytes.toString('base64'),
	};
}

/** n8n's default storage of files in a folder: items refer to the files in it. */
export interface FileStorage {
	store(content: Buffer | string, about?: About): Promise<IBinaryData>;
	/** Removes the folder; files are in memory again. */
	close(): void;
}

/** Lets n8n's engine in this process keep files in a folder. */
export async function fileStorage(): Promise<FileStorage> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-files-'));
	const service = Container.get(BinaryDataService);
	const { mode, managers } = service as unknown as { mode: string; managers: object };
	const before = { mode, managers: { ...managers } };
	Object.assign(Container.get(BinaryDataConfig), { mode: 'filesystem', localStoragePath: folder });
	await service.init();
	return {
		async store(content, about = {}) {
			const file: IBinaryData = { mimeType: 'application/pdf', ...about, data: '' };
			return await service.store(
				{ type: 'execution', workflowId: 'test', executionId: '1' },
				Buffer.from(content),
				file,
			);
		},
		close() {
			// n8n has no way back; test files of one process share its storage.
			Object.assign(service, before);
			rmSync(folder, { recursive: true });
		},
	};
}
