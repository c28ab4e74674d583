import type { Call } from './client';
import { labelAt } from './labels';
import { isTlsFailure } from './request';
import type { Answer, Failure } from './request';

/** A call that failed, in words for the user. */
export class CallError extends Error {
	constructor(
		/** What happened, whether anything was changed, and what to do; complete sentences. */
		message: string,
		readonly details: {
			/** Whether the call had an effect: certainly not (`refused`, `notSent`), or nobody knows (`unknown`). */
			outcome: 'refused' | 'notSent' | 'unknown';
			/** HTTP status of the answer. */
			status?: number;
			/** What the service itself said. */
			said?: string;
		},
	) {
		super(message);
	}
}

/**
 * The error for a step that failed after another was done.
 *
 * @param done what was done and what was not, in a sentence
 */
export function halfDone(error: CallError, done: string): CallError {
	const rest = error.message.replace(UNCHANGED, '').replace(/ {2,}/g, ' ');
	return new CallError(`${done} ${rest}`.trim(), { ...error.details, outcome: 'unknown' });
}

const UNCHANGED = 'Nothing was changed.';

/** The error for an answer that is not a success (part 7: neither codes nor bodies are documented). */
export function statusError(call: Call, answer: Answer, maybeDone: boolean): CallError {
	const { status } = answer;
	const said = serverWords(answer, call);
	const reads = call.endpoint.method === 'GET';
	const known = (sentence: string) =>
		new CallError(sentence, { outcome: maybeDone && !reads ? 'unknown' : 'refused', status, said });
	const changed = maybeDone && !reads ? unknownOutcome(call) : reads ? '' : UNCHANGED;
	const join = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');

	if (status >= 200 && status < 300) {
		return new CallError(
			join(
				'The service answered with something that is not JSON, such as a web page.',
				reads ? '' : unknownOutcome(call),
				'Check the Base URL in the credential.',
			),
			{ outcome: reads ? 'refused' : 'unknown', status },
		);
	}
	if (status >= 300 && status < 400) {
		const to = originOf(answer.headers.location);
		return known(
			join(
				`The service redirects to another address${to ? ` (${to})` : ''}, which is not followed, to keep the access token safe.`,
				changed,
				'Put the address where the service really is into the Base URL of the credential.',
			),
		);
	}
	if (status >= 500) {
		const outcome = reads ? 'refused' : 'unknown';
		return new CallError(
			join(
				`The service failed to answer (${status})${said ? `: ${sentence(said)}` : '.'}`,
				reads ? 'Try again later.' : unknownOutcome(call),
			),
			{ outcome, status, said },
		);
	}
	switch (status) {
		case 401:
			return known(
				join(
					'The service refused the access token (401).',
					changed,
					'Put a current token into the credential; it is in the workspace settings under Integrations, API access token.',
				),
			);
		case 403:
			return known(
				join(
					`The access token is not allowed to do this (403)${said ? `: ${sentence(said)}` : '.'}`,
					changed,
					'Use a token with more rights, or check what the plan of the workspace includes.',
				),
			);
		case 404:
		case 405:
			return known(join(notFound(call, answer, said), changed));
		case 409:
			return known(
				join(
					`This conflicts with what the workspace already has (409)${said ? `: ${sentence(said)}` : '.'}`,
					changed,
					'Use another name or value, or update what exists.',
				),
			);
		default:
			return known(
				join(
					`The service refused the request (${status})${said ? `: ${sentence(said)}` : '.'}`,
					changed,
					'Correct the value and try again.',
				),
			);
	}
}

/**
 * The error for a call that cannot wait for as long as the service asks everybody to.
 *
 * @param waitMs how long that is, in milliseconds
 */
export function tooManyRequests(call: Call, maybeDone: boolean, waitMs: number): CallError {
	const unknown = maybeDone && call.endpoint.method !== 'GET';
	const seconds = Math.ceil(waitMs / 1000);
	return new CallError(
		[
			`The service answers that there were too many requests (429)${seconds > 1 ? ` and has to be left alone for ${seconds} s` : ''}.`,
			unknown ? unknownOutcome(call) : call.endpoint.method === 'GET' ? '' : UNCHANGED,
			'Lower Requests per Minute in the credential, or try again later.',
		]
			.filter(Boolean)
			.join(' '),
		{ outcome: unknown ? 'unknown' : 'refused', status: 429 },
	);
}

/** The error for a call that got no answer. */
export function failureError(call: Call, failure: Failure, baseUrl: string, maybeDone: boolean): CallError {
	const reads = call.endpoint.method === 'GET';
	if (failure.kind === 'cancelled') {
		return new CallError(`The execution was cancelled. ${reads ? '' : unknownOutcome(call)}`.trim(), {
			outcome: 'unknown',
		});
	}
	const host = new URL(baseUrl).host;
	if (failure.kind === 'notSent') {
		const what = failure.code
			? `The service at ${host} cannot be reached: ${reason(failure.code)}.`
			: sentence(failure.message);
		if (maybeDone && !reads) return new CallError(`${what} ${unknownOutcome(call)}`, { outcome: 'unknown' });
		const hint = failure.code
			? 'Check the Base URL in the credential, and whether the service is running.'
			: '';
		return new CallError([what, reads ? '' : UNCHANGED, hint].filter(Boolean).join(' '), {
			outcome: 'notSent',
		});
	}
	const what =
		failure.code === 'TOO_LARGE'
			? 'The answer of the service is larger than 100 MB and was not read.'
			: `The connection to ${host} broke before the answer was there: ${reason(failure.code)}.`;
	return new CallError(`${what} ${reads ? 'Try again later.' : unknownOutcome(call)}`, {
		outcome: reads ? 'refused' : 'unknown',
	});
}

/** The error for an answer that is JSON, but not what was asked for. */
export function unexpectedError(call?: Call): CallError {
	const writes = call && call.endpoint.method !== 'GET';
	return new CallError(
		[
			'The service answered in a form that this operation does not understand.',
			writes ? unknownOutcome(call) : '',
			'Check the Base URL in the credential.',
		]
			.filter(Boolean)
			.join(' '),
		{ outcome: 'unknown' },
	);
}

/** Says that nobody knows whether a call was carried out, and how to find out. */
export function unknownOutcome({ endpoint, subject }: Call): string {
	const check = endpoint.check ? `, or use ${endpoint.check}` : '';
	return `It is not known whether this was carried out${subject ? ` for ${subject}` : ''}: before you run it again, look in the workspace${check}.`;
}

function notFound(call: Call, { status, notJson }: Answer, said: string): string {
	const { undocumented } = call.endpoint;
	const words = said ? ` The service said: ${sentence(said)}` : '';
	if (undocumented && (status === 405 || saysNoRoute(said) || !call.subject)) {
		const instead = undocumented.instead ? ` Instead, ${undocumented.instead}.` : '';
		return `This service does not offer the operation (${status}), which is not part of the documented API.${instead}`;
	}
	if (undocumented) {
		const instead = undocumented.instead ? ` In that case, ${undocumented.instead}.` : '';
		return `There is no ${call.subject}, or this service does not offer the operation, which is not part of the documented API (${status}).${instead}${words}`;
	}
	if (call.subject?.startsWith('contact') && /\b(flow|node|tag|field|inbox|channel|file)\b/i.test(said)) {
		return `Something that is named here does not exist (${status}).${words}`;
	}
	if (status === 405 || !call.subject) {
		return `The service does not know this address (${status}). Check the Base URL in the credential.${words}`;
	}
	if (notJson || saysNoRoute(said)) {
		return `There is no ${call.subject}, or the Base URL in the credential is not that of the API (404).${words}`;
	}
	return `There is no ${call.subject} (404).${words}`;
}

/** Whether the words of a 404 are those of a web framework that has no such route. */
function saysNoRoute(said: string): boolean {
	return /cannot (get|post|put|patch|delete)\b|route|no such (endpoint|path)|not matching|procedure/i.test(
		said,
	);
}

function reason(code?: string): string {
	switch (code) {
		case 'ECONNREFUSED':
			return 'nothing accepts connections there';
		case 'ENOTFOUND':
			return 'there is no such host';
		case 'EAI_AGAIN':
			return 'the name of the host could not be looked up';
		case 'EHOSTUNREACH':
		case 'ENETUNREACH':
			return 'there is no way to that host';
		case 'ETIMEDOUT':
		case 'ECONNABORTED':
			return 'it took too long';
		case 'ECONNRESET':
		case 'EPIPE':
			return 'it was closed by the other side';
		default:
			if (isTlsFailure(code)) return 'its TLS certificate cannot be trusted';
			return 'the network failed';
	}
}

const MAX_WORDS = 300;

/** What the service said, as plain text: field issues by the node's own labels, never HTML, never an object's dump. */
export function serverWords(answer: Answer, call: Pick<Call, 'labels'>): string {
	const { body } = answer;
	if (typeof body === 'string') return clip(messageOf(body, 0));
	if (typeof body !== 'object' || body === null) return '';
	const issues = issuesOf(body as Record<string, unknown>, call);
	return clip(issues.length > 0 ? issues.join('; ') : messageOf(body, 0));
}

function issuesOf(body: Record<string, unknown>, call: Pick<Call, 'labels'>): string[] {
	const holders = [body.data, body.error, body] as Array<Record<string, unknown> | undefined>;
	const list = holders.map((holder) => holder?.issues ?? holder?.errors).find(Array.isArray) as
		| unknown[]
		| undefined;
	return (list ?? [])
		.slice(0, 5)
		.map((issue) => {
			if (typeof issue !== 'object' || issue === null) return messageOf(issue, 0);
			const { path, field } = issue as { path?: unknown; field?: unknown };
			const steps = (Array.isArray(path) ? path : [path ?? field]).filter(
				(step): step is string | number =>
					(typeof step === 'string' && step !== 'body' && step !== 'query') || typeof step === 'number',
			);
			const text = messageOf(issue, 0);
			return steps.length > 0 ? `${labelAt(steps, call.labels ?? {})}: ${text}` : text;
		})
		.filter((text) => text !== '');
}

function messageOf(value: unknown, depth: number): string {
	if (typeof value === 'string') return /<[a-z!/]/i.test(value) ? '' : value;
	if (typeof value !== 'object' || value === null || depth > 3) return '';
	if (Array.isArray(value)) {
		return value
			.slice(0, 5)
			.map((entry) => messageOf(entry, depth + 1))
			.filter((text) => text !== '')
			.join('; ');
	}
	const holder = value as Record<string, unknown>;
	for (const key of ['message', 'error', 'detail', 'title', 'description', 'reason']) {
		const text = messageOf(holder[key], depth + 1);
		if (text !== '') return text;
	}
	return '';
}

function clip(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}

function sentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function originOf(location: unknown): string {
	try {
		return new URL(String(location)).origin;
	} catch {
		return '';
	}
}
