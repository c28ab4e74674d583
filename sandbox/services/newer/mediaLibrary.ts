/** A file of the media library. */
export interface MediaFile {
	id: string;
	name: string;
	path: string;
	mimeType: string;
	size: number;
	folderId: string | null;
	url: string;
	createdAt: string;
}

/** The media library of a workspace. */
export class MediaLibrary {
	/** What was put to the storage, by path. */
	readonly uploads = new Map<string, Buffer>();
	readonly files = new Map<string, MediaFile>();
}
