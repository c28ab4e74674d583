import { inflateRawSync } from 'node:zlib';

/** What an archive of the kind ZIP ends with, and what its list of files is made of. */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** The files of a ZIP archive as text, by their names; none when it is not one. */
function unzip(archive: Buffer): Map<string, string> {
	const files = new Map<string, string>();
	const signature = Buffer.alloc(4);
	signature.writeUInt32LE(END);
	const end = archive.lastIndexOf(signature);
	if (end === -1) return files;
	let at = archive.readUInt32LE(end + 16);
	while (at + 46 <= archive.length && archive.readUInt32LE(at) === ENTRY) {
		const [method, packedSize] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
		const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
			archive.readUInt16LE(at + field),
		);
		const header = archive.readUInt32LE(at + 42);
		const start =
			header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
		const packed = archive.subarray(start, start + packedSize);
		const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
		files.set(name, (method === DEFLATED ? inflateRawSync(packed) : packed).toString('utf8'));
		at += 46 + nameLength + extraLength + commentLength;
	}
	return files;
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The text of all `<t>` or `<v>` inside a piece of XML. */
const textIn = (xml: string) =>
	[...xml.matchAll(/<(?:\w+:)?[tv](?:\s[^>]*)?>([^<]*)</g)]
		.map(([, text]) => text)
		.join('')
		.replace(/&(?:#(\d+)|(\w+));/g, (whole, code: string, name: string) =>
			code ? String.fromCodePoint(Number(code)) : (entities[name] ?? whole),
		);

/** The number of a column by its letters: A is 0. */
const columnOf = (letters: string) =>
	[...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The cells of the first sheet of a spreadsheet (XLSX), by lines; none when it cannot be read. */
export function sheetCells(content: Buffer): string[][] {
	const files = unzip(content);
	const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)].map(
		([, item]) => textIn(item),
	);
	const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
	return [...sheet.matchAll(/<row\b[^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, row = '']) => {
		const cells: string[] = [];
		for (const [, attributes, value = ''] of row.matchAll(/<c\b([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
			const [, letters = 'A'] = /\br="([A-Z]+)/.exec(attributes) ?? [];
			const text = textIn(value);
			cells[columnOf(letters)] = /\bt="s"/.test(attributes) ? shared[Number(text)] : text;
		}
		return Array.from(cells, (cell) => cell ?? '');
	});
}
