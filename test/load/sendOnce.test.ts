import { execute, findBroken, peopleOf } from '../support/engine/sendOnceRounds';
import { testWorkspace } from '../support/engine/workspace';

const CONTACTS = 2000;
const MOST_IN_DOUBT = 100;

test.each(['newer', 'reference'] as const)(
	'Of 2,000 contacts of a %s service that loses answers, nobody gets a message twice although n8n is killed, and who has none has the second tag',
	async (service) => {
		const test = await testWorkspace({ contacts: CONTACTS, service });
		const { contacts } = await test.workspace.state();
		const rows = contacts.map(({ id }) => ({ contact: `id:${id}`, text: 'Hello' }));
		const list = { rows, onError: 'continueRegularOutput' as const };
		await test.workspace.faults({ rateLimit: null });
		await execute(test, [list], { after: 2000, reachesService: true });
		const killed = await peopleOf(test);
		expect(findBroken(killed)).toEqual([]);
		expect(killed.filter(({ mark }) => mark === 'sent').length).toBeGreaterThan(0);
		const inDoubt = killed.filter(({ mark }) => mark === 'sending').length;
		expect(inDoubt).toBeLessThanOrEqual(MOST_IN_DOUBT);
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
