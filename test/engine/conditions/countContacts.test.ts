import type { INodeParameters } from 'n8n-workflow';
import { received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames } from '../../../sandbox/services/names';

const count = (parameters: INodeParameters = {}) => ({
	resource: 'contact',
	operation: 'count',
	...parameters,
});
const faces = serviceNames.map((service) => [service] as const);

test.each(faces)(
	'contacts of a %s service, all, by keyword, by conditions and by channel',
	async (service) => {
		const { workspace, run } = await testWorkspace({ service, contacts: 0 });
		const { tags, channels } = await workspace.state();
		await workspace.addContacts(
			Array.from({ length: 130 }, (_, index) => ({
				firstName: index < 3 ? 'Ann' : 'Bob',
				lastName: 'Lee',
				tagIds: index % 2 ? [tags[0].id] : [],
				inboxIds: index < 7 ? [channels[0].id] : [],
			})),
		);
		const counted = async (parameters?: INodeParameters) => {
			const { json, error } = await run(count(parameters));
			expect(error).toBeUndefined();
			return json;
		};
		expect(await counted()).toEqual([{ count: 130 }]);
		expect(await counted({ filters: { keyword: 'Ann' } })).toEqual([{ count: 3 }]);
		expect(await counted({ filters: { keyword: 'Ann Lee' } })).toEqual([{ count: 3 }]);
		expect(await counted({ filters: { inboxIds: [channels[0].id] } })).toEqual([{ count: 7 }]);
		const conditions = { tags: [{ listOperator: 'in', tagIds: [tags[0].id] }] };
		expect(await counted({ conditions })).toEqual([{ count: 65 }]);
		const texts = [{ field: 'firstName', textOperator: 'eq', text: 'nobody' }];
		expect(await counted({ conditions: { texts } })).toEqual([{ count: 0 }]);
	},
);

test.each([
	[100, 1, 'is asked for'],
	[99, 4, 'is not believed'],
])('a count that is capped at %d takes %d requests: it %s', async (countCap, requests) => {
	const { workspace, run } = await testWorkspace({ service: 'newer', contacts: 100, countCap });
	expect((await run(count())).json).toEqual([{ count: 100 }]);
	expect((await received(workspace)).length).toBeGreaterThanOrEqual(requests);
	if (requests === 1) expect(await received(workspace)).toHaveLength(1);
});

test('a filter that is not applied is not counted by', async () => {
	const { run } = await testWorkspace({ service: 'older', contacts: 3 });
	const contactFilter = '{"operator":"and","conditions":[{"field":"email","operator":"isEmpty"}]}';
	const { json, error } = await run(count({ filters: { contactFilter } }));
	expect(json).toEqual([]);
	expect(error?.message).toContain('ignores Contact Filter');
});
