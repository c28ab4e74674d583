import { namesOf, shownFields, shownInTool } from '../../support/engine/panel';

const contact = (operation: string, parameters = {}) => ({ resource: 'contact', operation, ...parameters });

describe('The panel of Send Message', () => {
	const parameters = contact('sendMessage');

	test('shows Attachments, which is empty, and Channel below the text', () => {
		const fields = shownFields(parameters);
		expect(namesOf(fields).slice(-4)).toEqual(['attachments', 'inboxId', 'options', 'requestOptions']);
		const attachments = fields.find(({ name }) => name === 'attachments');
		expect(attachments).toMatchObject({ default: '', typeOptions: { binaryDataProperty: true } });
	});

	test('has the options that hardly anybody needs at the end', () => {
		const options = shownFields(parameters).find(({ name }) => name === 'options')?.options;
		expect(namesOf(options).slice(-3)).toEqual(['files', 'nodeId', 'clientId']);
	});

	test('of a tool shows Channel, too, but not Attachments', () => {
		const names = namesOf(shownInTool(parameters));
		expect(names).toContain('inboxId');
		expect(names).not.toContain('attachments');
	});
});

describe('The panel of Import', () => {
	const importWith = (mode: string) => contact('import', { inboxId: { __rl: true, mode, value: '7' } });

	test('opens on From Input', () => {
		expect(shownFields(contact('import')).find(({ name }) => name === 'source')?.default).toBe('input');
	});

	test('shows Channel Type only if the channel is entered by its ID', () => {
		expect(namesOf(shownFields(contact('import')))).not.toContain('channel');
		expect(namesOf(shownFields(importWith('list')))).not.toContain('channel');
		expect(namesOf(shownFields(importWith('id')))).toContain('channel');
		expect(namesOf(shownInTool(importWith('list')))).not.toContain('channel');
		expect(namesOf(shownInTool(importWith('id')))).toContain('channel');
	});
});

test('The ID of a contact on its channel has the same label in all operations', () => {
	const fields = ['create', 'upsert', 'import'].flatMap((operation) =>
		shownFields(contact(operation, { source: 'items' })),
	);
	const inner = fields.flatMap(({ options = [] }) => options as typeof fields);
	const labels = [...fields, ...inner]
		.filter(({ name }) => name === 'contactId')
		.map((field) => field.displayName);
	expect(labels).toEqual(expect.arrayContaining(['ID on the Channel']));
	expect(new Set(labels)).toEqual(new Set(['ID on the Channel', 'ID on the Channel Column']));
});
