import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { additionalDataOf, compiledNode, NODE_NAME, workflowOf } from '../../support/engine/engine';
import { by } from '../../support/engine/helpers';
import { withTemplates } from './helpers';

/** Asks for the inputs of a template as the editor does. */
async function panel() {
	const { workspace, idOf } = await withTemplates();
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
	return { idOf, read };
}

const labels = ({ fields }: { fields: Array<{ displayName: string }> }) =>
	fields.map(({ displayName }) => displayName);

test('the label of each place begins with the words before it, because the editor cuts off the end', async () => {
	const { read, idOf } = await panel();
	expect(labels(await read(by('list', idOf('order_shipped'))))).toEqual([
		'Body: Hi […], your order … is on',
		'Body: your order […] is on its way.',
	]);
	expect(labels(await read(by('list', idOf('invoice'))))).toEqual([
		'Document: field or URL',
		'Body: Hi […], here is your invoice.',
		'Button: track/[…]',
	]);
});

test('a template that is chosen by its name has inputs, too', async () => {
	const { read } = await panel();
	const { fields } = await read(by('name', 'order_shipped, de'));
	expect(fields.map(({ id }) => id)).toEqual(['body_1', 'body_2']);
	expect(labels({ fields })[0]).toContain('Hallo […]');
});
