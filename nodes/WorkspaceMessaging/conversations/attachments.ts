import type {
	IBinaryData,
	IBinaryKeyData,
	IDataObject,
	INodeExecutionData,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import { onApiError } from '../transport/errors/ApiError';
import type { ExpectedFile } from '../transport/files';
import { objectsIn } from '../transport/guards';

/** Downloads the files of messages. */
export interface FileSaver {
	/** Whether there is time to download a file. */
	hasTimeForFiles(): boolean;
	/**
	 * Downloads a file from an address that the service returned, and stores it in n8n. Throws an
	 * `ApiError`.
	 */
	saveFile(address: string, expected: ExpectedFile): Promise<IBinaryData>;
}

/** Returns what downloads files for a trigger, until a signal ends that. */
export const createFileSaver = (
	context: IPollFunctions | IWebhookFunctions,
	api: ApiClient,
	noMoreFiles: AbortSignal,
): FileSaver => ({
	hasTimeForFiles: () => !noMoreFiles.aborted,
	async saveFile(address, expected) {
		const { content, mimeType } = await api.download(context, address, expected, noMoreFiles);
		const type = expected.mimeType ?? mimeType;
		return await context.helpers.prepareBinaryData(content, expected.name, type);
	},
});

/**
 * Adds the files of an item's attachments to the item. Each attachment names the field of its file,
 * or says why it has none. Only an error of n8n itself, such as a full disk, makes this fail.
 */
export async function downloadMessageFiles(
	item: IDataObject,
	saver: FileSaver,
): Promise<INodeExecutionData & { binary: IBinaryKeyData }> {
	const binary: IBinaryKeyData = {};
	const attachments: IDataObject[] = [];
	for (const [index, attachment] of objectsIn(item.attachments).entries()) {
		const file = await downloadFile(attachment, saver);
		if ('error' in file) {
			attachments.push({ ...attachment, ...file });
			continue;
		}
		const field = `attachment_${index}`;
		binary[field] = file;
		attachments.push({ ...attachment, binary: field });
	}
	return { json: { ...item, attachments }, binary };
}

/** Returns the file of an attachment, or says why there is none: the others can still be there. */
async function downloadFile({ url, name, mimeType, size }: IDataObject, saver: FileSaver) {
	if (typeof url !== 'string') return { error: 'The service has no address for this file.' };
	if (!saver.hasTimeForFiles()) return { error: 'There was no time left to download this file.' };
	const expected = {
		name: String(name),
		mimeType: typeof mimeType === 'string' ? mimeType : undefined,
		size: Number(size ?? 0),
	};
	const toProblem = onApiError(
		() => true,
		({ message }) => ({ error: message }),
	);
	return await saver.saveFile(url, expected).catch(toProblem);
}

/** Returns the attachments of a message with the fields that people use. */
export function getMessageAttachments({ attachments }: IDataObject): IDataObject[] {
	return objectsIn(attachments).map(({ name, originPath, mimeType, size, url }) => {
		const fileName = findFileName(name) ?? findFileName(originPath) ?? findFileName(url);
		return {
			name: fileName ?? 'attachment',
			...(mimeType !== undefined && { mimeType }),
			...(size !== undefined && { size }),
			url: url ?? null,
		};
	});
}

/** Returns the name of the file at the end of a path or an address; a name can be all there is. */
function findFileName(address: unknown) {
	if (typeof address !== 'string') return undefined;
	const path = URL.canParse(address) ? new URL(address).pathname : address;
	const name = path.slice(path.lastIndexOf('/') + 1);
	return name || undefined;
}

/**
 * Names the attachments of a message, with the type of those whose name does not show it; empty if
 * it has none.
 */
export function describeAttachments(message: IDataObject): string {
	const attachments = getMessageAttachments(message);
	if (attachments.length === 0) return '';
	const names = attachments.map(({ name, mimeType }) =>
		mimeType && !/\.\w+$/.test(String(name)) ? `${String(name)} (${String(mimeType)})` : name,
	);
	return `[attachments: ${names.join(', ')}]`;
}
