import { caseCount } from '../../support/cases';
import { faces, playRound, type Face } from '../../support/engine/sendOnceRounds';

/** So many rounds at a time: they mostly wait. */
const SIDE_BY_SIDE = 3;

test('In random rounds, nobody gets a message twice, and who is in doubt has the second tag', async () => {
	const count = caseCount({ few: 1, many: 100 });
	const names = Object.keys(faces) as Face[];
	const rounds = names.flatMap((face) =>
		Array.from({ length: count }, (_, seed) => ({ face, seed })),
	);
	const problems: string[] = [];
	const playNext = async (): Promise<void> => {
		const round = rounds.shift();
		if (!round) return;
		problems.push(...(await playRound(round.face, round.seed)));
		await playNext();
	};
	await Promise.all(Array.from({ length: SIDE_BY_SIDE }, playNext));
	expect(problems).toEqual([]);
}, 7_200_000);
