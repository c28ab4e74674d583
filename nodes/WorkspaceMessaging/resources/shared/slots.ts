/** Lets only so many tasks run side by side. The others wait, and begin in the order of the calls. */
export class Slots {
	private readonly waiting: Array<() => void> = [];

	constructor(private free: number) {}

	/** Runs a task as soon as there is a free slot. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free === 0) await new Promise<void>((begin) => this.waiting.push(begin));
		else this.free--;
		try {
			return await work();
		} finally {
			const begin = this.waiting.shift();
			if (begin) begin();
			else this.free++;
		}
	}
}
