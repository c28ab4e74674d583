import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../../sandbox/client';
import { caseCount } from '../../../support/cases';
import { loadInstantTrigger, type InstantHost } from '../../../support/engine/instantHost';
import { called } from '../../../support/engine/instantSupport';
import { clock, setClock, skipPauses } from '../../../support/engine/skipPauses';

/*
 * Random histories of Message Received at once, on two processes of n8n: two contacts write several
 * messages, some are stored after the call, calls come twice or side by side or are missed, readings
 * fail, and processes start again. What starts the workflow is compared with what was written.
 */

const SEEDS = Array.from({ length: caseCount({ few: 1, many: 10 }) }, (_, seed) => seed);
const PER_SEED = caseCount({ few: 6, many: 20 });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LOOK_AGAIN_EVERY_MS = 500;
const LOOK_AGAIN_FOR_MS = 3000;

const event = {
	event: 'messageReceivedAtOnce',
	eventName: 'contact_wrote',
	inboxIds: [],
	conditions: {},
	options: {},
};

/** How the service fails; with `times`, only so often, and n8n's next try succeeds. */
const faults = {
	contact: { status: 403, match: { operation: 'getContact' } },
	messages: { status: 400, match: { pathPattern: '/messages' } },
	once: { status: 503, times: 1 },
} as const;

/** A contact writes, and the service calls. */
const step = fc.record({
	who: fc.nat(1),
	/** What passes before, in milliseconds. */
	wait: fc.oneof(
		{ weight: 6, arbitrary: fc.nat(10_000) },
		{ weight: 2, arbitrary: fc.nat(8 * MINUTE) },
		{ weight: 1, arbitrary: fc.nat(90 * MINUTE) },
	),
	/** The messages; `gap` is the time after the one before, `late` makes them come after the call. */
	written: fc.array(
		fc.record({
			gap: fc.nat(2000),
			late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
		}),
		{ maxLength: 3 },
	),
	/** The processes that are called; none if n8n misses the call. */
	calls: fc.array(fc.nat(1), { maxLength: 3 }),
	isSideBySide: fc.boolean(),
	fault: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(undefined) },
		fc.constantFrom(...(Object.keys(faults) as Array<keyof typeof faults>)),
	),
	/** The process that starts again before; most often none. */
	restart: fc.nat(40),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Written {
	text: string;
	at: number;
}

/** What a process has done about a contact since it started. */
class Seen {
	readonly returned = new Set<string>();
	/** Too old when the process returned the first messages. */
	readonly skipped = new Set<string>();
}

/** What two processes have loaded, for all histories: no history knows the contacts of another one. */
const loaded = [loadInstantTrigger(), loadInstantTrigger()];

class Process {
	seen = [new Seen(), new Seen()];

	constructor(
		readonly host: InstantHost,
		index: number,
	) {
		host.trigger = loaded[index];
	}

	restart() {
		this.host.trigger = loadInstantTrigger();
		this.seen = [new Seen(), new Seen()];
	}
}

class History {
	/** What the service shows of each contact. */
	private readonly stored: Written[][] = [[], []];
	private count = 0;

	private constructor(
		private readonly workspace: SandboxWorkspace,
		private readonly ids: string[],
		private readonly query: IDataObject,
		private readonly processes: Process[],
	) {}

	/** Plays a history; `ages` are those of messages from before it, in milliseconds. */
	static async play(steps: Step[], ages: number[], maxPerPage: number): Promise<void> {
		const { workspace, id, host, query } = await called(event);
		const [ben] = await workspace.addContacts([{ firstName: 'Ben' }]);
		await workspace.faults({ maxPerPage });
		const processes = [host, host.sibling()].map((each, index) => new Process(each, index));
		const history = new History(workspace, [id, ben.id], query, processes);
		const begin = clock();
		for (const age of ages.toSorted((a, b) => b - a)) {
			const message = { text: `From before, ${history.count++}`, at: begin - age };
			await history.store(history.count % 2, message);
		}
		for (const each of steps) await history.live(each);
	}

	private async live(now: Step): Promise<void> {
		const { workspace, processes } = this;
		setClock(clock() + now.wait);
		processes[now.restart]?.restart();
		const late: Array<Written & { late: number }> = [];
		for (const { gap, late: looks } of now.written) {
			setClock(clock() + gap);
			const message = { text: `Text ${this.count++}`, at: clock() };
			if (looks > 0) late.push({ ...message, late: looks });
			else await this.store(now.who, message);
		}
		if (now.fault) await workspace.faults({ fail: [faults[now.fault]] });
		let looks = 0;
		const stop = skipPauses(LOOK_AGAIN_EVERY_MS, async () => {
			setClock(clock() + LOOK_AGAIN_EVERY_MS);
			looks++;
			for (const message of late.filter((each) => each.late === looks))
				await this.store(now.who, message);
		});
		try {
			if (now.isSideBySide) await this.call(now, now.calls);
			else for (const process of now.calls) await this.call(now, [process]);
		} finally {
			stop();
		}
		await workspace.faults({ fail: null });
		for (const message of late.filter((each) => each.late > looks))
			await this.store(now.who, message);
	}

	private async store(who: number, { text, at }: Written) {
		await this.workspace.write(`id:${this.ids[who]}`, { text, at: new Date(at).toISOString() });
		this.stored[who].push({ text, at });
	}

	/** The service calls processes at once; checks what each of them returns. */
	private async call({ who, fault }: Step, called: number[]): Promise<void> {
		const id = this.ids[who];
		const body = { event: event.eventName, contact: { id }, custom_fields: [], tags: [] };
		const begin = clock();
		const before = [...this.stored[who]];
		for (const { host } of this.processes) host.executions = [];
		const answers = await Promise.all(
			called.map(async (each) => await this.processes[each].host.call(this.query, body)),
		);
		for (const answer of answers) expect(answer).toEqual({ status: 200, body: '' });
		const fails = fault !== undefined && fault !== 'once';
		for (const [index, { host, seen }] of this.processes.entries()) {
			const read = host.executions.filter(([item]) => item.messageRead);
			const unread = host.executions.filter(([item]) => !item.messageRead);
			const isCalled = called.filter((each) => each === index);
			expect(unread).toHaveLength(fails ? isCalled.length : 0);
			for (const items of unread)
				expect(items).toMatchObject([{ sessionId: id, messageId: '', text: '' }]);
			// A little less, for the clocks run on by themselves.
			const findsNothing = isCalled.length > 0 && host.executions.length === 0;
			if (findsNothing) expect(clock() - begin).toBeGreaterThan(LOOK_AGAIN_FOR_MS - 100);
			const isOneProcess = new Set(called).size === 1;
			const due = isOneProcess ? this.stored[who] : before;
			this.check(who, seen[who], read, { begin, due: fails || isCalled.length === 0 ? [] : due });
		}
	}

	/**
	 * Checks the executions of one process.
	 *
	 * @param due what the service showed to it
	 */
	private check(
		who: number,
		{ returned, skipped }: Seen,
		executions: IDataObject[][],
		{ begin, due }: { begin: number; due: Written[] },
	) {
		const isFirst = returned.size === 0;
		const all = new Map(this.stored[who].map((message) => [message.text, message]));
		const timesOf = (items: IDataObject[]) => items.map(({ text }) => all.get(String(text))!.at);
		for (const items of executions) {
			expect(items.filter(({ sessionId }) => sessionId !== this.ids[who])).toEqual([]);
			expect(items.filter(({ text }) => !all.has(String(text)))).toEqual([]);
			const times = timesOf(items);
			expect(times).toEqual(times.toSorted((a, b) => a - b));
		}
		const texts = executions.flat().map(({ text }) => String(text));
		expect([...returned, ...texts].toSorted()).toEqual(
			[...new Set([...returned, ...texts])].toSorted(),
		);
		for (const text of texts) returned.add(text);

		// With nothing remembered, the newest, those of the five minutes before, nothing above an hour.
		const [first] = isFirst ? executions : [];
		const newest = first ? Math.max(...timesOf(first)) : 0;
		if (first)
			expect(Math.min(...timesOf(first))).toBeGreaterThanOrEqual(
				Math.max(newest - 5 * MINUTE, begin - HOUR),
			);
		for (const { text, at } of due) {
			// The clock runs on while the trigger reads.
			const isTooOld = at < clock() - HOUR || at < newest - 5 * MINUTE;
			if (isFirst && isTooOld && first && !returned.has(text)) skipped.add(text);
			const isExpected = !skipped.has(text) && !(isFirst && isTooOld);
			if (isExpected) expect([...returned]).toContain(text);
		}
	}
}

test.each(SEEDS)(
	'Random histories of seed %i return each message that was read once in a process, and none that is too old',
	async (seed) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { minLength: 5, maxLength: 15, size: 'max' }),
				fc.array(fc.oneof(fc.nat(70 * MINUTE), fc.nat(10 * MINUTE)), { maxLength: 8, size: 'max' }),
				fc.constantFrom(2, 50),
				async (...history) => await History.play(...history),
			),
			// A failing history is made shorter for as long as there is time.
			{
				numRuns: PER_SEED,
				seed,
				interruptAfterTimeLimit: 0.8 * TEST_TIMEOUT_MS,
				markInterruptAsFailure: true,
			},
		);
	},
);
