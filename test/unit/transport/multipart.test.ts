import fc from 'fast-check';
import { encodeForm } from '../../../nodes/WorkspaceMessaging/transport/multipart';
import type { FormFile } from '../../../nodes/WorkspaceMessaging/transport/multipart';

/** The form as a service reads it: by Node's own reader. */
async function read({ content, contentType }: ReturnType<typeof encodeForm>) {
	const form = await new Response(new Uint8Array(content), {
		headers: { 'content-type': contentType },
	}).formData();
	return await Promise.all(
		[...form].map(async ([name, value]) =>
			typeof value === 'string'
				? { name, value }
				: {
						name,
						fileName: value.name,
						mimeType: value.type,
						content: Buffer.from(await value.arrayBuffer()),
					},
		),
	);
}

const fileOf = (more: Partial<FormFile> = {}): FormFile => ({
	fileName: 'a.pdf',
	mimeType: 'application/pdf',
	content: Buffer.from('content'),
	...more,
});

test('A multipart body holds fields and files unchanged', async () => {
	const text = fc.string({ unit: 'grapheme', minLength: 1 });
	const files = fc.array(
		fc.record({
			fileName: text.map((name) => `${name}.pdf`),
			mimeType: fc.constantFrom(
				'image/png',
				'application/vnd.ms-excel',
				'text/plain; charset=utf-8',
			),
			content: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
		}),
		{ maxLength: 4 },
	);
	await fc.assert(
		fc.asyncProperty(text, files, async (value, uploads) => {
			expect(await read(encodeForm({ text: value, clientId: '7' }, uploads))).toEqual([
				{ name: 'text', value },
				{ name: 'clientId', value: '7' },
				...uploads.map((upload, number) => ({ name: `files[${number}]`, ...upload })),
			]);
		}),
	);
});

test('A multipart body keeps line breaks at their length', async () => {
	const text = 'a\nb\r\nc\rd\n';
	expect(await read(encodeForm({ text }, []))).toEqual([{ name: 'text', value: text }]);
});

test.each(['a"b.pdf', 'a\r\nContent-Type: text/html\r\n\r\nb.pdf', '"; name="text'])(
	'A multipart body keeps %j one file name',
	async (fileName) => {
		const [part, ...more] = await read(encodeForm({}, [fileOf({ fileName })]));
		expect(more).toEqual([]);
		expect(part).toEqual({ name: 'files[0]', ...fileOf({ fileName }) });
	},
);

test.each(['', 'pdf', 'text/html\r\nX-Header: 1', 'text/plain; charset="a\nb"', 'büro/pdf'])(
	'A multipart body replaces the invalid type %j by the type of any bytes',
	async (mimeType) => {
		expect(await read(encodeForm({}, [fileOf({ mimeType })]))).toEqual([
			{ name: 'files[0]', ...fileOf({ mimeType: 'application/octet-stream' }) },
		]);
	},
);

test('The hash of a multipart body depends on the files, not on their encoding', () => {
	const hashOf = (...files: FormFile[]) => encodeForm({}, files).filesHash;
	const hash = hashOf(fileOf());
	expect(hashOf(fileOf())).toBe(hash);
	const others = [
		hashOf(),
		hashOf(fileOf(), fileOf()),
		hashOf(fileOf({ content: Buffer.from('CONTENT') })),
		hashOf(fileOf({ fileName: 'b.pdf' })),
		hashOf(fileOf({ mimeType: 'image/png' })),
	];
	expect(new Set([hash, ...others]).size).toBe(6);
	expect(encodeForm({}, [fileOf()]).contentType).not.toBe(encodeForm({}, [fileOf()]).contentType);
});

describe('The type of a file in a multipart body', () => {
	const typeIn = (mimeType: string) => {
		const text = encodeForm({}, [fileOf({ mimeType })]).content.toString();
		return /Content-Type: (.*)\r\n\r\n/.exec(text)?.[1];
	};

	test.each([
		'text/csv',
		'text/csv; charset="utf-8"',
		'text/csv;charset="utf-8"',
		'text/csv; charset=utf-8',
		'text/csv ; header=present; charset="utf-8"',
		'application/pdf; name="Invoice; 4711.pdf"',
	])('stays as it is: %s', (mimeType) => {
		expect(typeIn(mimeType)).toBe(mimeType);
	});

	test.each(['text/csv; charset="utf-8', 'text/csv; name="a\r\nX-Other: 1"', 'text/csv; name="ü"'])(
		'is that of any bytes if it could be another header: %j',
		(mimeType) => {
			expect(typeIn(mimeType)).toBe('application/octet-stream');
		},
	);
});
