import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { someText, string } from './values';

/** The calls about the media library, which the reference does not show. */
export const mediaApi = {
	/** The URL to upload a file to, and the path of the file in the media library. */
	createMediaUpload: {
		method: 'POST',
		path: '/api/v1/media-library/files/upload-url',
		body: z.strictObject({ fileName: someText, mimeType: someText }),
		status: 201,
		response: z.looseObject({ path: string, uploadUrl: string }),
		idempotent: true,
		undocumented: { instead: 'enter an https address of the file' },
	},

	/** Adds an uploaded file to the media library. Anyone with the address can open it. */
	createMediaFile: {
		method: 'POST',
		path: '/api/v1/media-library/files',
		body: z.strictObject({
			name: someText,
			mimeType: someText,
			path: someText,
			size: z.number().int().min(1),
		}),
		status: 201,
		response: z.looseObject({ id: string, url: string }),
		// A second copy of a file does no harm.
		idempotent: true,
		undocumented: {},
	},
} satisfies Record<string, Endpoint>;

/** The files that WhatsApp takes in each place of a template, in words and by their types. */
export const templateMedia: Record<string, { what: string; types: RegExp }> = {
	image: { what: 'a JPEG or PNG image', types: /^image\/(jpe?g|png)\b/i },
	video: { what: 'an MP4 or 3GP video', types: /^video\/(mp4|3gpp)\b/i },
	document: { what: 'a document such as a PDF', types: /^(?!image\/|video\/|audio\/)/i },
};
