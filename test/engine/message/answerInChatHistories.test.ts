import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sequenceOf } from '../../../sandbox/faults/random';
import type { Message } from '../../../sandbox/services/newer/conversations/messageStore';
import { caseCount } from '../../support/cases';
import { chatWithAnn } from '../../support/engine/chat';
import { by } from '../../support/engine/helpers';
import { setClock } from '../../support/engine/skipPauses';
import { slowRequests } from '../../support/engine/slowRequests';
import { limitWait } from '../../support/limitWait';

/*
 * Random histories of questions in the chat: Ann writes before and after the question on two
 * channels, edits and deletes what she wrote, a person answers or takes over, and the service fails
 * for a look or for an hour. At some services, each request takes up to two seconds, or always so
 * long. The answer, and who is in charge at the end, must be those of a plain model.
 */

const HISTORIES = caseCount({ few: 10, many: 60 });
const PER_TEST = 10;

/** A kind of question, and what each text means; what is not there means nothing. */
interface Kind {
	parameters: INodeParameters;
	meanings: Record<string, IDataObject>;
}

const kinds: Kind[] = [
	{
		parameters: { responseType: 'approval' },
		meanings: { yes: { approved: true }, 'No.': { approved: false }, '👍': { approved: true } },
	},
	{
		parameters: { responseType: 'choices', choices: ['Small', 'Large one'] },
		meanings: { '1': { choice: 'Small' }, large: { choice: 'Large one' } },
	},
	{
		parameters: { responseType: 'freeText', expectedAnswer: 'number' },
		meanings: { '1': { number: 1 }, '3.5': { number: 3.5 } },
	},
];

const freeText: Kind = { parameters: { responseType: 'freeText' }, meanings: {} };

const texts = ['yes', 'No.', '👍', '1', 'large', '3.5', 'hm', 'wait a moment'];

const shiftTime = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();

type Pick = <T>(...values: T[]) => T;
type Test = Awaited<ReturnType<typeof chatWithAnn>>;

class History {
	/** What Ann has written since the question, deleted messages apart. */
	private written: Array<Message & { inbox: string }> = [];
	/** When the newest message before the question was written. */
	private before?: string;
	/** Who is in charge; `us` if the question has paused the bot. */
	private inCharge: 'bot' | 'us' | 'person' = 'bot';
	private hasPersonWritten = false;
	/** How many looks are still to fail. */
	private failures = 0;
	/** What the workflow goes on with; undefined while the question is open. */
	private expected?: { data?: IDataObject };

	private constructor(
		private readonly test: Test,
		private readonly pick: Pick,
		private readonly inboxIds: string[],
		private readonly kind: Kind,
		private readonly goesOn: boolean,
		private readonly inboxId: string | undefined,
	) {}

	static async play(number: number): Promise<void> {
		const random = sequenceOf(number * 7919 + 5);
		const pick: Pick = (...values) => values[Math.floor(random() * values.length)];
		const test = await chatWithAnn({ contacts: 0, service: 'newer' });
		const { channels } = await test.workspace.state();
		const inboxIds = channels.slice(0, 2).map(({ id }) => id);
		const identifier = `id:${test.ann.id}`;
		await test.workspace.changeContacts([{ identifier, changes: { inboxIds } }]);
		const kind = pick(...kinds, freeText);
		const inboxId = pick(undefined, ...inboxIds);
		const chance = sequenceOf(number);
		const waysMs = [() => 0, () => chance() * 1000, () => 1000];
		const stop = slowRequests(waysMs[number % 3]);
		await new History(test, pick, inboxIds, kind, pick(true, false), inboxId).play().finally(stop);
	}

	private async play(): Promise<void> {
		const { pick, test } = this;
		for (let times = pick(0, 1, 3); times > 0; times--) await this.happen();
		const messages = await test.workspace.messages(this.ann);
		this.before = messages.findLast(({ deletedAt }) => deletedAt === null)?.createdAt;
		this.written = [];
		this.hasPersonWritten = false;
		const pauseBot = pick(true, true, false);
		if (pauseBot && this.inCharge === 'bot') this.inCharge = 'us';

		const { json, end } = await this.ask(pauseBot, pick(4, 30));
		expect(json).toEqual(end);
		await this.endInBackground();
		const [{ conversation }] = (await test.workspace.state()).contacts;
		expect(conversation).toMatchObject({ botEnabled: this.inCharge === 'bot' });
		expect((await test.workspace.journal()).messages).toHaveLength(1);
	}

	/** Asks, and lets things happen before each look. Returns the output, and what it must be. */
	private async ask(pauseBot: boolean, minutes: number) {
		const { test, kind, goesOn, inboxId } = this;
		const { subWorkflows } = test;
		const result = await test.ask(
			{
				...kind.parameters,
				...(inboxId !== undefined && { inboxId: by('id', inboxId) }),
				...limitWait(
					{ resumeAmount: minutes, resumeUnit: 'minutes' },
					{ pauseBot, ...(goesOn && { ifNotUnderstood: 'continue' }) },
				),
				requestOptions: { maxRetries: 0 },
			},
			async () => await this.liveOn(false),
		);
		expect(result.error?.message).toBeUndefined();
		let [json] = result.json;
		let looks = 0;
		while (subWorkflows.waitTill && !this.expected) {
			// After a look that fails, the next one comes in a minute.
			expect(++looks).toBeLessThan(40);
			// n8n looks for waiting executions now and then, so it can be late.
			const wakeAt = subWorkflows.waitTill.getTime() + this.pick(1, 17_000);
			await this.liveOn(wakeAt >= subWorkflows.question.until);
			setClock(wakeAt);
			const [item] = await subWorkflows.wake();
			json = item?.json ?? json;
		}
		expect(subWorkflows.waitTill).toBeUndefined();
		const end = this.expected?.data
			? expect.objectContaining({ data: expect.objectContaining(this.expected.data) })
			: { order: 1 };
		return { json, end };
	}

	/** The service works again, and another workflow does what could not be done before. */
	private async endInBackground(): Promise<void> {
		const { subWorkflows, workspace } = this.test;
		await workspace.faults({ fail: null });
		for (const ending of subWorkflows.inBackground) {
			setClock(ending.waitTill!.getTime());
			await ending.wake();
			expect(ending.waitTill).toBeUndefined();
		}
		if (this.inCharge === 'us' && !this.hasPersonWritten) this.inCharge = 'bot';
	}

	/** Things happen, and then comes a look. */
	private async liveOn(isTimeOver: boolean): Promise<void> {
		// The node looks no more, but the pauses of other questions end here, too.
		if (this.expected) return;
		for (let times = this.pick(0, 0, 1, 2); times > 0; times--) await this.happen();
		if (this.failures === 0) this.failures = this.pick(0, 0, 0, 0, 1, 5);
		const fails = this.failures > 0;
		if (fails) this.failures--;
		const status = this.pick(500, 503);
		await this.test.workspace.faults({ fail: fails ? [{ status }] : null });
		this.expected = this.look(fails, isTimeOver);
	}

	/** What a look must find; undefined if the question stays open. */
	private look(fails: boolean, isTimeOver: boolean): { data?: IDataObject } | undefined {
		if (fails) return isTimeOver ? {} : undefined;
		const inbox = this.inboxId ?? this.inboxIds[0];
		const seen = this.written
			.filter((message) => message.inbox === inbox && message.type !== 'comment')
			.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
		const all = seen.map(({ text }) => text).join('\n');
		if (seen.length > 0 && this.kind === freeText)
			return { data: { answer: all, text: all, understood: true } };
		const understood = seen.find(({ text }) => text! in this.kind.meanings);
		if (understood) {
			const answer = understood.text!;
			return { data: { answer, understood: true, ...this.kind.meanings[answer] } };
		}
		if (seen.length > 0 && (this.goesOn || isTimeOver))
			return { data: { answer: all, understood: false } };
		return isTimeOver ? {} : undefined;
	}

	private async happen(): Promise<void> {
		const { pick, written, ann } = this;
		const { workspace } = this.test;
		const happening = pick('write', 'write', 'write', 'edit', 'delete', 'reply', 'person', 'bot');
		const message = pick(...written, undefined);
		switch (happening) {
			case 'write':
				return await this.write();
			case 'edit': {
				if (!message) return;
				message.text = pick(...texts);
				await workspace.changeMessage(message.id, { text: message.text });
				return;
			}
			case 'delete': {
				if (!message) return;
				written.splice(written.indexOf(message), 1);
				if (pick(true, false)) await workspace.removeMessage(message.id);
				else await workspace.changeMessage(message.id, { deletedAt: message.createdAt });
				return;
			}
			case 'reply':
				this.hasPersonWritten = true;
				await workspace.reply(ann, 'I am on it');
				return;
			case 'person':
			case 'bot':
				this.inCharge = happening;
				await workspace.changeConversation(ann, {
					botEnabled: happening === 'bot',
					botResumeAt: null,
				});
		}
	}

	/**
	 * Ann writes. Some messages arrive late: with a time before or at the newest one before, just
	 * before the question, while n8n was sending it, or at the question.
	 */
	private async write(): Promise<void> {
		const { pick, before } = this;
		const inbox = pick(...this.inboxIds);
		const type = pick('message', 'message', 'message', 'comment');
		const messages = await this.test.workspace.messages(this.ann);
		const question = messages.find(({ text }) => text?.startsWith('May we ship'))?.createdAt;
		const late = question ? pick('earlier', 'before', 'sending', 'question', '', '', '', '') : '';
		const times: Record<string, string | undefined> = {
			earlier: before && shiftTime(before, -1000),
			before,
			sending: question && shiftTime(question, -1),
			question,
		};
		const hasSameTime = this.written.some(({ createdAt }) => createdAt === question);
		const at = late === 'question' && hasSameTime ? undefined : times[late];
		const written = { text: pick(...texts), inboxId: inbox, type, at };
		const message = await this.test.workspace.write(this.ann, written);
		const isLater = question === undefined || message.createdAt >= question;
		if (isLater) this.written.push({ ...message, inbox });
	}

	private get ann() {
		return `id:${this.test.ann.id}`;
	}
}

const numbers = Array.from({ length: HISTORIES }, (_, number) => number);
const groups = numbers
	.filter((number) => number % PER_TEST === 0)
	.map((first) => numbers.slice(first, first + PER_TEST));

test.each(groups.map((group) => [group[0], group] as const))(
	'Random questions in the chat from number %i on end as a plain model says',
	async (_, group) => {
		for (const number of group) {
			await History.play(number).catch((error: Error) => {
				error.message = `Question ${number}: ${error.message}`;
				throw error;
			});
		}
	},
);
