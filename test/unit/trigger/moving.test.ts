import { eventNames, runCase } from '../../support/fakes/movingCase';

/*
 * Random cases, see `movingCase`. To run more: `MOVING_CASES=2000 npx jest --selectProjects unit -- trigger/moving`. To run
 * one again, add `-t 'contactCreated: random case 17'`; MOVING_CASES has to be above its number.
 */

const numbers = Array.from({ length: Number(process.env.MOVING_CASES ?? 20) }, (_, number) => number);

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
