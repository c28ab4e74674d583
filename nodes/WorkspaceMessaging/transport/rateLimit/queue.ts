/**
 * A queue in which executions take turns, so that one with ten thousand items does not hold up one with a single item.
 * Within an execution, what `goesFirst` is ahead of the rest; else the order is that of arrival.
 */
export class FairQueue<Waiter extends { isPriority: boolean }> {
	/** The waiting of each execution; the execution whose turn is next stands first. */
	private readonly lines = new Map<object, Waiter[]>();

	/** Whether nobody waits. */
	get isEmpty(): boolean {
		return this.lines.size === 0;
	}

	/** Lets one more wait. */
	add(execution: object, waiter: Waiter) {
		const line = this.lines.get(execution) ?? [];
		const behind = waiter.isPriority ? line.findIndex(({ isPriority: goesFirst }) => !goesFirst) : -1;
		line.splice(behind === -1 ? line.length : behind, 0, waiter);
		this.lines.set(execution, line);
	}

	/** Takes out the one whose turn it is; undefined when nobody waits. */
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

	/** Takes out those for which `goes` says so, of all executions, and returns them. */
	remove(goes: (waiter: Waiter, execution: object) => boolean): Waiter[] {
		const gone: Waiter[] = [];
		for (const [execution, line] of this.lines) {
			const staying = line.filter((waiter) => !goes(waiter, execution));
			if (staying.length === line.length) continue;
			gone.push(...line.filter((waiter) => goes(waiter, execution)));
			if (staying.length > 0) this.lines.set(execution, staying);
			else this.lines.delete(execution);
		}
		return gone;
	}
}
