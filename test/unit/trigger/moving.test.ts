import { eventNames, runCase } from '../../support/fakes/movingCase';

/*
 * Cases at random, see `movingCase`. More of them: `MOVING_CASES=2000 npx jest --selectProjects unit -- trigger/moving`. One
 * again: `-t 'contactCreated, case 17'`, with as many cases at least.
 */

const numbers = Array.from({ length: Number(process.env.MOVING_CASES ?? 20) }, (_, number) => number);

test.each(eventNames.flatMap((event) => numbers.map((number) => ({ event, number }))))(
	'$event, case $number: each change is found once',
	async ({ event, number }) => {
		const { faults, traits, quiet } = await runCase(event, number);
		expect({ faults, traits }).toEqual({ faults: [], traits });
		// Where the service sorts, a poll without news is two requests.
		if (event.startsWith('contact') && traits.sort.startsWith('kept') && !traits.turns)
			expect(quiet).toBeLessThanOrEqual(2);
	},
);
