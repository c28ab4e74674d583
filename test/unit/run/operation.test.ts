import { z } from 'zod/v4';
import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import type { Item } from '../../../nodes/WorkspaceMessaging/run/item';
import { defineOperation } from '../../../nodes/WorkspaceMessaging/run/operation';
import type { Field } from '../../../nodes/WorkspaceMessaging/run/operation';
import { oncePerRun } from '../../../nodes/WorkspaceMessaging/run/run';
import type { Run } from '../../../nodes/WorkspaceMessaging/run/run';

const base = {
	name: 'Send',
	value: 'send',
	action: 'Send',
	description: 'Send',
	fields: [],
	output: z.object({}),
	endpoint: contactApi.sendMessage,
};

/*
 * Most of these are checked by the compiler: the suite fails to compile if a type is not inferred.
 */
describe('defineOperation', () => {
	test('infers the types of an item from the schemas of the endpoint', () => {
		const operation = defineOperation({
			...base,
			async run(item) {
				const identifier: string = item.params.identifier;
				const text: string | undefined = item.body.text;
				// @ts-expect-error the endpoint's body has no such field
				return [{ identifier, text, other: item.body.other }];
			},
		});

		expect(operation.run).toBeDefined();
	});

	test('infers the types of an item from the schema of the operation if it has one', () => {
		const operation = defineOperation({
			...base,
			schema: { body: z.strictObject({ count: z.number() }) },
			validate(item) {
				const { identifier }: { identifier: string } = item.params;
				const { count }: { count: number } = item.body;
				if (count > 1) throw new Error(identifier);
			},
		});

		expect(operation.schema).toBeDefined();
	});

	test('infers the types of an item from a schema that depends on the item', async () => {
		const operation = defineOperation({
			...base,
			schema: (item) =>
				item.index === 0
					? { body: z.object({ tagIds: z.array(z.string()) }) }
					: { body: z.object({ name: z.string() }) },
			run: async ({ body }) => ('tagIds' in body ? [{ tags: body.tagIds.length }] : []),
		});

		expect(await operation.run?.({ body: { tagIds: ['1'] } } as unknown as Item)).toEqual([
			{ tags: 1 },
		]);
	});

	test('accepts only send.type and send.property as routing', () => {
		const field: Field = { displayName: 'Text', name: 'text', type: 'string', default: '' };
		const fields: Field[] = [
			{ ...field, routing: { send: { type: 'body', property: 'text' } } },
			// @ts-expect-error nothing evaluates `value`
			{ ...field, routing: { send: { type: 'body', property: 'text', value: '={{ $value }}' } } },
			// @ts-expect-error nothing calls `preSend`
			{ ...field, routing: { send: { type: 'body', property: 'text', preSend: [] } } },
			// @ts-expect-error nothing reads `output`
			{ ...field, routing: { send: { type: 'body', property: 'text' }, output: {} } },
			// @ts-expect-error nothing reads `request`
			{ ...field, routing: { request: { method: 'GET' } } },
		];

		expect(fields).toHaveLength(5);
	});
});

describe('oncePerRun', () => {
	const itemOf = (run: object) => ({ run }) as { run: Run };

	test('calls its function once for each run and key', () => {
		const calls: string[] = [];
		const find = oncePerRun((_: { run: Run }, ...keys: string[]) => calls.push(keys.join()));
		const [first, second] = [{}, {}];

		for (const run of [first, first, second]) {
			find(itemOf(run));
			find(itemOf(run), 'a', 'b');
			find(itemOf(run), 'a,b');
		}

		expect(calls).toEqual(['', 'a,b', 'a,b', '', 'a,b', 'a,b']);
	});

	test('does not share its results with another function', () => {
		const run = {};
		const one = oncePerRun(() => 1);
		const two = oncePerRun(() => 2);

		expect([one(itemOf(run)), two(itemOf(run)), one(itemOf(run))]).toEqual([1, 2, 1]);
	});
});
