import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { additionalDataOf, compiledNode, NODE_NAME, workflowOf } from '../../support/engine/engine';
import { by } from '../../support/engine/helpers';
import { withTemplates } from './helpers';

/** Asks for the inputs of a template as the editor does. */
async function panel() {
	const { workspace, idOf, addTemplate } = await withTemplates();
	const read = async (templateId: INodeParameters[string]) => {
		const workflow = workflowOf({ parameters: {} });
		const context = new LoadOptionsContext(
			workflow,
			workflow.getNode(NODE_NAME)!,
			{
				...additionalDataOf({ baseUrl: workspace.url, accessToken: workspace.token }),
				currentNodeParameters: { templateId },
			},
			'parameters.templateParams',
		);
		return await compiledNode.methods!.resourceMapping!.getTemplateParameters.call(context);
	};
	return { idOf, read, addTemplate };
}

const labels = ({ fields }: { fields: Array<{ displayName: string }> }) =>
	fields.map(({ displayName }) => displayName);

test('the label of each place begins with the words before it, because the editor cuts off the end', async () => {
	const { read, idOf } = await panel();
	expect(labels(await read(by('list', idOf('order_shipped'))))).toEqual([
		'Text 1 of 2: Hi ▢, your order … is on',
		'Text 2 of 2: your order ▢ is on its way.',
	]);
	expect(labels(await read(by('list', idOf('invoice'))))).toEqual([
		'Document: field or URL',
		'Text: Hi ▢, here is your invoice.',
		'Button: track/▢',
	]);
});

test('a template that is chosen by its name has inputs, too', async () => {
	const { read } = await panel();
	const { fields } = await read(by('name', 'order_shipped, de'));
	expect(fields.map(({ id }) => id)).toEqual(['body_1', 'body_2']);
	expect(labels({ fields })[0]).toContain('Hallo ▢');
});

test('the places of a text are counted in the order of their numbers, which is that of the inputs', async () => {
	const { read, addTemplate } = await panel();
	const id = await addTemplate('reminder', [
		{ type: 'BODY', text: 'At {{2}}, {{1}}! Not at {{2}}?' },
	]);
	expect(labels(await read(by('id', id)))).toEqual([
		'Text 1 of 2: At …, ▢! Not at …?',
		'Text 2 of 2: At ▢, …! Not at',
	]);
});

test('n8n itself requires no input, because its error would name an ID', async () => {
	const { read, idOf } = await panel();
	const { fields } = await read(by('list', idOf('order_shipped')));
	expect(fields.map(({ required }) => required)).toEqual([false, false]);
});

test.each([
	[
		'of which nothing is left open',
		{ type: 'BODY', text: 'We are open.' },
		'This template has nothing to fill in.',
	],
	['which does not exist', undefined, 'There is no such template. Choose another one.'],
] as const)('a note stands for the inputs of a template %s', async (_, component, note) => {
	const { read, addTemplate } = await panel();
	const id = component ? await addTemplate('hours', [component]) : '4711';
	const { fields, emptyFieldsNotice } = await read(by('id', id));
	expect([fields, emptyFieldsNotice]).toEqual([[], note]);
});

describe('The list of templates', () => {
	/** Returns the names in the list of a node with this contact. */
	async function namesFor(contact: 'ann' | 'expression' | 'nobody') {
		const { workspace, ann, channels, addTemplate, whatsapp } = await withTemplates();
		const other = channels.find(({ id }) => id !== whatsapp.id)!;
		await addTemplate('aaa_other', [{ type: 'BODY', text: 'Hi' }], other.id);
		await addTemplate('zzz_own', [{ type: 'BODY', text: 'Hi' }]);
		const identifier = {
			ann: by('id', ann.id),
			expression: by('id', '={{ $json.id }}'),
			nobody: by('email', 'nobody@example.com'),
		}[contact];
		const workflow = workflowOf({ parameters: {} });
		const context = new LoadOptionsContext(
			workflow,
			workflow.getNode(NODE_NAME)!,
			{
				...additionalDataOf({ baseUrl: workspace.url, accessToken: workspace.token }),
				currentNodeParameters: { identifier },
			},
			'parameters.templateId',
		);
		const { results } = await compiledNode.methods!.listSearch!.searchTemplates.call(context);
		return results.map(({ name }) => name.split(' ')[0]);
	}

	test('begins with those of the channels that the contact is on', async () => {
		const names = await namesFor('ann');
		expect(names.indexOf('zzz_own')).toBeLessThan(names.indexOf('aaa_other'));
		expect(names.at(-1)).not.toBe('zzz_own');
	});

	test.each(['expression', 'nobody'] as const)(
		'is sorted by name if the contact is not known yet (%s)',
		async (contact) => {
			const names = await namesFor(contact);
			expect(names[0]).toBe('aaa_other');
			expect(names.at(-1)).toBe('zzz_own');
		},
	);
});
