import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { by } from '../support/engine/helpers';
import { workspaceWithAnn } from '../support/engine/workspace';
import type { WorkspaceOptions } from '../../sandbox/options';

async function withAnn(options: WorkspaceOptions = {}) {
	const { workspace, run, ann } = await workspaceWithAnn({ service: 'newer', ...options });
	return { workspace, run, ann, requests: async () => (await workspace.journal()).requests };
}

describe('The node never sends the internal data of a file', () => {
	const reference =
		'filesystem-v2:workflows/1/executions/2/binary_data/0d4b6a9e-1b1c-4d6e-8f00-000000000000';
	const files = {
		'a file in memory': {
			mimeType: 'image/png',
			fileType: 'image',
			fileName: 'a.png',
			data: 'AAAA',
		},
		'a file in a folder': {
			mimeType: 'image/png',
			fileName: 'a.png',
			data: 'filesystem-v2',
			id: reference,
		},
		'what an expression tells of a file': {
			mimeType: 'image/png',
			fileExtension: 'png',
			fileSize: '3 B',
		},
		'a reference': reference,
		'a reference to a bucket': reference.replace('filesystem-v2', 's3'),
		'a reference to a database': 'database:0d4b6a9e-1b1c-4d6e-8f00-000000000000',
		'a reference in a text': `[{"id":"${reference}"}]`,
	};
	const noFile = "can't hold binary data";

	describe.each(Object.entries(files))('of the kind %s', (_, file) => {
		test.each<[string, INodeParameters, string]>([
			[
				'Files (JSON)',
				{ resource: 'message', operation: 'send', options: { files: '={{ [$json.file] }}' } },
				'. To send a file, enter the name of its field in Attachments',
			],
			[
				'Message',
				{ resource: 'message', operation: 'send', text: '={{ $json.file }}' },
				'. To send a file, enter the name of its field in Attachments',
			],
			[
				'Contact Filter (JSON)',
				{ operation: 'getAll', filters: { contactFilter: '={{ { a: [$json.file] } }}' } },
				'',
			],
			['First Name', { operation: 'update', updateFields: { firstName: '={{ $json.file }}' } }, ''],
		])('in %s', async (label, parameters, instead) => {
			const { run, requests, ann } = await withAnn();
			const { error } = await run(
				{ resource: 'contact', identifier: by('id', ann.id), ...parameters },
				[{ file: file as IDataObject }],
			);
			expect(error?.message).toBe(`${label} ${noFile}${instead} [item 0]`);
			expect(await requests()).toEqual([]);
		});

		test('in a custom field', async () => {
			const { run, requests, ann, workspace } = await withAnn();
			const { id } = await workspace.add('customFields', { name: 'Passport', type: 'longText' });
			const { error } = await run(
				{
					resource: 'contact',
					operation: 'setCustomFields',
					identifier: by('id', ann.id),
					customFields: { mappingMode: 'defineBelow', value: { [id]: '={{ $json.file }}' } },
				},
				[{ file: file as IDataObject }],
			);
			expect(error?.message).toContain(`Custom field Passport ${noFile}`);
			expect((await requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});

	const inMemory = files['a file in memory'];
	const insides: Array<[where: string, value: unknown]> = [
		['a list of files', [inMemory]],
		['an object with a file', { photo: inMemory }],
		['an object with the data of a file', { data: files['a file in a folder'] }],
		['a list of lists', [[reference]]],
		['a key of an object', { [reference]: 1 }],
	];

	describe.each(insides)('inside %s', (_, value) => {
		test.each<[operation: string, mapping: string]>([
			['setCustomFields', 'defineBelow'],
			['setCustomFields', 'autoMapInputData'],
			['import', 'defineBelow'],
			['import', 'autoMapInputData'],
		])('in a custom field of %s, mapped by %s', async (operation, mappingMode) => {
			const { run, requests, ann, workspace } = await withAnn();
			const { id } = await workspace.add('customFields', { name: 'Passport', type: 'longText' });
			const { channels } = await workspace.state();
			const whatsapp = channels.find(({ channel }) => channel === 'whatsapp')!;
			const mapped = mappingMode === 'defineBelow' ? { [id]: '={{ $json.Passport }}' } : null;
			const more: Record<string, INodeParameters> = {
				setCustomFields: { identifier: by('id', ann.id) },
				import: {
					source: 'items',
					inboxId: by('list', whatsapp.id),
					phoneNumber: '+4915112345678',
				},
			};
			const { error } = await run(
				{
					resource: 'contact',
					operation,
					customFields: { mappingMode, value: mapped },
					...more[operation],
				},
				[{ Passport: value as IDataObject }],
			);
			expect(error?.message).toContain(`Custom field Passport ${noFile}`);
			expect((await requests()).filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});

	test.each([reference, reference.replace('filesystem-v2', 's3')])(
		'The node never sends the internal data of a file in an address (%s)',
		async (id) => {
			const { run, requests, ann } = await withAnn();
			const text = `See https://example.com/rest/binary-data?id=${encodeURIComponent(id)}`;
			const parameters = { resource: 'message', operation: 'send', identifier: by('id', ann.id) };
			const { error } = await run({ ...parameters, text: '={{ $json.text }}' }, [{ text }]);
			expect(error?.message).toContain(`Message ${noFile}`);
			expect(await requests()).toEqual([]);
		},
	);

	test('Conditions with the internal data of a file filter contacts by what their records show', async () => {
		const { run, requests } = await withAnn();
		const texts = [{ field: 'fullName', textOperator: 'contains', text: '={{ $json.file }}' }];
		const { json } = await run(
			{ resource: 'contact', operation: 'getAll', conditions: { texts } },
			[{ file: reference }],
		);
		expect(json).toEqual([]);
		expect((await requests()).length).toBeGreaterThan(0);
		expect(decodeURIComponent(JSON.stringify(await requests()))).not.toContain('binary_data');
	});

	test('The node sends files that have a form of the service', async () => {
		const { run, ann, workspace, requests } = await withAnn({ service: 'reference' });
		const sent = [
			{
				path: 'a/b.png',
				mimeType: 'image/png',
				size: 3,
				name: 'b.png',
				url: 'https://example.com',
			},
		];
		await run({
			resource: 'message',
			operation: 'send',
			identifier: by('id', ann.id),
			options: { files: JSON.stringify(sent) },
		});
		expect(await requests()).toMatchObject([{ body: { files: sent } }]);
		expect((await workspace.summary()).messages.delivered).toBe(1);
	});
});
