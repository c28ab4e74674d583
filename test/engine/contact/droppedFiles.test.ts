import type { IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import type { NodeBetween } from '../../support/engine/engine';
import { fileInMemory, fileStorage } from '../../support/engine/files';
import type { FileStorage } from '../../support/engine/files';
import { by, fromItem } from '../../support/engine/helpers';
import { pdf, withAnn } from './attachments';

/** A node that returns items as a function makes them of its input. */
function nodeOf(
	name: string,
	returned: (items: INodeExecutionData[]) => INodeExecutionData[],
): NodeBetween {
	const description = {
		...{ displayName: name, name, group: [], version: 1, defaults: {}, properties: [] },
		...{ inputs: ['main'], outputs: ['main'] },
	};
	const execute = async function (this: { getInputData(): INodeExecutionData[] }) {
		return await Promise.resolve([returned(this.getInputData())]);
	};
	return { name, type: { description, execute } as unknown as INodeType };
}

/** Our own node, which returns contacts and no files, as any other node that reads a list. */
const getMany: NodeBetween = {
	name: 'Get Contacts',
	type: compiledNode,
	parameters: { resource: 'contact', operation: 'getAll', returnAll: true, simplify: true },
};
/** Passes its items on, with their files. */
const passOn = nodeOf('Pass on', (items) =>
	items.map(({ json, binary }, item) => ({ json, binary, pairedItem: { item } })),
);
/** Returns one item for all, as Aggregate does. */
const aggregate = nodeOf('Aggregate', (items) => [
	{ json: {}, pairedItem: items.map((_, item) => ({ item })) },
]);
/** Returns items without their origin, as a Code node can do. */
const forget = nodeOf('Code', () => [{ json: {} }, { json: {} }, { json: {} }]);
/** Adds another file under another name. */
const addFile = nodeOf('Read "Terms" O\'Hara', (items) =>
	items.map(({ json }, item) => ({
		json,
		binary: { 'terms & more': fileInMemory('terms', { fileName: 'terms.pdf' }) },
		pairedItem: { item },
	})),
);

const toEach = { identifier: by('id', fromItem('id')) };

async function send(
	between: NodeBetween[],
	attachments: string,
	{ items = [{}], files = [{ data: pdf }], more = {} as IDataObject } = {},
) {
	const ann = await withAnn();
	await ann.workspace.addContacts([{ email: 'bob@example.com', phoneNumber: '+4915100000002' }]);
	await ann.workspace.clearJournal();
	const result = await ann.run(ann.parametersOf(attachments, more as never), items, {
		between,
		files,
	});
	return { ...result, messages: await ann.messages() };
}

const start = 'This item has no file called "data".';

test('One file goes to many contacts by the expression that the error prints, although the list has dropped the file', async () => {
	const first = await send([getMany], 'data', { more: toEach });
	expect(first.error?.message).toBe(
		`${start} The node "Feed" has one ("invoice.pdf"): set the field to Expression and enter {{ $('Feed').item.binary.data }}. [item 0]`,
	);
	expect(first.messages).toEqual([]);
	const [, expression] = /enter (\{\{.*\}\})\./.exec(first.error!.message)!;
	const second = await send([getMany], `=${expression}`, { more: toEach });
	expect(second.error).toBeUndefined();
	expect(second.messages.map(({ files }) => files)).toEqual(
		Array.from({ length: 2 }, () => [expect.objectContaining({ fileName: 'invoice.pdf' })]),
	);
});

test('Each item is led to its own file, and to no file of another customer', async () => {
	const drop = nodeOf('Drop', (items) =>
		items.map(({ json }, item) => ({ json, pairedItem: { item } })),
	);
	const files = ['ann.pdf', 'bob.pdf'].map((fileName) => ({
		data: fileInMemory(fileName, { fileName }),
	}));
	const items = [{}, {}];
	const refused = await send([drop], 'data', { items, files });
	expect(refused.error?.message).toContain(
		'The node "Feed" has one ("ann.pdf"): set the field to Expression and enter {{ $(\'Feed\').item.binary.data }}.',
	);
	const sent = await send([drop], "={{ $('Feed').item.binary.data }}", { items, files });
	expect(
		sent.messages.map(({ files: [file] = [] }) => (file as { fileName: string }).fileName),
	).toEqual(['ann.pdf', 'bob.pdf']);
});

test('A file that several nodes pass on is one file', async () => {
	const { error } = await send([passOn, getMany], 'data', { more: toEach });
	expect(error?.message).toMatch(
		/The node "(Feed|Pass on)" has one \("invoice\.pdf"\): set the field to Expression and enter \{\{ \$\('\1'\)\.item\.binary\.data \}\}\./,
	);
});

test('The expression quotes the name of the node and of the file', async () => {
	const { error } = await send([addFile, getMany], 'data', { more: toEach, files: [] });
	const expression = "{{ $('Read \"Terms\" O\\'Hara').item.binary['terms & more'] }}";
	expect(error?.message).toContain(`enter ${expression}.`);
	const sent = await send([addFile, getMany], `=${expression}`, { more: toEach, files: [] });
	expect(sent.error).toBeUndefined();
	expect(sent.messages).toHaveLength(2);
});

test.each<[string, NodeBetween[], string, Array<{ data: typeof pdf }>]>([
	['several files', [addFile, getMany], '"Read "Terms" O\'Hara", "Feed"', [{ data: pdf }]],
	[
		'items of several files',
		[aggregate],
		'"Feed"',
		[{ data: pdf }, { data: fileInMemory('other') }],
	],
	['no known item', [forget], '"Feed"', [{ data: pdf }, { data: fileInMemory('other') }]],
])(
	'For an item that comes from %s, the error names the nodes and no expression',
	async (_, between, names, files) => {
		const { error } = await send(between, 'data', { items: files.map(() => ({})), files });
		const [, named] =
			/These earlier nodes have files: (.*)\. Use an expression/.exec(error!.message) ?? [];
		expect(named?.split(', ').sort()).toEqual(names.split(', ').sort());
		expect(error?.message).not.toContain('{{');
	},
);

test('If no node before has a file, the error says so', async () => {
	const { error } = await send([getMany], 'data', { more: toEach, files: [] });
	expect(error?.message).toBe(
		`${start} The item has no files. An earlier node may have dropped them. [item 0]`,
	);
});

describe('With files in a folder, as n8n keeps them by default', () => {
	let storage: FileStorage;
	beforeAll(async () => {
		storage = await fileStorage();
	});
	afterAll(() => storage.close());

	test('One file goes to many contacts by the expression', async () => {
		const files = [{ data: await storage.store('%PDF', { fileName: 'offer.pdf' }) }];
		const refused = await send([getMany], 'data', { more: toEach, files });
		expect(refused.error?.message).toContain("enter {{ $('Feed').item.binary.data }}.");
		const sent = await send([getMany], "={{ $('Feed').item.binary.data }}", {
			more: toEach,
			files,
		});
		expect(sent.error).toBeUndefined();
		expect(sent.messages).toHaveLength(2);
	});
});
