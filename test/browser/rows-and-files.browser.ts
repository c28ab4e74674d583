import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seen, setStage, type Stage } from '../support/browser/stage';
import { credentialFor } from '../../scripts/examples';

const pdf = Buffer.from('%PDF-1.7\r\n\0ü');
const content = { size: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') };

/** Contacts that the workspace has before the rows come. */
const known = Array.from({ length: 160 }, (_, row) => ({
	...person(row),
	firstName: `Lead ${row}`,
}));

/**
 * 200 rows of an export: 40 have another name, 34 are new, 5 are wrong, and two are about the same
 * new contact.
 */
const rows = Array.from({ length: 200 }, (_, row) => {
	const { email, phoneNumber } = person(row);
	return { Mail: email, Mobile: phoneNumber, 'First name': `${row < 40 ? 'Dr. ' : ''}Lead ${row}` };
});
Object.assign(rows[50], { Mail: ' LEAD50@Example.ORG ' });
Object.assign(rows[165], { Mail: 'LEAD164@example.org', Mobile: rows[164].Mobile });
Object.assign(rows[194], { Mail: 'lead194(at)example.org' });
Object.assign(rows[195], { Mobile: '0151 23456789' });
Object.assign(rows[196], { Mail: '', Mobile: '' });
Object.assign(rows[197], { Mobile: '' });
Object.assign(rows[198], { Mail: rows[0].Mail, Mobile: rows[1].Mobile });
Object.assign(rows[199], { Mobile: '4.91512E+11' });

/** Parts of what the node says about the wrong rows. */
const reasons = [
	'Email must be a valid email address, but is "lead194(at)example.org"',
	'Enter an email or a phone number',
	'No contact has the email lead197@example.org',
	`The phone number ${rows[1].Mobile} belongs to a different contact`,
	'Phone Number was rounded by a spreadsheet ("4.91512E+11")',
];

function person(row: number) {
	return { email: `lead${row}@example.org`, phoneNumber: `+4915177710${100 + row}` };
}

/** The run of all rows takes up to ten seconds on a machine that does nothing else. */
const FOR_ALL_ROWS_MS = 120_000;

let stage: Stage;
let website: Server;

beforeAll(async () => {
	website = createServer(({ url }, response) => {
		const isFile = url?.endsWith('.pdf');
		response.writeHead(200, { 'content-type': isFile ? 'application/pdf' : 'application/json' });
		response.end(isFile ? pdf : JSON.stringify(rows));
	});
	await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
	stage = await setStage('token-of-rows-and-files', {
		service: 'newer',
		contacts: 20,
		counts: { tags: 0 },
	});
	const { n8n, workspace } = stage;
	await n8n.client.importCredential(credentialFor(workspace));
	await workspace.add('tags', { name: 'Got the offer' });
	const { id } = await workspace.add('tags', { name: 'VIP' });
	await workspace.addContacts(known);
	await workspace.changeContacts(
		vips.map((email) => ({ identifier: `email:${email}`, changes: { tagIds: [id] } })),
	);
});

afterAll(async () => {
	website.close();
	await stage?.stop();
});

beforeEach(async () => {
	await stage.workspace.clearJournal();
	stage.editor.typed.length = 0;
});

const vips = ['contact3@example.com', 'contact5@example.com', 'contact8@example.com'];

const see = (test: (stage: Stage) => Promise<void>) => seen(() => stage, test);

/** Starts a workflow that is run by hand and begins with a download. */
async function download({ editor }: Stage, path: string, shown: string): Promise<void> {
	await editor.newWorkflow();
	await editor.addManualTrigger();
	await editor.addNode('http request', 'HTTP Request');
	await editor.fill('url', `http://127.0.0.1:${(website.address() as AddressInfo).port}/${path}`);
	await editor.execute();
	await editor.output.getByText(shown).first().waitFor();
	await editor.closeNode();
}

it(
	'The user sends one PDF to everybody in a segment and tags them, with the expression that the error says',
	see(async (all) => {
		const { editor, workspace } = all;
		await download(all, 'offer.pdf', 'offer.pdf');
		await editor.addAction('Get many contacts');
		await editor.field('returnAll').locator('.el-switch').click();
		await editor.addRow('Add Condition', 'Tag');
		await editor.select('tagIds', 'VIP');
		await editor.page.keyboard.press('Escape');
		await editor.execute();
		await editor.output.getByText('3 items').first().waitFor();
		await editor.closeNode();

		await editor.addAction('Send message');
		await editor.drag(editor.inputField('id'), 'identifier');
		await editor.fill('text', 'Our offer for you');
		await editor.fill('attachments', 'data');
		await editor.execute();
		const error = await editor.part('node-error-message').innerText();
		expect(error).toContain(
			'The node "HTTP Request" has one ("offer.pdf"): set the field to Expression',
		);
		await editor.fillExpression('attachments', /\{\{.*\}\}/.exec(error)![0]);
		await editor.execute();
		await editor.output.getByText('queued').first().waitFor();
		await editor.closeNode();

		await editor.addAction('Add tags to contact');
		await editor.drag(editor.inputField('contactId'), 'identifier');
		await editor.select('tagIds', 'Got the offer');
		await editor.page.keyboard.press('Escape');
		await editor.execute();
		await editor.output.getByText('addedTagIds').first().waitFor();

		const { contacts } = await workspace.state();
		const tagged = contacts.filter(({ tags }) => tags.some(({ name }) => name === 'Got the offer'));
		expect(tagged.map(({ email }) => email).sort()).toEqual(vips);
		const { messages } = await workspace.journal();
		expect(messages.map(({ contactId }) => contactId).sort()).toEqual(
			tagged.map(({ id }) => id).sort(),
		);
		const sent = {
			text: 'Our offer for you',
			files: [{ fileName: 'offer.pdf', contentType: 'application/pdf', ...content }],
		};
		expect(messages).toEqual(vips.map(() => expect.objectContaining(sent) as object));
		expect(editor.typed.filter((text) => contacts.some(({ id }) => id === text))).toEqual([]);
	}),
);

it(
	'The user sends a PDF from a form by dragging its field',
	see(async ({ editor, workspace }) => {
		await editor.newWorkflow();
		await editor.addNode('form', 'n8n Form', 'On new n8n Form event');
		await editor.fill('formTitle', 'Invoice');
		await editor.part('fixed-collection-add').last().click();
		await editor.fill('fieldLabel', 'Invoice PDF');
		await editor.select('fieldType', 'File');
		const opened = editor.page.waitForEvent('popup');
		await editor.part('node-execute-button').click();
		const form = await opened;
		await form
			.locator('input[type=file]')
			.setInputFiles({ name: 'Rechnung März.pdf', mimeType: 'application/pdf', buffer: pdf });
		await form.getByRole('button', { name: 'Submit' }).click();
		await form.getByText('Your response has been recorded').waitFor();
		await form.close();
		await editor.output.getByText('Rechnung März.pdf').first().waitFor();
		await editor.closeNode();

		await editor.addAction('Send message');
		const contacts = await editor.openList('identifier');
		await editor.searchList('contact3@');
		await contacts.filter({ hasText: 'contact3@example.com' }).click();
		// n8n shows the files themselves first, from where nothing can be dragged.
		await editor.part('ndv-input-panel').locator('[data-test-id="radio-button-schema"]').click();
		await editor.drag(editor.inputField('Invoice PDF'), 'attachments');
		await editor.execute();
		await editor.output.getByText('queued').first().waitFor();

		expect((await workspace.journal()).messages).toEqual([
			expect.objectContaining({
				files: [{ fileName: 'Rechnung März.pdf', contentType: 'application/pdf', ...content }],
			}),
		]);
	}),
);

/**
 * Searches the output of the opened node and waits until it says how many of the 200 items it
 * found.
 */
async function find({ editor }: Stage, word: string, count: number): Promise<void> {
	await editor.output.locator('[data-test-id="ndv-search"]').fill(word);
	await editor.output.getByText(`${count} of 200 items`).waitFor();
}

it(
	'The user previews 200 messy rows, then writes them, and the wrong ones go to the error output',
	see(async (all) => {
		const { editor, workspace } = all;
		await download(all, 'rows', '200 items');
		await editor.addAction('Create or update contact');
		await editor.drag(editor.inputField('Mail'), 'email');
		await editor.drag(editor.inputField('Mobile'), 'phoneNumber');
		await editor.addOption('First Name');
		await editor.drag(editor.inputField('First name'), 'firstName');
		await editor.addOption('Preview', 1);
		await editor.execute();
		await editor.output
			.getByText('Preview: nothing was saved.')
			.waitFor({ timeout: FOR_ALL_ROWS_MS });
		await editor.output.getByText('1 phone number has no country code (item').waitFor();
		await editor.output.locator('[data-test-id="radio-button-table"]').click();
		await editor.picture('preview', editor.parameters, editor.output);
		for (const [outcome, count] of Object.entries({ wouldCreate: 34, unchanged: 120, invalid: 5 }))
			await find(all, outcome, count);
		for (const reason of reasons) await editor.output.getByText(reason).waitFor();
		expect((await workspace.journal()).requests.filter(({ method }) => method !== 'GET')).toEqual(
			[],
		);

		await editor.output.locator('[data-test-id="ndv-search"]').fill('');
		await editor.field('preview').locator('.el-switch').click();
		await editor.setting('onError', 'Continue (using error output)');
		await editor.execute();
		await editor.output
			.getByText('Success Branch (195 items)')
			.waitFor({ timeout: FOR_ALL_ROWS_MS });
		const failed = await editor.branch('Error');
		expect(failed.map((row) => row.error)).toEqual(
			reasons.map((reason) => expect.stringContaining(reason) as string),
		);
		expect(failed[3]).toMatchObject({ Mail: rows[198].Mail, Mobile: rows[198].Mobile });

		const { contacts } = await workspace.state();
		expect(contacts).toHaveLength(20 + 160 + 34);
		const nameOf = (row: number) =>
			contacts.find(({ email }) => email === person(row).email)?.firstName;
		expect([0, 39, 40, 159, 163, 164, 165, 193, 195].map(nameOf)).toEqual([
			'Dr. Lead 0',
			'Dr. Lead 39',
			'Lead 40',
			'Lead 159',
			'Lead 163',
			'Lead 165',
			undefined,
			'Lead 193',
			'Lead 195',
		]);
		expect(editor.typed).toHaveLength(1);
	}),
);
