import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';
import { chatWithAnn } from '../../support/engine/chat';
import { clock, setClock } from '../../support/engine/skipPauses';
import { engines, TriggerHost } from '../../support/engine/triggerHost';
import { identifier, people } from '../../support/engine/triggerSupport';
import { limitWait } from '../../support/limitWait';

/*
 * Random histories of questions in the chat while one or two triggers for messages are published:
 * Ann answers, and writes other things on two channels, other contacts write before the same polls,
 * n8n restarts, and runs break. No answer may start a workflow, and every other message must start
 * each workflow once, in an execution of its contact.
 */

const HISTORIES = caseCount({ few: 3, many: 30 });
const PER_TEST = 3;
const MINUTE = 60_000;

type Pick = <T>(...values: T[]) => T;
type Test = Awaited<ReturnType<typeof chatWithAnn>>;

/** Something that a contact wrote, and when by n8n's clock. */
interface Written {
	text: string;
	at: number;
	/** Whether it was an answer; `late` if it was only told as not understood, at the end. */
	taken?: 'answer' | 'late';
}

class History {
	private readonly written: Written[] = [];

	private constructor(
		private readonly test: Test,
		private readonly pick: Pick,
		private readonly inboxIds: string[],
		private readonly others: string[],
		private readonly hosts: TriggerHost[],
	) {}

	static async play(number: number): Promise<void> {
		const random = sequenceOf(number * 6151 + 11);
		const pick: Pick = (...values) => values[Math.floor(random() * values.length)];
		const test = await chatWithAnn({ contacts: 0, service: 'newer' });
		const { workspace } = test;
		const { channels } = await workspace.state();
		const inboxIds = channels.slice(0, 2).map(({ id }) => id);
		await workspace.changeContacts([{ identifier: `id:${test.ann.id}`, changes: { inboxIds } }]);
		const others = (await workspace.addContacts(people(pick(0, 1, 4)))).map(identifier);
		const credential = { baseUrl: workspace.url, accessToken: workspace.token };
		const hosts = pick([1], [1, 2]).map(() => {
			const options = pick({}, { groupMessages: 10 }, { groupMessages: 60 });
			const parameters = { event: 'messageReceived', options };
			return new TriggerHost(credential, parameters, pick(...engines));
		});
		for (const host of hosts) await host.activate();
		await new History(test, pick, inboxIds, others, hosts).play();
	}

	private async play(): Promise<void> {
		await this.happen();
		for (let questions = this.pick(1, 2, 3); questions > 0; questions--) {
			await this.ask();
			if (this.pick(true, false)) await this.walk(clock() + this.pick(1, 5) * MINUTE);
		}
		await this.walk(clock() + 24 * MINUTE);
		// What was written last starts the workflow, too, when no more can follow.
		await this.pollLater(2 * MINUTE);
		await this.pollLater(2 * MINUTE);
		await this.pollUntilQuiet();
		for (const host of this.hosts) this.check(host);
	}

	private check(host: TriggerHost): void {
		const started = host.items.flatMap(({ text }) => String(text).split('\n'));
		const timesOf = (text: string) => started.filter((other) => other === text).length;
		const times = this.written.map(({ text, taken }) => ({ text, taken, times: timesOf(text) }));
		const wrong = times.filter((each) => {
			if (each.taken === 'late') return each.times > 1;
			return each.times !== (each.taken === 'answer' ? 0 : 1);
		});
		const contactsOf = (items: IDataObject[]) => new Set(items.map(({ sessionId }) => sessionId));
		const mixed = host.executions.filter((items) => contactsOf(items).size > 1);
		const { errors } = host;
		expect({ wrong, mixed, errors }).toEqual({ wrong: [], mixed: [], errors: [] });
	}

	/** Asks, and waits until the question is over, or breaks the run off. */
	private async ask(): Promise<void> {
		const { test, pick } = this;
		const { subWorkflows } = test;
		const isNumber = pick(true, false);
		const minutes = pick(4, 30, 60);
		const goesOn = pick(true, false);
		const asked = clock();
		const result = await test.ask(
			{
				responseType: 'freeText',
				expectedAnswer: isNumber ? 'number' : 'text',
				...limitWait(
					{ resumeAmount: minutes, resumeUnit: 'minutes' },
					goesOn ? { ifNotUnderstood: 'continue' } : {},
				),
			},
			async () => {
				if (pick(true, false, false, false)) await this.happen();
				if (pick(true, false, false)) await this.poll();
			},
		);
		expect(result.error?.message).toBeUndefined();
		if (!result.run.waitTill) {
			this.take(result.json[0], asked);
			return;
		}
		const breaksAfter = pick(0, 1, 3, Infinity, Infinity, Infinity);
		for (let looks = 0; subWorkflows.waitTill; looks++) {
			if (looks === breaksAfter) {
				await this.walk(asked + (minutes + 4) * MINUTE);
				return;
			}
			await this.walk(subWorkflows.waitTill.getTime());
			await subWorkflows.wake();
		}
		this.take(subWorkflows.output[0].json, asked);
	}

	/** Remembers which messages were the answer that a workflow goes on with. */
	private take({ data }: IDataObject, asked: number): void {
		if (!data) return;
		const { answer, understood } = data as { answer: string; understood: boolean };
		for (const text of answer.split('\n')) {
			const message = this.written.find((each) => each.text === text)!;
			const isOld = !understood && clock() - message.at > 14 * MINUTE && message.at > asked;
			message.taken = isOld ? 'late' : 'answer';
		}
	}

	/** Lets time pass until a moment: every one to three minutes something may happen. */
	private async walk(until: number): Promise<void> {
		while (clock() < until) {
			setClock(Math.min(until, clock() + this.pick(1, 2, 3) * MINUTE));
			if (this.pick(true, false, false)) await this.happen();
			if (this.pick(true, true, true, false)) await this.poll();
		}
	}

	private async pollLater(ms: number): Promise<void> {
		setClock(clock() + ms);
		await this.poll();
	}

	private async poll(): Promise<void> {
		for (const host of this.hosts) await host.poll();
	}

	/** With durable cursors, each poll finds one contact. */
	private async pollUntilQuiet(): Promise<void> {
		for (const host of this.hosts) while ((await host.poll()).length > 0);
	}

	private async happen(): Promise<void> {
		const { pick, test } = this;
		const happening = pick(
			...(['write', 'write', 'number', 'number', 'comment', 'reply', 'restart', 'others'] as const),
		);
		switch (happening) {
			case 'others':
				for (const other of this.others) await this.writeAs(other);
				return;
			case 'restart':
				return await pick(...this.hosts).restart();
			case 'reply':
				await test.workspace.reply(`id:${test.ann.id}`, 'I am on it');
				return;
			default: {
				const text = this.note(happening === 'number' ? '' : 'Text ');
				const type = happening === 'comment' ? 'comment' : 'message';
				await test.write({ text, type, inboxId: pick(...this.inboxIds) });
			}
		}
	}

	private async writeAs(contact: string): Promise<void> {
		const text = this.note('Other ');
		await this.test.workspace.write(contact, text);
	}

	/** Returns the next text that a contact writes, and remembers it. */
	private note(prefix: string): string {
		const text = `${prefix}${1000 + this.written.length}`;
		this.written.push({ text, at: clock() });
		return text;
	}
}

const numbers = Array.from({ length: HISTORIES }, (_, number) => number);
const groups = numbers
	.filter((number) => number % PER_TEST === 0)
	.map((first) => [first, numbers.slice(first, first + PER_TEST)] as const);

test.each(groups)(
	'From history %i on, no answer starts a workflow, and every other message starts each once, in an execution of its contact',
	async (_, group) => {
		for (const number of group) {
			await History.play(number).catch((error: Error) => {
				error.message = `History ${number}: ${error.message}`;
				throw error;
			});
		}
	},
);
