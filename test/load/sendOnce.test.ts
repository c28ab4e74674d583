import { execute, faces, findBroken, peopleOf } from '../support/engine/sendOnceRounds';
import { testWorkspace } from '../support/engine/workspace';

const CONTACTS = 2000;

/** A workspace of a service without a limit, and a list of all its contacts. */
async function withList(face: keyof typeof faces) {
	const test = await testWorkspace({ contacts: CONTACTS, ...faces[face] });
	const { contacts } = await test.workspace.state();
	const rows = contacts.map(({ id }) => ({ contact: `id:${id}`, text: 'Hello' }));
	await test.workspace.faults({ rateLimit: null });
	return { test, list: { rows, onError: 'continueRegularOutput' as const } };
}

test.each([
	['newest', 200],
	['reference', 100],
] as const)(
	'Of 2,000 contacts of a %s service that loses answers, nobody gets a message twice although n8n is killed, and who has none has the second tag, at most %i after the kill',
	async (face, mostInDoubt) => {
		const { test, list } = await withList(face);
		await execute(test, [list], { after: 1000, reachesService: true });
		const killed = await peopleOf(test);
		expect(findBroken(killed)).toEqual([]);
		expect(killed.filter(({ mark }) => mark === 'sent').length).toBeGreaterThan(0);
		const inDoubt = killed.filter(({ mark }) => mark === 'sending').length;
		expect(inDoubt).toBeLessThanOrEqual(mostInDoubt);
		await test.workspace.faults({ dropAfter: { rate: 0.2 } });
		const [{ json, hints }] = await execute(test, [list]);
		const people = await peopleOf(test);
		expect(findBroken(people)).toEqual([]);
		expect(people.filter(({ mark }) => mark === 'none')).toEqual([]);
		const got = killed.filter(({ mark }) => mark === 'sent').length;
		expect(json.filter(({ reason }) => reason === 'sentBefore')).toHaveLength(got);
		expect(json.filter(({ reason }) => reason === 'unknown')).toHaveLength(inDoubt);
		expect(hints.join()).toContain('Send Once passed over');
	},
	900_000,
);

test('2,000 contacts of a newest service take about one request each', async () => {
	const { test, list } = await withList('newest');
	await execute(test, [list]);
	const { byOperation } = await test.workspace.summary();
	const requests = Object.values(byOperation).reduce((sum, each) => sum + each, 0);
	expect(byOperation).toMatchObject({ sendMessage: 2000, bulkAddTags: 20, bulkRemoveTags: 20 });
	expect(requests).toBeLessThan(2100);
}, 300_000);
