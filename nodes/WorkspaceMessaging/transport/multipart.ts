import { createHash, randomBytes } from 'node:crypto';

/** A file that is uploaded with a request. */
export interface FormFile {
	fileName: string;
	/** Its type, such as `application/pdf`. */
	mimeType: string;
	content: Buffer;
}

/** A body with files in it: `multipart/form-data`. */
export interface Form {
	content: Buffer;
	contentType: string;
	/** The same for the same files, whatever separates them. */
	filesHash: string;
}

/** Anything else would be read as the beginning of another header. */
const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/;

/**
 * Encodes the fields of a body and files as a form. Files are `files[0]`, `files[1]` and so on: services take a single part
 * called `files` for no list, and lose it without a word.
 *
 * It is written here, because Node's `FormData` makes two characters of every line break. A text of 1,000 characters would
 * be too long for the service then, which drops it without a word when there are files beside it.
 */
export function encodeForm(fields: object, files: FormFile[]): Form {
	const boundary = `form-${randomBytes(16).toString('hex')}`;
	const hash = createHash('sha256');
	const pieces: Array<string | Buffer> = [];
	for (const [name, value] of Object.entries(fields)) {
		pieces.push(`--${boundary}\r\n${disposition(name)}\r\n\r\n${String(value)}\r\n`);
	}
	for (const [number, { fileName, mimeType, content }] of files.entries()) {
		const type = MIME_TYPE.test(mimeType) ? mimeType : 'application/octet-stream';
		const header = `${disposition(`files[${number}]`, fileName)}\r\nContent-Type: ${type}\r\n\r\n`;
		pieces.push(`--${boundary}\r\n${header}`, content, '\r\n');
		hash.update(`${header}${content.length}\r\n`).update(content);
	}
	pieces.push(`--${boundary}--\r\n`);
	return {
		content: Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))),
		contentType: `multipart/form-data; boundary=${boundary}`,
		filesHash: hash.digest('hex'),
	};
}

function disposition(name: string, fileName?: string): string {
	const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
	return `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
}

/** A name as forms of browsers write it. */
function quoted(name: string): string {
	return name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
}
