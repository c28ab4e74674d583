import type { IDataObject } from 'n8n-workflow';
import {
	formatQuestionNote,
	parseQuestionNote,
	type QuestionNote,
} from '../../../nodes/WorkspaceMessaging/contacts/customFields/questionNote';
import type { ChatQuestion } from '../../../nodes/WorkspaceMessaging/resources/message/question/chat/chatQuestion';
import {
	step,
	type Known,
	type Step,
} from '../../../nodes/WorkspaceMessaging/resources/message/question/chat/step';
import { sequenceOf } from '../../../sandbox/faults/random';
import { caseCount } from '../../support/cases';

/*
 * Random histories of `step` alone. A contact is asked one question after the other, or two at the
 * same moment; what looks read and write takes up to two seconds, fails, or gets lost on its way back;
 * in between, the contact writes, people take over, questions are cancelled, and the service is down.
 * Nothing that is noted may get lost, and the bot comes back, but never from a person.
 */

const HISTORIES = caseCount({ few: 1000, many: 20_000 });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 10, 1);

type Pick = <T>(...values: T[]) => T;

interface Asked {
	question: ChatQuestion;
	/** When the wait ends. */
	until: number;
	/** Looks of the node itself that are to come. */
	held: number;
	nextLook: number;
	/** The look that is going on. */
	looking?: Generator<undefined, Step>;
	/** How it ended. */
	end?: Step & { at: number; sawMessages: boolean; wasNoted: boolean };
	isCancelled?: boolean;
	/** Whether another question was asked at the same moment, or while this one was open. */
	isOvertaken?: boolean;
	/** Whether nothing is left to do. */
	isDone?: boolean;
	hasGivenUp?: boolean;
}

class History {
	private now = START;
	private note = '';
	private readonly messages: IDataObject[] = [];
	private readonly conversation: IDataObject = {
		...{ botEnabled: true, botResumeAt: null },
		...{ assignedUser: null, assignedInboxTeam: null },
	};
	private readonly all: Asked[] = [];
	/** The answers that the service has got to know, by the question. */
	private readonly noted = new Map<string, string[]>();
	private outageUntil = 0;
	/** When members wrote, and when they took over. */
	private readonly wrote: number[] = [];
	private readonly tookOver: number[] = [];
	/** Whether nobody can know any more who paused the bot. */
	private isPauseLost = false;

	constructor(private readonly pick: Pick) {}

	play(): void {
		const { pick } = this;
		this.write(pick('Hello', 'yes'));
		for (let questions = pick(1, 1, 2, 3); questions > 0; questions--) {
			this.ask();
			const before = pick(3, 20, 60, 100_000);
			for (let ticks = 0; ticks < before && !this.isQuiet(); ticks++) this.tick();
		}
		while (!this.isQuiet()) this.tick();
		this.check();
	}

	private hasNoPerson = () => this.wrote.length + this.tookOver.length === 0;

	private isQuiet = () => this.all.every(({ isDone }) => isDone);

	private tick(): void {
		const { pick } = this;
		const active = this.all.filter(({ looking }) => looking);
		const happens = pick(...Array.from({ length: 12 }, () => false), true);
		if (happens) return this.happen();
		if (active.length > 0) return this.advance(pick(...active));
		const waiting = this.all.filter(({ isDone }) => !isDone);
		const [next] = waiting.sort((a, b) => a.nextLook - b.nextLook);
		this.pass(Math.max(0, next.nextLook - this.now) + pick(0, 0, 30 * SECOND));
		next.looking = this.look(next);
	}

	/** Asks a question, unless one is open; sometimes two executions do so at the same moment. */
	private ask(): void {
		const { pick } = this;
		const before = this.readNote();
		const isOpen = before.until !== undefined && this.now < before.until + 2 * MINUTE;
		if (isOpen) {
			const last = this.all.at(-1)!;
			if (this.now > last.question.askedAt + 10 * SECOND) return;
			// Whose pause it is, only the earlier question knew.
			this.isPauseLost = true;
			last.isOvertaken = true;
		}
		const times = this.messages.map(({ createdAt }) => Date.parse(String(createdAt)));
		const at = Math.max(...times);
		const ids = this.messages.filter((_, index) => times[index] === at).map(({ id }) => String(id));
		const pause = this.pauseBot(before, at);
		const id = `q${this.all.length}`;
		const until = this.now + pick(5 * MINUTE, HOUR, HOUR, 30 * HOUR);
		const note = {
			until,
			question: id,
			askedAfter: at,
			pause,
			others: [],
			answers: before.answers,
		};
		this.note = formatQuestionNote(note);
		this.pass(pick(1, SECOND));
		const question: ChatQuestion = {
			...{ id, contactId: '1', fieldId: '5', contact: {}, text: `Question ${id}?` },
			form: pick({ type: 'approval', yes: [], no: [] }, { type: 'text' }),
			...{ goesOnIfNotUnderstood: pick(false, false, true), before: { at, ids } },
			...{ askedAt: this.now, until, pausedConversationId: pause && '7' },
		};
		const texts = { messageType: 'outgoing', senderType: 'api', text: question.text };
		this.messages.push({ ...this.message(), ...texts });
		const held = pick(0, 4);
		const nextLook = this.now + (held > 0 ? 5 * SECOND : 0);
		this.all.push({ question, until, held, nextLook, isOvertaken: isOpen });
	}

	private pauseBot(before: QuestionNote, since: number): QuestionNote['pause'] {
		const { conversation, now } = this;
		const { pause } = before;
		if (conversation.botEnabled === false) {
			const isOurs =
				pause?.resumesAt === Date.parse(String(conversation.botResumeAt)) && this.hasNoPerson();
			return isOurs && !this.isPauseLost ? { ...pause!, since } : undefined;
		}
		return this.disableBot(now, since);
	}

	private disableBot(begunAt: number, since: number) {
		const resumesAt = this.now + 24 * HOUR;
		const botResumeAt = new Date(resumesAt).toISOString();
		Object.assign(this.conversation, { botEnabled: false, botResumeAt });
		return { begunAt, resumesAt, since, assignee: 'unassigned' };
	}

	/** Looks once: does what `step` says, one request at a time. Returns what is left. */
	private *look({ question, held }: Asked): Generator<undefined, Step> {
		const { now } = this;
		const readStoredForm = () => undefined;
		const known: Known = { isHeld: held > 0, files: new Map(), readStoredForm };
		const tried = new Set<string>();
		const readAt = { messages: 0, conversation: 0 };
		for (;;) {
			const next = step(question, known, now);
			const todo = next.todo.find((each) => !tried.has(each));
			if (!todo) return next;
			tried.add(todo);
			yield;
			switch (todo) {
				case 'readMessages':
					readAt.messages = this.now;
					known.messages = this.request(() => this.messagesSince(question.before));
					known.hasFailed ||= !known.messages;
					break;
				case 'readNote':
					known.note = this.request(() => this.readNote());
					break;
				case 'writeNote': {
					known.note = this.request(() => this.readNote());
					const { note } = step(question, known, now);
					if (!note) break;
					yield;
					known.note = this.request(() => this.saveNote(note));
					break;
				}
				case 'readConversation':
					readAt.conversation = this.now;
					known.conversation = this.request(() => ({ ...this.conversation }));
					break;
				case 'renewPause':
					known.renewed = this.request(() => this.disableBot(this.now, question.before.at));
					if (!known.renewed) this.isPauseLost = true;
					break;
				case 'returnBot': {
					// What happens between reading and returning, nobody can see.
					const { before, askedAt } = question;
					const isPersons =
						this.wrote.some((at) => at > before.at && at <= readAt.messages) ||
						this.tookOver.some((at) => at > askedAt && at <= readAt.conversation);
					const isBack = this.request(() => {
						expect(isPersons).toBe(false);
						this.conversation.botEnabled = true;
						return true;
					});
					if (isBack) known.conversation = { botEnabled: true };
					break;
				}
				case 'readFiles':
					throw new Error('No message has files');
			}
		}
	}

	private advance(asked: Asked): void {
		const { value: next, done } = asked.looking!.next();
		if (!done) return;
		asked.looking = undefined;
		const { question, end } = asked;
		if (next.isOver && !end) {
			const sawMessages = !next.todo.includes('readMessages');
			const wasNoted = this.noted.has(question.id);
			asked.end = { ...next, at: this.now, sawMessages, wasNoted };
			asked.question = { ...question, until: this.now, answers: next.answers };
		}
		asked.held = Math.max(0, asked.held - 1);
		asked.nextLook = asked.held > 0 ? this.now + 5 * SECOND : next.nextLook;
		if (!asked.end) return;
		asked.hasGivenUp = next.todo.length > 0 && this.now >= asked.question.until + 10 * MINUTE;
		asked.isDone = next.todo.length === 0 || asked.hasGivenUp;
		asked.nextLook = this.now + MINUTE;
	}

	/** Sends a request; returns undefined if it fails, or if its answer gets lost. */
	private request<T>(work: () => T): T | undefined {
		const { pick } = this;
		this.pass(pick(1, 200, SECOND));
		const isUp = this.now >= this.outageUntil;
		const fails = !isUp || pick(...Array.from({ length: 30 }, () => false), true);
		if (fails && pick(true, !isUp, !isUp)) return undefined;
		const result = work();
		this.pass(pick(1, 200, SECOND));
		return fails ? undefined : result;
	}

	private saveNote(note: QuestionNote): QuestionNote {
		this.note = formatQuestionNote(note);
		for (const [id, ids] of Object.entries(note.answers))
			if (!this.noted.has(id)) this.noted.set(id, ids);
		return note;
	}

	private readNote = () => parseQuestionNote(this.note);

	private messagesSince = ({ at, ids }: ChatQuestion['before']) =>
		this.messages.filter(
			({ id, createdAt }) => Date.parse(String(createdAt)) >= at && !ids.includes(String(id)),
		);

	private happen(): void {
		const { pick, conversation } = this;
		switch (pick('write', 'write', 'write', 'write', 'cancel', 'outage', 'reply', 'takeOver')) {
			case 'write':
				return this.write(pick('yes', 'No.', 'hm', 'wait', 'what?'));
			case 'cancel':
				return pick(true, false) ? this.cancel() : undefined;
			case 'outage':
				if (pick(true, false)) this.outageUntil = this.now + pick(10 * SECOND, MINUTE, HOUR);
				return;
			case 'reply':
				if (pick(true, false, false)) return;
				this.messages.push({ ...this.message(), messageType: 'outgoing', senderType: 'user' });
				this.wrote.push(this.now);
				return;
			case 'takeOver':
				if (pick(true, false, false)) return;
				Object.assign(conversation, { botEnabled: false, botResumeAt: null });
				this.tookOver.push(this.now);
		}
	}

	private write(text: string): void {
		const typed = { text, messageType: 'incoming', senderType: 'contact', type: 'message' };
		this.messages.push({ ...this.message(), ...typed });
	}

	private message(): IDataObject {
		this.pass(this.pick(1, SECOND));
		return { id: String(this.messages.length), createdAt: new Date(this.now).toISOString() };
	}

	/** Cancels the open question, as the operation does: it reads back what it has written. */
	private cancel(): void {
		const note = this.readNote();
		const asked = this.all.find(({ question }) => question.id === note.question);
		if (note.until === undefined || !asked) return;
		const close = () => {
			const { answers, pause } = this.readNote();
			this.note = formatQuestionNote({ question: `c${this.now}`, pause, others: [], answers });
		};
		close();
		asked.isCancelled = true;
		if (this.hasNoPerson() && !this.isPauseLost) this.conversation.botEnabled = true;
		// What a look has sent arrives before that.
		while (asked.looking) this.advance(asked);
		if (this.readNote().question === asked.question.id && this.readNote().until) close();
	}

	private pass(ms: number): void {
		this.now += ms;
		const { botResumeAt } = this.conversation;
		if (typeof botResumeAt !== 'string' || this.now < Date.parse(botResumeAt)) return;
		Object.assign(this.conversation, { botEnabled: true, botResumeAt: null });
	}

	private check(): void {
		const used: string[] = [];
		for (const asked of this.all) {
			const { question, end, isCancelled, isOvertaken } = asked;
			const { id } = question;
			const noted = this.noted.get(id);
			const isInTime = end!.at < asked.until;
			// What is noted is the answer, whoever has the note.
			if (noted && end!.sawMessages) expect([id, end!.answers]).toEqual([id, noted]);
			if (!noted && !end!.output && isInTime) expect(isCancelled || isOvertaken).toBe(true);
			if (end!.output && isInTime) expect(end!.wasNoted).toBe(true);
			if (end!.output) this.checkAnswer(asked);
			if (end!.output && !isOvertaken) used.push(...end!.answers);
			// At the end of the wait, the next question can have the note.
			const isLast = isInTime || this.all.at(-1) === asked;
			if (end!.output && isLast && !asked.hasGivenUp && !isOvertaken && !isCancelled)
				expect(this.readNote().answers[id]).toEqual(end!.answers);
		}
		expect(new Set(used).size).toBe(used.length);
		const { until, question } = this.readNote();
		const last = this.all.find((asked) => asked.question.id === question);
		if (until !== undefined) expect(last?.hasGivenUp).toBe(true);
		const hasGivenUp = this.all.some((asked) => asked.hasGivenUp);
		if (this.hasNoPerson() && !hasGivenUp && !this.isPauseLost)
			expect(this.conversation.botEnabled).toBe(true);
	}

	/** A plain model of the answer: the first message after the question that n8n understands. */
	private checkAnswer({ question, end }: Asked): void {
		const { data } = end!.output as { data: IDataObject };
		const index = this.messages.findIndex(({ text }) => text === question.text);
		const after = this.messages
			.slice(index)
			.filter(({ messageType }) => messageType === 'incoming');
		const understood = after.find(({ text }) => ['yes', 'No.'].includes(String(text)));
		const given = after.filter(({ id }) => end!.answers.includes(String(id)));
		expect(data.answer).toBe(given.map(({ text }) => text).join('\n'));
		expect(given).toEqual(
			data.understood && question.form.type !== 'text'
				? [understood]
				: after.slice(0, given.length),
		);
	}
}

test(`Of ${HISTORIES} random histories of a question, each ends with the answer that is noted, and with the bot or the person in charge`, () => {
	for (let number = 0; number < HISTORIES; number++) {
		const random = sequenceOf(number * 7919 + 3);
		const pick: Pick = (...values) => values[Math.floor(random() * values.length)];
		try {
			new History(pick).play();
		} catch (error) {
			throw new Error(`History ${number}: ${(error as Error).message}`, { cause: error });
		}
	}
});

test('Without a note, an answer that came after the last look counts at the end of the wait', () => {
	const [askedAt, until] = [START, START + HOUR];
	const question: ChatQuestion = {
		...{ id: 'q', contactId: '1', contact: {}, text: 'Red or blue?', form: { type: 'text' } },
		...{ goesOnIfNotUnderstood: false, before: { at: START, ids: [] }, askedAt, until },
	};
	const known: Known = { isHeld: false, files: new Map(), readStoredForm: () => undefined };
	expect(step(question, known, until)).toMatchObject({ isOver: true, todo: ['readMessages'] });

	const at = (createdAt: number) => new Date(createdAt).toISOString();
	const asked = { messageType: 'outgoing', senderType: 'api', text: question.text };
	const typed = { messageType: 'incoming', senderType: 'contact', type: 'message', text: 'Red' };
	known.messages = [
		{ id: '1', createdAt: at(askedAt), ...asked },
		{ id: '2', createdAt: at(until - MINUTE), ...typed },
	];
	expect(step(question, known, until)).toMatchObject({ isOver: true, answers: ['2'], todo: [] });
});
