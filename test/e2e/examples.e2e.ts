import { createHash } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { credentialFor, exampleFiles, nodeOf, pick, readExample } from '../../scripts/examples';
import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { itemsOf, useN8n, type Execution, type RunningN8n } from '../../scripts/n8n/run';
import { startSandbox, type Sandbox, type SandboxWorkspace } from '../../sandbox/client';
import type { WorkspaceOptions } from '../../sandbox/options';
import type { ServiceName } from '../../sandbox/services/names';
import { replaceTables } from '../support/n8n/replaceTables';
import { zoneAt } from '../support/timeZones';

let sandbox: Sandbox;
let workspace: SandboxWorkspace;
let n8n: RunningN8n;

beforeAll(async () => {
	sandbox = await startSandbox();
	workspace = await sandbox.workspace('token-of-the-examples');
	n8n = await useN8n();
	await n8n.client.importCredential(credentialFor(workspace));
});

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
});

/**
 * Makes a workspace of its own for a test, because the node remembers what the service of another
 * one has.
 */
async function ownWorkspace(token: string, options: WorkspaceOptions) {
	const own = await sandbox.workspace(token, options);
	await n8n.client.importCredential(credentialFor(own));
	return own;
}

const errorOf = ({ data }: Execution) => {
	const { message, description } = data.resultData.error ?? {};
	return message === undefined ? undefined : [message, description].filter(Boolean).join(' ');
};

/** What happens when the time or a person starts a workflow again. */
const again = 'when it runs again';

describe('Every example', () => {
	it.each(exampleFiles())('imports, has an explanation and holds no ID: %s', async (file) => {
		const workflow = readExample(file);
		const notes = workflow.nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(notes.length).toBeGreaterThan(1);
		await n8n.client.importWorkflow(workflow);

		const ours = workflow.nodes.filter(({ type }) =>
			type.startsWith('n8n-nodes-workspace-messaging.'),
		);
		expect(ours.length).toBeGreaterThan(0);
		for (const { parameters } of ours) expect(JSON.stringify(parameters)).not.toMatch(/"\d+"/);
	});
});

describe('The example nightly-sync.json', () => {
	const workflow = readExample('nightly-sync.json');
	const { rows } = JSON.parse(nodeOf(workflow, 'Spreadsheet').parameters.jsonOutput as string) as {
		rows: Array<Record<'First Name' | 'Last Name' | 'Email' | 'Phone', string>>;
	};
	const asContact = (row: (typeof rows)[number]) => ({
		firstName: row['First Name'],
		lastName: row['Last Name'],
		email: row.Email,
		phoneNumber: row.Phone,
	});
	const bad = rows.at(-1)!;
	const good = rows.slice(0, -1);
	const outcomes = (execution: Execution) =>
		Object.fromEntries(
			itemsOf(execution, 'Count Outcomes').map(({ json }) => [json.outcome, json.count_id]),
		);
	let workflowId: string;

	beforeAll(async () => {
		await workspace.reset();
		const [same, alsoSame, changed] = rows.map(asContact);
		await workspace.addContacts([same, alsoSame, { ...changed, lastName: 'Before' }]);
		workflowId = await n8n.client.importWorkflow(workflow);
	});

	it('creates, updates and skips contacts, counts each, and lists the row that fails', async () => {
		const before = await workspace.counts();
		const execution = await n8n.client.run(workflowId);

		expect(errorOf(execution)).toBeUndefined();
		expect(outcomes(execution)).toEqual({ created: good.length - 3, updated: 1, unchanged: 2 });
		expect((await workspace.counts()).contacts).toBe(before.contacts + good.length - 3);
		for (const row of good) {
			expect(await workspace.contact(`email:${row.Email}`)).toMatchObject(asContact(row));
		}
		expect(itemsOf(execution, 'Rows to Fix').map(({ json }) => json)).toEqual([
			{ email: bad.Email, reason: expect.stringContaining('Phone Number') },
		]);
	});

	it(`${again}, changes nothing`, async () => {
		await workspace.clearJournal();
		expect(outcomes(await n8n.client.run(workflowId))).toEqual({ unchanged: good.length });
		const { requests } = await workspace.journal();
		expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});
});

describe('The example leads-import.json', () => {
	const workflow = readExample('leads-import.json');
	const corrected = (execution: Execution) =>
		itemsOf(execution, 'Fix by Hand').map(({ json }) => json);
	let workflowId: string;

	const importInto = async (service: 'newer' | 'reference') => {
		await workspace.reset({ contacts: 0, service, importMs: 300 });
		const { channels } = await workspace.state();
		pick(workflow, 'Import Contacts', 'inboxId', channels, 'WhatsApp Süd');
		workflowId = await n8n.client.importWorkflow(workflow);
		return await n8n.client.run(workflowId);
	};

	it('imports all rows at once, and lists the row without a phone number', async () => {
		const execution = await importInto('newer');
		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Import Contacts').map(({ json }) => json)).toMatchObject([
			{ status: 'completed', totalCount: 5, successCount: 4, failedCount: 1 },
		]);
		expect(corrected(execution)).toMatchObject([
			{
				item: 4,
				reason: 'Invalid phone',
				values: { firstName: 'Chiara', email: 'chiara.rossi@example.org' },
			},
		]);
		const { contacts } = await workspace.state();
		expect(contacts.map(({ firstName, phoneNumber }) => [firstName, phoneNumber])).toEqual([
			['Amelia', '+447700900101'],
			['Bruno', '+491709000102'],
			['Dele', '+447700900104'],
			['Elif', '+447700900105'],
		]);
		expect((await workspace.journal()).messages).toEqual([]);
	});

	it(`${again}, sends a message to existing contacts`, async () => {
		await workspace.clearJournal();
		const execution = await n8n.client.run(workflowId);
		expect(errorOf(execution)).toBeUndefined();
		expect(corrected(execution)).toMatchObject([{ item: 4 }]);
		const { contacts, channels } = await workspace.state();
		const { messages } = await workspace.journal();
		const { id } = channels.find(({ name }) => name === 'WhatsApp Süd')!;
		expect(messages.map(({ inboxId }) => inboxId)).toEqual(contacts.map(() => id));
		expect(messages.map(({ contactId }) => contactId).sort()).toEqual(
			contacts.map(({ id }) => id).sort(),
		);
		expect(messages.map(({ text }) => text?.slice(0, 15))).toContain('Hello Amelia, t');
	});

	it('explains in one sentence that the service does not accept files', async () => {
		const execution = await importInto('reference');
		expect(errorOf(execution)).toMatch(
			/^This service doesn't accept import files from other programs \(404\)\./,
		);
		expect((await workspace.state()).contacts).toEqual([]);
	});
});

describe('The example welcome-pipeline.json', () => {
	it('welcomes each person who submits the form', async () => {
		await workspace.reset();
		const { flows } = await workspace.state();
		const company = await workspace.add('customFields', { name: 'Company', type: 'shortText' });
		const workflow = readExample('welcome-pipeline.json');
		pick(workflow, 'Trigger Flow', 'flowId', flows, 'Welcome');
		const workflowId = await n8n.client.importWorkflow(workflow);
		await n8n.client.activate(workflowId);

		await n8n.client.submitForm('join-us', [
			'Nora',
			'Lind',
			'nora.lind@example.org',
			'+4915155501234',
			'Lind & Co',
		]);
		const execution = await n8n.client.waitForRun(workflowId);

		expect(errorOf(execution)).toBeUndefined();
		const contact = await workspace.contact('email:nora.lind@example.org');
		expect(contact).toMatchObject({
			firstName: 'Nora',
			lastName: 'Lind',
			phoneNumber: '+4915155501234',
		});
		expect(contact.tags.map(({ name }) => name)).toEqual(['Signed up']);
		expect(contact.contactCustomFields).toMatchObject([
			{ customFieldId: company.id, value: 'Lind & Co' },
		]);
		const { messages, flowRuns } = await workspace.journal();
		expect(messages.map(({ contactId, text }) => [contactId, text])).toEqual([
			[contact.id, 'Welcome, Nora! It is good to have you here. What can we do for you?'],
		]);
		expect(flowRuns).toEqual([
			expect.objectContaining({
				contactId: contact.id,
				flowId: flows.find(({ name }) => name === 'Welcome')?.id,
			}),
		]);
	});
});

describe('The example broadcast-monitor.json', () => {
	let workflowId: string;
	const texts = async () => (await workspace.journal()).messages.map(({ text }) => text).sort();

	beforeAll(async () => {
		await workspace.reset({ counts: { broadcasts: 0 } });
		const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		for (const [name, status, contactCount, hours] of [
			['Long ago', 'sent', 80, 25],
			['Summer sale', 'sent', 120, 23],
			['Reminder', 'sending', null, 1],
			['Winter sale', 'scheduled', null, -1],
		] as const) {
			await workspace.add('broadcasts', {
				name,
				status,
				contactCount,
				schedulesAt: hoursAgo(hours),
			});
		}
		const workflow = readExample('broadcast-monitor.json');
		const [me] = await workspace.addContacts([{ firstName: 'Mo', email: 'mo@example.org' }]);
		pick(workflow, 'Notify Me', 'identifier', [{ id: me.id, name: 'Mo' }], 'Mo');
		workflowId = await n8n.client.importWorkflow(workflow);
	});

	it('reports each new broadcast, and no old one', async () => {
		const execution = await n8n.client.run(workflowId);
		expect(errorOf(execution)).toBeUndefined();
		expect(await texts()).toEqual([
			'The broadcast "Reminder" is being sent.',
			'The broadcast "Summer sale" has been sent to 120 contacts.',
		]);
	});

	it(`${again}, reports only new broadcasts`, async () => {
		const { broadcasts } = await workspace.state();
		const reminder = broadcasts.find(({ name }) => name === 'Reminder');
		await workspace.change('broadcasts', reminder?.id ?? '', { status: 'sent', contactCount: 7 });
		await workspace.clearJournal();

		await n8n.client.run(workflowId);

		expect(await texts()).toEqual(['The broadcast "Reminder" has been sent to 7 contacts.']);
	});
});

describe('The example pdf-to-segment.json', () => {
	const content = Buffer.from('%PDF-1.7\r\n\0ü');
	const pdf = new File([content], 'Preise März.pdf', { type: 'application/pdf' });
	let forms = 0;

	async function sendPdf(service: ServiceName, change: (send: INode) => void = () => {}) {
		const own = await ownWorkspace(`token-of-the-pdf-${forms}`, { service, contacts: 0 });
		const tag = await own.add('tags', { name: 'Price list' });
		const stop = await own.add('tags', { name: 'No campaigns' });
		const now = new Date().toISOString();
		const reader = { subscribedAt: now, tagIds: [tag.id] };
		const [nora, ben, cid] = await own.addContacts([
			{ ...reader, firstName: 'Nora' },
			{ ...reader, firstName: 'Ben' },
			{ ...reader, firstName: 'Cid' },
			{ ...reader, firstName: 'Blocked', blockedAt: now },
			{ ...reader, firstName: 'Without the tag', tagIds: [] },
			{ ...reader, firstName: 'Has written STOP', tagIds: [tag.id, stop.id] },
		]);
		// One of the messages is refused: the others are sent all the same. A service without uploads
		// refuses all.
		const refusal = { match: { pathPattern: cid.id, method: 'POST' as const }, status: 403 };
		if (service === 'newer') await own.faults({ fail: [refusal] });
		const workflow = readExample('pdf-to-segment.json');
		const { tags } = nodeOf(workflow, 'Get Segment').parameters.conditions as {
			tags: Array<{ tagIds: string[] }>;
		};
		tags[0].tagIds = [tag.id];
		tags[1].tagIds = [stop.id];
		change(nodeOf(workflow, 'Send PDF'));
		const path = `send-pdf-${forms++}`;
		nodeOf(workflow, 'PDF Form').parameters.options = { path };
		const workflowId = await n8n.client.importWorkflow(workflow);
		await n8n.client.activate(workflowId);
		await n8n.client.submitForm(path, ['Our new price list', pdf]);
		const execution = await n8n.client.waitForRun(workflowId);
		const { messages } = await own.journal();
		return { nora, ben, cid, execution, messages };
	}

	it('sends the file with the text as its caption to all that the workspace can reach', async () => {
		const { nora, ben, cid, execution, messages } = await sendPdf('newer');
		expect(errorOf(execution)).toBeUndefined();
		expect(messages.map(({ contactId }) => contactId).sort()).toEqual([nora.id, ben.id].sort());
		const sha256 = createHash('sha256').update(content).digest('hex');
		const file = {
			fileName: 'Preise März.pdf',
			contentType: 'application/pdf',
			size: content.length,
			sha256,
		};
		for (const message of messages)
			expect(message).toMatchObject({ text: 'Our new price list', files: [file] });
		expect(itemsOf(execution, 'Send PDF')[0].json.attachments).toEqual([
			{ fileName: file.fileName, mimeType: file.contentType, size: file.size },
		]);
		expect(itemsOf(execution, 'Send PDF', 1).map(({ json }) => json.id)).toEqual([cid.id]);
	});

	it('has the expression that the error says if only the name of the field is entered', async () => {
		let expression: unknown;
		const { execution, messages } = await sendPdf('newer', (send) => {
			expression = send.parameters.attachments;
			Object.assign(send, { onError: 'stopWorkflow' });
			send.parameters.attachments = 'PDF';
		});
		expect(errorOf(execution)).toContain(
			`The node "PDF Form" has one ("Preise März.pdf"): set the field to Expression and enter ${String(expression).slice(1)}.`,
		);
		expect(messages).toEqual([]);
	});

	it('says that the service does not accept uploads, and sends nothing', async () => {
		const { execution, messages } = await sendPdf('reference', (send) => {
			Object.assign(send, { onError: 'stopWorkflow' });
		});
		expect(errorOf(execution)).toContain("This service doesn't accept file uploads (400).");
		expect(errorOf(execution)).toContain('Put a link to the file in the text instead');
		expect(messages).toEqual([]);
	});
});

describe('The example win-back.json', () => {
	it('sends one template to each lost contact where it is day, and reports each once', async () => {
		const settings = { service: 'newer', newest: true, contacts: 0 } as const;
		const other = await ownWorkspace('token-of-win-back', settings);
		const { channels } = await other.state();
		const inboxIds = channels.flatMap(({ id, channel }) => (channel === 'whatsapp' ? [id] : []));
		const stop = await other.add('tags', { name: 'No campaigns' });
		const sent = await other.add('tags', { name: 'sent: win-back' });
		const sending = await other.add('tags', { name: 'sent: win-back (sending)' });
		const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
		const since = { subscribedAt: daysAgo(400), createdAt: daysAgo(400), timezone: zoneAt(12) };
		const lost = { ...since, lastReadAt: daysAgo(90), inboxIds };
		const [ann, cid, bob, before, doubt] = await other.addContacts([
			{ ...lost, firstName: 'Ann' },
			{ ...lost, firstName: 'Cid' },
			{ ...lost, firstName: 'Bob', lastReadAt: null },
			{ ...lost, firstName: 'Got it', tagIds: [sent.id] },
			{ ...lost, firstName: 'In doubt', tagIds: [sent.id, sending.id] },
			{ ...lost, firstName: 'Sleeps', timezone: zoneAt(3) },
			{ ...lost, firstName: 'Reads', lastReadAt: daysAgo(3) },
			{ ...lost, firstName: 'New', createdAt: daysAgo(5), lastReadAt: null },
			{ ...lost, firstName: 'Gone', subscribedAt: null },
			{ ...lost, firstName: 'Blocked', blockedAt: daysAgo(1) },
			{ ...lost, firstName: 'Has written STOP', tagIds: [stop.id] },
			{ ...lost, firstName: 'Not on WhatsApp', inboxIds: [] },
		]);
		const workflow = readExample('win-back.json');
		const conditions = nodeOf(workflow, 'Get Lost Contacts').parameters.conditions as {
			tags: Array<{ tagIds: string[] }>;
		};
		if (DEFAULT_N8N_VERSION.startsWith('1.')) replaceTables(workflow);
		const unpicked = await n8n.client.run(await n8n.client.importWorkflow(workflow));
		expect(errorOf(unpicked)).toContain('The condition on Tag has no value. Select at least one');

		conditions.tags[0].tagIds = [stop.id];
		// One of the templates is refused: the others are sent all the same, and have their tags.
		const { contacts } = await other.state();
		const { conversation } = contacts.find(({ id }) => id === cid.id)!;
		const pathPattern = String((conversation as IDataObject).id);
		await other.faults({ fail: [{ match: { pathPattern, method: 'POST' }, status: 403 }] });
		const workflowId = await n8n.client.importWorkflow(workflow);
		for (let run = 0; run < 2; run++) {
			const execution = await n8n.client.run(workflowId);
			expect(errorOf(execution)).toBeUndefined();
			const reported = itemsOf(execution, 'Add to Report').map(({ json }) => json.contactId);
			expect(reported.sort()).toEqual([ann.id, bob.id, before.id].sort());
		}

		const { templates } = await other.journal();
		expect(templates.map(({ contactId }) => contactId).sort()).toEqual([ann.id, bob.id].sort());
		const tagsOf = async ({ id }: { id: string }) =>
			(await other.contact(`id:${id}`)).tags.map(({ name }) => name);
		for (const contact of [ann, bob]) expect(await tagsOf(contact)).toEqual([sent.name]);
		expect(await tagsOf(doubt)).toEqual([sent.name, sending.name]);
		expect(await tagsOf(cid)).toEqual([]);
	});
});

describe('The example csv-import.json', () => {
	it('imports the file that somebody uploads in the form', async () => {
		const own = await ownWorkspace('token-of-the-import', {
			contacts: 0,
			service: 'newer',
			importMs: 300,
		});
		const { channels } = await own.state();
		const workflow = readExample('csv-import.json');
		pick(workflow, 'Import Contacts', 'inboxId', channels, 'WhatsApp Süd');
		const workflowId = await n8n.client.importWorkflow(workflow);
		await n8n.client.activate(workflowId);

		const rows = [
			'Mobile;First name;Surname',
			'0151 12345678;Zoë;Müller',
			'nobody knows;Cem;Aydın',
			'',
		];
		const file = new File([rows.join('\r\n')], 'leads.csv', { type: 'text/csv' });
		await n8n.client.submitForm('import-contacts', [file]);
		const execution = await n8n.client.waitForRun(workflowId);

		expect(errorOf(execution)).toBeUndefined();
		expect(itemsOf(execution, 'Import Contacts').map(({ json }) => json)).toMatchObject([
			{
				status: 'completed',
				successCount: 1,
				failedCount: 1,
				errorSample: [{ reason: 'Invalid phone' }],
			},
		]);
		const { contacts } = await own.state();
		expect(contacts).toMatchObject([
			{ firstName: 'Zoë', lastName: 'Müller', phoneNumber: '+4915112345678' },
		]);
	});
});

describe('The example sort-inbox.json', () => {
	const workflow = readExample('sort-inbox.json');
	let own: SandboxWorkspace;
	let ids: string[];
	let workflowId: string;

	beforeAll(async () => {
		own = await ownWorkspace('token-of-the-inbox', { contacts: 0, service: 'newer' });
		const { id } = await own.add('teams', { name: 'Billing' });
		pick(workflow, 'Assign to Team', 'teamId', [{ id, name: 'Billing' }], 'Billing');
		const messages = ['An invoice, please!', 'My INVOICE is wrong', 'Thank you', 'Hello?'];
		const contacts = await own.addContacts(messages.map((firstName) => ({ firstName })));
		ids = contacts.map((contact) => `id:${contact.id}`);
		const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString();
		for (const [index, text] of messages.entries())
			await own.write(ids[index], { text, ...(index % 3 === 0 && { at: twoDaysAgo }) });
		workflowId = await n8n.client.importWorkflow(workflow);
	});

	it('marks old messages for follow-up, assigns invoices, and archives the rest', async () => {
		expect(errorOf(await n8n.client.run(workflowId))).toBeUndefined();
		const [{ id: team }] = (await own.state()).teams.filter(({ name }) => name === 'Billing');
		const sorted = await Promise.all(ids.map(async (id) => await own.contact(id)));
		expect(sorted).toMatchObject([
			{
				conversation: { followed: true, archivedAt: null, assignedInboxTeamId: null },
				contactNotes: [],
			},
			{
				conversation: { followed: false, archivedAt: null, assignedInboxTeamId: team },
				contactNotes: [{ text: 'Asks about an invoice: My INVOICE is wrong' }],
			},
			{ conversation: { followed: false, archivedAt: expect.any(String) }, contactNotes: [] },
			{
				conversation: { followed: true, archivedAt: null, assignedInboxTeamId: null },
				contactNotes: [],
			},
		]);
	});

	it(`${again}, adds no second note`, async () => {
		await own.clearJournal();
		expect(errorOf(await n8n.client.run(workflowId))).toBeUndefined();
		const { byOperation } = await own.summary();
		expect(byOperation).toEqual({ listConversations: expect.any(Number), followConversation: 2 });
	});
});
