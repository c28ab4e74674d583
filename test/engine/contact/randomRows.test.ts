import { sequenceOf } from '../../../sandbox/faults/random';
import { fromItem } from '../../support/engine/helpers';
import { caseCount, casesOf } from '../../support/cases';
import { testWorkspace } from '../../support/engine/workspace';

const MANY_ROWS = caseCount({ few: 40, many: 200 });

/*
 * Rows as they come out of several systems at once: emails in any case, phone numbers with and
 * without +, some rows with only one of the two, several rows for a person, in a random order. The
 * workspace must look as if somebody had entered them one after the other.
 */

interface Row {
	person: number;
	email: string;
	phone: string;
	first: string;
	last: string;
}

const upsert = {
	resource: 'contact',
	operation: 'upsert',
	email: fromItem('email'),
	phoneNumber: fromItem('phone'),
	additionalFields: { firstName: fromItem('first'), lastName: fromItem('last') },
};

const emailOf = (person: number) => `person${person}@mail.example`;
const phoneOf = (person: number) => `+4915100${10_000 + person}`;

function randomRows(random: () => number, count: number, people: number): Row[] {
	const pick = <T>(...values: T[]) => values[Math.floor(random() * values.length)];
	return Array.from({ length: count }, (_, n) => {
		const person = Math.floor(random() * people);
		const [email, phone] = [emailOf(person), phoneOf(person)];
		const both = {
			email: pick(email, email.toUpperCase(), `P${email.slice(1)}`),
			phone: pick(phone, phone.slice(1)),
		};
		const one = pick<Partial<Row>>({}, {}, { email: '' }, { phone: '' });
		return { person, ...both, ...one, first: pick('', `First${n}`), last: pick('', `Last${n}`) };
	});
}

/**
 * What somebody would have who enters the rows by hand: by person, the names. A new person needs
 * both email and phone.
 */
function enteredByHand(
	rows: Row[],
	existing: number[],
): Map<number, { first: string; last: string }> {
	const people = new Map(existing.map((person) => [person, { first: '', last: '' }]));
	for (const { person, email, phone, first, last } of rows) {
		const known = people.get(person);
		if (known) people.set(person, { first: first || known.first, last: last || known.last });
		else if (email && phone) people.set(person, { first, last });
	}
	return people;
}

describe.each(['reference', 'newer'] as const)(
	'Create or Update of random rows on the %s service',
	(service) => {
		test.each(casesOf([5, 19, MANY_ROWS], [1, 2, 12]))(
			'leaves what a person would have entered: %d rows',
			async (count) => {
				for (const seed of count > 19 ? [1] : casesOf([1], [2])) {
					const random = sequenceOf(seed * 1000 + count);
					const people = Math.max(2, Math.ceil(count / 4));
					const rows = randomRows(random, count, people);
					const existing = Array.from({ length: people }, (_, person) => person).filter(
						() => random() < 0.6,
					);
					const { run, workspace } = await testWorkspace({ contacts: 0, service });
					await workspace.addContacts(
						existing.map((person) => ({
							email: random() < 0.5 ? emailOf(person) : emailOf(person).toUpperCase(),
							phoneNumber: phoneOf(person),
						})),
					);
					await workspace.faults({ latencyMs: [0, 5] });
					const { error } = await run(upsert, rows as never[], {
						onError: 'continueRegularOutput',
					});
					expect(error).toBeUndefined();
					await workspace.faults({ latencyMs: null });
					const shown = (person: number, first: string, last: string) =>
						`${person} ${first || '-'} ${last || '-'}`;
					const { contacts } = await workspace.state();
					const expected = [...enteredByHand(rows, existing)].map(([person, { first, last }]) =>
						shown(person, first, last),
					);
					const personOf = (email: string) => Number(/\d+/.exec(email)?.[0]);
					expect(
						contacts
							.map(({ email, firstName, lastName }) =>
								shown(personOf(String(email)), firstName ?? '', lastName ?? ''),
							)
							.sort(),
					).toEqual(expected.sort());
				}
			},
		);
	},
);
