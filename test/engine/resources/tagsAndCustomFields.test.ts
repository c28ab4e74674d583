import { by, fromItem, queryOf, received, parametersFor } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const tag = parametersFor('tag');
const customField = parametersFor('customField');

describe('Tag', () => {
	test.each([
		['without a folder', {}, {}],
		['in a folder', { folderId: '4001' }, { folderId: '4001' }],
		['in no folder, said with null', { folderId: fromItem() }, { folderId: null }],
		['in no folder, said with nothing', { folderId: '' }, { folderId: null }],
	])('Create adds a tag %s', async (_, additionalFields, folder) => {
		const { workspace, run } = await testWorkspace({ empty: true });
		const { json } = await run(tag('create', { name: 'Größe / XL', additionalFields }), [
			{ value: null },
		]);
		expect(await received(workspace)).toEqual([
			{ method: 'POST', path: '/api/v1/tags', body: { name: 'Größe / XL', ...folder } },
		]);
		const { tags } = await workspace.state();
		expect(tags).toMatchObject([{ name: 'Größe / XL', folderId: null, ...folder }]);
		expect(json).toEqual([{ id: tags[0].id, name: 'Größe / XL' }]);
	});

	test('Update renames the tag', async () => {
		const { workspace, run } = await testWorkspace();
		const [first] = (await workspace.state()).tags;
		const { json } = await run(tag('update', { tagId: by('list', first.id), name: 'Stammkunde' }));
		expect(await received(workspace)).toEqual([
			{ method: 'PUT', path: `/api/v1/tags/${first.id}`, body: { name: 'Stammkunde' } },
		]);
		expect(json).toEqual([{ id: first.id, name: 'Stammkunde' }]);
	});

	test.each([
		['without a keyword', {}, [], 8],
		['with a keyword', { filters: { keyword: 'größe' } }, [['keyword', 'größe']], 1],
	])('Get Many returns the tags %s', async (_, parameters, keyword, count) => {
		const { workspace, run } = await testWorkspace();
		const { json } = await run(tag('getAll', { returnAll: true, ...parameters }));
		const [first] = await received(workspace);
		expect(first.path).toMatch(/^\/api\/v1\/tags\?/);
		expect(queryOf(first)).toEqual([...keyword, ['page', '1'], ['perPage', '100']]);
		expect(json).toHaveLength(count);
		expect((await workspace.state()).tags).toEqual(expect.arrayContaining(json));
	});
});

describe('Custom field', () => {
	test.each([
		['without a folder', {}, {}],
		['in a folder', { folderId: '4002' }, { folderId: '4002' }],
		['in no folder, said with null', { folderId: fromItem() }, { folderId: null }],
	])('Create adds a custom field %s', async (_, additionalFields, folder) => {
		const { workspace, run } = await testWorkspace({ empty: true });
		const { json } = await run(
			customField('create', { name: 'Geburtstag', type: 'date', additionalFields }),
			[{ value: null }],
		);
		expect(await received(workspace)).toEqual([
			{
				method: 'POST',
				path: '/api/v1/custom-fields',
				body: { name: 'Geburtstag', type: 'date', ...folder },
			},
		]);
		const { customFields } = await workspace.state();
		expect(json).toEqual([
			{ id: customFields[0].id, name: 'Geburtstag', type: 'date', description: null },
		]);
	});

	test.each([
		['the name alone', {}, {}],
		['the description', { description: 'Tag der Geburt' }, { description: 'Tag der Geburt' }],
		['the description to nothing', { description: '' }, { description: '' }],
		['the folder', { folderId: '4001' }, { folderId: '4001' }],
		['the folder to none', { folderId: fromItem() }, { folderId: null }],
	])('Update changes %s', async (_, updateFields, changes) => {
		const { workspace, run } = await testWorkspace();
		const [first] = (await workspace.state()).customFields;
		const { json } = await run(
			customField('update', { customFieldId: by('id', first.id), name: 'Neu', updateFields }),
			[{ value: null }],
		);
		expect(await received(workspace)).toEqual([
			{
				method: 'PUT',
				path: `/api/v1/custom-fields/${first.id}`,
				body: { name: 'Neu', ...changes },
			},
		]);
		const changed = (await workspace.state()).customFields[0];
		expect(changed).toEqual({ ...first, name: 'Neu', ...changes });
		const { id, name, type, description } = changed;
		expect(json).toEqual([{ id, name, type, description }]);
	});

	test.each([
		['without a keyword', {}, [], 8],
		['with a keyword', { filters: { keyword: 'TEXT' } }, [['keyword', 'TEXT']], 2],
	])('Get Many returns the custom fields %s', async (_, parameters, keyword, count) => {
		const { workspace, run } = await testWorkspace();
		const { json } = await run(customField('getAll', { returnAll: true, ...parameters }));
		const [first] = await received(workspace);
		expect(first.path).toMatch(/^\/api\/v1\/custom-fields\?/);
		expect(queryOf(first)).toEqual([...keyword, ['page', '1'], ['perPage', '100']]);
		expect(json).toHaveLength(count);
		expect((await workspace.state()).customFields).toEqual(expect.arrayContaining(json));
	});
});
