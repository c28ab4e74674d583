import type { IDataObject, NodeHint } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import { errorLogApi, failureReasons, messageChannels } from '../../contract/errorLog';
import { limits } from '../../contract/limits';
import { readPages } from '../../service/lists/pages';
import {
	isAboutToken,
	isRateLimited,
	onApiError,
	type ApiError,
} from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { parseTime } from '../../values/dates';
import { ContactItems } from '../contactItems';
import { contactEventFields } from '../eventFields';
import { readContactOfConversation } from '../../conversations/contact';
import { GIVE_UP_AFTER_MS, isRetryDue, type FailedTries } from '../messages/mark';
import type { PollHost, PollingEvent, Settings, Watcher } from '../types';
import { dateTime, string, stringOrNull } from '../../contract/values';

export const messageNotDelivered: PollingEvent = {
	name: 'Message Not Delivered',
	value: 'messageNotDelivered',
	description: 'When a channel does not deliver a message to a contact, with the reason',
	fields: contactEventFields,
	parameters: z.object({}),
	output: z.object({
		contact: simpleContact,
		channel: z.object({ type: string }),
		reason: string,
		providerText: string,
		code: stringOrNull,
		failedAt: dateTime,
		entryId: string,
		/** Only in a test event, while the log has no failed message. */
		isExample: z.literal(true).optional(),
	}),
	ifNoSample: 'The contact of the last failed message does not meet the conditions. Remove some.',
	watch: watchErrorLog,
};

/**
 * Stands at the output of the event. A trigger gives no hints of a run, and n8n does not let this
 * one look at the items.
 */
export const exampleHint: NodeHint = {
	message:
		'If "isExample" is true, this is an example, because no message has failed yet. The contact does not exist.',
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
	displayCondition: `={{ $parameter.event === "${messageNotDelivered.value}" }}`,
};

/** Entries show up this late: a time that was read once is read again for so long. */
const LOGGED_LATE_MS = 5 * 60_000;

/** What the trigger remembers: entries of this time or older are done, and the newer ones listed. */
interface LogMemory {
	/** By the service's clock, in milliseconds since 1970. */
	since: number;
	done: Array<[id: string, at: number]>;
	/** The entries whose contacts could not be read. */
	failed?: LogEntry[];
}

/** An entry of the error log that is about a message. */
interface LogEntry {
	id: string;
	at: number;
	row: IDataObject;
	/** If its contact could not be read. */
	failed?: FailedTries;
}

/** An entry with its contact. */
interface FoundEntry {
	entry: LogEntry;
	record: IDataObject;
}

/** Watches the error log, newest first, for messages that a channel did not deliver. */
function watchErrorLog(client: Requester, settings: Settings, host: PollHost): Watcher {
	const contacts = new ContactItems(client, settings);
	const makeItems = (found: FoundEntry[]) =>
		contacts.make(found, ({ entry }, contact) => [makeItem(entry, contact)]);
	return {
		async poll(last: LogMemory | undefined) {
			const { since, entries } = await readEntries(client, last?.since);
			if (!last) {
				// What is in the log when watching begins starts no workflow.
				const memory = withDone({ since, done: [] }, entries);
				return { items: [], memory, mustSave: false };
			}
			const fresh = findFresh(entries, last);
			// The next poll goes on with what this one has no time for.
			const { taken, found, failed } = await readContactsOf(fresh, last.failed, contacts, host);
			const made = await makeItems(found);
			const done = withDone(last, taken);
			return { ...made, memory: { ...done, failed } };
		},

		async sample() {
			const newest = await readNewestEntry(client);
			if (!newest) return makeExample();
			const record = await readContactOfConversation(client, newest.row);
			const { items } = await makeItems([{ entry: newest, record }]);
			return items[0];
		},
	};
}

/** Returns the entries that are not done, oldest first. */
function findFresh(entries: LogEntry[], { done }: LogMemory) {
	const known = new Set(done.map(([id]) => id));
	const fresh = entries.filter(({ id }) => !known.has(id));
	return fresh.reverse();
}

/** Returns the newest entry of the log that is about a message; undefined if there is none. */
async function readNewestEntry(client: Requester): Promise<LogEntry | undefined> {
	for await (const { rows } of readLog(client)) {
		const [entry] = rows.flatMap(toLogEntry);
		if (entry) return entry;
	}
	return undefined;
}

const readLog = (client: Requester) =>
	readPages(client, errorLogApi.listErrorLogs, {}, { perPage: limits.errorLogPerPage.max });

/**
 * Reads the entries that are newer than a time, newest first; without a time, those of the last
 * minutes before the newest one. New entries push others down, so that some come twice.
 */
async function readEntries(client: Requester, from?: number) {
	let since = from;
	const entries = new Map<string, LogEntry>();
	for await (const { rows } of readLog(client)) {
		for (const entry of rows.flatMap(toLogEntry)) entries.set(entry.id, entry);
		const times = rows.map(({ createdAt }) => parseTime(createdAt));
		since ??= Math.max(0, ...times) - LOGGED_LATE_MS;
		if (Math.min(...times) <= since) break;
	}
	const end = since ?? 0;
	return { since: end, entries: findNewer([...entries.values()], end) };
}

/** Returns the entries after a time, newest first. */
function findNewer(entries: LogEntry[], since: number) {
	const newer = entries.filter(({ at }) => at > since);
	return newer.sort((a, b) => b.at - a.at);
}

/**
 * Returns the entry of a row that is about a message to a contact; none for other rows. It leaves out
 * the long texts of a row, because the trigger may remember it for a week.
 */
function toLogEntry(row: IDataObject): LogEntry[] {
	const { id, contactId, action, detail, httpCode, createdAt } = row;
	if (!messageChannels.includes(String(action)) || !contactId) return [];
	const used = { contactId, action, detail, httpCode, createdAt };
	return [{ id: String(id), at: parseTime(createdAt), row: used }];
}

/** Remembers entries that are done, and the others that may still have company of the same time. */
function withDone({ since, done }: LogMemory, taken: LogEntry[]): LogMemory {
	const all = [...done, ...taken.map(({ id, at }): LogMemory['done'][number] => [id, at])];
	const newest = Math.max(since, ...all.map(([, at]) => at));
	const next = Math.max(since, newest - LOGGED_LATE_MS);
	return { since: next, done: all.filter(([, at]) => at > next) };
}

/**
 * Reads the contacts of entries while there is time, and then those that failed before. Who was
 * deleted since has an ID only. So has who can't be read for a week, but not if contacts must meet
 * conditions: nobody knows whether this one does.
 */
async function readContactsOf(
	fresh: LogEntry[],
	failedBefore: LogEntry[] = [],
	{ hasConditions }: ContactItems,
	host: PollHost,
) {
	const taken: LogEntry[] = [];
	const found: FoundEntry[] = [];
	const failed = new Set(failedBefore);
	const readings = new Map<unknown, ReturnType<typeof readContact>>();
	const triedAt = Date.now();
	const due = failedBefore.filter((entry) => isRetryDue(entry, triedAt));
	// The next poll goes on with the others, unless the limit lets a poll read nobody.
	const endAtLimit = onApiError(
		(error) => taken.length > 0 && isRateLimited(error),
		() => 'limited' as const,
	);
	for (const entry of [...fresh, ...due]) {
		if (!host.hasTime()) break;
		const { contactId } = entry.row;
		const reading = readings.get(contactId) ?? readContact(entry, host);
		readings.set(contactId, reading);
		const record = await reading.catch(endAtLimit);
		if (record === 'limited') break;
		const since = entry.failed?.since ?? triedAt;
		taken.push(entry);
		failed.delete(entry);
		if (record) found.push({ entry, record });
		else if (!isTriedLongEnough(entry, triedAt))
			failed.add({ ...entry, failed: { since, triedAt } });
		else if (!hasConditions) found.push({ entry, record: { id: contactId } });
	}
	return { taken, found, failed: [...failed] };
}

const isTriedLongEnough = ({ failed }: LogEntry, now: number) =>
	failed !== undefined && now - failed.since >= GIVE_UP_AFTER_MS;

/** Reads the contact of an entry; returns undefined, and warns, if the service fails for it. */
async function readContact(entry: LogEntry, host: PollHost) {
	const { row, failed } = entry;
	const isLast = isTriedLongEnough(entry, Date.now());
	const next = isLast ? 'After a week, this was the last try.' : 'Polls try again for a week.';
	const isAboutOne = (error: ApiError) => !isAboutToken(error) && !isRateLimited(error);
	const ifFailed = onApiError(isAboutOne, ({ message }) => {
		const who = `the contact ${String(row.contactId)}, who did not get a message`;
		host.warn(`n8n could not read ${who}. ${next} ${message}`);
		return undefined;
	});
	const client = host.requesterForOne(failed !== undefined);
	const { contactId } = row;
	return await readContactOfConversation(client, { contactId }).catch(ifFailed);
}

function makeItem({ id, row }: LogEntry, contact: IDataObject): IDataObject {
	const { action, detail, httpCode, createdAt } = row;
	const text = String(detail ?? '');
	const numbers = text.match(/\d+/g) ?? [];
	const known = numbers.find((number) => number in failureReasons);
	return {
		contact,
		channel: { type: action },
		reason: known === undefined ? text : failureReasons[known],
		providerText: text,
		code: known ?? httpCode ?? null,
		failedAt: createdAt,
		entryId: id,
	};
}

/**
 * Returns an item to drag fields of while the log has no failed message. It is about nobody: this
 * package's nodes refuse the contact's ID, email and number before any request.
 */
function makeExample(): IDataObject {
	const createdAt = new Date().toISOString();
	const contact = {
		id: 'example_id',
		fullName: 'Example Contact',
		firstName: 'Example',
		lastName: 'Contact',
		email: 'example_email',
		phoneNumber: 'example_phone_number',
		tags: [],
		customFields: {},
		createdAt,
		updatedAt: createdAt,
	};
	const row = { action: 'whatsapp', detail: '(#131047) Re-engagement message', createdAt };
	const entry = { id: 'example_entry', at: parseTime(createdAt), row };
	return { ...makeItem(entry, contact), isExample: true };
}
