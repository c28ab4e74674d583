import { createHash, randomUUID } from 'node:crypto';
import type { Answer } from '../http/answers';
import { parseCsv, tableOf } from './csv';
import type { Workspace } from '../workspace';
import { sheetCells } from './xlsx';

/** A file that an import waits for. */
interface ExpectedFile {
	workspace: Workspace;
	fileId: string;
	fileName: string;
	mimeType: string;
}

/** The storage for the files of imports: a separate address, which must never receive a token. */
export class ImportStorage {
	readonly #expected = new Map<string, ExpectedFile>();

	/** Address of the origin that takes the files; known once it listens. */
	url = '';

	/** Prepares for a file; what comes back is the address to put it to. */
	expect(file: ExpectedFile): string {
		const key = randomUUID();
		this.#expected.set(key, file);
		return `${this.url}/storage/${key}?signature=${randomUUID()}`;
	}

	/** Takes a file; undefined when the address is none of the storage's. */
	put(
		method: string,
		path: string,
		headers: NodeJS.Dict<string | string[]>,
		body: Buffer | undefined,
	): Answer | undefined {
		const key = /^\/storage\/([^?]+)/.exec(path)?.[1];
		if (key === undefined) return undefined;
		const file = this.#expected.get(key);
		if (!file || method !== 'PUT') return refusal(404, 'NoSuchKey');
		// The address itself is signed; a second proof of identity makes the request ambiguous.
		if (headers.authorization !== undefined) return refusal(400, 'InvalidArgument');
		if (headers['content-type'] !== file.mimeType) return refusal(403, 'SignatureDoesNotMatch');
		const { workspace, fileId, fileName, mimeType } = file;
		const content = body ?? Buffer.alloc(0);
		workspace.journal.uploads.push({
			at: Date.now(),
			fileId,
			fileName,
			contentType: mimeType,
			size: content.length,
			sha256: createHash('sha256').update(content).digest('hex'),
		});
		const table = mimeType === 'text/csv' ? parseCsv(content.toString()) : tableOf(sheetCells(content));
		workspace.files.set(fileId, { id: fileId, fileName, ...table });
		return { status: 200 };
	}
}

const refusal = (status: number, code: string): Answer => ({
	status,
	text: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`,
	headers: { 'content-type': 'application/xml' },
});
