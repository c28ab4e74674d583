import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import {
	askServerConditions,
	toServerFilter,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/serverConditions';
import { readFilterFields } from '../../../../nodes/WorkspaceMessaging/service/capabilities';
import type {
	Condition,
	ConditionSet,
} from '../../../../nodes/WorkspaceMessaging/contacts/conditions/condition';

/*
 * Services that say by what they filter in a form that nobody knows: then it is as if they did not
 * say it.
 */

const clock = { now: 0, timezone: 'UTC' };
const conditions = (...all: Condition[]): ConditionSet => ({
	match: 'all',
	conditions: all,
	clock,
});
const sequence: Condition = { field: 'sequences', type: 'list', operator: 'in', values: ['1'] };
const tag: Condition = { field: 'tags', type: 'list', operator: 'in', values: ['1'] };
const plan: Condition = {
	field: { customFieldId: '7' },
	type: 'text',
	operator: 'eq',
	values: ['pro'],
};

test.each([
	[null],
	['none'],
	[{}],
	[{ staticFields: null, customFields: null }],
	[{ staticFields: {}, customFields: {} }],
	[{ staticFields: [null, 'tags'], customFields: [null, 7] }],
	[
		{
			staticFields: [
				{ field: 'tags', operators: {} },
				{ field: 'subscribedToDripCampaign', operators: 'in' },
			],
		},
	],
])(
	'toServerFilter adds no condition that the service may not know, after the answer %j',
	async (answer) => {
		const service = { service: new Service(), request: async () => answer };
		const fields = await readFilterFields(service);
		expect(toServerFilter(conditions(sequence, tag, plan), fields)).toBeUndefined();
		await expect(askServerConditions(service, conditions(sequence))).rejects.toThrow(
			"This service can't filter contacts by Sequence",
		);
	},
);

test('A filter of the service includes the first and the last moment of a range, because services have no "or the same"', async () => {
	const field = 'lastInteraction';
	const answer = { staticFields: [{ field, operators: ['gt', 'lt'] }], customFields: [] };
	const service = { service: new Service(), request: async () => answer };
	const fields = await readFilterFields(service);
	const day: Condition = { field, type: 'date', operator: 'eq', values: ['2026-03-01'] };
	expect(toServerFilter(conditions(day), fields)).toEqual({
		operator: 'and',
		conditions: [
			{ field, operator: 'gt', value: '2026-02-28T23:59:59.999Z' },
			{ field, operator: 'lt', value: '2026-03-02T00:00:00.000Z' },
		],
	});
});
