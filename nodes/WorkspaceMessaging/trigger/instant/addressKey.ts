import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/*
 * The key in the address that the service calls: a random secret, and what the call is for. n8n
 * saves the secret for the node. A call for an event that the node had before has another key,
 * because services go on calling for up to a minute.
 */

const PARAMETER = 'key';
const SECRET = /^[0-9a-f]{32}$/;

/** What n8n saves for the node. */
interface SavedKey {
	secret?: string;
}

/** Makes the secret of an instant trigger, of 128 bits. */
export const makeSecret = () => randomBytes(16).toString('hex');

/** Returns the node's secret; undefined if it has none yet. */
export function getSavedSecret(context: IHookFunctions | IWebhookFunctions): string | undefined {
	const { secret }: SavedKey = context.getWorkflowStaticData('node');
	if (typeof secret !== 'string') return undefined;
	return SECRET.test(secret) ? secret : undefined;
}

/**
 * Saves the node's secret. It stays the same for as long as n8n knows it, because n8n may save an
 * older copy of its data.
 */
export function saveSecret(context: IHookFunctions, secret: string): void {
	const saved: SavedKey = context.getWorkflowStaticData('node');
	if (saved.secret !== secret) saved.secret = secret;
}

/** Returns the key in the address that proves that the service calls; it differs by subject. */
export const makeKey = (secret: string, subject: string) => `${secret}.${subject}`;

/** Returns the address that the service calls, with its key. */
export function addKeyToAddress(address: string, key: string): string {
	const url = new URL(address);
	url.searchParams.set(PARAMETER, key);
	return url.href;
}

/** Returns the key in an address; an empty text if it has none. */
function getKeyIn({ searchParams }: URL) {
	return searchParams.get(PARAMETER) ?? '';
}

/**
 * Returns the secret in an address whose key is for this subject; undefined for any other address.
 */
export function findSecretIn(address: string, subject: string): string | undefined {
	const key = getKeyIn(new URL(address));
	const [secret, ...rest] = key.split('.');
	if (!SECRET.test(secret)) return undefined;
	const isForSubject = rest.join('.') === subject;
	return isForSubject ? secret : undefined;
}

/** Whether two addresses differ in their key at most. */
export function isSameAddress(one: string, other: string): boolean {
	if (!URL.canParse(one) || !URL.canParse(other)) return false;
	const a = new URL(one);
	const b = new URL(other);
	return a.origin === b.origin && a.pathname === b.pathname;
}

/**
 * Whether an address is the node's own: this one, or, with the node's secret, one that n8n had
 * under another host.
 */
export function isOwnAddress(one: string, address: string, secret?: string): boolean {
	if (isSameAddress(one, address)) return true;
	if (secret === undefined) return false;
	if (!URL.canParse(one) || !URL.canParse(address)) return false;
	const url = new URL(one);
	const own = new URL(address);
	if (url.pathname !== own.pathname) return false;
	const key = getKeyIn(url);
	return key.startsWith(`${secret}.`);
}

/** Whether a call has this key, in a time that says nothing about the key. */
export function hasAddressKey(query: { [PARAMETER]?: unknown }, key: string): boolean {
	const called = query[PARAMETER];
	if (typeof called !== 'string') return false;
	// Digests have the same length, however long the texts are.
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(called), digest(key));
}
