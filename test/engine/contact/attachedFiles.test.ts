import type {
	IBinaryKeyData,
	IDataObject,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';
import { fileInMemory } from '../../support/engine/files';
import { fromItem, text } from '../../support/engine/helpers';
import { LARGEST_FILE, LONGEST_CAPTION, pdf, sha256, withAnn } from './attachments';
import type { FileSummary } from '../../../sandbox/http/multipart';

describe('Attachments', () => {
	/** The error for the second of two items; nothing of the run may have been sent. */
	async function refusal(
		files: IBinaryKeyData,
		attachments: NodeParameterValueType,
		more: INodeParameters = {},
		json = {},
	) {
		const { run, parametersOf, requests } = await withAnn();
		const { error } = await run(
			parametersOf(fromItem('names'), more),
			[{ names: 'data' }, { names: attachments, ...json }],
			{ files: [{ data: pdf }, files] },
		);
		expect(await requests()).toEqual([]);
		expect(error?.description).toContain('Nothing was sent.');
		return error?.message;
	}

	const noFiles =
		'The item has no files. These earlier nodes have files: "Feed". Use an expression that returns this item\'s file.';
	const noSuchFile = (name: string, rest = 'The item has these files: data.') =>
		`This item has no file called "${name}". ${rest}`;
	const empty = 'Attachments is empty. The item has these files: data.';
	const leadsElsewhere = 'Attachments must be a file of this item. The item has these files: data.';

	test.each<[string, IBinaryKeyData, NodeParameterValueType, string]>([
		[
			'a name that no file has',
			{ Invoice: pdf, photo: pdf },
			'data',
			noSuchFile('data', 'The item has these files: Invoice, photo.'),
		],
		['one name of several', { data: pdf }, 'data, Data', noSuchFile('Data')],
		['a field that is no file', { data: pdf }, 'names', noSuchFile('names')],
		['a name that every object has', { data: pdf }, 'constructor', noSuchFile('constructor')],
		['a name in an item without files', {}, 'data', noSuchFile('data', noFiles)],
		['* in an item without files', {}, '*', noSuchFile('*', noFiles)],
		[
			'a URL',
			{ data: pdf },
			'https://example.com/a,b.pdf',
			"Attachments can't be a URL. To send a file from a URL, download it first with an HTTP Request node. Then enter the name of its output field, such as data.",
		],
		['null', { data: pdf }, null, empty],
		['a blank', { data: pdf }, ' ', empty],
		['blank names', { data: pdf }, ' , ', empty],
		['null in an item without files', {}, null, `Attachments is empty. ${noFiles}`],
		['a number', { data: pdf }, 7, noSuchFile('7')],
		['an object', { data: pdf }, { url: 'a' }, leadsElsewhere],
		['an object in a text', { data: pdf }, '={{ "[object " + "Object]" }}', leadsElsewhere],
		[
			'a reference that somebody made up',
			{ data: pdf },
			'filesystem-v2:workflows/1/executions/2/binary_data/3',
			leadsElsewhere,
		],
		[
			'binary data that somebody made up',
			{ data: pdf },
			{
				mimeType: 'a/b',
				data: 'filesystem-v2',
				id: 'filesystem-v2:workflows/1/executions/2/binary_data/3',
			},
			leadsElsewhere,
		],
	])('refuses %s before anything of the run is sent', async (_, files, attachments, message) => {
		expect(await refusal(files, attachments)).toBe(`${message} [item 1]`);
	});

	test(`refuses a file of ${LARGEST_FILE + 1} bytes before anything of the run is sent`, async () => {
		const large = fileInMemory(Buffer.alloc(LARGEST_FILE + 1), { fileName: 'film.mp4' });
		expect(await refusal({ data: pdf, large }, 'data,large')).toBe(
			'Attachments: "film.mp4" has 5,000,001 bytes; the limit is 5,000,000 [item 1]',
		);
	});

	test.each(['\ud83d', 'Hi \ude00', '😀\ud83d!'])(
		'refuses half an emoji in a caption or a file name (%j) before anything of the run is sent',
		async (half) => {
			const problem = 'must not contain half a character (a lone surrogate)';
			expect(await refusal({ data: pdf }, 'data', { text: fromItem('text') }, { text: half })).toBe(
				`Message ${problem} [item 1]`,
			);
			const fileName = `${half}.pdf`;
			expect(await refusal({ data: { ...pdf, fileName } }, 'data')).toBe(
				`Attachments: the name "${fileName}" ${problem} [item 1]`,
			);
		},
	);

	test(`refuses a caption of ${LONGEST_CAPTION + 1} characters before anything of the run is sent`, async () => {
		expect(
			await refusal({ data: pdf }, 'data', { text: fromItem('text') }, { text: text(1001) }),
		).toBe(
			'Message must be 1 to 1,000 characters long (to send a longer one, add Split Long Text), but has 1,001 characters [item 1]',
		);
	});

	test.each(['', '={{ "" }}', '={{ [] }}'])('attaches nothing if it is %p', async (none) => {
		const { send, messages } = await withAnn();
		const { error } = await send({ data: pdf }, none, { text: 'Hi' });
		expect(error).toBeUndefined();
		expect(await messages()).toMatchObject([{ text: 'Hi' }]);
		const { error: missing } = await send({ data: pdf }, none);
		expect(missing?.message).toMatch(/^(Message is required|Enter a message)/);
	});

	test.each([
		'={{ $json.missing }}',
		'={{ $binary.missing }}',
		'={{ $json.a }}, {{ $json.b }}',
		'={{ null }}',
	])('refuses %s, because the file would be lost silently', async (expression) => {
		const { send, requests } = await withAnn();
		const { error } = await send({ data: pdf }, expression, { text: 'Hi' });
		expect(error?.message).toBe(`${empty} [item 0]`);
		expect(await requests()).toEqual([]);
	});

	test.each([
		['a file', '={{ $binary.data }}', ['invoice.pdf']],
		['all files', '={{ $binary }}', ['invoice.pdf', 'other.pdf']],
		['a list of files', '={{ [$binary.other, $binary.data] }}', ['other.pdf', 'invoice.pdf']],
		['a list of names', '={{ Object.keys($binary) }}', ['invoice.pdf', 'other.pdf']],
		['an answer of a form', '={{ $json.Invoice }}', ['invoice.pdf']],
		['an answer of a form with several files', '={{ [$json.Invoice] }}', ['invoice.pdf']],
	])('takes an expression that returns %s', async (_, expression, names) => {
		const { send, messages } = await withAnn();
		const other = fileInMemory('other', { fileName: 'other.pdf' });
		// n8n's form puts this into its answers.
		const Invoice = { filename: 'invoice.pdf', mimetype: 'application/pdf', size: 12 };
		const { error } = await send({ data: pdf, other }, expression, {}, { json: { Invoice } });
		expect(error).toBeUndefined();
		expect((await messages())[0].files?.map((each) => (each as FileSummary).fileName)).toEqual(
			names,
		);
	});

	test('reports files in the JSON (Binary Mode combined), which it cannot send', async () => {
		const { run, parametersOf, requests } = await withAnn();
		const _files = { data: pdf } as unknown as IDataObject;
		const parameters = parametersOf('data', { text: 'Hi' });
		const { error } = await run(parameters, [{ _files }], { binaryMode: 'combined' });
		expect(error?.message).toBe(
			`This item has no file called "data". Its files are in _files, which this node can't send. Set Binary Mode to separate in the workflow settings. [item 0]`,
		);
		expect(await requests()).toEqual([]);
	});

	test('refuses an expression that could be either of two files', async () => {
		const { send, requests } = await withAnn();
		const { error } = await send({ Invoice: pdf, Copy: pdf }, '={{ $binary.Copy }}');
		expect(error?.message).toBe(
			'Attachments could be any of the files Invoice, Copy. Enter the name of one of them. [item 0]',
		);
		expect(await requests()).toEqual([]);
	});

	test('takes all files of an item even if they differ only in their fields', async () => {
		const { send, messages } = await withAnn();
		const about = { fileName: 'image001.png', mimeType: 'image/png' };
		const [a, b] = ['abc', 'xyz'].map((content) => fileInMemory(content, about));
		const { error } = await send({ a, b }, '={{ $binary }}');
		expect(error?.message).toBeUndefined();
		const files = [{ sha256: sha256('abc') }, { sha256: sha256('xyz') }];
		expect(await messages()).toMatchObject([{ files }]);
	});
});
