import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import { pairs, turnsOf } from '../../support/cases';
import { fileInMemory, fileStorage, type FileStorage } from '../../support/engine/files';
import { by, fromItem, once, text } from '../../support/engine/helpers';
import { TOOL, toolOf } from '../../support/engine/tool';
import { LARGEST_FILE, LONGEST_CAPTION, pdf, sha256, withAnn } from './attachments';
import type { ServiceName } from '../../../sandbox/services/names';
import type { FileSummary } from '../../../sandbox/http/multipart';

/** Both services take uploads in the same way. */
const oneService = turnsOf<ServiceName>(['newer', 'older']);

describe('Send Message with Attachments', () => {
	test.each(oneService())(
		'sends a file with the text as its caption (%s service)',
		async (service) => {
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
		},
	);

	test.each(oneService())(
		'sends a file without a text on the chosen channel (%s service)',
		async (service) => {
			const { send, messages, workspace, ann } = await withAnn({ service });
			const { inboxId } = (await workspace.contact(`id:${ann.id}`)).contactInboxes[0] as {
				inboxId: string;
			};
			const { error, json } = await send({ data: pdf }, 'data', { inboxId: by('id', inboxId) });
			expect(error?.message).toBeUndefined();
			expect(json[0]).not.toHaveProperty('text');
			expect(await messages()).toMatchObject([
				{ contactId: ann.id, inboxId, files: [{ size: 12 }] },
			]);
		},
	);

	test.each(oneService())(
		'sends several files in the order of their names, even one twice, whatever their types (%s service)',
		async (service) => {
			const { send, messages } = await withAnn({ service });
			const photo = fileInMemory(Buffer.from([0, 255, 13, 10, 45, 45]), {
				fileName: 'Zoë "im" Grünen.jpg',
				mimeType: 'image/jpeg',
			});
			const odd = fileInMemory('', { mimeType: 'x-unknown', fileExtension: 'bin' });
			const { error, json } = await send({ data: pdf, photo, odd }, 'photo, data\n"photo";odd');
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
		},
	);

	const incomplete = [
		{ about: {}, fileName: 'file' },
		{ about: { fileName: null, mimeType: null }, fileName: 'file' },
		{ about: { fileName: 7 }, fileName: '7' },
	];

	test.each(pairs(incomplete, ['data', '*', '={{ $binary }}']))(
		'sends a file with no more than %j if Attachments is %s',
		async ({ about, fileName }, attachments) => {
			const { send, messages } = await withAnn();
			const data = { data: pdf.data, ...about } as unknown as IBinaryData;
			const { error, json } = await send({ data }, attachments);
			expect(error?.message).toBeUndefined();
			const type = 'application/octet-stream';
			expect(json[0].attachments).toEqual([{ fileName, mimeType: type, size: 12 }]);
			expect(await messages()).toMatchObject([
				{ files: [{ fileName, contentType: type, size: 12 }] },
			]);
		},
	);

	test.each(oneService())('sends all files of an item for * (%s service)', async (service) => {
		const { send, messages } = await withAnn({ service });
		await send({ b: pdf, 'a, b': pdf, c: pdf }, ' * ');
		expect((await messages())[0].files).toHaveLength(3);
		await send({ b: pdf, 'a, b': pdf, c: pdf }, 'a, b');
		expect((await messages())[1].files).toHaveLength(1);
	});

	test.each(oneService())(
		`sends a file of ${LARGEST_FILE} bytes and a caption of ${LONGEST_CAPTION} characters with line breaks without loss (%s service)`,
		async (service) => {
			const { send, messages } = await withAnn({ service });
			const content = Buffer.alloc(LARGEST_FILE, 'ü');
			const caption = `${'Grüße\n"--"\r\n'.repeat(80)}${text(1000)}`.slice(0, LONGEST_CAPTION);
			const { error } = await send({ data: fileInMemory(content) }, 'data', { text: caption });
			expect(error).toBeUndefined();
			expect(await messages()).toMatchObject([
				{ text: caption, files: [{ size: LARGEST_FILE, sha256: sha256(content) }] },
			]);
		},
	);

	test.each(oneService())(
		'sends a longer text in several messages, the first of them with the files (%s service)',
		async (service) => {
			const { send, messages } = await withAnn({ service });
			const long = 'word '.repeat(300).trim();
			const { json } = await send(
				{ data: pdf },
				'data',
				{ text: long },
				{ options: { splitLongText: true } },
			);
			expect(json).toMatchObject([{ messages: 2, text: long, attachments: [{ size: 12 }] }]);
			const sent = await messages();
			expect(sent.map(({ text: part }) => part).join(' ')).toBe(long);
			expect(sent.map(({ files }) => files?.length)).toEqual([1, undefined]);
		},
	);

	test.each(oneService())(
		'sends files without a caption if the text is blank (%s service)',
		async (service) => {
			const { send, requests } = await withAnn({ service });
			const { error } = await send({ data: pdf }, 'data', { text: ' \n' });
			expect(error).toBeUndefined();
			expect((await requests())[0].parts?.map(({ name }) => name)).toEqual([
				'clientId',
				'files[0]',
			]);
		},
	);

	test.each(oneService())(
		'starts the flow with a request of its own after the files (%s service)',
		async (service) => {
			const { send, messages, workspace } = await withAnn({ service });
			const { flows } = await workspace.state();
			const options = { flowId: by('id', flows[0].id) };
			const { json } = await send({ data: pdf }, 'data', { text: 'Hi' }, { options });
			expect(json).toMatchObject([{ messages: 2 }]);
			expect(await messages()).toMatchObject([
				{ text: 'Hi', files: [{}] },
				{ flowId: flows[0].id },
			]);
		},
	);
});

describe('Send Message with Attachments that n8n keeps in a folder', () => {
	let storage: FileStorage;

	beforeAll(async () => {
		storage = await fileStorage();
	});

	afterAll(() => storage.close());

	test('reads them there', async () => {
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

	test.each(['with', 'without'])('refuses a larger one %s a size in the item', async (size) => {
		const { send, requests } = await withAnn();
		const data = await storage.store(Buffer.alloc(LARGEST_FILE + 1), { fileName: 'film.mp4' });
		expect(data.bytes).toBe(LARGEST_FILE + 1);
		// Before n8n 2, items do not have it.
		if (size === 'without') delete data.bytes;
		expect((await send({ data })).error?.message).toContain('"film.mp4" has 5,000,001 bytes');
		// What an item says of a file can be wrong.
		expect((await send({ data: { ...data, bytes: 5 } })).error?.message).toContain(
			'"film.mp4" has 5,000,001 bytes',
		);
		expect(await requests()).toEqual([]);
	});

	test('reports one that n8n has deleted', async () => {
		const { send, requests } = await withAnn();
		const data = { ...(await storage.store('x', { fileName: 'a.pdf' })), bytes: undefined };
		data.id = data.id?.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
		expect((await send({ data })).error?.message).toBe(
			'Attachments: n8n no longer has the file "a.pdf". Run the node that returned it again. [item 0]',
		);
		expect(await requests()).toEqual([]);
	});

	test.each([
		['the file', '={{ $binary.data }}'],
		['its reference', '={{ $binary.data.id }}'],
		['a file of an earlier node', "={{ $('Feed').all()[1].binary.data }}"],
		['the reference of a file of an earlier node', "={{ $('Feed').all()[1].binary.data.id }}"],
	])('takes %s', async (_, expression) => {
		const { run, parametersOf, messages } = await withAnn();
		const one = await storage.store('one', { fileName: 'one.pdf' });
		const two = await storage.store('two', { fileName: 'two.pdf' });
		const { error } = await run(parametersOf(expression), [{}, {}], {
			files: [{ data: one }, { data: two }],
		});
		expect(error).toBeUndefined();
		const names = (await messages())
			.map(({ files }) => (files?.[0] as FileSummary).fileName)
			.sort();
		expect(names).toEqual(
			expression.includes('Feed') ? ['two.pdf', 'two.pdf'] : ['one.pdf', 'two.pdf'],
		);
	});

	test('sends at most four messages at a time', async () => {
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

test('Send Message does not read the files of items that are no longer sent', async () => {
	const storage = await fileStorage();
	const { run, parametersOf, workspace, messages } = await withAnn();
	const contacts = await workspace.addContacts(
		Array.from({ length: 40 }, (_, n) => ({
			email: `c${n}@example.com`,
			phoneNumber: `+49151000001${n + 10}`,
		})),
	);
	await workspace.faults({
		fail: [{ match: { operation: 'sendMessage' }, status: 403, times: 1 }],
	});
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

describe('Send Message with Attachments that is sent again', () => {
	test('delivers once after a lost answer: the same bytes with the same key', async () => {
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

	test('has the same key by "Retry On Fail" for the same file, and another for another file', async () => {
		const { send, requests, messages } = await withAnn();
		const executionId = '77';
		const other = fileInMemory('%PDF-1.7 !!', { fileName: 'invoice.pdf' });
		for (const data of [pdf, pdf, other])
			await send({ data }, 'data', { text: 'Hi' }, { executionId });
		const [first, second, third] = (await requests()).map(({ idempotencyKey }) => idempotencyKey);
		expect(first).toHaveLength(64);
		expect(second).toBe(first);
		expect(third).not.toBe(first);
		expect(await messages()).toHaveLength(2);
	});
});

describe('Send Message with Attachments on a service without uploads', () => {
	const lacking =
		'Nothing was sent. Put a link to the file in the text instead, or add the file under Files (JSON) in the form that the service accepts. [item 0]';

	test('sends nothing to a service of the reference, and says why (difference 21)', async () => {
		const { send, messages } = await withAnn({ service: 'reference' });
		const { error } = await send(
			{ data: pdf },
			'data',
			{ text: 'word '.repeat(300) },
			{ options: { splitLongText: true } },
		);
		expect(error?.message).toBe(`This service doesn't accept file uploads (400). ${lacking}`);
		expect(await messages()).toEqual([]);
	});

	test.each([
		['says so', { status: 415, body: 'text', message: 'Unsupported' }],
		[
			'finds nothing in the body',
			{ status: 422, issues: [{ path: ['text'], message: 'Required' }] },
		],
		[
			'speaks of JSON',
			{ status: 400, body: 'message', message: 'Unexpected token - in JSON at position 0' },
		],
		['says nothing', { status: 400, body: 'empty' }],
	] as const)('recognizes a service that %s', async (_, fail) => {
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
			`This service doesn't accept file uploads (${fail.status}). ${lacking}`,
		);
	});

	test.each([
		[
			{ status: 422, issues: [{ path: ['inboxId'], message: 'Unknown' }] },
			'The service rejected the request (422): Channel: Unknown.',
		],
		[
			{ status: 400, message: 'Media type image/heic is not supported by WhatsApp' },
			'The service rejected the request (400): Media type image/heic is not supported by WhatsApp.',
		],
		[
			{ status: 400, message: 'Param template_json is invalid' },
			'The service rejected the request (400): Param template_json is invalid.',
		],
		[
			{ status: 400, message: 'The provider does not take this file' },
			'The service rejected the request (400): The provider does not take this file.',
		],
		[
			{ status: 413, body: 'html' },
			"The service, or a server in front of it, doesn't accept messages of this size (413). Nothing was sent. Send smaller or fewer files",
		],
	] as const)('is not blamed for the answer %p', async (fail, message) => {
		const { send, workspace } = await withAnn();
		await workspace.faults({ fail: [fail as never] });
		expect((await send({ data: pdf }, 'data', { ...once })).error?.message).toContain(message);
	});
});

describe('Send Message as a tool', () => {
	test.each([true, false])(
		'sends no attachments, even if some were saved (run as a node: %p)',
		async (isNode) => {
			const { workspace, ann, run, messages } = await withAnn();
			const parameters = {
				resource: 'message',
				operation: 'send',
				contact: ann.id,
				text: 'Hi',
				attachments: 'data',
			};
			if (isNode) await run(parameters, [{}], { node: TOOL });
			else await toolOf(workspace, parameters)();
			expect(await messages()).toMatchObject([{ text: 'Hi' }]);
		},
	);
});
