import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { stoppedError } from '../../../transport/errors/errors';
import type { FormFile } from '../../../transport/multipart';
import { apiRequest } from '../../../transport/request';
import type { RequestParts } from '../../../transport/request';
import { limits } from '../../../contract';
import { sendUploads } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { exceptForTools } from '../../shared/toolFields';
import { attachedFiles } from './attachedFiles';
import { checkSize, fileNameOf, refuseLost } from './inputFile';

/** So many messages with files a run holds in memory at once: each can have several of 5 MB. */
const MOST_AT_ONCE = 4;

const LABEL = 'Attachments';

/** The files of the input that go along with a message. */
export const attachmentsField = exceptForTools({
	displayName: LABEL,
	name: 'attachments',
	type: 'string',
	default: 'data',
	placeholder: 'e.g. data, photo',
	description:
		'Names of the input fields that hold the files, or * for all. For a file at an address, put an HTTP Request node before.',
});

/**
 * Checks, before anything is sent, that services take the files that an item names: they lose larger ones without a word.
 * Throws a sentence that says which is too large, or cannot be read.
 */
export async function checkAttachments(item: Item): Promise<void> {
	for (const { file } of attachedFiles(item)) refuseLarge(file, await sizeOf(file, item));
}

const refuseLarge = (file: IBinaryData, size: number) =>
	checkSize(size, limits.upload.max, `${LABEL}: a file`, fileNameOf(file));

/** The size of a file in bytes, without reading it where n8n knows it. */
async function sizeOf(file: IBinaryData, { run }: Item): Promise<number> {
	const { id, data, bytes } = file;
	if (!id) return Buffer.byteLength(data, 'base64');
	if (bytes !== undefined) return bytes;
	const { fileSize } = await run.context.helpers.getBinaryMetadata(id).catch(() => refuseLost(LABEL, file));
	return fileSize;
}

/**
 * Sends a message with the files that its item names, each of which is read when its turn comes.
 * Returns what the output says of them.
 */
export async function sendWithFiles(item: Item, parts: RequestParts): Promise<IDataObject[]> {
	const messages = item.run.once('messages with files', () => ({ count: 0 }));
	const place = `files ${messages.count++ % MOST_AT_ONCE}`;
	return await item.run.runExclusive([place], async () => {
		// Whatever waits here when the run ends need not be read.
		if (isOver(item)) throw stoppedError(apiRequest(sendUploads, parts), false);
		const files = await readFiles(item);
		await item.request(sendUploads, { ...parts, files });
		return files.map(({ fileName, mimeType, content }) => ({ fileName, mimeType, size: content.length }));
	});
}

function isOver({ run }: Item): boolean {
	return run.isStopped || run.context.getExecutionCancelSignal()?.aborted === true;
}

async function readFiles(item: Item): Promise<FormFile[]> {
	const files: FormFile[] = [];
	for (const { source, file } of attachedFiles(item)) {
		const content = await item.run.context.helpers
			.getBinaryDataBuffer(item.index, source)
			.catch(() => refuseLost(LABEL, file));
		refuseLarge(file, content.length);
		files.push({ fileName: fileNameOf(file), mimeType: file.mimeType, content });
	}
	return files;
}
