import type { IDataObject } from 'n8n-workflow';
import { isUnsupported, rejected, unexpectedAnswer } from '../../../transport/errors/errors';
import { apiRequest } from '../../../transport/request';
import { rethrow } from '../../../transport/rethrow';
import type { Upload } from '../../../transport/upload';
import { createImportUpload } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import type { ImportFile } from './file';

/** Where a file is to be put, and the ID by which an import names it then. */
interface Place {
	fileId: string;
	upload: Upload;
}

/**
 * Asks the service where to put a file of contacts, which the reference does not show. Nothing is uploaded yet.
 * Throws an `ApiError` with the way round where the service takes no files.
 */
export async function requestUploadUrl(
	item: Item,
	{ fileName, mimeType, content }: ImportFile,
): Promise<Place> {
	const body = { fileName, mimeType, fileSize: content.length };
	const answer = await item
		.request(createImportUpload, { body })
		.catch(async (error: unknown) => await rethrow(isUnsupported(error) ? noUpload() : error));
	const { fileId, presignedPostUrl } = (answer ?? {}) as IDataObject;
	if (!fileId || typeof presignedPostUrl !== 'string')
		throw unexpectedAnswer(apiRequest(createImportUpload, { body }));
	return { fileId: String(fileId), upload: { address: presignedPostUrl, content, contentType: mimeType } };
}

/** The error for a service that no file can be given to. */
const noUpload = () =>
	rejected(
		'This service takes no files from other programs (404), so use Create or Update, which takes one row at a time, or set File to By ID for a file that is in the workspace.',
	);
