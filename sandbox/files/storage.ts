import { createHash, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from '../http/answers';
import type { Workspace } from '../workspace';

/** A file that an import or the media library waits for. */
interface ExpectedFile {
	workspace: Workspace;
	fileId: string;
	fileName: string;
	mimeType: string;
	/** Takes its content. */
	keep(content: Buffer): void;
}

/** A file that can be downloaded. */
interface OfferedFile {
	workspace: Workspace;
	mimeType: string;
	content: Buffer;
}

/** Bytes of the files that can be downloaded; the oldest are forgotten beyond that. */
const mostOffered = 100_000_000;

/** The storage of files: a separate address, which must never receive a token. */
export class FileStorage {
	readonly #expected = new Map<string, ExpectedFile>();
	readonly #offered = new Map<string, OfferedFile>();
	#offeredBytes = 0;

	/** Address of the origin that takes the files; known once it listens. */
	url = '';

	/** Prepares for a file; what comes back is the address to put it to. */
	expect(file: ExpectedFile): string {
		const key = randomUUID();
		this.#expected.set(key, file);
		return `${this.url}/storage/${key}?signature=${randomUUID()}`;
	}

	/** Keeps a file; returns the address to get it from. */
	offer(file: OfferedFile): string {
		const key = randomUUID();
		this.#offered.set(key, file);
		this.#offeredBytes += file.content.length;
		for (const [oldest, { content }] of this.#offered) {
			if (this.#offeredBytes <= mostOffered) break;
			this.#offered.delete(oldest);
			this.#offeredBytes -= content.length;
		}
		return `${this.url}/storage/${key}?signature=${randomUUID()}`;
	}

	/** Takes or returns a file; undefined when the address is none of the storage's. */
	answer(
		method: string,
		path: string,
		headers: IncomingHttpHeaders,
		body: Buffer | undefined,
	): Answer | undefined {
		const key = /^\/storage\/([^?]+)/.exec(path)?.[1];
		if (key === undefined) return undefined;
		const expected = method === 'PUT' ? this.#expected.get(key) : undefined;
		const offered = method === 'GET' ? this.#offered.get(key) : undefined;
		if (!expected && !offered) return refusal(404, 'NoSuchKey');
		// The address itself is signed; a second proof of identity makes the request ambiguous.
		if (headers.authorization !== undefined) return refusal(400, 'InvalidArgument');
		if (expected) return this.#put(expected, headers, body);
		return offered && get(offered);
	}

	#put(file: ExpectedFile, headers: IncomingHttpHeaders, body: Buffer | undefined): Answer {
		if (headers['content-type'] !== file.mimeType) return refusal(403, 'SignatureDoesNotMatch');
		const { workspace, fileId, fileName, mimeType } = file;
		const { failUploads } = workspace.faults.settings;
		if (failUploads) return refusal(failUploads, 'SlowDown');
		const content = body ?? Buffer.alloc(0);
		workspace.journal.uploads.push({
			at: Date.now(),
			fileId,
			fileName,
			headers: Object.keys(headers),
			contentType: mimeType,
			size: content.length,
			sha256: createHash('sha256').update(content).digest('hex'),
		});
		file.keep(content);
		return { status: 200 };
	}
}

function get({ workspace, mimeType, content }: OfferedFile): Answer {
	const { failDownloads } = workspace.faults.settings;
	if (failDownloads) return refusal(failDownloads, 'AccessDenied');
	return { status: 200, content, headers: { 'content-type': mimeType } };
}

const refusal = (status: number, code: string): Answer => ({
	status,
	text: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
	headers: { 'content-type': 'application/xml' },
});
