import { createHash } from 'node:crypto';
import { problem } from './problems';

/** Success is kept for a day, a claim that is still running for five minutes. */
const keptMs = 24 * 3_600_000;
const claimMs = 5 * 60_000;
const largestKept = 256 * 1024;

interface Claim {
	input: string;
	at: number;
	/** What the request brought, once it is done. */
	done?: { value: unknown };
}

/** A value with its keys in order, and files by name, size and type. */
function canonical(value: unknown): unknown {
	if (value instanceof Blob) {
		return { name: value instanceof File ? value.name : '', size: value.size, type: value.type };
	}
	if (Array.isArray(value)) return value.map(canonical);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([left], [right]) => (left < right ? -1 : 1))
			.map(([key, entry]) => [key, canonical(entry)]),
	);
}

/**
 * Reads the header `Idempotency-Key`; undefined without one. Refuses a key that is too short or too
 * long.
 */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
	if (header === undefined) return undefined;
	const key = header.trim();
	if (key.length < 1 || key.length > 255) {
		throw problem(422, 'idempotencyKeyInvalid', 'Idempotency-Key must be 1-255 characters');
	}
	return key;
}

/** The keys that a workspace has seen, each for one operation. */
export class IdempotencyKeys {
	readonly #claims = new Map<string, Claim>();

	/**
	 * Runs a request once for its key; another with the same key and input gets what the first one
	 * brought.
	 */
	async once(
		operation: string,
		key: string,
		input: unknown,
		run: () => Promise<unknown>,
	): Promise<{ value: unknown; replayed: boolean }> {
		const name = `${operation} ${key}`;
		const hash = createHash('sha256')
			.update(JSON.stringify(canonical(input)))
			.digest('hex');
		const now = Date.now();
		const known = this.#claims.get(name);
		if (known && now - known.at < (known.done ? keptMs : claimMs)) {
			if (known.input !== hash) {
				throw problem(
					422,
					'idempotencyKeyReused',
					'This Idempotency-Key was already used with a different request',
				);
			}
			if (!known.done) {
				throw problem(
					409,
					'idempotencyKeyConflict',
					'A request with this Idempotency-Key is still in progress',
				);
			}
			return { value: known.done.value, replayed: true };
		}
		const claim: Claim = { input: hash, at: now };
		this.#claims.set(name, claim);
		try {
			const value = await run();
			if ((JSON.stringify(value) ?? '').length > largestKept) this.#claims.delete(name);
			else claim.done = { value: structuredClone(value) };
			return { value, replayed: false };
		} catch (error) {
			this.#claims.delete(name);
			throw error;
		}
	}

	/** Frees a key, as services do when they answer with an error of their own. */
	forget(key: string | undefined): void {
		for (const name of this.#claims.keys())
			if (name.endsWith(` ${key?.trim()}`)) this.#claims.delete(name);
	}
}
