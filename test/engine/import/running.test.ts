import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, received, shownOf } from '../../support/engine/helpers';
import { asContacts, fileOf, importsIn, leads, newerWorkspace } from './helpers';

/** The file of n8n-workflow that has `sleep`. */
const workflowUtils = nodeRequire(
	path.join(path.dirname(nodeRequire.resolve('n8n-workflow')), 'utils.js'),
) as { sleep(ms: number): Promise<void> };

const { sleep: fullSleep } = workflowUtils;
beforeAll(() => {
	// All pauses are a tenth as long here, so that no test waits seconds for the next look at an
	// import.
	jest.spyOn(workflowUtils, 'sleep').mockImplementation(async (ms) => await fullSleep(ms / 10));
});
afterAll(() => jest.restoreAllMocks());

const one = [{ phone: '+4915112345678' }];
const another = [{ phone: '+4915112345679' }];
const unwaited: INodeParameters = { ...asContacts, waitForCompletion: false };
const threeFiles = () => ['1', '2', '3'].map((digit) => fileOf(`phone\n+491511234567${digit}\n`));

describe('Import with Wait for Completion', () => {
	test('returns the IDs alone when it is off', async () => {
		const { run, into } = await newerWorkspace({ importMs: 5000 });
		const { json } = await run(into('whatsapp', 'items', unwaited), one);
		expect(Object.keys(json[0])).toEqual(['success', 'started', 'fileId', 'importId']);
	});

	test('is on where an expression returns "true"', async () => {
		const { run, into } = await newerWorkspace();
		const waitForCompletion = '={{ "true" }}';
		const { json } = await run(
			into('whatsapp', 'items', { ...asContacts, waitForCompletion }),
			one,
		);
		expect(json).toMatchObject([{ status: 'completed' }]);
	});

	test('returns a running import after Max Wait, and Get Import Status shows its end', async () => {
		const { run, into } = await newerWorkspace({ importMs: 1500 });
		const { json, error, hints } = await run(
			into('whatsapp', 'items', { ...asContacts, options: { maxWait: 0.001 } }),
			one,
		);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([
			{ status: expect.stringMatching(/^(pending|processing)$/) as string, successCount: 0 },
		]);
		expect(hints.join()).toMatch(
			/is still running after 0\.001 min \(\d of 1 rows\)\. Use Get Import Status/,
		);
		const importId = json[0].importId as string;
		await sleep(1500);
		const status = await run({ resource: 'contact', operation: 'getImportStatus', importId });
		expect(status.json).toMatchObject([
			{ id: importId, status: 'completed', successCount: 1, fileName: 'contacts.csv' },
		]);
	});

	test.each(['0.01', ' 1 ', 0])('takes %p as Max Wait', async (maxWait) => {
		const { run, into } = await newerWorkspace();
		const options = { maxWait: '={{ $json.maxWait }}' };
		const { error } = await run(into('whatsapp', 'items', { ...asContacts, options }), [
			{ ...one[0], maxWait },
		]);
		expect(error?.message).toBeUndefined();
	});

	const noNumber = (shown: string) =>
		`Max Wait (Minutes) must be a number of minutes, but is "${shown}"`;
	const isEmpty = 'Max Wait (Minutes) is empty. Remove it, or enter a value.';
	test.each([
		[-1, noNumber('-1')],
		['soon', noNumber('soon')],
		['', isEmpty],
		[null, isEmpty],
	])('refuses %p as Max Wait before anything is sent', async (maxWait, sentence) => {
		const { run, into, workspace } = await newerWorkspace();
		const options = { maxWait: '={{ $json.maxWait }}' };
		const { error } = await run(into('whatsapp', 'items', { ...asContacts, options }), [
			{ ...one[0], maxWait },
		]);
		expect(error?.message).toBe(`${sentence} [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		['ifAnotherRuns', 'If Another Import Runs must be one of fail, wait'],
		['onFailedRows', 'On Failed Rows must be one of continue, fail'],
	])('refuses another choice of %s before anything is sent', async (name, sentence) => {
		const { run, into, workspace } = await newerWorkspace();
		const options = { [name]: '={{ "stop" }}' };
		const { error } = await run(into('whatsapp', 'items', { ...asContacts, options }), one);
		expect(error?.message).toBe(`${sentence}, but is "stop" [item 0]`);
		expect(await received(workspace)).toEqual([]);
	});

	test('ends at once when the execution is cancelled, and sends nothing more', async () => {
		const { run, into, workspace } = await newerWorkspace({ importMs: 60_000 });
		let cancelledAt = Infinity;
		const looks = async () =>
			(await workspace.journal()).requests.filter(({ operation }) => operation === 'getImport')
				.length;
		const cancelOnceWaiting = async (cancel: () => void) => {
			// Then it waits for more than 5 s.
			while ((await looks()) < 7) await sleep(20);
			cancelledAt = Date.now();
			cancel();
		};
		await run(into('whatsapp', 'items', asContacts), one, {
			onStarted: (cancel) => void cancelOnceWaiting(cancel),
		});
		expect(Date.now() - cancelledAt).toBeLessThan(5000);
		const before = (await received(workspace)).length;
		await sleep(300);
		expect(await received(workspace)).toHaveLength(before);
	});
});

describe('Import while another import runs', () => {
	test('fails, or waits for it, or gives up after Max Wait, as If Another Import Runs says', async () => {
		const { run, into, workspace } = await newerWorkspace({ importMs: 5000 });
		await run(into('whatsapp', 'items', unwaited), one);
		const unwilling = { ...unwaited, options: { ifAnotherRuns: 'fail' } };
		const failing = await run(into('whatsapp', 'items', unwilling), another);
		expect(failing.error?.message).toMatch(
			/^Another import is running in this workspace \(409\)\. Nothing was changed\./,
		);

		const impatient = { ...unwaited, options: { ifAnotherRuns: 'wait', maxWait: 0.001 } };
		const late = await run(into('whatsapp', 'items', impatient), another);
		expect(late.error?.message).toMatch(
			/^Another import was still running in the workspace after 0\.001 min\. /,
		);

		const patient = { ...asContacts, options: { ifAnotherRuns: 'wait' } };
		const { json } = await run(into('whatsapp', 'items', patient), another);
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect((await workspace.journal()).imports).toHaveLength(2);
	});

	test.each(['items', 'input', 'id'])(
		'waits for it without If Another Import Runs among the options, as with the added option (%s)',
		async (source) => {
			const { run, into, workspace } = await newerWorkspace({ importMs: 300 });
			const [{ id: fileId }] = (await workspace.state()).files;
			await run(into('whatsapp', 'items', unwaited), one);
			const more = { phoneNumber: '+4915112345679', fileId, waitForCompletion: false };
			const options = source === 'id' ? { options: { phoneNumber: 'Phone' } } : {};
			const { json, error } = await run(into('whatsapp', source, { ...more, ...options }), [{}], {
				files: [fileOf('phone\n+4915112345679\n')],
			});
			expect(error?.message).toBeUndefined();
			expect(json).toMatchObject([{ started: true }]);
			expect((await workspace.journal()).imports).toHaveLength(2);
		},
	);

	test('fails if somebody else started it, whatever the other items of the run import', async () => {
		const { run, into, workspace } = await newerWorkspace({ importMs: 60_000 });
		const files = threeFiles();
		await run(into('whatsapp', 'input', { waitForCompletion: false }), [{}], {
			files: files.slice(0, 1),
		});
		const parameters = into('whatsapp', 'input', { options: { ifAnotherRuns: 'fail' } });
		const { error } = await run(parameters, [{}, {}], { files: files.slice(1) });
		expect(error?.message).toMatch(/^Another import is running in this workspace \(409\)\. /);
		expect((await workspace.journal()).imports).toHaveLength(1);
	});

	test.each([true, false])(
		'waits for the imports of earlier items of its run (Wait for Completion %p)',
		async (waitForCompletion) => {
			const { run, into, workspace } = await newerWorkspace({ importMs: 100 });
			const files = threeFiles();
			const { json, error, outputs } = await run(
				into('whatsapp', 'input', { waitForCompletion }),
				files.map(() => ({})),
				{ files },
			);
			expect(error?.message).toBeUndefined();
			expect(json).toHaveLength(3);
			expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
				{ item: 2 },
			]);
			const created = async () =>
				(await workspace.journal()).imports.map(({ created: count }) => count);
			while ((await created()).at(-1) === 0) await sleep(50);
			expect(await created()).toEqual([1, 1, 1]);
		},
	);

	test.each(['input', 'items'])(
		'is started once from %s when "Retry On Fail" comes after waiting for the other one',
		async (source) => {
			const { run, into, workspace } = await newerWorkspace({ importMs: 4000 });
			const files = [fileOf('phone\n+4915112345679\n')];
			await run(into('whatsapp', 'items', unwaited), one);
			await workspace.faults({
				fail: [{ status: 403, times: 1, match: { pathPattern: 'contacts/imports/\\d+$' } }],
			});
			const options = { ifAnotherRuns: 'wait' };
			const parameters = into('whatsapp', source, { phoneNumber: '+4915112345679', options });
			const { json, error } = await run(parameters, [{}], {
				files,
				retryOnFail: { maxTries: 2, waitBetweenTries: 10 },
				executionId: '78',
			});
			expect(error?.message).toBeUndefined();
			const { imports, requests } = await workspace.journal();
			expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
			expect(imports.map(({ created }) => created)).toEqual([1, 1]);
			const starts = requests.filter(({ operation }) => operation === 'importContacts').slice(1);
			expect(starts.map(({ status }) => status)).toEqual(expect.arrayContaining([409, 201]));
			expect(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
			expect(starts.filter(({ status }) => status === 201)).toHaveLength(1);
		},
	);
});

/** A second file that only the service, or only the node, finds out to be bad. */
const badFiles: Array<[string, string]> = [
	['the service reads no columns of it', ' \n'],
	['the node cannot read it', 'phone^name\n1^Ann\n'],
	['it lacks the phone number', 'name,city\nAnn,Bonn\n'],
];

describe('Import of three files of which the second is bad', () => {
	test.each(badFiles)('stops before the third if %s', async (_, content) => {
		const { run, into, workspace } = await newerWorkspace({ importMs: 50 });
		const [first, , third] = threeFiles();
		const files = [first, fileOf(content), third];
		const { error } = await run(into('whatsapp', 'input'), [{}, {}, {}], { files });
		expect(error?.message).toMatch(/\[item 1\]$/);
		expect(error?.description).toMatch(/3 items: 1 done \(item 0\), .*not attempted/);
		await sleep(100);
		expect((await workspace.journal()).imports).toHaveLength(1);
		expect((await workspace.journal()).uploads.length).toBeLessThanOrEqual(2);
		expect((await workspace.state()).contacts).toHaveLength(1);
	});

	test('stops before the third if the service refuses to import it', async () => {
		const { run, into, inbox, workspace } = await newerWorkspace();
		const inboxId = by('id', fromItem('inbox'));
		const inboxes = [inbox('whatsapp'), '999999', inbox('whatsapp')];
		const { error } = await run(
			into('whatsapp', 'input', { inboxId, channel: 'whatsapp' }),
			inboxes.map((each) => ({ inbox: each })),
			{ files: threeFiles() },
		);
		expect(error?.description).toContain(
			'3 items: 1 done (item 0), 1 failed (item 1), 1 not attempted (item 2).',
		);
		expect((await workspace.journal()).imports).toHaveLength(1);
		expect((await workspace.journal()).uploads).toHaveLength(2);
	});

	test('imports the first and the third if the others continue', async () => {
		const { run, into, workspace } = await newerWorkspace();
		const [first, , third] = threeFiles();
		const files = [first, fileOf('phone^name\n1^Ann\n'), third];
		const { outputs } = await run(into('whatsapp', 'input'), [{}, {}, {}], {
			files,
			onError: 'continueErrorOutput',
		});
		expect(outputs.map((items) => items.map(({ pairedItem }) => pairedItem))).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }],
		]);
		expect((await workspace.journal()).imports).toHaveLength(2);
	});
});

describe('Import of rows of which some fail', () => {
	const items = [
		{ phone: '+4915112345678', name: 'Ann' },
		{ phone: 'nonsense', name: 'Bob' },
		{ phone: '+4915112345679', name: 'Cem' },
		{ phone: '', name: 'Dee' },
	];
	const csv = `phone,first name\n${items.map(({ phone, name }) => `${phone},${name}\n`).join('')}`;
	const summaries: Record<string, string> = {
		items: '2 of 4 rows were not imported: Invalid phone (item 1); Missing identity (item 3).',
		input: '2 of 4 rows were not imported: Invalid phone (row 3); Missing identity (row 5).',
	};
	/** A file has rows, not items. */
	const counting: Record<string, string[]> = {
		items: ['n8n counts from 0: item 1 is the 2nd.'],
		input: [],
	};
	const explained = [
		'If phone numbers lack their country code, add the option Default Country Code, such as +49.',
		'"Missing identity" means that a row has no phone number.',
	];

	test.each(['items', 'input'])(
		'shows them at the output, where success is false (%s)',
		async (source) => {
			const { run, into } = await newerWorkspace();
			const files = items.map(() => fileOf(csv));
			const input = source === 'items' ? items : [{}];
			const { json, error, hints } = await run(into('whatsapp', source, asContacts), input, {
				files,
			});
			expect(error?.message).toBeUndefined();
			expect(json).toMatchObject([
				{ success: false, started: true, totalCount: 4, failedCount: 2 },
			]);
			expect(hints).toContain([summaries[source], ...explained, ...counting[source]].join(' '));
		},
	);

	test('advises a country code only if the import has none', async () => {
		const { run, into } = await newerWorkspace();
		const options = { countryCode: '+49' };
		const { hints } = await run(into('whatsapp', 'items', { ...asContacts, options }), [
			items[0],
			items[1],
		]);
		expect(hints).toContain(
			'1 of 2 rows was not imported: Invalid phone (item 1). n8n counts from 0: item 1 is the 2nd.',
		);
	});

	test('names some of the rows if the service lists only the first ones', async () => {
		const { run, into } = await newerWorkspace();
		const rows = Array.from({ length: 12 }, (_, n) => `nonsense,${n}\n`).join('');
		const { json, hints } = await run(into('whatsapp', 'input'), [{}], {
			files: [fileOf(`phone,first name\n${rows}`)],
		});
		expect(json).toMatchObject([{ success: false, failedCount: 12 }]);
		expect(hints.join()).toContain(
			'12 of 12 rows were not imported: Invalid phone (such as rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).',
		);
	});

	test('shows neither a hint nor a failure if all rows are imported', async () => {
		const { run, into } = await newerWorkspace();
		const { json, hints } = await run(into('whatsapp', 'items', asContacts), [items[0], items[2]]);
		expect(json).toMatchObject([{ success: true, failedCount: 0 }]);
		expect(hints).toEqual([]);
	});

	test('shows them for a file by its ID, of which the first ten are known', async () => {
		const { run, into, workspace } = await newerWorkspace();
		const [{ id: fileId }] = (await workspace.state()).files;
		const more = { fileId, options: { phoneNumber: 'Phone' }, waitForCompletion: true };
		const { json, hints } = await run(into('whatsapp', 'id', more));
		expect(json).toMatchObject([{ success: false, failedCount: 50 }]);
		expect(hints.join()).toMatch(/50 of 100 rows were not imported: .+\./);
	});

	test.each(['items', 'input'])(
		'fails the item with On Failed Rows: Fail, and says what was imported (%s)',
		async (source) => {
			const { run, into, workspace } = await newerWorkspace();
			const files = items.map(() => fileOf(csv));
			const input = source === 'items' ? items : [{}];
			const parameters = into('whatsapp', source, {
				...asContacts,
				options: { onFailedRows: 'fail' },
			});
			const result = await run(parameters, input, { files });
			const shown = shownOf(result);
			expect(shown.startsWith(summaries[source])).toBe(true);
			for (const sentence of explained) expect(shown).toContain(sentence);
			expect(shown).toContain('The other 2 rows were imported.');
			expect(shown).not.toContain('Nothing was changed');
			expect((await workspace.state()).contacts).toHaveLength(2);
		},
	);

	test.each([
		['Continue', items, { onFailedRows: 'continue' }],
		['Fail, if all rows are imported', [items[0]], { onFailedRows: 'fail' }],
	])('continues with On Failed Rows: %s', async (_, input, options) => {
		const { run, into } = await newerWorkspace();
		const { json, error } = await run(into('whatsapp', 'items', { ...asContacts, options }), input);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ success: input.length === 1, status: 'completed' }]);
	});

	test('stops before the next file with On Failed Rows: Fail', async () => {
		const { run, into, workspace } = await newerWorkspace();
		const [first, , third] = threeFiles();
		const parameters = into('whatsapp', 'input', { options: { onFailedRows: 'fail' } });
		const { error } = await run(parameters, [{}, {}, {}], { files: [first, fileOf(csv), third] });
		expect(error?.message).toMatch(/^2 of 4 rows .*\[item 1\]$/);
		expect((await workspace.journal()).imports).toHaveLength(2);
	});
});

describe('Import under failures', () => {
	const match = { operation: 'importContacts' as const };

	test('finds an import by its file after a 504, and does not start it again', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({
			fail: [{ status: 504, body: 'html', times: 1, after: true, match }],
		});
		const { json, error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect(await importsIn(test)).toHaveLength(1);
	});

	test('finds an import after a lost answer that the service starts late', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ dropDuring: { times: 1, match }, workMs: 80 });
		const { json, error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('starts one import at most and reports it, whatever breaks', async () => {
		const outcomes = await Promise.all(
			[1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
				const test = await newerWorkspace({ importMs: 20 });
				await test.workspace.faults({ seed, dropAfter: { rate: 0.4 } });
				const parameters = test.into('whatsapp', 'items', asContacts);
				// A service that breaks all the time is never back.
				const requestOptions = { giveUpAfter: 5 };
				const { json, error } = await test.run({ ...parameters, requestOptions }, one);
				const { imports } = await test.workspace.journal();
				expect(imports.length).toBeLessThanOrEqual(1);
				if (error) expect(error.message).toMatch(/may or may not|was started, but/);
				else expect([json[0].status, imports.length]).toEqual(['completed', 1]);
				return error === undefined;
			}),
		);
		expect(outcomes).toContain(true);
	});

	test('starts an import again with the same key after a connection that broke', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ dropBefore: { times: 1, match } });
		const { json } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(json).toMatchObject([{ status: 'completed', successCount: 1 }]);
		const [first, second] = await importsIn(test);
		expect(second.idempotencyKey).toBe(first.idempotencyKey);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('reports an unknown outcome if the service answered with a 502', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({ fail: [{ status: 502, body: 'html', times: 1, match }] });
		const { error } = await test.run(test.into('whatsapp', 'items', asContacts), one);
		expect(error?.message).toContain('This may or may not have gone through');
		expect(await importsIn(test)).toHaveLength(1);
		expect((await test.workspace.journal()).imports).toEqual([]);
	});

	test('starts one import even if lost answers are always retried', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({
			dropAfter: { times: 1, match: { operation: 'importContacts' } },
		});
		const parameters = test.into('whatsapp', 'items', asContacts);
		const requestOptions = { retryWhenOutcomeUnknown: 'always' };
		const { json } = await test.run({ ...parameters, requestOptions }, one);
		expect(json).toMatchObject([{ successCount: 1 }]);
		expect((await test.workspace.journal()).imports).toHaveLength(1);
	});

	test('reports a started import whose progress cannot be read', async () => {
		const test = await newerWorkspace();
		await test.workspace.faults({
			fail: [{ status: 500, match: { pathPattern: 'contacts/imports/\\d+$' } }],
		});
		const parameters = test.into('whatsapp', 'items', {
			...asContacts,
			requestOptions: { maxRetries: 0 },
		});
		const result = await test.run(parameters, one);
		expect(shownOf(result)).toMatch(
			/^The import \d+ was started, but its progress can't be read; [^]* The service failed/,
		);
	});

	test('reports why the service stopped an import', async () => {
		const test = await newerWorkspace({ importFailure: 'The file is broken' });
		const shown = shownOf(await test.run(test.into('whatsapp', 'items', asContacts), one));
		expect(shown).toMatch(/^The import \d+ failed: The file is broken\./);
		expect(shown).toContain('Before that it created 0 contacts.');
	});

	test('sends every item of a stopped import to the error output', async () => {
		const test = await newerWorkspace({ importFailure: 'The file is broken' });
		const { outputs } = await test.run(test.into('whatsapp', 'items', asContacts), leads, {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]).toEqual([]);
		expect(outputs[1].map(({ json }) => json.name)).toEqual(leads.map(({ name }) => name));
	});

	test('needs Channel Type if the token may not look it up', async () => {
		const { run, into } = await newerWorkspace({ token: { scopes: ['contacts'] } });
		const result = await run(into('whatsapp', 'items', asContacts), one);
		expect(shownOf(result)).toMatch(
			/^The type of channel [^]*Enter the channel by its ID, and set Channel Type\./,
		);
		const chosen = await run(
			into('whatsapp', 'items', { ...asContacts, channel: 'whatsapp' }),
			one,
		);
		expect(chosen.json).toMatchObject([{ successCount: 1 }]);
	});
});

describe('Import of a file that was imported before', () => {
	const file = (count: number, more = '') => {
		const rows = Array.from({ length: count }, (_, n) => `+4915112345${100 + n},${n}\n`).join('');
		return fileOf(`phone,first name\n${rows}${more}`);
	};

	test.each([
		[3, undefined],
		[30, 10],
	])(
		'is a success for %d contacts, which are counted apart from failures and keep their data',
		async (count, listed) => {
			const { run, into, workspace } = await newerWorkspace();
			const parameters = into('whatsapp', 'input', { options: { onFailedRows: 'fail' } });
			await run(parameters, [{}], { files: [file(count)] });
			const { json, error, hints } = await run(parameters, [{}], { files: [file(count)] });
			expect(error?.message).toBeUndefined();
			expect(json).toMatchObject([
				{
					success: true,
					totalCount: count,
					successCount: 0,
					existingCount: count,
					failedCount: 0,
					errorSample: [],
				},
			]);
			const known = listed === undefined ? '' : ` The service lists only ${listed} of them.`;
			expect(hints).toEqual([
				`${count} contacts were on the channel already and keep their data.${known} To change contacts, use Create or Update.`,
			]);
			expect(json[0].existingSample).toHaveLength(listed ?? count);
			expect((await workspace.counts()).contacts).toBe(count);

			const importId = json[0].importId as string;
			const status = await run({ resource: 'contact', operation: 'getImportStatus', importId });
			expect(status.json).toMatchObject([
				{ id: importId, existingCount: count, failedCount: 0, errorSample: [] },
			]);
		},
	);

	test.each(['input', 'items'])(
		'shows the rows that fail apart from the contacts that exist (%s)',
		async (source) => {
			const { run, into } = await newerWorkspace();
			const rows = [{ phone: '+4915112345100', name: 'Ann' }];
			const more = [...rows, { phone: 'nonsense', name: 'Bob' }];
			const parameters = into('whatsapp', source, asContacts);
			const both = (items: typeof rows) => (source === 'items' ? items : [{}]);
			await run(parameters, both(rows), { files: [file(1)] });
			const files = more.map(() => file(1, 'nonsense,Bob\n'));
			const { json, hints } = await run(parameters, both(more), { files });
			expect(json).toMatchObject([{ success: false, existingCount: 1, failedCount: 1 }]);
			expect(json[0].errorSample).toMatchObject([{ row: 3, reason: 'Invalid phone' }]);
			expect(hints.join()).toContain('1 contact was on the channel already and keeps its data.');
			expect(hints.join()).toContain('1 of 2 rows was not imported: Invalid phone');
		},
	);

	test('counts nothing apart if the service lists only some of the rows, for different reasons', async () => {
		const { run, into } = await newerWorkspace();
		await run(into('whatsapp', 'input'), [{}], { files: [file(5)] });
		const nonsense = Array.from({ length: 10 }, () => 'nonsense,Bob\n').join('');
		const { json } = await run(into('whatsapp', 'input'), [{}], { files: [file(5, nonsense)] });
		expect(json).toMatchObject([{ success: false, failedCount: 15 }]);
		expect(json[0]).not.toHaveProperty('existingCount');
		expect(json[0].errorSample).toHaveLength(10);
	});
});
