import { by, fromItem, received } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';

const read = {
	resource: 'contact',
	operation: 'get',
	identifier: by('id', fromItem('id')),
	simplify: false,
};

test('Execute Once sends what the first item asks for, and links the output to it', async () => {
	const { workspace, run } = await testWorkspace({ contacts: 3 });
	const { contacts } = await workspace.state();
	const { outputs, error } = await run(
		read,
		contacts.map(({ id }) => ({ id })),
		{ executeOnce: true },
	);
	expect(error).toBeUndefined();
	expect(outputs[0]).toEqual([
		{ json: expect.objectContaining({ id: contacts[0].id }), pairedItem: { item: 0 } },
	]);
	expect(await received(workspace)).toHaveLength(1);
});

describe('a hint at the output', () => {
	const hintsOf = async (faults: object, requestsPerMinute = 1_000_000) => {
		const { workspace, run } = await testWorkspace({ contacts: 3 });
		const items = (await workspace.state()).contacts.map(({ id }) => ({ id }));
		await workspace.faults(faults);
		const credential = { baseUrl: workspace.url, accessToken: workspace.token, requestsPerMinute };
		const { hints, error } = await run(read, items, { credential });
		expect(error).toBeUndefined();
		return hints;
	};

	test('says how much was repeated', async () => {
		expect(await hintsOf({ fail: [{ status: 503, times: 2 }] })).toEqual([
			'This run repeated 2 requests that had failed.',
		]);
	});

	test('says how often the service asked to slow down, and for how long that took', async () => {
		const fail = { status: 429, times: 1, headers: { 'retry-after': '2' } };
		const [hint] = await hintsOf({ fail: [fail] });
		expect(hint).toMatch(/^This run (waited \d s .*, )?was asked 1 time by the service to slow down\.$/);
	});

	test('is not there when all went well', async () => {
		expect(await hintsOf({})).toEqual([]);
	});
});

test('a run that stops says what it had to go through', async () => {
	const { run } = await testWorkspace({
		faults: {
			fail: [
				{ status: 503, times: 1 },
				{ status: 403, message: 'No' },
			],
		},
	});
	const { error } = await run({ resource: 'tag', operation: 'getAll' });
	expect(error?.description?.split('\n')).toContain('This run repeated 1 request that had failed.');
});
