import { caseCount } from '../../support/cases';
import { eventNames, runCase } from '../../support/fakes/movingCase';

/*
 * Random cases, see `movingCase`. To run one of them again, add `-t 'contactCreated: random case
 * 17'`, and set `ALL=true` if its number is above 1.
 */

const numbers = Array.from({ length: caseCount({ few: 2, many: 20 }) }, (_, number) => number);

test.each(eventNames.flatMap((event) => numbers.map((number) => ({ event, number }))))(
	'$event: random case $number emits each change once',
	async ({ event, number }) => {
		const { faults, traits, quietRequests } = await runCase(event, number);
		expect({ faults, traits }).toEqual({ faults: [], traits });
		// On a service that sorts, a poll without news takes two requests.
		if (event.startsWith('contact') && traits.sort.startsWith('kept') && !traits.turns)
			expect(quietRequests).toBeLessThanOrEqual(2);
	},
);
