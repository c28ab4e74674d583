import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { recover } from '../../transport/errors/ApiError';
import type { PollHost } from '../types';

/** Returns the attachments of a message with the fields that people use. */
export function attachmentsOf({ attachments }: IDataObject): IDataObject[] {
	const list: IDataObject[] = Array.isArray(attachments) ? attachments : [];
	return list.map(({ name, originPath, mimeType, size, url }) => ({
		name: nameIn(name) ?? nameIn(originPath) ?? nameIn(url) ?? 'attachment',
		...(mimeType !== undefined && { mimeType }),
		...(size !== undefined && { size }),
		url: url ?? null,
	}));
}

/** Returns the name of the file at the end of a path or an address; a name can be all there is. */
function nameIn(address: unknown): string | undefined {
	if (typeof address !== 'string') return undefined;
	const path = URL.canParse(address) ? new URL(address).pathname : address;
	return path.slice(path.lastIndexOf('/') + 1) || undefined;
}

/** Adds the files of an item's attachments to the item. Each attachment says where its file is, or why it is missing. */
export async function withFiles(item: IDataObject, host: PollHost): Promise<INodeExecutionData> {
	const binary: IBinaryKeyData = {};
	const attachments: IDataObject[] = [];
	const listed: IDataObject[] = Array.isArray(item.attachments) ? item.attachments : [];
	for (const attachment of listed) {
		const { url, name, mimeType } = attachment;
		if (typeof url !== 'string') {
			attachments.push({ ...attachment, error: 'The service has no address for this file.' });
			continue;
		}
		if (!host.hasTimeForFiles()) {
			attachments.push({ ...attachment, error: 'There was no time left to download this file.' });
			continue;
		}
		const field = `attachment_${attachments.length}`;
		const type = typeof mimeType === 'string' ? mimeType : undefined;
		const added = await host.saveFile(url, String(name), type).then(
			(file) => {
				binary[field] = file;
				return { binary: field };
			},
			recover(
				() => true,
				({ message }) => ({ error: message }),
			),
		);
		attachments.push({ ...attachment, ...added });
	}
	return { json: { ...item, attachments }, binary };
}
