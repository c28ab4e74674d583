/**
 * Returns how many random cases to run: few in `npm test`, many in `npm run test:random`, which sets
 * MANY_CASES.
 */
export const caseCount = ({ few, many }: { few: number; many: number }) =>
	process.env.MANY_CASES === 'true' ? many : few;
