import { createHash, randomBytes } from 'node:crypto';

/** A file to upload with a request. */
export interface FormFile {
	fileName: string;
	/** Its type, such as `application/pdf`. */
	mimeType: string;
	content: Buffer;
}

/** A body with files: `multipart/form-data`. */
export interface Form {
	content: Buffer;
	contentType: string;
	/** The same for the same files, whatever the boundary. */
	filesHash: string;
}

/**
 * A type, and its parameters: words, or text in quotation marks. Anything else could be read as
 * another header.
 */
const MIME_TYPE =
	/^[\w.+-]+\/[\w.+-]+( *; *[\w.+-]+=([\w.+-]+|"[\x20-\x21\x23-\x5b\x5d-\x7e]*"))*$/;

/**
 * Encodes the fields of a body and files as a form. Files are `files[0]`, `files[1]` and so on:
 * services silently drop a single part called `files`, because it is not a list.
 *
 * Node's `FormData` would make two characters of every line break. A text of 1,000 characters would
 * then be too long for the service, which silently drops it if it comes with files.
 */
export function encodeForm(fields: object, files: FormFile[]): Form {
	const boundary = `form-${randomBytes(16).toString('hex')}`;
	const hash = createHash('sha256');
	const pieces: Buffer[] = [];
	const add = (text: string) => pieces.push(Buffer.from(text));
	for (const [name, value] of Object.entries(fields)) {
		add(`--${boundary}\r\n${disposition(name)}\r\n\r\n${String(value)}\r\n`);
	}
	for (const [number, { fileName, mimeType, content }] of files.entries()) {
		const name = disposition(`files[${number}]`, fileName);
		const type = MIME_TYPE.test(mimeType) ? mimeType : 'application/octet-stream';
		const header = `${name}\r\nContent-Type: ${type}\r\n\r\n`;
		add(`--${boundary}\r\n${header}`);
		pieces.push(content);
		add('\r\n');
		hash.update(`${header}${content.length}\r\n`).update(content);
	}
	add(`--${boundary}--\r\n`);
	return {
		content: Buffer.concat(pieces),
		contentType: `multipart/form-data; boundary=${boundary}`,
		filesHash: hash.digest('hex'),
	};
}

function disposition(name: string, fileName?: string) {
	const file = fileName === undefined ? '' : `; filename="${escapeName(fileName)}"`;
	return `Content-Disposition: form-data; name="${escapeName(name)}"${file}`;
}

/** Writes a name as browsers do in forms. */
const escapeName = (name: string) =>
	name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
