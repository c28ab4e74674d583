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

/** Makes a secret of 128 bits. */
export const makeSecret = () => randomBytes(16).toString('hex');

/** Returns the node's secret; undefined if it has none yet. */
export function getSavedSecret(context: IHookFunctions | IWebhookFunctions): string | undefined {
	const { secret }: SavedKey = context.getWorkflowStaticData('node');
	return typeof secret === 'string' && SECRET.test(secret) ? secret : undefined;
}

/**
 * Saves the node's secret. It stays the same for as long as n8n knows it, because n8n may save an
 * older copy of its data.
 */
export function saveSecret(context: IHookFunctions, secret: string): void {
	const saved: SavedKey = context.getWorkflowStaticData('node');
	if (saved.secret !== secret) saved.secret = secret;
}

/** Returns the key for a subject. */
export const makeKey = (secret: string, subject: string) => `${secret}.${subject}`;

/** Returns an address with a key. */
export function addKeyToAddress(address: string, key: string): string {
	const url = new URL(address);
	url.searchParams.set(PARAMETER, key);
	return url.href;
}

/**
 * Returns the secret in an address whose key is for this subject; undefined for any other address.
 */
export function findSecretIn(address: string, subject: string): string | undefined {
	const [secret, ...rest] = (new URL(address).searchParams.get(PARAMETER) ?? '').split('.');
	return SECRET.test(secret) && rest.join('.') === subject ? secret : undefined;
}

/** Whether two addresses differ in their key at most. */
export function isSameAddress(one: string, other: string): boolean {
	if (!URL.canParse(one) || !URL.canParse(other)) return false;
	const [a, b] = [new URL(one), new URL(other)];
	return a.origin === b.origin && a.pathname === b.pathname;
}

/**
 * Whether an address is the node's own: this one, or, with the node's secret, one that n8n had
 * under another host.
 */
export function isOwnAddress(one: string, address: string, secret?: string): boolean {
	if (isSameAddress(one, address)) return true;
	if (secret === undefined || !URL.canParse(one) || !URL.canParse(address)) return false;
	const { pathname, searchParams } = new URL(one);
	const key = searchParams.get(PARAMETER) ?? '';
	return pathname === new URL(address).pathname && key.startsWith(`${secret}.`);
}

/** Whether a call has this key, in a time that says nothing about the key. */
export function hasAddressKey(query: { [PARAMETER]?: unknown }, key: string): boolean {
	const called = query[PARAMETER];
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return typeof called === 'string' && timingSafeEqual(digest(called), digest(key));
}
