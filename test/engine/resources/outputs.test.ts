import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../../nodes/WorkspaceMessaging/resources';
import { events } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { by } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { everyOperation, nameOf, operations, otherWays } from '../../support/operations';

const outputs = Object.fromEntries(
	resources.map(({ value, operations }) => [
		value,
		Object.fromEntries(operations.map((operation) => [operation.value, operation.output])),
	]),
);

test('every operation has an output schema, and there is none beyond', () => {
	const described = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.keys(shapes).map((operation) => `${resource}.${operation}`),
	);
	expect(described.sort()).toEqual(operations.map(nameOf).sort());
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
	const importId = ofFile.json[0].importId as string;
	const status = await run({ resource: 'contact', operation: 'getImportStatus', importId });
	return { import: [...ofFile.json, ...ofItems.json], getImportStatus: status.json };
}

test('what each operation returns has the fields that the editor shows before, and no others', async () => {
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
		if (operation === 'getImportStatus') continue;
		const { json, error } = await run(parameters);
		expect([resource, operation, error?.message]).toEqual([resource, operation, undefined]);
		compare(resource, operation, json);
	}
	for (const [operation, json] of Object.entries(await importsBeyondReference()))
		compare('contact', operation, json);
	// Nor is anything shown that no call brings.
	const promised = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.entries(shapes).flatMap(([operation, shape]) =>
			Object.keys(shape.shape).map((field) => `${resource}.${operation}.${field}`),
		),
	);
	// Some services take uploads, which is beyond the reference.
	expect(promised.filter((field) => !offered.has(field))).toEqual(['contact.sendMessage.attachments']);
});

test('a simplified contact has at most ten fields, and the time when it was created', () => {
	const { contact } = outputs;
	// What Create or Update has done to it is said beside the contact.
	const upserted = contact.upsert.omit({ outcome: true, changedFields: true });
	for (const shape of [contact.get, contact.getAll, contact.create, upserted]) {
		expect(Object.keys(shape.shape).length).toBeLessThanOrEqual(10);
		expect(Object.keys(shape.shape)).toEqual(expect.arrayContaining(['createdAt', 'updatedAt']));
	}
	// What has happened to it comes on top.
	for (const { output } of events) {
		expect(Object.keys(output.shape).length).toBeLessThanOrEqual(11);
	}
});
