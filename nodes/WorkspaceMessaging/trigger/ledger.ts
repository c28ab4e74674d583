import { createHash } from 'node:crypto';

/*
 * What records are marked with: contacts with their tags, broadcasts with their status. For the 100,000 contacts of a large
 * workspace it has to be remembered in little room, so a record is known by 48 bits of a hash of its ID, and its marks by
 * their places in a list: some 9 characters a record.
 */

/** A ledger as it is remembered. */
export interface StoredLedger {
	/** All marks in use, sorted. */
	marks: string[];
	/** The records, see `encode`. */
	records: string;
}

/** What is remembered of one record. */
interface Account {
	marks: string[];
	/** In how many polls in a row it has not been in the list. */
	missed: number;
}

/**
 * Polls over which a record is remembered that is not in the list: a page can be misread, a filter can come and go. With a
 * poll every minute that is a week.
 */
const FORGOTTEN_AFTER = 10_000;

/** How the marks of a record have changed. */
export interface Change {
	added: string[];
	removed: string[];
}

/** The marks of records at two polls. */
export class Ledger {
	private readonly before: Map<number, Account>;

	private readonly now = new Map<number, string[]>();

	constructor(stored?: StoredLedger) {
		this.before = stored ? decode(stored) : new Map<number, Account>();
	}

	/** Enters what a record is marked with now, and says how that differs from before; undefined if it was entered already. */
	enter(id: string, marks: string[]): Change | undefined {
		const key = keyOf(id);
		if (this.now.has(key)) return undefined;
		this.now.set(key, marks);
		const old = this.before.get(key)?.marks ?? [];
		return {
			added: marks.filter((mark) => !old.includes(mark)),
			removed: old.filter((mark) => !marks.includes(mark)),
		};
	}

	/**
	 * What to remember after all records of the list were entered. Records without marks are not remembered. A list that is
	 * empty says nothing: it may only be out of reach, for however many polls.
	 */
	close(): StoredLedger {
		if (this.now.size === 0) return encode(this.before);
		const accounts = new Map<number, Account>();
		for (const [key, marks] of this.now) if (marks.length > 0) accounts.set(key, { marks, missed: 0 });
		for (const [key, { marks, missed }] of this.before) {
			if (!this.now.has(key) && missed < FORGOTTEN_AFTER) accounts.set(key, { marks, missed: missed + 1 });
		}
		return encode(accounts);
	}
}

function keyOf(id: string): number {
	return createHash('sha256').update(id).digest().readUIntBE(0, 6);
}

/**
 * The records in the order of their keys, in numbers of 7 bits a byte, as base64: how much the key is above the one before,
 * the number of marks, the missed polls, and the place of each mark.
 */
function encode(accounts: Map<number, Account>): StoredLedger {
	const marks = [...new Set([...accounts.values()].flatMap((account) => account.marks))].sort();
	const places = new Map(marks.map((mark, place) => [mark, place]));
	const bytes: number[] = [];
	let last = 0;
	for (const [key, account] of [...accounts].sort(([a], [b]) => a - b)) {
		write(bytes, key - last);
		// Hardly any record is missing: those that are take one more number.
		write(bytes, account.marks.length * 2 + (account.missed > 0 ? 1 : 0));
		if (account.missed > 0) write(bytes, account.missed);
		const own = account.marks.map((mark) => places.get(mark)!).sort((a, b) => a - b);
		for (const place of own) write(bytes, place);
		last = key;
	}
	return { marks, records: Buffer.from(bytes).toString('base64') };
}

function decode({ marks, records }: StoredLedger): Map<number, Account> {
	const accounts = new Map<number, Account>();
	const bytes = Buffer.from(records, 'base64');
	let at = 0;
	const read = (): number => {
		let value = 0;
		for (let weight = 1; ; weight *= 128) {
			const byte = bytes[at++];
			value += (byte & 127) * weight;
			if (byte < 128) return value;
		}
	};
	let key = 0;
	while (at < bytes.length) {
		key += read();
		const header = read();
		const missed = header % 2 === 1 ? read() : 0;
		const own = Array.from({ length: Math.floor(header / 2) }, () => marks[read()]);
		accounts.set(key, { marks: own, missed });
	}
	return accounts;
}

function write(bytes: number[], value: number) {
	let rest = value;
	while (rest > 127) {
		bytes.push((rest % 128) + 128);
		rest = Math.floor(rest / 128);
	}
	bytes.push(rest);
}
