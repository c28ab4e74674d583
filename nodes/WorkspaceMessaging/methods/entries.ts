/** Entries with their IDs behind names that several of them have. */
export function withIds<T extends { name: string; value: unknown }>(entries: Iterable<T>): T[] {
	const all = [...entries];
	const times = new Map<string, number>();
	for (const { name } of all) times.set(name, (times.get(name) ?? 0) + 1);
	return all.map((entry) =>
		times.get(entry.name) === 1 ? entry : { ...entry, name: `${entry.name} – ID ${String(entry.value)}` },
	);
}
