import type { Run } from '../../../nodes/WorkspaceMessaging/run/run';
import { nameRun, toClientId } from '../../../nodes/WorkspaceMessaging/run/idempotency';

test.each([
	['the smallest hash', 0n, '1000000000000000000'],
	['the last hash before the IDs begin again', 2n ** 63n - 10n ** 18n - 1n, '9223372036854775807'],
	['the first hash after it', 2n ** 63n - 10n ** 18n, '1000000000000000000'],
	['the largest hash', 2n ** 64n - 1n, '2999999999999999999'],
])('The ID of a message has 19 digits and is below 2^63: %s', (_, hash, id) => {
	expect(toClientId(hash)).toBe(id);
});

test('Two nodes without IDs, as a sub-workflow in JSON can have, have runs of different names', () => {
	const nameOf = (name: string) => {
		const context = {
			getExecutionId: () => '7',
			getInstanceId: () => 'one',
			getWorkflow: () => ({}),
			getNode: () => ({ name }),
			evaluateExpression: () => 0,
		};
		return nameRun({ context, isToolCall: false } as unknown as Run);
	};
	expect(nameOf('Send')).toBe(nameOf('Send'));
	expect(nameOf('Send')).not.toBe(nameOf('Send again'));
});
