import { createHash, randomBytes } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { pathSubjects } from '../contract/endpoint';
import type { Endpoint } from '../contract/endpoint';
import type { Service } from './service';

/** A file to upload with a request. */
export interface FormFile {
	fileName: string;
	/** Its type, such as `application/pdf`. */
	mimeType: string;
	content: Buffer;
}

/** The values of a request, as far as its endpoint takes them. */
export interface RequestParts {
	/** Values of the path's parameters. */
	params?: IDataObject;
	query?: IDataObject;
	body?: unknown;
	/** Files to upload with the fields of the body. */
	files?: FormFile[];
	/** A number of the user's own that the service deduplicates by, in place of this item of this execution. */
	dedupeKey?: string;
	/** Whether not to look for a contact whose email or phone number the service has in another form. */
	isExact?: boolean;
}

/** A request of the API, ready to send. */
export interface ApiRequest extends Omit<RequestParts, 'files'> {
	endpoint: Endpoint;
	/** The body with its files, encoded. */
	form?: Form;
	/** The endpoint's path with its parameters filled in. */
	path: string;
	/** A text by which the service recognizes that it gets the same request again. */
	idempotencyKey?: string;
	/** What the request is about, for errors: `contact with the email a@b.c`. */
	subject?: string;
}

/** Whatever sends requests of the API: an item of a run, a picker, a poll. */
export interface Requester {
	/**
	 * Sends one request within the workspace's rate limit, retries it if that is safe, and returns the answer's body.
	 * Throws an `ApiError`.
	 */
	request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown>;
	/** What is known about the service of this workspace. */
	readonly service: Service;
	/** Shows the user a note at the output, if there is one; complete sentences. */
	hint?(text: string): void;
}

/** Makes a request: fills in its path, where every parameter becomes exactly one segment (part 4), and encodes its files. */
export function apiRequest(endpoint: Endpoint, { files, ...parts }: RequestParts = {}): ApiRequest {
	const { params = {}, body } = parts;
	const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String(params[name])),
	);
	const form = files && { form: encodeForm({ ...(body as object) }, files) };
	return { endpoint, path, subject: subjectOf(params), ...parts, ...form };
}

/** Says what a request with these path parameters is about: `contact with the email a@b.c`, `tag with the ID 12`. */
export function subjectOf(params: IDataObject): string | undefined {
	const [entry] = Object.entries(params);
	if (entry === undefined) return undefined;
	const [name, value] = entry;
	if (name !== 'identifier') return `${pathSubjects[name]} ${String(value)}`;
	const [, kind = 'identifier', own = value] = /^(id|email|phone):(.*)$/s.exec(String(value)) ?? [];
	return `${pathSubjects[name]} with the ${identifierKinds[kind] ?? kind} ${String(own)}`;
}

const identifierKinds: Record<string, string> = { id: 'ID', email: 'email', phone: 'phone number' };

/** A body with files: `multipart/form-data`. */
interface Form {
	content: Buffer;
	contentType: string;
	/** The same for the same files, whatever the boundary. */
	filesHash: string;
}

/** Anything else could be read as another header. */
const MIME_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/;

/**
 * Encodes the fields of a body and files as a form. Files are `files[0]`, `files[1]` and so on: services silently drop a
 * single part called `files`, because it is not a list.
 *
 * Node's `FormData` would make two characters of every line break. A text of 1,000 characters would then be too long for the
 * service, which silently drops it if it comes with files.
 */
function encodeForm(fields: object, files: FormFile[]): Form {
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

/** Writes a name as browsers do in forms. */
const quoted = (name: string) => name.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
