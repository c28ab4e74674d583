import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';
import type { Item } from '../../../nodes/WorkspaceMessaging/run/item';
import { defineOperation, type Field } from '../../../nodes/WorkspaceMessaging/run/operation';
import type { Run } from '../../../nodes/WorkspaceMessaging/run/run';

/*
 * What must not compile. `npm run typecheck` reads this file, and fails if a line after
 * `@ts-expect-error` has no error; Jest runs nothing of it.
 */

const operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a tag',
	description: 'Create a tag',
	endpoint: tagApi.createTag,
	fields: [],
	output: tagApi.createTag.response,
};

defineOperation({
	...operation,
	validate: ({ body }) => void body.name,
});

defineOperation({
	...operation,
	// @ts-expect-error The schema of the body has no such key.
	validate: ({ body }) => void body.title,
});

const field = { displayName: 'Name', name: 'name', type: 'string', default: '' } as const;

export const fields: Field[] = [
	{ ...field, routing: { send: { type: 'body', property: 'name' } } },
	// @ts-expect-error n8n's declarative loop, which reads `value`, does not run operations.
	{ ...field, routing: { send: { type: 'body', property: 'name', value: '={{ $value }}' } } },
	// @ts-expect-error The same is true of `preSend`.
	{ ...field, routing: { send: { type: 'body', property: 'name', preSend: [] } } },
	// @ts-expect-error The same is true of `request`.
	{ ...field, routing: { send: { type: 'body', property: 'name' }, request: { method: 'POST' } } },
	// @ts-expect-error A request has no header that a field could fill.
	{ ...field, routing: { send: { type: 'header', property: 'name' } } },
];

/** Only an item changes itself; what happens to it are calls, such as `refuse`. */
export function changeItem(item: Item, run: Run): void {
	// @ts-expect-error `accept` takes the request.
	item.params = {};
	// @ts-expect-error The same is true of `query`.
	item.query = {};
	// @ts-expect-error The same is true of `body`.
	item.body = {};
	// @ts-expect-error `refuse` takes the problem.
	item.problem = new Error('Not valid');
	// @ts-expect-error `end` takes the outcome.
	item.outcome = 'done';
	// @ts-expect-error The items of a run are as unchangeable.
	run.items[0].outcome = 'done';
}
