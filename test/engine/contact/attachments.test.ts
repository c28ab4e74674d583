import { createHash } from 'node:crypto';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { GenericValue, IBinaryKeyData, IDataObject, INodeParameters } from 'n8n-workflow';
import type { RunOptions } from '../../support/engine/engine';
import { fileInMemory, fileStorage } from '../../support/engine/files';
import type { FileStorage } from '../../support/engine/files';
import { by, fromItem, once, text } from '../../support/engine/helpers';
import { TOOL, toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import type { FileSummary, WorkspaceOptions } from '../../../sandbox/types';

/** What services take (shapes of messages, uploads); the reference has neither. */
const LARGEST_FILE = 5_000_000;
const LONGEST_CAPTION = 1000;

const uploading = ['newer', 'older'] as const;

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** A workspace with one contact, to whom files are sent. */
async function withAnn(options: WorkspaceOptions = {}) {
	const { workspace, run } = await testWorkspace({ contacts: 0, service: 'newer', ...options });
	const [ann] = await workspace.addContacts([{ email: 'ann@example.com', phoneNumber: '+4915100000001' }]);
	await workspace.clearJournal();
	const parametersOf = (
		attachments: GenericValue,
		more: INodeParameters = {},
		options: INodeParameters = {},
	) => ({
		resource: 'contact',
		operation: 'sendMessage',
		identifier: by('id', ann.id),
		options: { attachments, ...options } as INodeParameters,
		...more,
	});
	return {
		workspace,
		ann,
		parametersOf,
		/** Sends the files of one item. */
		async send(
			files: IBinaryKeyData,
			attachments: GenericValue = 'data',
			more: INodeParameters = {},
			runOptions: Partial<RunOptions> & { options?: INodeParameters; json?: IDataObject } = {},
		) {
			const { options, json = {}, ...rest } = runOptions;
			return await run(parametersOf(attachments, more, options), [json], { files: [files], ...rest });
		},
		run,
		requests: async () => (await workspace.journal()).requests,
		messages: async () => (await workspace.journal()).messages,
	};
}

const pdf = fileInMemory('%PDF-1.7 …', { fileName: 'invoice.pdf' });

describe.each(uploading)('a service that takes uploads (%s)', (service) => {
	test('gets a file with the text as its caption', async () => {
		const { send, messages, requests, ann } = await withAnn({ service });
		const { error, json } = await send({ data: pdf }, 'data', { text: 'Your invoice' });
		expect(error).toBeUndefined();
		const file = { fileName: 'invoice.pdf', size: 12 };
		expect(json).toEqual([
			{
				success: true,
				contact: `id:${ann.id}`,
				contactId: ann.id,
				queued: true,
				text: 'Your invoice',
				clientId: expect.stringMatching(/^\d+$/) as string,
				attachments: [{ ...file, mimeType: 'application/pdf' }],
			},
		]);
		expect(await messages()).toMatchObject([
			{
				contactId: ann.id,
				text: 'Your invoice',
				files: [{ ...file, contentType: 'application/pdf', sha256: sha256('%PDF-1.7 …') }],
			},
		]);
		const [{ parts }] = await requests();
		expect(parts?.map(({ name }) => name)).toEqual(['text', 'clientId', 'files[0]']);
	});

	test('gets a file alone, on the channel that was chosen', async () => {
		const { send, messages, workspace, ann } = await withAnn({ service });
		const { inboxId } = (await workspace.contact(`id:${ann.id}`)).contactInboxes[0] as { inboxId: string };
		const { error, json } = await send(
			{ data: pdf },
			'data',
			{},
			{ options: { inboxId: by('id', inboxId) } },
		);
		expect(error?.message).toBeUndefined();
		expect(json[0]).not.toHaveProperty('text');
		expect(await messages()).toMatchObject([{ contactId: ann.id, inboxId, files: [{ size: 12 }] }]);
	});

	test('gets several files, in any order, one of them twice, of any type', async () => {
		const { send, messages } = await withAnn({ service });
		const photo = fileInMemory(Buffer.from([0, 255, 13, 10, 45, 45]), {
			fileName: 'Zoë "im" Grünen.jpg',
			mimeType: 'image/jpeg',
		});
		const odd = fileInMemory('', { mimeType: 'x-unknown', fileExtension: 'bin' });
		const { error, json } = await send({ data: pdf, photo, odd }, 'photo, data ,photo,odd');
		expect(error).toBeUndefined();
		expect(json[0].attachments).toMatchObject([{}, {}, {}, { fileName: 'file.bin', size: 0 }]);
		const [{ files }] = await messages();
		expect(files).toMatchObject([
			{
				fileName: 'Zoë "im" Grünen.jpg',
				contentType: 'image/jpeg',
				sha256: sha256(Buffer.from([0, 255, 13, 10, 45, 45])),
			},
			{ fileName: 'invoice.pdf' },
			{ fileName: 'Zoë "im" Grünen.jpg' },
			{ fileName: 'file.bin', contentType: 'application/octet-stream', size: 0 },
		]);
	});

	test('gets all files of an item for *', async () => {
		const { send, messages } = await withAnn({ service });
		await send({ b: pdf, 'a, b': pdf, c: pdf }, ' * ');
		expect((await messages())[0].files).toHaveLength(3);
		await send({ b: pdf, 'a, b': pdf, c: pdf }, 'a, b');
		expect((await messages())[1].files).toHaveLength(1);
	});

	test(`loses neither a file of ${LARGEST_FILE} bytes nor a caption of ${LONGEST_CAPTION} characters with line breaks`, async () => {
		const { send, messages } = await withAnn({ service });
		const content = Buffer.alloc(LARGEST_FILE, 'ü');
		const caption = `${'Grüße\n"--"\r\n'.repeat(80)}${text(1000)}`.slice(0, LONGEST_CAPTION);
		const { error } = await send({ data: fileInMemory(content) }, 'data', { text: caption });
		expect(error).toBeUndefined();
		expect(await messages()).toMatchObject([
			{ text: caption, files: [{ size: LARGEST_FILE, sha256: sha256(content) }] },
		]);
	});

	test('gets a longer text in several messages, the first with the files', async () => {
		const { send, messages } = await withAnn({ service });
		const long = 'word '.repeat(300).trim();
		const { json } = await send({ data: pdf }, 'data', { text: long }, { options: { splitLongText: true } });
		expect(json).toMatchObject([{ messages: 2, text: long, attachments: [{ size: 12 }] }]);
		const sent = await messages();
		expect(sent.map(({ text: part }) => part).join(' ')).toBe(long);
		expect(sent.map(({ files }) => files?.length)).toEqual([1, undefined]);
	});

	test('gets files without a caption where the text is blank', async () => {
		const { send, requests } = await withAnn({ service });
		const { error } = await send({ data: pdf }, 'data', { text: ' \n' });
		expect(error).toBeUndefined();
		expect((await requests())[0].parts?.map(({ name }) => name)).toEqual(['clientId', 'files[0]']);
	});

	test('starts the flow after it, in a request of its own', async () => {
		const { send, messages, workspace } = await withAnn({ service });
		const { flows } = await workspace.state();
		const options = { flowId: by('id', flows[0].id) };
		const { json } = await send({ data: pdf }, 'data', { text: 'Hi' }, { options });
		expect(json).toMatchObject([{ messages: 2 }]);
		expect(await messages()).toMatchObject([{ text: 'Hi', files: [{}] }, { flowId: flows[0].id }]);
	});
});

describe('is refused before anything of the run is sent:', () => {
	const rule = 'Attachments must name fields of the item that hold files';

	async function refusal(
		files: IBinaryKeyData,
		attachments: GenericValue,
		more: INodeParameters = {},
		json = {},
	) {
		const { run, parametersOf, requests } = await withAnn();
		// The second of two items.
		const { error } = await run(
			parametersOf(fromItem('names'), more),
			[{ names: 'data' }, { names: attachments, ...json }],
			{
				files: [{ data: pdf }, files],
			},
		);
		expect(await requests()).toEqual([]);
		expect(error?.description).toContain('Nothing was sent.');
		return error?.message;
	}

	test.each<[string, IBinaryKeyData, GenericValue, string]>([
		[
			'a name that no file has',
			{ Invoice: pdf, photo: pdf },
			'data',
			`${rule} (it has Invoice, photo), but is "data"`,
		],
		['one name of several', { data: pdf }, 'data, Data', `${rule} (it has data), but is "Data"`],
		['a field that is no file', { data: pdf }, 'names', `${rule} (it has data), but is "names"`],
		[
			'a name that every object has',
			{ data: pdf },
			'constructor',
			`${rule} (it has data), but is "constructor"`,
		],
		[
			'an item without files',
			{},
			'data',
			`${rule}, but is "data", and the item has none: nodes in between may have dropped them`,
		],
		[
			'all files of an item without files',
			{},
			'*',
			`${rule}, but is "*", and the item has none: nodes in between may have dropped them`,
		],
		[
			'an address',
			{ data: pdf },
			'https://example.com/a,b.pdf',
			`${rule}, but is an address: download the file with an HTTP Request node before this one, and enter the name of its output field, such as data`,
		],
		['nothing at all', { data: pdf }, null, `${rule} (it has data), but is empty`],
		['a blank', { data: pdf }, ' ', `${rule} (it has data), but is empty`],
		['names that are blank', { data: pdf }, ' , ', `${rule} (it has data), but is empty`],
		[
			'nothing, of an item without files',
			{},
			null,
			`${rule}, but is empty, and the item has none: nodes in between may have dropped them`,
		],
		['a number', { data: pdf }, 7, `${rule} (it has data), but is "7"`],
		[
			'an object',
			{ data: pdf },
			{ url: 'a' },
			`${rule} (it has data), but is a value that is no file of the item`,
		],
		[
			'an object in a text',
			{ data: pdf },
			'={{ "[object " + "Object]" }}',
			`${rule} (it has data), but is a value that is no file of the item`,
		],
		[
			'a reference that somebody made up',
			{ data: pdf },
			'filesystem-v2:workflows/1/executions/2/binary_data/3',
			`${rule} (it has data), but is a value that is no file of the item`,
		],
		[
			'a file of n8n that somebody made up',
			{ data: pdf },
			{ mimeType: 'a/b', data: 'filesystem-v2', id: 'filesystem-v2:workflows/1/executions/2/binary_data/3' },
			`${rule} (it has data), but is a value that is no file of the item`,
		],
	])('%s', async (_, files, attachments, message) => {
		expect(await refusal(files, attachments)).toBe(`${message} [item 1]`);
	});

	test(`a file of ${LARGEST_FILE + 1} bytes`, async () => {
		const large = fileInMemory(Buffer.alloc(LARGEST_FILE + 1), { fileName: 'film.mp4' });
		expect(await refusal({ data: pdf, large }, 'data,large')).toBe(
			'Attachments: a file must have at most 5,000,000 bytes, but "film.mp4" has 5,000,001 [item 1]',
		);
	});

	test(`a text of ${LONGEST_CAPTION + 1} characters beside a file`, async () => {
		expect(await refusal({ data: pdf }, 'data', { text: fromItem('text') }, { text: text(1001) })).toBe(
			'Text must be 1 to 1000 characters long, but has 1001 characters [item 1]',
		);
	});
});

test.each(['', '={{ "" }}', '={{ [] }}'])('an option that is empty (%p) attaches nothing', async (none) => {
	const { send, messages } = await withAnn();
	const { error } = await send({ data: pdf }, none, { text: 'Hi' });
	expect(error).toBeUndefined();
	expect(await messages()).toMatchObject([{ text: 'Hi' }]);
	expect((await send({ data: pdf }, '={{ "" }}')).error?.message).toContain('Text is required');
});

describe('an expression', () => {
	test.each([
		'={{ $json.missing }}',
		'={{ $binary.missing }}',
		'={{ $json.a }}, {{ $json.b }}',
		'={{ null }}',
	])('that leads nowhere (%s) is refused, as the file would be lost', async (expression) => {
		const { send, requests } = await withAnn();
		const { error } = await send({ data: pdf }, expression, { text: 'Hi' });
		expect(error?.message).toBe(
			'Attachments must name fields of the item that hold files (it has data), but is empty [item 0]',
		);
		expect(await requests()).toEqual([]);
	});

	test.each([
		['a file', '={{ $binary.data }}', ['invoice.pdf']],
		['all files', '={{ $binary }}', ['invoice.pdf', 'other.pdf']],
		['a list of files', '={{ [$binary.other, $binary.data] }}', ['other.pdf', 'invoice.pdf']],
		['a list of names', '={{ Object.keys($binary) }}', ['invoice.pdf', 'other.pdf']],
		// What n8n's form puts into its answers.
		['an answer of a form', '={{ $json.Invoice }}', ['invoice.pdf']],
		['an answer of a form that takes several files', '={{ [$json.Invoice] }}', ['invoice.pdf']],
	])('that leads to %s names it', async (_, expression, names) => {
		const { send, messages } = await withAnn();
		const other = fileInMemory('other', { fileName: 'other.pdf' });
		const Invoice = { filename: 'invoice.pdf', mimetype: 'application/pdf', size: 12 };
		const { error } = await send({ data: pdf, other }, expression, {}, { json: { Invoice } });
		expect(error).toBeUndefined();
		expect((await messages())[0].files?.map((each) => (each as FileSummary).fileName)).toEqual(names);
	});
});

test('files that n8n has put into the JSON (Binary Mode combined) are said not to be sent', async () => {
	const { run, parametersOf, requests } = await withAnn();
	const _files = { data: pdf } as unknown as IDataObject;
	const { error } = await run(parametersOf('data', { text: 'Hi' }), [{ _files }], { binaryMode: 'combined' });
	expect(error?.message).toBe(
		'Attachments must name fields of the item that hold files, but is "data", and the item has none: its files are in _files, which this node cannot send; set Binary Mode to separate in the settings of the workflow [item 0]',
	);
	expect(await requests()).toEqual([]);
});

test('what could be either of two files is refused', async () => {
	const { send, requests } = await withAnn();
	const { error } = await send({ Invoice: pdf, Copy: pdf }, '={{ $binary.Copy }}');
	expect(error?.message).toBe(
		"Attachments could be either of Invoice, Copy: enter the field's name [item 0]",
	);
	expect(await requests()).toEqual([]);
});

test('all files of an item are meant, also where nothing but their fields tells them apart', async () => {
	const { send, messages } = await withAnn();
	const about = { fileName: 'image001.png', mimeType: 'image/png' };
	const [a, b] = ['abc', 'xyz'].map((content) => fileInMemory(content, about));
	const { error } = await send({ a, b }, '={{ $binary }}');
	expect(error?.message).toBeUndefined();
	expect(await messages()).toMatchObject([{ files: [{ sha256: sha256('abc') }, { sha256: sha256('xyz') }] }]);
});

describe('files that n8n keeps in a folder', () => {
	let storage: FileStorage;

	beforeAll(async () => {
		storage = await fileStorage();
	});

	afterAll(() => storage.close());

	test('are read there', async () => {
		const { send, messages } = await withAnn();
		const content = Buffer.alloc(LARGEST_FILE, 'x');
		const data = await storage.store(content, { fileName: 'große Datei.pdf' });
		expect(data.id).toMatch(/^filesystem-v2:/);
		const { error, json } = await send({ data });
		expect(error).toBeUndefined();
		expect(await messages()).toMatchObject([
			{ files: [{ fileName: 'große Datei.pdf', sha256: sha256(content) }] },
		]);
		expect(JSON.stringify(json)).not.toContain('filesystem');
	});

	test.each(['with', 'without'])('may not be larger, %s a size in the item', async (size) => {
		const { send, requests } = await withAnn();
		const data = await storage.store(Buffer.alloc(LARGEST_FILE + 1), { fileName: 'film.mp4' });
		expect(data.bytes).toBe(LARGEST_FILE + 1);
		// Before n8n 2, items do not have it.
		if (size === 'without') delete data.bytes;
		expect((await send({ data })).error?.message).toContain('but "film.mp4" has 5,000,001');
		// What an item says of a file can be wrong.
		expect((await send({ data: { ...data, bytes: 5 } })).error?.message).toContain(
			'"film.mp4" has 5,000,001',
		);
		expect(await requests()).toEqual([]);
	});

	test('are said to be lost when n8n has deleted them', async () => {
		const { send, requests } = await withAnn();
		const data = { ...(await storage.store('x', { fileName: 'a.pdf' })), bytes: undefined };
		data.id = data.id?.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
		expect((await send({ data })).error?.message).toBe(
			'Attachments: n8n no longer has the file "a.pdf"; run the node that it comes from again [item 0]',
		);
		expect(await requests()).toEqual([]);
	});

	test.each([
		['the file', '={{ $binary.data }}'],
		['its reference', '={{ $binary.data.id }}'],
		['a file of an earlier node', "={{ $('Feed').all()[1].binary.data }}"],
		['the reference of a file of an earlier node', "={{ $('Feed').all()[1].binary.data.id }}"],
	])('are understood as %s', async (_, expression) => {
		const { run, parametersOf, messages } = await withAnn();
		const one = await storage.store('one', { fileName: 'one.pdf' });
		const two = await storage.store('two', { fileName: 'two.pdf' });
		const { error } = await run(parametersOf(expression), [{}, {}], {
			files: [{ data: one }, { data: two }],
		});
		expect(error).toBeUndefined();
		const names = (await messages()).map(({ files }) => (files?.[0] as FileSummary).fileName).sort();
		expect(names).toEqual(expression.includes('Feed') ? ['two.pdf', 'two.pdf'] : ['one.pdf', 'two.pdf']);
	});

	test('are sent at most four at a time', async () => {
		const { run, parametersOf, workspace } = await withAnn({ faults: { latencyMs: 30 } });
		const contacts = await workspace.addContacts(
			Array.from({ length: 20 }, (_, n) => ({
				email: `c${n}@example.com`,
				phoneNumber: `+49151000001${n + 10}`,
			})),
		);
		await workspace.clearJournal();
		const data = await storage.store('x', { fileName: 'a.pdf' });
		const { error } = await run(
			parametersOf('data', { identifier: by('id', fromItem('id')) }),
			contacts.map(({ id }) => ({ id })),
			{ files: contacts.map(() => ({ data })) },
		);
		expect(error).toBeUndefined();
		const { messages, maxInFlight } = await workspace.summary();
		expect([messages.delivered, messages.contacts, maxInFlight]).toEqual([20, 20, 4]);
	});
});

test('files of items that are not sent any more are not read', async () => {
	const storage = await fileStorage();
	const { run, parametersOf, workspace, messages } = await withAnn();
	const contacts = await workspace.addContacts(
		Array.from({ length: 40 }, (_, n) => ({
			email: `c${n}@example.com`,
			phoneNumber: `+49151000001${n + 10}`,
		})),
	);
	await workspace.faults({ fail: [{ match: { operation: 'sendMessage' }, status: 403, times: 1 }] });
	const data = await storage.store('x', { fileName: 'a.pdf' });
	const reading = jest.spyOn(Container.get(BinaryDataService), 'getAsBuffer');
	const { error } = await run(
		parametersOf('data', { identifier: by('id', fromItem('id')) }),
		contacts.map(({ id }) => ({ id })),
		{ files: contacts.map(() => ({ data })) },
	);
	storage.close();
	expect(error?.message).toContain('(403)');
	expect(reading.mock.calls.length).toBeLessThanOrEqual(8);
	expect((await messages()).length).toBeLessThan(8);
});

describe('a request that comes again', () => {
	test('after a lost answer delivers once: the same bytes with the same key', async () => {
		const { send, messages, requests, workspace } = await withAnn();
		await workspace.faults({ dropAfter: { times: 1 } });
		const { error } = await send({ data: pdf }, 'data', { text: 'Hi' });
		expect(error).toBeUndefined();
		const [first, second, ...more] = await requests();
		expect(more).toEqual([]);
		expect(second).toMatchObject({ replayed: true, idempotencyKey: first.idempotencyKey });
		expect(second.contentType).toBe(first.contentType);
		expect(second.parts).toEqual(first.parts);
		expect(await messages()).toHaveLength(1);
	});

	test('by "Retry On Fail" has the same key for the same file, and another for another', async () => {
		const { send, requests, messages } = await withAnn();
		const executionId = '77';
		const other = fileInMemory('%PDF-1.7 !!', { fileName: 'invoice.pdf' });
		for (const data of [pdf, pdf, other]) await send({ data }, 'data', { text: 'Hi' }, { executionId });
		const [first, second, third] = (await requests()).map(({ idempotencyKey }) => idempotencyKey);
		expect(first).toHaveLength(64);
		expect(second).toBe(first);
		expect(third).not.toBe(first);
		expect(await messages()).toHaveLength(2);
	});
});

describe('a service that takes no uploads', () => {
	const lacking =
		'which the documented API does not have. Nothing was sent. Put a link to the file into the text, or give the file under Files (JSON) in the form that the service takes. [item 0]';

	test('of the reference gets one sentence, and nothing was sent', async () => {
		const { send, messages } = await withAnn({ service: 'reference' });
		const { error } = await send(
			{ data: pdf },
			'data',
			{ text: 'word '.repeat(300) },
			{ options: { splitLongText: true } },
		);
		expect(error?.message).toBe(`This service takes no uploads of files (400), ${lacking}`);
		expect(await messages()).toEqual([]);
	});

	test.each([
		['says so', { status: 415, body: 'text', message: 'Unsupported' }],
		['finds nothing in the body', { status: 422, issues: [{ path: ['text'], message: 'Required' }] }],
		['speaks of JSON', { status: 400, body: 'message', message: 'Unexpected token - in JSON at position 0' }],
		['says nothing', { status: 400, body: 'empty' }],
	] as const)('is known when it %s', async (_, fail) => {
		const { send, workspace } = await withAnn();
		await workspace.faults({
			fail: [
				{
					...fail,
					issues:
						'issues' in fail
							? [...fail.issues].map((issue) => ({ ...issue, path: [...issue.path] }))
							: undefined,
				},
			],
		});
		expect((await send({ data: pdf }, 'data', { ...once })).error?.message).toBe(
			`This service takes no uploads of files (${fail.status}), ${lacking}`,
		);
	});

	test.each([
		[
			{ status: 422, issues: [{ path: ['inboxId'], message: 'Unknown' }] },
			'The service refused the request (422): Channel: Unknown.',
		],
		[
			{ status: 400, message: 'Media type image/heic is not supported by WhatsApp' },
			'The service refused the request (400): Media type image/heic is not supported by WhatsApp.',
		],
		[
			{ status: 400, message: 'Param template_json is invalid' },
			'The service refused the request (400): Param template_json is invalid.',
		],
		[
			{ status: 400, message: 'The provider does not take this file' },
			'The service refused the request (400): The provider does not take this file.',
		],
		[
			{ status: 413, body: 'html' },
			'The service, or a server in front of it, does not take that many bytes in one message (413). Nothing was sent. Send smaller or fewer files',
		],
	] as const)('is not blamed for %p', async (fail, message) => {
		const { send, workspace } = await withAnn();
		await workspace.faults({ fail: [fail as never] });
		expect((await send({ data: pdf }, 'data', { ...once })).error?.message).toContain(message);
	});
});

describe('a tool', () => {
	test.each([true, false])(
		'has no attachments, even where some were saved (run as a node: %p)',
		async (isNode) => {
			const { workspace, ann, run, messages } = await withAnn();
			const parameters = {
				resource: 'contact',
				operation: 'sendMessage',
				contact: ann.id,
				text: 'Hi',
				options: { attachments: 'data' },
			};
			if (isNode) await run(parameters, [{}], { node: TOOL });
			else await toolOf(workspace, parameters)();
			expect(await messages()).toMatchObject([{ text: 'Hi' }]);
		},
	);
});
