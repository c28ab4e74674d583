import { caseCount } from '../../support/cases';
import { playRound } from '../../support/engine/sendOnceRounds';

/** So many rounds at a time: they mostly wait. */
const SIDE_BY_SIDE = 3;

const faces = ['newer', 'reference', 'older'] as const;

test('In random rounds, nobody gets a message twice, and who is in doubt has the second tag', async () => {
	const count = caseCount({ few: 2, many: 100 });
	const rounds = faces.flatMap((service) =>
		Array.from({ length: count }, (_, seed) => ({ service, seed })),
	);
	const problems: string[] = [];
	const playNext = async (): Promise<void> => {
		const round = rounds.shift();
		if (!round) return;
		problems.push(...(await playRound(round.service, round.seed)));
		await playNext();
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, playNext));
	expect(problems).toEqual([]);
}, 7_200_000);
