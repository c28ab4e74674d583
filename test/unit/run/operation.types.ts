import { tagApi } from '../../../nodes/WorkspaceMessaging/contract/tag';
import { defineOperation, type Field } from '../../../nodes/WorkspaceMessaging/run/operation';

/*
 * What must not compile. `npm run typecheck` reads this file, and fails if a line after `@ts-expect-error` has no error; Jest
 * runs nothing of it.
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
