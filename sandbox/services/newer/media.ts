import { z } from 'zod/v4';
import type { Workspace } from '../../workspace';
import { id } from './inputs';
import { systemError } from './problems';
import { operation, type Operations } from './router';

const fileMissing = () => systemError('Media library file not found');

/** A file of the library with its content. */
export function mediaFileOf({ media }: Workspace, fileId: string): File {
	const file = media.files.get(fileId);
	const content = file && media.uploads.get(file.path);
	if (!content) throw fileMissing();
	return new File([new Uint8Array(content)], file.name, { type: file.mimeType });
}

/**
 * An address for the public, over HTTPS as real ones are. Nothing answers there: the sandbox has no
 * certificate.
 */
const publicUrlOf = (path: string) => `https://media.example.com/${encodeURI(path)}`;

const name = z.string().min(1).max(255);

/** How files come into the media library: newer services only. */
export const mediaOperations = {
	createMediaUpload: operation(
		z.object({ fileName: name, mimeType: name }),
		({ workspace, storage }, { fileName, mimeType }) => {
			const fileId = workspace.nextId();
			const path = `media/${fileId}/${fileName}`;
			const uploadUrl = storage.expect({
				workspace,
				fileId,
				fileName,
				mimeType,
				keep: (content) => workspace.media.uploads.set(path, content),
			});
			return { path, uploadUrl, publicUrl: publicUrlOf(path) };
		},
	),
	createMediaFile: operation(
		z.object({
			name,
			path: z.string(),
			mimeType: name,
			size: z.number().int().min(0),
			folderId: id.nullish(),
		}),
		({ workspace }, { folderId = null, ...body }) => {
			// What real ones say to a path without a file is not known.
			if (!workspace.media.uploads.has(body.path)) throw fileMissing();
			const file = {
				id: workspace.nextId(),
				...body,
				folderId,
				url: publicUrlOf(body.path),
				createdAt: new Date().toISOString(),
			};
			workspace.media.files.set(file.id, file);
			return file;
		},
	),
} satisfies Operations;
