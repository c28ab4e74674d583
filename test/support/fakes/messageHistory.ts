import type { IDataObject } from 'n8n-workflow';
import type { Requester } from '../../../nodes/WorkspaceMessaging/transport/request';
import { messageReceived } from '../../../nodes/WorkspaceMessaging/trigger/messages/messageReceived';
import type { PollHost, Watcher } from '../../../nodes/WorkspaceMessaging/trigger/types';
import { sequenceOf } from '../../../sandbox/faults/random';
import { chatTraitsOf, MovingConversations } from './movingConversations';
import type { ChatTraits, Written } from './movingConversations';

/*
 * Random histories of conversations: contacts write, edit and are answered, conversations go in and
 * out of the archive, all of that between the requests of a poll. Polls fail, run out of time, may
 * start few executions, or go on after a restart with an older memory. The number of a history
 * decides everything in it.
 */

const ROUNDS = 7;

/** What the trigger returned for one message, in order. */
type Emitted = Array<{ id: string; contactId: string }>;

/** A trigger that polls such a service, and what it has returned. */
class Polled {
	readonly emitted: Emitted = [];

	groupsTooLong = 0;

	/** How many polls returned the messages of more contacts than they may start executions for. */
	pollsTooLong = 0;

	/** Whether polls run out of time. */
	isCut = false;

	memory: string | undefined;

	/** What n8n has in its database. */
	saved: string | undefined;

	private readonly watcher: Watcher;

	constructor(
		client: Requester,
		random: () => number,
		quietSeconds: number,
		private readonly isDurable: boolean,
		private readonly mostExecutions: number,
	) {
		const host: PollHost = {
			hasTime: () => !(this.isCut && random() < 0.5),
			hasTimeForFiles: () => true,
			mostExecutions,
			requesterForOne: () => client,
			warn: () => undefined,
			warnHourly: () => undefined,
			saveFile: () => Promise.reject(new Error('There are no files')),
		};
		const parameters = messageReceived.parameters.parse({
			options: { groupMessages: quietSeconds },
		});
		this.watcher = messageReceived.watch(client, { parameters, filters: {}, simplify: true }, host);
	}

	/** Returns whether the poll has found messages. */
	async poll(): Promise<boolean> {
		const last: unknown = this.memory === undefined ? undefined : JSON.parse(this.memory);
		const result = await this.watcher.poll(last).catch((error: Error) => {
			if (error.message.startsWith('The service fails')) return undefined;
			throw error;
		});
		if (!result) return false;
		this.memory = JSON.stringify(result.memory);
		if (this.isDurable || this.saved === undefined || result.items.length > 0 || result.mustSave)
			this.saved = this.memory;
		const contacts = new Set(result.items.map((item) => (item as IDataObject).sessionId));
		if (contacts.size > this.mostExecutions) this.pollsTooLong++;
		for (const item of result.items as IDataObject[]) {
			const messages = (item.messages ?? [item]) as IDataObject[];
			if (messages.length > 20) this.groupsTooLong++;
			const contactId = String(item.sessionId);
			this.emitted.push(...messages.map(({ messageId }) => ({ id: String(messageId), contactId })));
		}
		return result.items.length > 0;
	}

	/** Polls until a poll finds nothing: each may start few executions. */
	async pollAll(): Promise<void> {
		while (await this.poll());
	}

	/** How many conversations it remembers. */
	get marks(): number {
		return Object.keys((JSON.parse(this.memory!) as { marks: object }).marks).length;
	}
}

/** The most executions of each poll of a history. */
const mostOf = (number: number) => [1, 2, 20][number % 3];

export interface History {
	service: MovingConversations;
	polled: Polled;
	/** What lists showed later has to come. */
	start: number;
	end: number;
	endTime: string;
	traits: ChatTraits;
}

/**
 * Runs a history in which much happens between polls, polls fail or run out of time, and n8n
 * restarts.
 */
export async function runHistory(number: number): Promise<History> {
	const random = sequenceOf(number * 6007 + 5);
	const traits = chatTraitsOf(random);
	const service = new MovingConversations(random, traits);
	const quietSeconds = random() < 0.5 ? 0 : [5, 60, 600][Math.floor(random() * 3)];
	const polled = new Polled(service.client, random, quietSeconds, random() < 0.5, mostOf(number));
	const cuts = random() < 0.3 ? 0.5 : 0;
	const skewMs = [0, 0, 90_000, -90_000][Math.floor(random() * 4)];
	jest.spyOn(Date, 'now').mockImplementation(() => service.time + skewMs);

	const start = service.now;
	service.changesFor = 20;
	await polled.poll();
	const [end, endTime] = [service.now, new Date(service.time).toISOString()];
	for (let round = 0; round < ROUNDS; round++) {
		service.moves = 20;
		for (let times = Math.floor(random() * (random() < 0.2 ? 50 : 8)); times > 0; times--)
			service.change();
		service.changesFor = random() < 0.3 ? 0 : 20;
		// A poll can miss a conversation that goes into the archive meanwhile; the next one finds it.
		service.moves = round % 2;
		service.isFailing = random() < 0.5;
		polled.isCut = random() < cuts;
		if (random() < 0.15) polled.memory = polled.saved;
		await polled.poll();
	}
	await comeToRest(service, polled, quietSeconds);
	return { service, polled, start, end, endTime, traits };
}

const POLLS = 30;

/**
 * Runs a history with polls at regular times, every 10 seconds to every 3 minutes. Messages show up
 * late, and the service fails for some conversations.
 */
export async function runTimedHistory(number: number): Promise<History> {
	const random = sequenceOf(number * 7919 + 11);
	const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)];
	const traits: ChatTraits = {
		...chatTraitsOf(random),
		conversations: pick(1, 2, 5, 12),
		stepMs: 5,
		blurMs: 0,
		lateMs: pick(0, 59_000, 59_000),
		announces: random() < 0.5,
		changes: 1,
		fails: 0,
		neverStops: false,
	};
	const service = new MovingConversations(random, traits);
	const everyMs = pick(10_000, 20_000, 60_000, 180_000);
	const breaks = pick(0, 0.2, 0.5);
	const polled = new Polled(service.client, random, pick(0, 0, 30), random() < 0.5, mostOf(number));
	jest.spyOn(Date, 'now').mockImplementation(() => service.time);

	const start = service.now;
	await polled.poll();
	const [end, endTime] = [service.now, new Date(service.time).toISOString()];
	for (let round = 0; round < POLLS; round++) {
		if (random() < breaks) service.breakOne(pick(0, 400, 403, 404, 410, 422, 500));
		for (let part = 0; part < 4; part++) {
			service.advance(everyMs / 4);
			if (random() < 0.4) service.change();
		}
		service.changesFor = pick(0, 5);
		if (random() < 0.05) polled.memory = polled.saved;
		await polled.poll();
	}
	service.broken.clear();
	await comeToRest(service, polled, 30);
	return { service, polled, start, end, endTime, traits };
}

/** Lets everything show up and polls until all has come, also what failed before. */
async function comeToRest(service: MovingConversations, polled: Polled, quietSeconds: number) {
	service.changesFor = 0;
	service.isFailing = false;
	polled.isCut = false;
	await polled.poll();
	service.show();
	for (let round = 0; round < 5; round++) {
		await polled.pollAll();
		service.advance(Math.max(3_600_000, quietSeconds * 11_000));
		await polled.pollAll();
	}
}

/**
 * What should not have been emitted, and the reverse. What is written during the first poll may
 * count or not.
 */
function faultsOf({ service, polled, start, end, endTime }: History): string[] {
	const byId = new Map(service.messages.map((message) => [message.id, message]));
	const faults: string[] = [];
	const found = new Set<string>();
	const lastOf = new Map<string, Written>();
	for (const { id } of polled.emitted) {
		const message = byId.get(id)!;
		if (found.has(id)) faults.push(`twice ${id}`);
		found.add(id);
		if (message.messageType !== 'incoming') faults.push(`not incoming ${id}`);
		if (message.shownAt <= start) faults.push(`before ${id}`);
		const last = lastOf.get(message.contactId);
		if (last && !message.isLate && last.createdAt > message.createdAt) faults.push(`order ${id}`);
		if (!message.isLate) lastOf.set(message.contactId, message);
	}
	const lost = service.messages.filter(
		({ id, messageType, shownAt, createdAt }) =>
			messageType === 'incoming' && shownAt > end && createdAt > endTime && !found.has(id),
	);
	return [...faults, ...lost.map(({ id, isLate }) => `lost ${id}${isLate ? ' (late)' : ''}`)];
}

/** Runs histories until three have faults, and returns these. */
export async function findFaults(run: (number: number) => Promise<History>, numbers: number[]) {
	const found: unknown[] = [];
	for (const number of numbers) {
		const history = await run(number);
		const { polled, traits } = history;
		const faults = faultsOf(history);
		const { groupsTooLong, pollsTooLong } = polled;
		if (faults.length + groupsTooLong + pollsTooLong > 0 || polled.marks > 500)
			found.push({ number, faults: faults.slice(0, 5), count: faults.length, traits });
		if (found.length === 3) break;
	}
	return found;
}
