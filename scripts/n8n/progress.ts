const REMIND_AFTER_MS = 15_000;

const elapsed = (since: number) => `${Math.round((Date.now() - since) / 1000)} s`;

/**
 * Does one step of something that may take minutes, and says on stderr what it is, that it still
 * goes on, and how long it took.
 */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
	const start = Date.now();
	process.stderr.write(`• ${name} …\n`);
	const reminder = setInterval(
		() => process.stderr.write(`  … ${elapsed(start)}\n`),
		REMIND_AFTER_MS,
	);
	try {
		const result = await work();
		process.stderr.write(`  done in ${elapsed(start)}\n`);
		return result;
	} catch (error) {
		process.stderr.write(`  failed after ${elapsed(start)}\n`);
		throw error;
	} finally {
		clearInterval(reminder);
	}
}
