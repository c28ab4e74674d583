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

/** Does the work of many in blocks: for all who are ready when a block can begin, if it has room. */
export class Blocks<Member> {
	private readonly slots: Slots;

	/** The block that the next member joins. */
	private next?: { members: Member[]; ended: Promise<void> };

	/**
	 * @param size how many members a block has at most
	 * @param sideBySide how many blocks are under way at most
	 */
	constructor(
		private readonly size: number,
		sideBySide: number,
		private readonly work: (members: Member[]) => Promise<void>,
	) {
		this.slots = new Slots(sideBySide);
	}

	/** Adds a member to the next block. Ends with that block. */
	async run(member: Member): Promise<void> {
		this.next ??= this.open();
		const { members, ended } = this.next;
		members.push(member);
		if (members.length === this.size) this.next = undefined;
		await ended;
	}

	private open() {
		const members: Member[] = [];
		const ended = this.slots.run(async () => {
			// Those who are ready at the same time as the first come in, too.
			await Promise.resolve();
			if (this.next?.members === members) this.next = undefined;
			await this.work(members);
		});
		return { members, ended };
	}
}
