import type { INodeParameters } from 'n8n-workflow';
import { caseCount, turnsOf } from '../../support/cases';
import { fromItem, idsOf, received } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { serviceNames } from '../../../sandbox/services/names';

/*
 * Others create and delete contacts while the node reads the list. Each seed decides another
 * history; requests that are sent side by side arrive in any order.
 */

const CONTACTS = 310;

const seeds = Array.from({ length: caseCount({ few: 1, many: 4 }) }, (_, index) => index + 1);

const getMany = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation: 'getAll',
	returnAll: true,
	simplify: false,
	...more,
});

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: fromItem('phone'),
};

/** Conditions that everyone meets. */
const everyone = {
	match: 'any',
	conditions: {
		texts: [
			{ field: 'email', textOperator: 'isNotEmpty' },
			{ field: 'email', textOperator: 'isEmpty' },
		],
	},
};

/**
 * Runs the node while contacts change; returns its output, and the contacts that were there all the
 * time.
 */
async function runWhileChanging(
	service: (typeof serviceNames)[number],
	changeWhilePaging: { seed: number; creates: number; deletes: number },
	parameters: INodeParameters,
) {
	const { workspace, run } = await testWorkspace({ service, contacts: CONTACTS });
	const before = new Set(idsOf((await workspace.state()).contacts));
	await workspace.faults({ changeWhilePaging });
	const { json, hints, error } = await run(parameters);
	expect(error).toBeUndefined();
	const after = idsOf((await workspace.state()).contacts);
	return { json, hints, kept: after.filter((id) => before.has(id)) };
}

describe.each(serviceNames)('While contacts change on a %s service', (service) => {
	test.each([
		['are deleted', 0, 0.15, {}],
		['are created', 0.15, 0, {}],
		['are deleted, and conditions are compared', 0, 0.4, everyone],
	] as const)(
		'Return All lacks nobody if others %s',
		async (_, creates, deletes, more) => {
			for (const seed of seeds) {
				const changes = { seed, creates, deletes };
				const parameters = getMany({ ...more, options: { perPage: 50 } });
				const { json, hints, kept } = await runWhileChanging(service, changes, parameters);
				const ids = idsOf(json);
				// After three readings, the hint says that somebody may be missing.
				if (JSON.stringify(hints).includes('n8n read the list of contacts three times')) continue;
				expect([seed, kept.filter((id) => !ids.includes(id))]).toEqual([seed, []]);
				expect(new Set(ids).size).toBe(ids.length);
			}
		},
		120_000,
	);

	test('a Limit of several pages lacks nobody if others are deleted', async () => {
		for (const seed of seeds) {
			const changes = { seed, creates: 0, deletes: 0.4 };
			const parameters = getMany({ returnAll: false, limit: 300, options: { perPage: 50 } });
			const { json, hints, kept } = await runWhileChanging(service, changes, parameters);
			const ids = idsOf(json);
			// After three readings, the hint says that somebody may be missing.
			if (JSON.stringify(hints).includes('n8n read the list of contacts three times')) continue;
			// Those behind the limit may have come up after the end was read.
			const wanted = [...kept].reverse().slice(0, 300 - (CONTACTS - kept.length));
			expect([seed, wanted.filter((id) => !ids.includes(id))]).toEqual([seed, []]);
		}
	});

	test('Count counts nobody twice when it reads the list again', async () => {
		for (const seed of seeds) {
			const parameters = { resource: 'contact', operation: 'count', ...everyone };
			const changes = { seed, creates: 0, deletes: 0.3 };
			const { json, kept } = await runWhileChanging(service, changes, parameters);
			expect(json[0].count).toBeGreaterThanOrEqual(kept.length);
			expect(json[0].count).toBeLessThanOrEqual(CONTACTS);
		}
	});

	test('Create or Update of new rows searches for nobody if its list was at rest', async () => {
		const { workspace, run } = await testWorkspace({ service, contacts: CONTACTS });
		const rows = Array.from({ length: 40 }, (_, n) => ({
			email: `new${n}@example.com`,
			phone: `+4915100099${100 + n}`,
		}));
		await workspace.clearJournal();
		const { json } = await run(upsert, rows);
		expect(new Set(json.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
		const searches = (await received(workspace)).filter(({ path }) => path.includes('keyword='));
		expect(searches).toEqual([]);
	});

	test('a list that nobody changes takes at most two requests more than it has pages', async () => {
		const { workspace, run } = await testWorkspace({ service, contacts: CONTACTS });
		await run(getMany({ returnAll: false, limit: 1 }));
		await workspace.clearJournal();
		const { json, hints } = await run(getMany({ options: { perPage: 50 } }));
		expect(json).toHaveLength(CONTACTS);
		expect(hints).toEqual([]);
		expect((await workspace.summary()).requests).toBeLessThanOrEqual(Math.ceil(CONTACTS / 50) + 2);
	});
});

const oneService = turnsOf([...serviceNames]);

describe('While contacts change', () => {
	test.each(oneService())(
		'a list of a %s service that never comes to rest has a hint',
		async (service) => {
			const changes = { seed: 1, creates: 1, deletes: 1 };
			const { hints } = await runWhileChanging(
				service,
				changes,
				getMany({ options: { perPage: 20 } }),
			);
			expect(JSON.stringify(hints)).toContain('n8n read the list of contacts three times');
		},
	);

	test.each(oneService())(
		'Create or Update creates nobody on a %s service whom a deletion moved to a page already read',
		async (service) => {
			const { workspace, run } = await testWorkspace({ service, contacts: 0 });
			const people = Array.from({ length: 240 }, (_, n) => ({
				email: `person${n}@example.com`,
				phone: `49151000${10_000 + n}`,
			}));
			// The workspace has the numbers in a form that services do not compare.
			await workspace.addContacts(people.map(({ phone }) => ({ phoneNumber: `00${phone}` })));
			const changes = { seed: 1, creates: 0, deletes: 1, deletesNewest: true, times: 30 };
			await workspace.faults({ changeWhilePaging: changes });
			const rows = people.reverse().slice(40, 115);
			const { error } = await run(
				upsert,
				rows.map(({ email, phone }) => ({ email, phone: `+${phone}` })),
			);
			expect(error).toBeUndefined();
			const { contacts } = await workspace.state();
			const numbers = contacts.map(({ phoneNumber }) =>
				String(phoneNumber).replace(/^(00|\+)/, ''),
			);
			expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
		},
		400_000,
	);
});
