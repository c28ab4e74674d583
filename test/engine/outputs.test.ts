import { resources } from '../../nodes/WorkspaceMessaging/resources';
import { triggerOutputs } from '../../nodes/WorkspaceMessaging/trigger/fields';
import { testWorkspace } from '../support/engine/workspace';
import { everyOperation, nameOf, operations, otherWays } from '../support/operations';

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

test('what each operation returns has the fields that the editor shows before, and no others', async () => {
	const { run, workspace } = await testWorkspace({ contacts: 3 });
	const state = await workspace.state();
	const calls = [...otherWays(state), ...Object.values(everyOperation(state))];
	const offered = new Set<string>();
	for (const parameters of calls) {
		const { resource, operation } = parameters;
		const { json, error } = await run(parameters);
		expect([resource, operation, error?.message]).toEqual([resource, operation, undefined]);
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
	}
	// Nor is anything shown that no call brings.
	const promised = Object.entries(outputs).flatMap(([resource, shapes]) =>
		Object.entries(shapes).flatMap(([operation, shape]) =>
			Object.keys(shape.shape).map((field) => `${resource}.${operation}.${field}`),
		),
	);
	// Some services tell the ID of an import, and take uploads, which is beyond the reference.
	expect(promised.filter((field) => !offered.has(field))).toEqual([
		'contact.import.importId',
		'contact.sendMessage.attachments',
	]);
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
	for (const shape of Object.values(triggerOutputs)) {
		expect(Object.keys(shape.shape).length).toBeLessThanOrEqual(11);
	}
});
