import { NodeHelpers, type INodeParameters, type INodeType } from 'n8n-workflow';
import { compiledNode } from '../../support/engine/engine';
import { by, shownOf } from '../../support/engine/helpers';
import { toolNode, toolOf } from '../../support/engine/tool';
import { testWorkspace } from '../../support/engine/workspace';
import { asContacts, fileOf, germanCredential, importsIn, leads, newerWorkspace } from './helpers';
import type { WorkspaceOptions } from '../../../sandbox/options';

/** An import of the file that a newer workspace has. */
async function withFile(options: WorkspaceOptions = {}) {
	const test = await newerWorkspace(options);
	const [{ id: fileId }] = (await test.workspace.state()).files;
	const byId = (type: string, more: INodeParameters = {}) =>
		test.into(type, 'id', { fileId, options: { phoneNumber: 'Phone' }, ...more });
	return { ...test, fileId, byId };
}

/** The same for a service of the reference, which is asked as the reference says. */
async function withReferenceFile(service?: WorkspaceOptions['service']) {
	const test = await testWorkspace({ contacts: 0, ...(service && { service }) });
	const { files, channels } = await test.workspace.state();
	const parameters = {
		resource: 'contact',
		operation: 'import',
		source: 'id',
		fileId: files[0].id,
		inboxId: by('id', channels[0].id),
	};
	return { ...test, parameters };
}

describe('Import by ID', () => {
	test('is the only source in the tool of an agent, which has neither files nor items', () => {
		const shownAs = ({ description }: INodeType) => {
			const node = { typeVersion: 1 };
			const chosen = { resource: 'contact', operation: 'import' };
			const { properties } = description;
			const filled = NodeHelpers.getNodeParameters(
				properties,
				chosen,
				true,
				false,
				node,
				description,
			)!;
			return properties
				.filter((field) => field.type !== 'hidden')
				.filter((field) => NodeHelpers.displayParameter(filled, field, node, description))
				.map(({ name }) => name);
		};
		const inTool = shownAs(toolNode);
		expect(inTool).toEqual(expect.arrayContaining(['fileId', 'waitForCompletion']));
		expect(inTool).not.toContain('source');
		const inNode = shownAs(compiledNode);
		expect(inNode).toEqual(expect.arrayContaining(['source', 'binaryPropertyName']));
		expect(inNode).not.toContain('fileId');
	});

	test('is what the tool of an agent does without a source among its parameters', async () => {
		const { workspace, inbox } = await newerWorkspace();
		const [{ id: fileId }] = (await workspace.state()).files;
		const inboxId = by('id', inbox('whatsapp'));
		const options = { phoneNumber: 'Phone' };
		const parameters = { resource: 'contact', operation: 'import', fileId, inboxId, options };
		const [answer] = await toolOf(workspace, parameters)();
		expect(answer).toMatchObject({ success: true, started: true, fileId });
	});

	test('imports a file of the workspace, and waits for the end only if it is set to', async () => {
		const { run, byId } = await withFile({ importMs: 100 });
		const options = { phoneNumber: 'Phone', countryCode: '+49', ifAnotherRuns: 'wait' };
		const started = await run(byId('whatsapp', { options }));
		expect(Object.keys(started.json[0])).toEqual(['success', 'started', 'fileId', 'importId']);
		const waited = await run(byId('whatsapp', { options, waitForCompletion: true }));
		expect(waited.json).toMatchObject([
			{ status: 'completed', totalCount: 100, existingCount: 100, failedCount: 0, errorSample: [] },
		]);
	});

	test('uses the type of the channel and the country code of the credential', async () => {
		const test = await withFile();
		const { error } = await test.run(test.byId('whatsapp'), [{}], {
			credential: germanCredential(test),
		});
		expect(error?.message).toBeUndefined();
		const [{ body }] = await importsIn(test);
		expect(body).toEqual({
			fileId: test.fileId,
			channel: 'whatsapp',
			inboxId: test.inbox('whatsapp'),
			countryCode: '+49',
			phoneNumber: 'Phone',
		});
	});

	test.each<[string, WorkspaceOptions]>([
		['the token may not read the channels', { token: { scopes: ['contacts'] } }],
		[
			'reading the channels fails',
			{ faults: { fail: [{ status: 500, match: { pathPattern: 'inboxes' } }] } },
		],
	])('uses the country code of the credential even if %s', async (_, options) => {
		const test = await withFile(options);
		const credential = germanCredential(test);
		const requestOptions = { maxRetries: 0 };
		const parameters = test.byId('whatsapp', { channel: 'whatsapp', requestOptions });
		const { error } = await test.run(parameters, [{}], { credential });
		expect(error?.message).toBeUndefined();
		expect(await importsIn(test)).toMatchObject([
			{ body: { channel: 'whatsapp', countryCode: '+49' } },
		]);

		const unknown = await test.run({ ...parameters, channel: 'omnichannel' }, [{}], { credential });
		expect(shownOf(unknown)).toMatch(
			/^The type of channel [^]*Enter the channel by its ID, and set Channel Type\./,
		);
		expect(await importsIn(test)).toHaveLength(1);
	});

	test('runs several imports one after the other', async () => {
		const test = await withFile({ importMs: 300 });
		const { json, error } = await test.run(test.byId('whatsapp', { channel: 'whatsapp' }), [
			{},
			{},
		]);
		expect(error?.message).toBeUndefined();
		expect(json).toHaveLength(2);
		expect((await test.workspace.journal()).imports).toHaveLength(2);
	});

	test.each([
		[
			'an unknown file',
			{ fileId: '999' },
			/^The flow, tag or channel in this request doesn't exist \(404\)\. The service said: Import file not found\./,
		],
		[
			'an unknown channel',
			{ inboxId: by('id', '999999') },
			/^The flow, tag or channel in this request doesn't exist \(404\)\. .* The workspace lists no channel with the ID "999999"\. /,
		],
		[
			'a channel of another type',
			{ channel: 'telegram', options: { contactId: 'Phone' } },
			/^The flow, tag or channel in this request doesn't exist \(404\)\. The service said: Inbox not found\./,
		],
	])('reports %s without blaming the Base URL', async (_, wrong, message) => {
		const test = await withFile();
		const { error } = await test.run(test.byId('whatsapp', { channel: 'whatsapp', ...wrong }));
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toContain('Base URL');
	});

	test('needs the column that tells contacts apart if it looks up the type of the channel', async () => {
		const test = await withFile();
		const { error } = await test.run(test.byId('telegram'));
		expect(error?.message).toMatch(
			/^Importing to Telegram needs a column with IDs on the channel\./,
		);
		expect(await importsIn(test)).toEqual([]);
	});

	test('sends what the user entered to a service of the reference, and nothing else (difference 22)', async () => {
		const test = await withReferenceFile();
		const parameters = { ...test.parameters, options: { email: 'Email' } };
		const { error } = await test.run(parameters, [{}], { credential: germanCredential(test) });
		expect(error?.message).toBeUndefined();
		const [{ body }] = await importsIn(test);
		expect(body).toEqual({
			fileId: test.parameters.fileId,
			channel: 'omnichannel',
			inboxId: test.parameters.inboxId.value,
			email: 'Email',
		});
	});

	test('hints that it cannot wait for the end on a service that shows no imports', async () => {
		const { run, parameters } = await withReferenceFile();
		const { json, hints } = await run({
			...parameters,
			channel: 'whatsapp',
			waitForCompletion: true,
		});
		expect(json).toEqual([{ success: true, started: true, fileId: parameters.fileId }]);
		expect(hints).toContain(
			"This service doesn't report the progress of imports, so the node didn't wait.",
		);
	});

	test.each([
		['Input', 'reference'],
		['Input', 'older'],
		['Items', 'reference'],
		['Items', 'older'],
	] as const)('is the way round that the source %s names on %s services', async (from, service) => {
		const { run, parameters, workspace } = await withReferenceFile(service);
		const result =
			from === 'Input'
				? await run({ ...parameters, source: 'input' }, [{}], { files: [fileOf('phone\n1\n')] })
				: await run({ ...parameters, source: 'items', ...asContacts }, [leads[2]]);
		const shown = shownOf(result);
		expect(shown).toMatch(
			/^This service doesn't accept import files from other programs \(404\)\./,
		);
		expect(shown).toContain('Nothing was changed.');
		expect(shown).toContain('set File to By ID for a file that is already in the workspace.');
		expect((await workspace.journal()).imports).toEqual([]);
	});
});

describe('Get Import Status', () => {
	test.each(['reference', 'older'] as const)('is not offered by %s services', async (service) => {
		const { run } = await testWorkspace({ contacts: 0, service });
		const { error } = await run({
			resource: 'contact',
			operation: 'getImportStatus',
			importId: '4711',
		});
		expect(error?.message).toMatch(/doesn't offer this operation.*\(404\)/);
	});

	test('says that there is no such import', async () => {
		const { run } = await newerWorkspace();
		const { error } = await run({
			resource: 'contact',
			operation: 'getImportStatus',
			importId: '4711',
		});
		expect(error?.message).toContain('No import has the ID 4711.');
	});
});
