import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../../sandbox/client';
import { caseCount } from '../../../support/cases';
import { loadInstantTrigger, type InstantHost } from '../../../support/engine/instantHost';
import { called, writeNote } from '../../../support/engine/instantSupport';
import { clock, passTime, setClock, skipPauses } from '../../../support/engine/skipPauses';

/*
 * Random histories of Message Received at once, on two processes of n8n: two contacts write several
 * messages, some are stored after the call, calls come twice or side by side or are missed, readings
 * fail, questions are open, and processes start again. What starts the workflow is compared with what
 * was written. With Group Messages, there is a call for each message while the contact goes on
 * writing.
 */

const SEEDS = Array.from({ length: caseCount({ few: 1, many: 15 }) }, (_, seed) => seed);
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
			gap: fc.oneof({ weight: 5, arbitrary: fc.nat(2000) }, fc.nat(9000)),
			late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 8 })),
		}),
		{ maxLength: 3 },
	),
	/** The processes that are called, for one message after the other in groups; none if n8n misses the call. */
	calls: fc.array(fc.nat(1), { maxLength: 3 }),
	isSideBySide: fc.boolean(),
	fault: fc.oneof(
		{ weight: 3, arbitrary: fc.constant(undefined) },
		fc.constantFrom(...(Object.keys(faults) as Array<keyof typeof faults>)),
	),
	/** The process that starts again before, in groups after the first message; most often none. */
	restart: fc.nat(40),
	/** Whether the contact gets a question before, or the open one is over. */
	question: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, fc.boolean()),
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
	/** What came later waits since then for the end of a question or of a failure. */
	heldFrom = Infinity;
}

/** The calls of one process in a step, and what the service showed to it. */
interface Calls {
	begin: number;
	times: number[];
	due: Written[];
}

/** Returns the texts of the messages in items, one by one. */
const textsOf = (items: IDataObject[]): string[] =>
	items.flatMap((item) => {
		const messages = (item.messages ?? [item]) as IDataObject[];
		return messages.map(({ text }) => String(text));
	});

/** What two processes have loaded, for all histories: no history knows the contacts of another one. */
const loaded = [loadInstantTrigger(), loadInstantTrigger()];

class Process {
	seen = [new Seen(), new Seen()];

	constructor(
		public host: InstantHost,
		index: number,
	) {
		host.trigger = loaded[index];
	}

	/** Calls that wait start nothing any more. */
	restart() {
		this.host = this.host.sibling();
		this.host.trigger = loadInstantTrigger();
		this.seen = [new Seen(), new Seen()];
	}
}

class History {
	/** What the service shows of each contact. */
	private readonly stored: Written[][] = [[], []];
	/** Since when each contact has an open question. */
	private readonly askedAt: Array<number | undefined> = [undefined, undefined];
	private count = 0;

	private constructor(
		private readonly workspace: SandboxWorkspace,
		private readonly ids: string[],
		private readonly query: IDataObject,
		private readonly processes: Process[],
		/** How long contacts are quiet at the end of a group; 0 without groups. */
		private readonly quietMs: number,
	) {}

	/** Plays a history; `ages` are those of messages from before it, in milliseconds. */
	static async play(
		steps: Step[],
		ages: number[],
		maxPerPage: number,
		seconds: number,
	): Promise<void> {
		const options = { groupMessages: seconds };
		const { workspace, id, host, query } = await called({ ...event, options });
		const [ben] = await workspace.addContacts([{ firstName: 'Ben' }]);
		await workspace.faults({ maxPerPage });
		const processes = [host, host.sibling()].map((each, index) => new Process(each, index));
		const history = new History(workspace, [id, ben.id], query, processes, seconds * 1000);
		const begin = clock();
		for (const age of ages.toSorted((a, b) => b - a)) {
			const message = { text: `From before, ${history.count++}`, at: begin - age };
			await history.store(history.count % 2, message);
		}
		for (const each of steps) await history.live(each);
	}

	private async live(now: Step): Promise<void> {
		setClock(clock() + now.wait);
		await this.ask(now);
		if (this.quietMs > 0) await this.writeInGroups(now);
		else await this.writeAndCall(now);
		await this.workspace.faults({ fail: null });
	}

	/** Notes that a contact has an open question, or has none any more. */
	private async ask({ who, question }: Step) {
		if (question === undefined) return;
		const at = question ? clock() : undefined;
		const note = { question: 'q', others: [], answers: {} };
		const open = at && { until: at + 30 * HOUR, askedAfter: at };
		await writeNote(this.workspace, this.ids[who], { ...note, ...open });
		this.askedAt[who] = at;
	}

	/** The contact writes several messages, and the calls come after that. */
	private async writeAndCall(now: Step): Promise<void> {
		const { workspace, processes } = this;
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
			passTime(LOOK_AGAIN_EVERY_MS);
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

	/** A call comes for each message, while the contact goes on writing. */
	private async writeInGroups(now: Step): Promise<void> {
		const { who, fault, restart } = now;
		if (fault) await this.workspace.faults({ fail: [faults[fault]] });
		for (const { host } of this.processes) host.executions = [];
		const calls = new Map<number, Calls>();
		const running = new Set<Promise<unknown>>();
		const events: Array<{ at: number; happen: () => unknown }> = [];
		let at = clock();
		for (const [index, { gap, late }] of now.written.entries()) {
			at += gap;
			const message = { text: `Text ${this.count++}`, at };
			const storedAt = at + late * LOOK_AGAIN_EVERY_MS;
			events.push({ at: storedAt, happen: async () => await this.store(who, message) });
			const process = now.calls[index % now.calls.length];
			const call = () => this.beginCall(who, process, calls, running);
			if (process !== undefined) events.push({ at, happen: call });
			const dies = index === 0 ? this.processes[restart] : undefined;
			const die = () => {
				dies?.restart();
				calls.delete(restart);
			};
			if (dies) events.push({ at, happen: die });
		}
		events.sort((a, b) => a.at - b.at);
		/** One thing after the other, as time passes for calls that wait. */
		let turn = Promise.resolve();
		const goOn = async () =>
			await (turn = turn.then(async () => {
				while (events[0]?.at <= clock()) {
					await events.shift()!.happen();
					// A call joins another one before it waits for anything.
					await new Promise((resolve) => setImmediate(resolve));
				}
			}));
		const stop = skipPauses(LOOK_AGAIN_EVERY_MS, async () => {
			passTime(LOOK_AGAIN_EVERY_MS);
			await goOn();
		});
		try {
			while (events.length > 0 || running.size > 0) {
				if (running.size > 0) await Promise.race(running);
				else setClock(events[0].at);
				await goOn();
			}
		} finally {
			stop();
		}
		for (const [index, each] of calls) this.checkGroups(now, index, each);
	}

	/** The service calls a process, which answers at once or waits for more calls. */
	private beginCall(
		who: number,
		index: number,
		calls: Map<number, Calls>,
		running: Set<Promise<unknown>>,
	) {
		const earlier = calls.get(index);
		const begin = earlier?.begin ?? clock();
		const times = [...(earlier?.times ?? []), clock()];
		calls.set(index, { begin, times, due: [...this.stored[who]] });
		const body = this.makeCall(who);
		const call = this.processes[index].host.call(this.query, body).then((answer) => {
			running.delete(call);
			expect(answer).toEqual({ status: 200, body: '' });
		});
		running.add(call);
	}

	private makeCall(who: number) {
		const { eventName } = event;
		return { event: eventName, contact: { id: this.ids[who] }, custom_fields: [], tags: [] };
	}

	/** Checks what the calls of a process started. */
	private checkGroups(step: Step, index: number, { begin, times, due }: Calls) {
		const { who, fault, written } = step;
		const { host, seen } = this.processes[index];
		const read = host.executions.filter(([item]) => item.messageRead);
		const fails = this.fails(who, fault);
		const isOneGroup = times.every(
			(at, place) => at - (times[place - 1] ?? at) < this.quietMs - 1500,
		);
		const isLate = written.some(({ late }) => late > 0);
		if (isOneGroup && !isLate) expect(host.executions.length).toBeLessThanOrEqual(1);
		for (const items of read) expect(items).toHaveLength(1);
		if (fails) expect(read).toEqual([]);
		this.check(who, seen[who], read, { begin, due: fails ? [] : due });
		if (fails) this.holdBack(step, seen[who]);
	}

	/** Whether nothing can be read, or must start the workflow. */
	private fails(who: number, fault: Step['fault']): boolean {
		return this.askedAt[who] !== undefined || (fault !== undefined && fault !== 'once');
	}

	/** What a process could not return comes with a later call. */
	private holdBack({ who, fault }: Step, seen: Seen) {
		const askedAt = fault === 'contact' ? undefined : this.askedAt[who];
		seen.heldFrom = Math.min(seen.heldFrom, askedAt ?? Infinity, clock() - 5 * MINUTE);
	}

	private async store(who: number, { text, at }: Written) {
		await this.workspace.write(`id:${this.ids[who]}`, { text, at: new Date(at).toISOString() });
		this.stored[who].push({ text, at });
	}

	/** The service calls processes at once; checks what each of them returns. */
	private async call(step: Step, called: number[]): Promise<void> {
		const { who, fault } = step;
		const id = this.ids[who];
		const body = this.makeCall(who);
		const begin = clock();
		const before = [...this.stored[who]];
		for (const { host } of this.processes) host.executions = [];
		const answers = await Promise.all(
			called.map(async (each) => await this.processes[each].host.call(this.query, body)),
		);
		for (const answer of answers) expect(answer).toEqual({ status: 200, body: '' });
		const fails = this.fails(who, fault);
		// Without the contact, nobody knows of a question.
		const startsUnread = fault === 'contact' || (fails && this.askedAt[who] === undefined);
		for (const [index, { host, seen }] of this.processes.entries()) {
			const read = host.executions.filter(([item]) => item.messageRead);
			const unread = host.executions.filter(([item]) => !item.messageRead);
			const isCalled = called.filter((each) => each === index);
			expect(unread).toHaveLength(startsUnread ? isCalled.length : 0);
			for (const items of unread)
				expect(items).toMatchObject([{ sessionId: id, messageId: '', text: '' }]);
			// A little less, for the clocks run on by themselves.
			const findsNothing = isCalled.length > 0 && host.executions.length === 0 && !fails;
			if (findsNothing) expect(clock() - begin).toBeGreaterThan(LOOK_AGAIN_FOR_MS - 100);
			const isOneProcess = new Set(called).size === 1;
			const due = isOneProcess ? this.stored[who] : before;
			this.check(who, seen[who], read, { begin, due: fails || isCalled.length === 0 ? [] : due });
			if (fails && isCalled.length > 0) this.holdBack(step, seen[who]);
		}
	}

	/**
	 * Checks the executions of one process.
	 *
	 * @param due what the service showed to it
	 */
	private check(
		who: number,
		{ returned, skipped, heldFrom }: Seen,
		executions: IDataObject[][],
		{ begin, due }: { begin: number; due: Written[] },
	) {
		const isFirst = returned.size === 0;
		const all = new Map(this.stored[who].map((message) => [message.text, message]));
		const timesOf = (items: IDataObject[]) => textsOf(items).map((text) => all.get(text)!.at);
		for (const items of executions) {
			expect(items.filter(({ sessionId }) => sessionId !== this.ids[who])).toEqual([]);
			expect(textsOf(items).filter((text) => !all.has(text))).toEqual([]);
			const times = timesOf(items);
			expect(times).toEqual(times.toSorted((a, b) => a - b));
		}
		const texts = textsOf(executions.flat());
		expect([...returned, ...texts].toSorted()).toEqual(
			[...new Set([...returned, ...texts])].toSorted(),
		);
		for (const text of texts) returned.add(text);

		// With nothing remembered, the newest, those of the five minutes before, nothing above an hour.
		const [first] = isFirst ? executions : [];
		const newest = first ? Math.max(...timesOf(first)) : 0;
		if (first)
			expect(Math.min(...timesOf(first))).toBeGreaterThanOrEqual(
				Math.min(Math.max(newest - 5 * MINUTE, begin - HOUR), heldFrom - MINUTE),
			);
		for (const { text, at } of due) {
			// The clock runs on while the trigger reads.
			const isTooOld = at <= heldFrom && (at < clock() - HOUR || at < newest - 5 * MINUTE);
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
				fc.constantFrom(0, 2, 8),
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
