import type {
	IBinaryData,
	IBinaryKeyData,
	INodeExecutionData,
	IWorkflowDataProxyData,
} from 'n8n-workflow';
import { isN8nFile } from '../transport/guards';
import type { Item } from './item';
import { oncePerRun } from './run';
import { quoted } from '../values/labels';

/*
 * The files that a field of the panel names: those of the item, and those that earlier nodes
 * returned.
 */

/** A file that a field of the panel names. */
export interface FoundFile {
	/**
	 * What n8n's helpers read it by: the name of a field of the item, or the file itself if an
	 * earlier node returned it.
	 */
	source: string | IBinaryData;
	file: IBinaryData;
}

/**
 * Finds the file that a field names: by the name of one of the item's binary fields, or by what an
 * expression returns of a file of the item or of an earlier node. Throws an error if it could be
 * several.
 *
 * @param label of the field
 */
export function findFile(entry: unknown, item: Item, label: string): FoundFile | undefined {
	const { binary = {} } = item.input;
	const isName = typeof entry === 'string' && Object.hasOwn(binary, entry);
	if (isName) return { source: entry, file: binary[entry] };
	const properties = readFileProperties(entry);
	if (!properties) return undefined;
	const field = findFieldOf(properties, binary, label);
	if (field !== undefined) return { source: field, file: binary[field] };
	const file = findEarlierFile(properties, item);
	return file && { source: file, file };
}

/** Returns the name of the file with these properties. */
function findFieldOf(properties: Partial<IBinaryData>, binary: IBinaryKeyData, label: string) {
	const all = Object.keys(binary);
	const [field, ...others] = all.filter((name) => hasFileProperties(binary[name], properties));
	if (others.length === 0) return field;
	const names = [field, ...others].join(', ');
	throw new Error(`${label} could be any of the files ${names}. Enter the name of one of them.`);
}

/**
 * Returns the file of an earlier node that an expression returned, with its content or with a
 * reference to n8n's storage; undefined if no earlier node returned a file with this reference.
 */
function findEarlierFile(properties: Partial<IBinaryData>, item: Item): IBinaryData | undefined {
	const { id, data } = properties;
	if (id === undefined && data === undefined) return undefined;
	// It has its content.
	if (id === undefined) return { ...properties } as IBinaryData;
	// JSON from outside could name any file of n8n's storage, so a reference needs an earlier node
	// that returned the file.
	const earlier = filesOfEarlierNodes(item).get(id);
	if (!earlier) return undefined;
	return { ...earlier, ...properties };
}

/** Returns what a value says about a file, in n8n's own fields; undefined if it is no file. */
function readFileProperties(value: unknown): Partial<IBinaryData> | undefined {
	if (isN8nFile(value)) {
		const isReference = typeof value === 'string';
		return isReference ? { id: value } : Object(value);
	}
	// The answers of n8n's form have files like this.
	const answer: Record<string, string | undefined> = Object(value);
	const { filename: fileName, mimetype: mimeType } = answer;
	if (fileName === undefined || mimeType === undefined) return undefined;
	return { fileName, mimeType };
}

/** Whether a file has all these properties; expressions leave out the content. */
export function hasFileProperties(file: IBinaryData, properties: Partial<IBinaryData>): boolean {
	return Object.entries(properties).every(([key, value]) => file[key] === value);
}

/** What an expression finds of a node, such as `$('HTTP Request')`. */
interface NodeOutput {
	all(): INodeExecutionData[];
	/** The item that the current item comes from. Throws an error if n8n does not know it. */
	readonly item: INodeExecutionData | undefined;
}

/**
 * Reads the output of a node; undefined if it did not run, or if n8n does not know where the item
 * comes from.
 */
function readOutput<T>(
	proxy: IWorkflowDataProxyData,
	node: string,
	read: (output: NodeOutput) => T,
): T | undefined {
	try {
		return read(proxy.$(node));
	} catch {
		return undefined;
	}
}

/**
 * The nodes before ours that returned files, with their items. A node in between may have dropped
 * the files.
 */
const nodesWithFiles = oncePerRun(({ run: { context }, index }: Item) => {
	const proxy = context.getWorkflowDataProxy(index);
	const { name: ownName } = context.getNode();
	const outputs = context.getParentNodes(ownName).map(({ name }) => {
		const items = readOutput(proxy, name, (output) => output.all()) ?? [];
		return { name, items };
	});
	const hasFile = ({ binary = {} }: INodeExecutionData) => Object.keys(binary).length > 0;
	return outputs.filter(({ items }) => items.some(hasFile));
});

/** The files that earlier nodes of this execution returned, by their reference in n8n's storage. */
const filesOfEarlierNodes = oncePerRun((item: Item) => {
	const items = nodesWithFiles(item).flatMap((node) => node.items);
	const files = items.flatMap(({ binary = {} }) => Object.values(binary));
	return new Map(files.map((file) => [file.id, file]));
});

/** A file of an earlier node. */
interface LinkedFile {
	node: string;
	/** The name of the field that holds it. */
	field: string;
	file: IBinaryData;
}

/** The files of the items that an item comes from. */
function linkedFiles({ run: { context }, index }: Item, nodes: string[]) {
	const proxy = context.getWorkflowDataProxy(index);
	const linked: LinkedFile[] = [];
	for (const node of nodes) {
		const files = readOutput(proxy, node, ({ item }) => item?.binary) ?? {};
		for (const [field, file] of Object.entries(files)) linked.push({ node, field, file });
	}
	return linked;
}

/**
 * Says which earlier nodes have files, for an item without any. If n8n's item linking leads to
 * exactly one file, says the expression that returns it. The node itself takes no such file: it
 * could be the file of another customer.
 *
 * @param ifNone what it says if no earlier node has files
 */
export function describeEarlierFiles(item: Item, ifNone: string): string {
	const nodes = nodesWithFiles(item).map(({ name }) => name);
	if (nodes.length === 0) return ifNone;
	const linked = linkedFiles(item, nodes);
	// Nodes pass files on, so several can have the same one.
	const contents = linked.map(({ file }) => file.id ?? file.data);
	const different = new Set(contents);
	if (different.size !== 1) {
		const names = nodes.map((name) => `"${name}"`).join(', ');
		return `The item has no files. These earlier nodes have files: ${names}. Use an expression that returns this item's file.`;
	}
	const [{ node, field, file }] = linked;
	const { fileName } = file;
	let name = '';
	if (fileName) name = ` (${quoted(fileName)})`;
	const expression = toExpression(node, field);
	return `The node "${node}" has one${name}: set the field to Expression and enter {{ ${expression} }}.`;
}

function toExpression(node: string, field: string): string {
	const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
	const property = /^[A-Za-z_$][\w$]*$/.test(field) ? `.${field}` : `[${quote(field)}]`;
	return `$(${quote(node)}).item.binary${property}`;
}

/**
 * Returns the error for a field that names no file of the input item.
 *
 * @param label of the field
 * @param names of the files that it could name
 * @param ifNone what the error says if there are none
 */
export function noFileError(entry: unknown, label: string, names: string[], ifNone: string): Error {
	let rest = ifNone;
	if (names.length > 0) {
		const files = names.join(', ');
		rest = `The item has these files: ${files}.`;
	}
	const isEmpty = entry === undefined || entry === null || entry === '';
	if (isEmpty) return new Error(`${label} is empty. ${rest}`);
	if (typeof entry === 'string') {
		// Text that was made of an object names nothing.
		const isName = !isN8nFile(entry) && !entry.includes('[object ');
		if (isName) return new Error(`This item has no file called ${quoted(entry)}. ${rest}`);
	}
	return new Error(`${label} must be a file of this item. ${rest}`);
}

/**
 * Returns the name of a file; services ignore a file without one (difference 21). Nodes such as
 * Code can return any name, or none.
 */
export function getInputFileName({ fileName, fileExtension }: IBinaryData): string {
	if (fileName) return String(fileName);
	return fileExtension ? `file.${fileExtension}` : 'file';
}

/**
 * Throws the error for a file of the input item that n8n has deleted.
 *
 * @param label of the field that names it
 */
export function refuseLostFile(label: string, file: IBinaryData): never {
	const name = quoted(getInputFileName(file));
	throw new Error(
		`${label}: n8n no longer has the file ${name}. Run the node that returned it again.`,
	);
}

/**
 * Returns the size of a file in bytes. n8n knows it without reading the file, unless the item has
 * its content. Throws an error if n8n no longer has the file.
 *
 * @param label of the field that names it
 */
export async function readInputFileSize(
	file: IBinaryData,
	{ run }: Item,
	label: string,
): Promise<number> {
	const { id, data, bytes } = file;
	if (!id) return Buffer.byteLength(data, 'base64');
	if (bytes !== undefined) return bytes;
	const { fileSize } = await run.context.helpers
		.getBinaryMetadata(id)
		.catch(() => refuseLostFile(label, file));
	return fileSize;
}

/** Throws an error if a file of the input item has more bytes than services accept. */
export function refuseTooLargeInputFile(what: string, size: number, max: number): void {
	const bytes = size.toLocaleString('en-US');
	const most = max.toLocaleString('en-US');
	if (size > max) throw new Error(`${what} has ${bytes} bytes; the limit is ${most}`);
}
