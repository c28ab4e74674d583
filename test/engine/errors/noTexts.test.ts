import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, received, writesOf } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';
import { withTemplates } from '../template/helpers';

/* An expression that returns a number, true or false for a field that takes a text. */

const ann = by('email', 'ann@example.com');
const value = fromItem();
const operation = (resource: string, name: string, more: INodeParameters): INodeParameters => ({
	...{ resource, operation: name },
	...more,
});
const update = (updateFields: INodeParameters) =>
	operation('contact', 'update', { identifier: ann, updateFields });

/** The fields by their labels, with the part of the request that holds the text. */
const fields: Array<[label: string, parameters: INodeParameters, sent: (text: string) => object]> =
	[
		[
			'Message',
			operation('message', 'send', { identifier: ann, text: value }),
			(text) => ({ text }),
		],
		[
			'Note',
			operation('contact', 'addNote', { identifier: ann, text: value }),
			(text) => ({ text }),
		],
		['First Name', update({ firstName: value }), (firstName) => ({ firstName })],
		['Last Name', update({ lastName: value }), (lastName) => ({ lastName })],
		['Name', operation('tag', 'create', { name: value }), (name) => ({ name })],
		[
			'Name',
			operation('customField', 'create', { name: value, type: 'number' }),
			(name) => ({ name }),
		],
	];

describe.each(fields)('In %s (case %#)', (label, parameters, sent) => {
	test.each([
		[12.5, '12.5'],
		[0.1, '0.1'],
		[-3.75, '-3.75'],
		[99.95, '99.95'],
		[1234567.89, '1234567.89'],
		[7, '7'],
		[0, '0'],
		['12.50', '12.50'],
		['true', 'true'],
		['J', 'J'],
	])('%j is the text %s', async (given, text) => {
		const { run, workspace } = await workspaceWithAnn({ service: 'newer' });
		const { error } = await run(parameters, [{ value: given }]);
		expect(error).toBeUndefined();
		const bodies = (await writesOf(workspace)).map(({ body }) => body);
		expect(bodies).toContainEqual(expect.objectContaining(sent(text)));
	});

	test('a failed calculation is refused before anything is sent', async () => {
		const { run, workspace } = await workspaceWithAnn();
		for (const [given, reason] of [
			[NaN, 'calculates with what is not a number'],
			[Infinity, 'divides by zero'],
		] as const) {
			const { error } = await run(parameters, [{ value: given }]);
			expect(error?.message).toBe(
				`${label} must be text, but is ${given}. Its expression ${reason}. [item 0]`,
			);
		}
		expect(await received(workspace)).toEqual([]);
	});

	test.each([true, false])('%j is refused before anything is sent', async (given) => {
		const { run, workspace } = await workspaceWithAnn();
		const { error } = await run(parameters, [{ value: given }]);
		expect(error?.message).toBe(
			`${label} must be text, but is ${given}. To choose a text by a condition, use {{ condition ? "one" : "other" }}. [item 0]`,
		);
		expect(await received(workspace)).toEqual([]);
	});
});

test('A condition that left false behind for one item is the problem of that item', async () => {
	const { run } = await workspaceWithAnn();
	const text = '={{ $json.isNew && "Welcome" }}';
	const { outputs } = await run(
		operation('message', 'send', { identifier: ann, text }),
		[{ isNew: true }, { isNew: false }],
		{ onError: 'continueRegularOutput' },
	);
	expect(outputs[0].map(({ json }) => json.error ?? json.text)).toEqual([
		'Welcome',
		expect.stringMatching(/^Message must be text, but is false\./),
	]);
});

describe('In a template', () => {
	const said = (where: RegExp, given: boolean) =>
		new RegExp(`^${where.source} must be text, but is ${given}\\. To choose`);

	test.each([true, false])('%j is refused as a value and as the text instead', async (given) => {
		const { run, send, sent } = await withTemplates();
		const asValue = send('order_shipped', { body_1: value, body_2: 'A-100' });
		expect((await run(asValue, [{ value: given }])).error?.message).toMatch(
			said(/"Text 1 of 2.*" of the template/, given),
		);
		const options = { textIfRecent: value };
		const asText = send('order_shipped', { body_1: 'Ann', body_2: 'A-100' }, { options });
		expect((await run(asText, [{ value: given }])).error?.message).toMatch(
			said(/Text Within 24 Hours/, given),
		);
		expect(await sent()).toEqual([]);
	});

	test('a number is its digits', async () => {
		const { run, send, sent } = await withTemplates();
		await run(send('order_shipped', { body_1: value, body_2: 'A-100' }), [{ value: 12.5 }]);
		expect(await sent()).toMatchObject([{ params: { 'body.1': '12.5' } }]);
	});
});
