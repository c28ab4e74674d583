import { chatWithAnn } from '../../support/engine/chat';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../../nodes/WorkspaceMessaging/run/operation';
import { resources } from '../../../nodes/WorkspaceMessaging/resources';
import {
	showIdentifier,
	parseIdentifier,
} from '../../../nodes/WorkspaceMessaging/values/identifier';
import { pollingEvents } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { openPage } from '../../support/engine/answerPage';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import {
	newerOperations,
	newestOperations,
	everyOperation,
	nameOf,
	operations,
	otherWays,
	withoutParameters,
} from '../../support/operations';

const outputs = Object.fromEntries(
	resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, operation.output])),
	]),
);

const FOLDER = path.join(__dirname, '../../../nodes/WorkspaceMessaging/resources');

/**
 * Returns the operations that the files of the source export, with the file to add each of them to.
 */
function exportedOperations() {
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	return files.flatMap((file) => {
		// eslint-disable-next-line @typescript-eslint/no-require-imports
		const exported: Record<string, Partial<Operation>> = require(path.join(FOLDER, file));
		const values = Object.values(exported);
		const list = file.includes(path.sep) ? path.join(path.dirname(file), 'index.ts') : file;
		return values
			.filter((value) => value?.action !== undefined && value.endpoint !== undefined)
			.map((operation) => ({ operation, file, list }));
	});
}

/** Fails with these sentences and nothing else. */
function report(sentences: string[]) {
	if (sentences.length > 0) throw new Error(sentences.join('\n'));
}

test('The tests have parameters for every operation', () => {
	report(
		withoutParameters.map(
			(name) => `Add a line for ${name} to parameters in test/support/operations.ts.`,
		),
	);
});

test('The list of a resource holds every operation of the source', () => {
	const listed: Array<Partial<Operation>> = resources.flatMap(({ operations, hidden = [] }) => [
		...operations,
		...hidden,
	]);
	const lost = exportedOperations().filter(({ operation }) => !listed.includes(operation));
	report(
		lost.map(({ operation: { action }, file, list }) =>
			[
				`Add the operation "${action}" of resources/${file}`,
				`to operations in resources/${list}.`,
			].join(' '),
		),
	);
});

test('The compiled node has the operations of the source', () => {
	const described = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.keys(shapes).map((operation) => nameOf({ resource, operation })),
	);
	const all = [...operations, ...newerOperations, ...newestOperations];
	const compiled = [...all.map(nameOf), ...withoutParameters];
	if (described.sort().join() !== compiled.sort().join())
		report(['dist/ is older than nodes/: run `npm run build`.']);
});

/** Imports as services have them that tell how an import goes, which is beyond the reference. */
async function importsBeyondReference() {
	const { run, workspace } = await testWorkspace({ contacts: 0, service: 'newer', importMs: 0 });
	const inboxId = by(
		'id',
		(await workspace.state()).channels.find(({ channel }) => channel === 'whatsapp')!.id,
	);
	const into = { resource: 'contact', operation: 'import', inboxId };
	const rows = ['+4915112345678', 'nonsense'];
	const csv = Buffer.from(`phone,note\n${rows.join('\n')}\n`).toString('base64');
	const files = [{ data: { data: csv, fileName: 'a.csv', mimeType: 'text/csv' } }];
	const ofFile = await run({ ...into, source: 'input' }, [{}], { files });
	const items = rows.map((phone) => ({ phone }));
	const ofItems = await run({ ...into, source: 'items', phoneNumber: '={{ $json.phone }}' }, items);
	const status = { resource: 'contact', operation: 'getImportStatus' };
	// The second import finds the contact of the first.
	const imports = [...ofFile.json, ...ofItems.json];
	const statuses = await run({ ...status, importId: '={{ $json.importId }}' }, imports);
	return { import: imports, getImportStatus: statuses.json };
}

/**
 * The output of each operation that only newer services have, of Get Messages in its other form, of
 * a reply, and of what is sent once.
 */
async function newerOutputs() {
	const { run, workspace } = await testWorkspace({ contacts: 2, service: 'newer', newest: true });
	const whom = { channel: 'omnichannel', subaction: 'allContacts', contactFilter: null };
	for (const name of ['One', 'Two'])
		await workspace.add('broadcasts', { ...whom, name, status: 'draft', schedulesAt: null });
	const create = everyOperation(await workspace.state(), newestOperations)['broadcast.create'];
	await run({ ...create, channel: 'omnichannel', schedulesType: 'now', maxRecipients: 2 });
	await workspace.letBroadcastsRun(2);
	const state = await workspace.state();
	const whatsapp = state.channels.find(({ channel }) => channel === 'whatsapp');
	await workspace.write(`id:${state.contacts[0].id}`, { text: 'Hi', inboxId: whatsapp?.id });
	const question = await workspace.write(`id:${state.contacts[0].id}`, {
		attachments: [{ name: 'a.txt', mimeType: 'text/plain', content: 'aGk=' }],
	});
	const { identifier } = everyOperation(state, newerOperations)['conversation.get'];
	const asItems = { resource: 'conversation', operation: 'getMessages', identifier };
	const replyToMessageId = question.id;
	const reply = {
		resource: 'message',
		operation: 'send',
		identifier,
		text: 'Yes',
		options: { replyToMessageId },
	};
	const newer = everyOperation(state, [...newerOperations, ...newestOperations]);
	const empty = { mappingMode: 'defineBelow', value: {} };
	const preview = {
		...newer['message.sendTemplate'],
		templateParams: empty,
		options: { preview: true },
	};
	const all = everyOperation(state, [...operations, ...newestOperations]);
	const sentOnce = ['message.send', 'message.sendTemplate', 'contact.triggerFlow'].map((name) => ({
		...all[name],
		options: { sendOnce: name },
	}));
	// The second time, the contact is passed over.
	const calls = [...Object.values(newer), asItems, reply, preview, ...sentOnce, ...sentOnce];
	const outputs: Array<[resource: string, operation: string, json: IDataObject[]]> = [];
	for (const parameters of calls) {
		const { resource, operation } = parameters;
		outputs.push([
			resource,
			operation,
			(await run(parameters, [{ ...state.contacts[0], location: null }])).json,
		]);
	}
	return outputs;
}

/** The output of a question, which comes from its answer page. */
async function answers(): Promise<IDataObject[]> {
	const pages = [
		await openPage({}, { body: { approved: 'true' } }),
		await openPage({ form: { type: 'freeText', button: 'Send' } }, { body: { text: 'Yes' } }),
		await openPage({ form: { type: 'choices', choices: ['S'] } }, { body: { choice: '0' } }),
		await openPage({ contact: contactOf('email:ann@example.com') }, { body: { approved: 'true' } }),
		await openPage({ contact: contactOf('phone:+4915112345678') }, { body: { approved: 'true' } }),
	];
	return [...pages.map(({ output }) => output!), ...(await typedAnswers())];
}

/** The output of questions that a contact answers by typing. */
async function typedAnswers(): Promise<IDataObject[]> {
	const answersTo: Record<string, string> = {
		text: 'On Monday',
		number: '3',
		date: '2026-01-31',
		email: 'bob@example.com',
		phoneNumber: '+4915112345678',
	};
	const found: IDataObject[] = [];
	for (const [expectedAnswer, text] of Object.entries(answersTo)) {
		const { ask, write } = await chatWithAnn();
		const answer = { responseType: 'freeText', expectedAnswer };
		found.push(...(await ask(answer, async () => await write(text))).json);
	}
	return found;
}

const contactOf = (contact: string) => ({
	contact,
	...showIdentifier(parseIdentifier(contact)!),
	fullName: 'Ann Lind',
});

test('Every operation returns exactly the fields that its output schema shows in the editor', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 3 });
	const state = await workspace.state();
	const calls = [...otherWays(state), ...Object.values(everyOperation(state))];
	const offered = new Set<string>();
	const compare = (resource: string, operation: string, json: IDataObject[]) => {
		expect(json.length).toBeGreaterThan(0);
		const shape = outputs[resource][operation];
		const isOpen = ['flow', 'aiAgent', 'workspace', 'getCustomFields'].some(
			(name) => name === resource || name === operation,
		);
		for (const item of json) {
			for (const field of Object.keys(item)) offered.add(`${resource}.${operation}.${field}`);
			const { error: mismatch } = (isOpen ? shape : shape.strict()).safeParse(item);
			expect([resource, operation, mismatch?.issues]).toEqual([resource, operation, undefined]);
		}
	};
	for (const parameters of calls) {
		const { resource, operation } = parameters;
		if (operation === 'getImportStatus' || operation === 'sendAndWait') continue;
		const { value } = (parameters.identifier ?? {}) as { value?: string };
		// The output also names the contact by what the input says.
		const input = state.contacts
			.filter(({ id }) => id === value)
			.map(({ id, email, phoneNumber, fullName }) => ({ id, email, phoneNumber, fullName }));
		const { json, error } = await run(parameters, input.length > 0 ? input : [{}]);
		expect([resource, operation, error?.message]).toEqual([resource, operation, undefined]);
		compare(resource, operation, json);
	}
	for (const [operation, json] of Object.entries(await importsBeyondReference()))
		compare('contact', operation, json);
	for (const output of await newerOutputs()) compare(...output);
	compare('message', 'sendAndWait', await answers());
	// Nor is anything shown that no call brings.
	const promised = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.entries(shapes).flatMap(([operation, shape]) =>
			Object.keys(shape.shape).map((field) => `${resource}.${operation}.${field}`),
		),
	);
	// Some services take uploads, which is beyond the reference.
	expect(promised.filter((field) => !offered.has(field))).toEqual(['message.send.attachments']);
});

test('A simplified contact has at most ten fields, including the time of its creation', () => {
	const { contact } = outputs;
	// What Create or Update has done to it is said beside the contact.
	const upserted = contact.upsert.omit({ outcome: true, changedFields: true });
	for (const shape of [contact.get, contact.getAll, contact.create, upserted]) {
		expect(Object.keys(shape.shape).length).toBeLessThanOrEqual(10);
		expect(Object.keys(shape.shape)).toEqual(expect.arrayContaining(['createdAt', 'updatedAt']));
	}
	// What has happened to it comes on top.
	for (const { output } of pollingEvents) {
		expect(Object.keys(output.shape).length).toBeLessThanOrEqual(11);
	}
});
