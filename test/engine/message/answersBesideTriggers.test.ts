import type { IDataObject } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';
import { chatWithAnn } from '../../support/engine/chat';
import { by } from '../../support/engine/helpers';
import { clock, setClock } from '../../support/engine/skipPauses';
import { SubWorkflows } from '../../support/engine/subWorkflows';
import { engines, TriggerHost } from '../../support/engine/triggerHost';
import { identifier, people } from '../../support/engine/triggerSupport';
import { limitWait } from '../../support/limitWait';

/*
 * Random histories of two to five contacts who write before the same polls, while one or two triggers
 * for messages are published: n8n asks some of them in the chat, which pauses the bot, they answer and
 * write other things on two channels, people take over and hand back, n8n restarts between polls, and
 * runs break. No answer may start a workflow, and every other message must start each workflow once,
 * in an execution of its contact.
 */

const HISTORIES = caseCount({ few: 6, many: 300 });
const PER_TEST = 3;
const MINUTE = 60_000;

type Pick = <T>(...values: T[]) => T;
type Test = Awaited<ReturnType<typeof chatWithAnn>>;

interface Person {
	identifier: string;
	/** Whether a person has ever written or been in charge, or a run broke while the bot was paused. */
	isTouched: boolean;
	question?: Question;
}

/** A question in the chat that is open. */
interface Question {
	person: Person;
	subWorkflows: SubWorkflows;
	endsAt: number;
	asked: number;
	goesOn: boolean;
	/** When a look saw last what the contact had written. */
	lookedAt: number;
	/** How many looks come before the run breaks. */
	looksLeft: number;
}

/** Something that a contact wrote, and when by n8n's clock. */
interface Written {
	text: string;
	at: number;
	person: Person;
	/**
	 * Whether it was an answer; `late` if a look had seen that it is none, and it was reported as not
	 * understood at the end.
	 */
	taken?: 'answer' | 'late';
}

class History {
	private readonly written: Written[] = [];

	private constructor(
		private readonly test: Test,
		private readonly pick: Pick,
		private readonly inboxIds: string[],
		private readonly people: Person[],
		private readonly hosts: Array<{ host: TriggerHost; isForBot: boolean }>,
	) {}

	static async play(number: number): Promise<void> {
		const random = sequenceOf(number * 6151 + 11);
		const pick: Pick = (...values) => values[Math.floor(random() * values.length)];
		const test = await chatWithAnn({ contacts: 0, service: 'newer' });
		const { workspace } = test;
		const { channels } = await workspace.state();
		const inboxIds = channels.slice(0, 2).map(({ id }) => id);
		const others = await workspace.addContacts(people(pick(1, 2, 3, 4)));
		const identifiers = [test.ann, ...others].map(identifier);
		await workspace.changeContacts(
			identifiers.map((identifier) => ({ identifier, changes: { inboxIds } })),
		);
		const credential = { baseUrl: workspace.url, accessToken: workspace.token };
		const hosts = pick([1], [1, 2]).map(() => {
			const options = pick({}, { groupMessages: 10 }, { groupMessages: 60 });
			const isForBot = pick(true, false);
			const parameters = {
				event: 'messageReceived',
				options,
				...(isForBot && { inCharge: 'bot' }),
			};
			return { host: new TriggerHost(credential, parameters, pick(...engines)), isForBot };
		});
		for (const { host } of hosts) await host.activate();
		const all = identifiers.map((identifier) => ({ identifier, isTouched: false }));
		await new History(test, pick, inboxIds, all, hosts).play();
	}

	private async play(): Promise<void> {
		const { pick } = this;
		await this.happen();
		for (let questions = pick(1, 2, 3, 4); questions > 0; questions--) {
			await this.ask(pick(...this.people));
			if (pick(true, false)) await this.walk(clock() + pick(1, 5, 20) * MINUTE);
		}
		while (this.people.some(({ question }) => question)) await this.walk(clock() + 5 * MINUTE);
		await this.walk(clock() + 24 * MINUTE);
		// What was written last starts the workflow, too, when no more can follow.
		await this.pollLater(2 * MINUTE);
		await this.pollLater(2 * MINUTE);
		await this.pollUntilQuiet();
		for (const { host, isForBot } of this.hosts) this.check(host, isForBot);
	}

	private check(host: TriggerHost, isForBot: boolean): void {
		const started = host.items.flatMap(({ text, sessionId }) =>
			String(text)
				.split('\n')
				.map((line) => `id:${String(sessionId)} ${line}`),
		);
		const timesOf = ({ text, person }: Written) =>
			started.filter((each) => each === `${person.identifier} ${text}`).length;
		const wrong = this.written
			.map((each) => ({ ...each, times: timesOf(each) }))
			.filter(({ taken, times, person }) => {
				if (taken === 'answer') return times !== 0;
				const mayBeSkipped = taken === 'late' || (isForBot && person.isTouched);
				return mayBeSkipped ? times > 1 : times !== 1;
			})
			.map(({ text, taken, times }) => ({ text, taken, times }));
		const known = this.written.map(({ text, person }) => `${person.identifier} ${text}`);
		const strange = started.filter((each) => !known.includes(each));
		const contactsOf = (items: IDataObject[]) => new Set(items.map(({ sessionId }) => sessionId));
		const mixed = host.executions.filter((items) => contactsOf(items).size > 1);
		const { errors } = host;
		expect({ wrong, strange, mixed, errors }).toEqual({
			...{ wrong: [], strange: [] },
			...{ mixed: [], errors: [] },
		});
	}

	/** Asks a contact; the question may be over at once, or stay open. */
	private async ask(person: Person): Promise<void> {
		if (person.question) return;
		const { test, pick } = this;
		const { url: baseUrl, token: accessToken } = test.workspace;
		const subWorkflows = new SubWorkflows({ baseUrl, accessToken });
		const minutes = pick(4, 30, 60);
		const goesOn = pick(true, false);
		const asked = clock();
		const result = await test.ask(
			{
				identifier: by('id', person.identifier.slice(3)),
				responseType: 'freeText',
				expectedAnswer: pick('number', 'text'),
				...limitWait(
					{ resumeAmount: minutes, resumeUnit: 'minutes' },
					goesOn ? { ifNotUnderstood: 'continue' } : {},
				),
			},
			async () => {
				if (pick(true, false, false, false)) await this.happen();
				if (pick(true, false, false)) await this.poll();
			},
			{ executeWorkflow: subWorkflows.executeWorkflow },
		);
		expect(result.error?.message).toBeUndefined();
		const question: Question = {
			...{ person, subWorkflows, asked, goesOn },
			endsAt: asked + minutes * MINUTE,
			lookedAt: clock(),
			looksLeft: pick(0, 1, 3, Infinity, Infinity, Infinity),
		};
		if (result.run.waitTill) person.question = question;
		else this.take(result.json[0], question);
	}

	/** Lets questions look whose time has come, or ends those whose run broke. */
	private async look(): Promise<void> {
		for (const person of this.people) {
			const { question } = person;
			if (!question) continue;
			const { subWorkflows } = question;
			if (question.looksLeft <= 0) {
				person.isTouched = true;
				if (clock() >= question.endsAt + 4 * MINUTE) person.question = undefined;
			} else if (subWorkflows.waitTill && subWorkflows.waitTill.getTime() <= clock()) {
				question.looksLeft--;
				const startedAt = clock();
				await subWorkflows.wake();
				if (!subWorkflows.waitTill) {
					person.question = undefined;
					this.take(subWorkflows.output[0].json, question);
				}
				question.lookedAt = startedAt;
			}
		}
	}

	/** Remembers which messages were the answer that a workflow goes on with. */
	private take({ data }: IDataObject, { goesOn, lookedAt }: Question): void {
		if (!data) return;
		const { answer, understood } = data as { answer: string; understood: boolean };
		for (const text of answer.split('\n')) {
			const message = this.written.find((each) => each.text === text)!;
			const wasSeen = !understood && !goesOn && message.at <= lookedAt;
			message.taken = wasSeen ? 'late' : 'answer';
		}
	}

	/** Lets time pass until a moment: every one to three minutes something may happen. */
	private async walk(until: number): Promise<void> {
		while (clock() < until) {
			setClock(Math.min(until, clock() + this.pick(1, 2, 3) * MINUTE));
			if (this.pick(true, false, false)) await this.happen();
			if (this.pick(true, false)) await this.look();
			if (this.pick(true, true, true, false)) await this.poll();
			await this.look();
		}
	}

	private async pollLater(ms: number): Promise<void> {
		setClock(clock() + ms);
		await this.poll();
	}

	private async poll(): Promise<void> {
		for (const { host } of this.hosts) await host.poll();
	}

	/** With durable cursors, each poll finds one contact. */
	private async pollUntilQuiet(): Promise<void> {
		for (const { host } of this.hosts) while ((await host.poll()).length > 0);
	}

	private async happen(): Promise<void> {
		const { pick, people } = this;
		const { workspace } = this.test;
		const happening = pick(
			...(['write', 'write', 'number', 'number', 'comment', 'restart'] as const),
			...(['all', 'all', 'reply', 'takeOver', 'handBack'] as const),
		);
		const person = pick(...people);
		switch (happening) {
			case 'restart':
				return await pick(...this.hosts).host.restart();
			case 'all':
				for (const each of people) await this.write(each, pick('', 'Text '));
				return;
			case 'reply':
				person.isTouched = true;
				await workspace.reply(person.identifier, 'I am on it');
				return;
			case 'takeOver':
			case 'handBack':
				person.isTouched = true;
				await workspace.changeConversation(person.identifier, {
					botEnabled: happening === 'handBack',
					botResumeAt: null,
				});
				return;
			default: {
				const type = happening === 'comment' ? 'comment' : 'message';
				await this.write(person, happening === 'number' ? '' : 'Text ', type);
			}
		}
	}

	private async write(person: Person, prefix: string, type: 'message' | 'comment' = 'message') {
		const text = `${prefix}${1000 + this.written.length}`;
		const inboxId = this.pick(...this.inboxIds);
		this.written.push({ text, at: clock(), person });
		await this.test.workspace.write(person.identifier, { text, type, inboxId });
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
