import { createHash } from 'node:crypto';

/** One part of a multipart body: a text, or a file. */
export interface JournalPart {
	name: string;
	text?: string;
	file?: FileSummary;
}

/** A file, without its content. */
export interface FileSummary {
	fileName: string;
	contentType: string;
	/** Bytes. */
	size: number;
	sha256: string;
}

/** Whether a content type means a form with files. */
export const isMultipart = (contentType: string | undefined): contentType is string =>
	contentType?.startsWith('multipart/form-data') ?? false;

/** A file without its content. */
export async function summaryOf(file: File): Promise<FileSummary> {
	const content = Buffer.from(await file.arrayBuffer());
	return {
		fileName: file.name,
		contentType: file.type,
		size: file.size,
		sha256: createHash('sha256').update(content).digest('hex'),
	};
}

/** Returns the parts of a multipart body; none if it is not valid. */
export async function partsOf(body: Buffer, contentType: string): Promise<JournalPart[]> {
	const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
	let form: FormData;
	try {
		form = await response.formData();
	} catch {
		return [];
	}
	return await Promise.all(
		[...form].map(async ([name, value]) =>
			typeof value === 'string' ? { name, text: value } : { name, file: await summaryOf(value) },
		),
	);
}
