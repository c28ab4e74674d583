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
