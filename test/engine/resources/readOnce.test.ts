import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Expression } from 'n8n-workflow';
import { fileInMemory } from '../../support/engine/files';
import { by, fromItem } from '../../support/engine/helpers';
import { workspaceWithAnn } from '../../support/engine/workspace';
import { limitWait } from '../../support/limitWait';

/*
 * n8n takes up to 2 ms for an expression, so a run of 10,000 items notices each one that is
 * evaluated twice.
 */

const ROWS = 3;
const row: IDataObject = {
	email: 'ann@example.com',
	text: 'Hello',
	first: 'Ann',
	no: false,
	two: 2,
};
const pdf = fileInMemory('%PDF-1.7 …', { fileName: 'invoice.pdf' });
const upsert = {
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: '={{ $json.phone }}',
	additionalFields: { firstName: fromItem('first'), lastName: '={{ $json.last }}' },
	withCustomFields: true,
	customFields: { mappingMode: 'defineBelow', value: { 'My shortText': fromItem('text') } },
	simplify: '={{ !$json.no }}',
};

/** Returns all expressions inside parameters. */
function expressionsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(expressionsIn)
		: [];
}

test.each<[string, INodeParameters, number]>([
	[
		'Send with attachments',
		{
			resource: 'message',
			operation: 'send',
			identifier: by('email', fromItem('email')),
			text: fromItem('text'),
			attachments: '={{ $binary }}',
			options: { splitLongText: fromItem('no') },
		},
		ROWS,
	],
	['Create or Update', { ...upsert, options: { serverUpsert: fromItem('no') } }, ROWS],
	['a preview of Create or Update', { ...upsert, options: { preview: '={{ !$json.no }}' } }, ROWS],
	[
		'Get Many with conditions',
		{
			operation: 'getAll',
			returnAll: fromItem('no'),
			limit: fromItem('two'),
			match: '={{ "any" }}',
			conditions: {
				texts: [
					{ field: 'firstName', textOperator: 'eq', text: fromItem('first') },
					{ field: 'email', textOperator: 'eq', text: fromItem('email') },
				],
			},
			options: { page: '={{ $json.two - 1 }}' },
		},
		ROWS,
	],
	[
		'Send and Wait for Response',
		{
			resource: 'message',
			operation: 'sendAndWait',
			identifier: by('email', fromItem('email')),
			message: fromItem('text'),
			...limitWait({ resumeAmount: fromItem('two') }),
		},
		1,
	],
])('%s evaluates each expression once for an item', async (_, parameters, rows) => {
	const { run } = await workspaceWithAnn({ service: 'newer' });
	const expressions = expressionsIn(parameters);
	const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	const { error } = await run(
		{ resource: 'contact', ...parameters },
		Array.from({ length: rows }, () => row),
		{ files: Array.from({ length: rows }, () => ({ data: pdf })) },
	);
	expect(error?.message).toBeUndefined();
	const counts = expressions.map((expression) => [
		expression,
		evaluate.mock.calls.filter(([value]) => value === expression).length,
	]);
	evaluate.mockRestore();
	expect(counts).toEqual(expressions.map((expression) => [expression, rows]));
});
