import { by, once, received, writesOf } from '../../support/engine/helpers';
import { toolOf } from '../../support/engine/tool';
import { workspaceWithAnn } from '../../support/engine/workspace';

/** The most characters that the API takes in one note (services in the wild, part 11). */
const MOST = 1000;

const note = (text: string, options = {}) => ({
	resource: 'contact',
	operation: 'addNote',
	identifier: by('email', 'ann@example.com'),
	text,
	options,
});
const getNotes = (more = {}) => ({ ...note(''), operation: 'getNotes', returnAll: true, ...more });

const onNewer = async () => await workspaceWithAnn({ service: 'newer' });

/** The texts of the notes about Ann, oldest first. */
const textsOf = ({ contactNotes }: { contactNotes: unknown }) =>
	(contactNotes as Array<{ text: string }>).map(({ text }) => text);

describe('Add Note', () => {
	test('adds a note that Get Notes returns', async () => {
		const { run, workspace, ann } = await onNewer();
		const { json, error } = await run(note('  Wants a call\non Monday '));
		expect(error).toBeUndefined();
		expect(json).toEqual([
			{
				success: true,
				contact: 'email:ann@example.com',
				email: 'ann@example.com',
				text: 'Wants a call\non Monday',
				noteIds: [expect.stringMatching(/^\d+$/)],
			},
		]);
		expect(textsOf(await workspace.contact(`id:${ann.id}`))).toEqual(['Wants a call\non Monday']);
		const { json: notes } = await run(getNotes());
		expect(notes).toMatchObject([
			{ id: (json[0].noteIds as string[])[0], text: 'Wants a call\non Monday', contactId: ann.id },
		]);
	});

	test(`takes ${MOST} characters and refuses one more before it sends anything`, async () => {
		const { run, workspace } = await onNewer();
		expect((await run(note('x'.repeat(MOST)))).error).toBeUndefined();
		await workspace.clearJournal();
		const { error } = await run(note('x'.repeat(MOST + 1)));
		expect(error?.message).toBe(
			'Note must be 1 to 1,000 characters long (to save a longer one, add Split Long Text), but has 1,001 characters [item 0]',
		);
		expect(await received(workspace)).toEqual([]);
	});

	test.each([
		['', {}],
		['', { splitLongText: true }],
		['   ', {}],
		['   ', { splitLongText: true }],
	])('refuses the note %j with the options %j', async (empty, options) => {
		const { run, workspace } = await onNewer();
		const { error } = await run(note(`={{ ${JSON.stringify(empty)} }}`, options));
		expect(error?.message).toMatch(
			/^(Note must .* its expression|The expression of Note) returns nothing for this item\.? \[item 0\]$/,
		);
		expect(await received(workspace)).toEqual([]);
	});

	test('refuses a note that contains [object Object]', async () => {
		const { run } = await onNewer();
		const { error } = await run(note('={{ "Hi " + $json.person }}'), [{ person: {} }]);
		expect(error?.message).toBe(
			'Note contains [object Object]. Point the expression at one of its fields. [item 0]',
		);
	});

	test('splits a longer text into notes in their order, also if two parts are the same', async () => {
		const { run, workspace, ann } = await onNewer();
		const paragraph = `${'word '.repeat(180).trim()}.`;
		const { json } = await run(
			note([paragraph, paragraph, 'End'].join('\n\n'), { splitLongText: true }),
		);
		expect(textsOf(await workspace.contact(`id:${ann.id}`))).toEqual([
			paragraph,
			`${paragraph}\n\nEnd`,
		]);
		expect(json[0].noteIds).toHaveLength(2);
		await run(note([paragraph, paragraph].join('\n\n'), { splitLongText: true }));
		expect(textsOf(await workspace.contact(`id:${ann.id}`)).slice(2)).toEqual([
			paragraph,
			paragraph,
		]);
	});

	test('says how many parts of a longer text were saved if one fails', async () => {
		const { run, workspace } = await onNewer();
		// By chance, the first one succeeds and the second one fails.
		const match = { operation: 'addNote' } as const;
		await workspace.faults({ seed: 2, fail: [{ match, status: 400, rate: 0.5 }] });
		const long = note('word '.repeat(900), { splitLongText: true });
		const { error } = await run({ ...long, ...once });
		expect(error?.message).toMatch(/The first of \d notes was saved; the others were not\./);
	});

	test('is not added twice if n8n repeats the node after a lost answer', async () => {
		const { run, workspace, ann } = await onNewer();
		await workspace.faults({ dropAfter: { match: { operation: 'addNote' }, times: 1 } });
		const first = await run({ ...note('Once'), ...once }, [{}], { executionId: '7' });
		expect(first.error?.message).toContain(
			'This may or may not have gone through for the contact with the email ann@example.com. Check the workspace for the note before',
		);
		const again = await run({ ...note('Once'), ...once }, [{}], { executionId: '7' });
		expect(again.error).toBeUndefined();
		expect(textsOf(await workspace.contact(`id:${ann.id}`))).toEqual(['Once']);
	});

	test('keeps the order of the notes about a contact', async () => {
		const { run, workspace, ann } = await onNewer();
		await workspace.faults({ latencyMs: [0, 20], seed: 3 });
		const texts = Array.from({ length: 20 }, (_, index) => `Note ${index}`);
		await run(
			note('={{ $json.text }}'),
			texts.map((text) => ({ text })),
		);
		expect(textsOf(await workspace.contact(`id:${ann.id}`))).toEqual(texts);
	});

	test('works for an agent', async () => {
		const { workspace, ann } = await onNewer();
		const tool = { resource: 'contact', operation: 'addNote', text: '={{ $json.note }}' };
		const call = toolOf(workspace, { ...tool, contact: `id:${ann.id}` });
		expect(await call({ note: 'Angry' })).toMatchObject([{ success: true }]);
		expect(textsOf(await workspace.contact(`id:${ann.id}`))).toEqual(['Angry']);
	});
});

describe('Get Notes', () => {
	test('returns the newest notes first, up to Limit', async () => {
		const { run } = await onNewer();
		for (const text of ['One', 'Two', 'Three']) await run(note(text));
		const texts = async (more = {}) => (await run(getNotes(more))).json.map(({ text }) => text);
		expect(await texts()).toEqual(['Three', 'Two', 'One']);
		expect(await texts({ returnAll: false, limit: 2 })).toEqual(['Three', 'Two']);
	});
});

describe('Block and Unblock', () => {
	test('mark the contact, and take the mark away', async () => {
		const { run, workspace, ann } = await onNewer();
		const change = (operation: string) => ({ ...note(''), operation });
		expect((await run(change('block'))).json).toMatchObject([{ success: true, blocked: true }]);
		expect(await workspace.contact(`id:${ann.id}`)).toMatchObject({
			blockedAt: expect.any(String),
		});
		expect((await run(change('unblock'))).json).toMatchObject([{ success: true, blocked: false }]);
		expect(await workspace.contact(`id:${ann.id}`)).toMatchObject({ blockedAt: null });
		const writes = (await writesOf(workspace)).map(({ path }) => path.split('/').at(-1));
		expect(writes).toEqual(['block', 'unblock']);
	});
});
