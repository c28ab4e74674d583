import type { IDataObject } from 'n8n-workflow';
import type { PollHost, Watcher } from '../../../nodes/WorkspaceMessaging/trigger/types';
import { messageEvents } from '../../../nodes/WorkspaceMessaging/trigger/events/messages';
import { sequenceOf } from '../../../sandbox/faults/random';
import { chatTraitsOf, MovingConversations } from '../../support/fakes/movingConversations';
import type { Written } from '../../support/fakes/movingConversations';

/*
 * Random histories of conversations: contacts write, edit and are answered, conversations go in and out of the archive, all of
 * that between the requests of a poll. Polls fail, run out of time, or go on after a restart with an older memory. The number
 * of a history decides everything in it.
 */

const HISTORIES = Number(process.env.MOVING_CASES ?? 2000);
const ROUNDS = 7;

/** What the trigger returned for one message, in order. */
type Emitted = Array<{ id: string; contactId: string }>;

async function runHistory(number: number) {
	const random = sequenceOf(number * 6007 + 5);
	const traits = chatTraitsOf(random);
	const service = new MovingConversations(random, traits);
	const quietSeconds = random() < 0.5 ? 0 : [5, 60, 600][Math.floor(random() * 3)];
	const isDurable = random() < 0.5;
	const cuts = random() < 0.3 ? 0.5 : 0;
	const skewMs = [0, 0, 90_000, -90_000][Math.floor(random() * 4)];
	jest.spyOn(Date, 'now').mockImplementation(() => service.time + skewMs);
	let isCut = false;
	const host: PollHost = {
		hasTime: () => !(isCut && random() < 0.5),
		hasTimeForFiles: () => true,
		warn: () => undefined,
		saveFile: () => Promise.reject(new Error('There are no files')),
	};
	const [event] = messageEvents;
	const parameters = event.parameters.parse({ options: { groupMessages: quietSeconds } });
	const watcher: Watcher = event.watch(service.client, { parameters, filters: {}, simplify: true }, host);

	const emitted: Emitted = [];
	let groupsTooLong = 0;
	let memory: string | undefined;
	let saved: string | undefined;
	const poll = async () => {
		const last: unknown = memory === undefined ? undefined : JSON.parse(memory);
		const result = await watcher.poll(last).catch((error: Error) => {
			if (error.message.startsWith('The service fails')) return undefined;
			throw error;
		});
		if (!result) return false;
		memory = JSON.stringify(result.memory);
		if (isDurable || saved === undefined || result.items.length > 0 || result.mustSave) saved = memory;
		for (const item of result.items as IDataObject[]) {
			const messages = (item.messages ?? [item]) as IDataObject[];
			if (messages.length > 20) groupsTooLong++;
			const contactId = String(item.sessionId);
			emitted.push(...messages.map(({ id }) => ({ id: String(id), contactId })));
		}
		return true;
	};

	const start = service.now;
	service.changesFor = 20;
	await poll();
	const [end, endTime] = [service.now, new Date(service.time).toISOString()];
	for (let round = 0; round < ROUNDS; round++) {
		service.moves = 20;
		for (let times = Math.floor(random() * (random() < 0.2 ? 50 : 8)); times > 0; times--) service.change();
		service.changesFor = random() < 0.3 ? 0 : 20;
		// A poll can miss a conversation that goes into the archive meanwhile; the next one finds it.
		service.moves = round % 2;
		service.isFailing = random() < 0.5;
		isCut = random() < cuts;
		if (random() < 0.15) memory = saved;
		await poll();
	}
	service.changesFor = 0;
	service.isFailing = false;
	isCut = false;
	service.show();
	for (let round = 0; round < 5; round++) {
		service.time += Math.max(60_000, quietSeconds * 11_000);
		await poll();
	}
	const { marks } = JSON.parse(memory!) as { marks: object };
	return { service, start, end, endTime, emitted, groupsTooLong, traits, marks: Object.keys(marks).length };
}

/** What should not have been emitted, and the reverse. What is written during the first poll may count or not. */
function faultsOf({
	service,
	start,
	end,
	endTime,
	emitted,
}: Awaited<ReturnType<typeof runHistory>>): string[] {
	const byId = new Map(service.messages.map((message) => [message.id, message]));
	const faults: string[] = [];
	const found = new Set<string>();
	const lastOf = new Map<string, Written>();
	for (const { id } of emitted) {
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

afterEach(() => jest.restoreAllMocks());

const GROUPS = 8;

test.each(Array.from({ length: GROUPS }, (_, group) => group))(
	'Message Received emits each message once and in order, in random histories (part %i)',
	async (group) => {
		const failures: unknown[] = [];
		for (let number = group; number < HISTORIES && failures.length < 3; number += GROUPS) {
			const history = await runHistory(number);
			const faults = faultsOf(history);
			if (faults.length + history.groupsTooLong > 0 || history.marks > 500)
				failures.push({ number, faults: faults.slice(0, 5), count: faults.length, traits: history.traits });
		}
		expect(failures).toEqual([]);
	},
	120_000,
);
