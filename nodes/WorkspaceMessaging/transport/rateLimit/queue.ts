/**
 * A queue in which executions take turns, so that one with ten thousand items does not hold up one with a single item.
 * Within an execution, `isPriority` goes ahead of the rest; otherwise first come, first served.
 */
export class FairQueue<Waiter extends { isPriority: boolean }> {
	/** The waiters of each execution; the execution whose turn is next comes first. */
	private readonly lines = new Map<object, Waiter[]>();

	/** Whether nobody waits. */
	get isEmpty(): boolean {
		return this.lines.size === 0;
	}

	/** Adds a waiter. */
	add(execution: object, waiter: Waiter) {
		const line = this.lines.get(execution) ?? [];
		const behind = waiter.isPriority ? line.findIndex(({ isPriority }) => !isPriority) : -1;
		line.splice(behind === -1 ? line.length : behind, 0, waiter);
		this.lines.set(execution, line);
	}

	/** Removes and returns the waiter whose turn it is; undefined if nobody waits. */
	next(): Waiter | undefined {
		const [turn] = this.lines;
		if (turn === undefined) return undefined;
		const [execution, line] = turn;
		const waiter = line.shift();
		// To the end, so that the next execution has its turn.
		this.lines.delete(execution);
		if (line.length > 0) this.lines.set(execution, line);
		return waiter;
	}

	/** Removes and returns the waiters of all executions that a predicate accepts. */
	remove(isGone: (waiter: Waiter, execution: object) => boolean): Waiter[] {
		const gone: Waiter[] = [];
		for (const [execution, line] of this.lines) {
			const staying = line.filter((waiter) => !isGone(waiter, execution));
			if (staying.length === line.length) continue;
			gone.push(...line.filter((waiter) => isGone(waiter, execution)));
			if (staying.length > 0) this.lines.set(execution, staying);
			else this.lines.delete(execution);
		}
		return gone;
	}
}
