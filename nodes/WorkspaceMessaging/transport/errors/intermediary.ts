import { isObject } from '../guards';
import type { HttpResponse } from '../http';
import { endSentence, joinSentences } from './sentences';
import { readServerMessage } from './serverMessage';

/*
 * Answers that something between n8n and the service gave in its place: a firewall, a proxy, a web
 * server. They know nothing of the access token. The API itself always answers JSON, but for the
 * text of a 404 (difference 1).
 */

/** What it does with the request. */
export type Intermediary =
	| 'refuses'
	/** It refuses, if it is not the service that does. */
	| 'mayRefuse'
	| 'asksForPassword'
	/** It says that the service isn't there. */
	| 'unavailable'
	/** It says so, if it is not the service that does. */
	| 'mayBeUnavailable';

/**
 * Headers that only these answers have, with any status: of Cloudflare, AWS WAF (also with 202),
 * Vercel, Google's Identity-Aware Proxy and Squid.
 */
const MARKS = [
	'cf-mitigated',
	'x-amzn-waf-action',
	'x-vercel-mitigated',
	'x-goog-iap-generated-response',
	'x-squid-error',
];

/** Ways to log in that no access token can follow. */
const PASSWORD = /(?:^|,)\s*(basic|digest|negotiate|ntlm)\b/i;

/** A network with a page to log in, such as that of a hotel. */
const WANTS_LOGIN = 511;

/** Whether a gateway reports a failure; from 520 on it is Cloudflare. */
const isOfGateway = (status: number) =>
	(status >= 502 && status <= 504) || (status >= 520 && status <= 530);

/** Pages with these statuses have other explanations. */
const EXPLAINED = [404, 405, 407, 413, 415, 429];

/** Returns what something between n8n and the service does; undefined if the service answered. */
export function findIntermediary(response: HttpResponse): Intermediary | undefined {
	const { status, headers } = response;
	const isMarked = hasMark(response);
	// Squid also marks its pages about a service that is down.
	if (isMarked && (status < 500 || headers['cf-mitigated'] !== undefined)) return 'refuses';
	const wantsPassword = status === 401 && PASSWORD.test(String(headers['www-authenticate']));
	if (wantsPassword || status === WANTS_LOGIN) return 'asksForPassword';
	const isOfOther = isMarked || isWebPage(response);
	if (!isOfOther && isJson(response)) return undefined;
	if (isOfGateway(status)) return isOfOther ? 'unavailable' : 'mayBeUnavailable';
	// A web server can put its page in place of the service's answer.
	if (status === 401 || (status === 403 && !isOfOther)) return 'mayRefuse';
	const isRefusal = status >= 400 && status < 500 && !EXPLAINED.includes(status);
	return isOfOther && isRefusal ? 'refuses' : undefined;
}

/** Whether an answer has a mark, or is Cloudflare's error for those who accept JSON. */
function hasMark({ headers, body }: HttpResponse) {
	const isOfCloudflare = isObject(body) && body.cloudflare_error === true;
	return isOfCloudflare || MARKS.some((name) => headers[name] !== undefined);
}

const isJson = ({ body, isText }: HttpResponse) => body !== undefined && body !== '' && !isText;

/** Whether an answer is a web page, or XML. */
export const isWebPage = ({ body, isText }: HttpResponse) => isText && /^\s*</.test(String(body));

/** What a web page in place of an answer may mean. */
export const MAYBE_OTHER = 'A firewall or a login may have answered in place of the service.';

const LET_THROUGH =
	"let n8n's server through: by its IP address, or for all paths under /api/v1. If it objects to the User-Agent of n8n, set N8N_ENFORCE_GLOBAL_USER_AGENT to true in the environment of n8n.";

const CHECK_SERVICE = 'Check that the service is running.';

/** Explains an answer that the service may not have given; undefined if it has. */
export function explainIntermediary(response: HttpResponse) {
	const kind = findIntermediary(response);
	if (!kind) return undefined;
	const { what, advice } = explanations[kind](response);
	const { proxy, status } = response;
	const ownProxy =
		proxy && `Or it is the proxy at ${proxy.host}, which you set as Proxy under Request Options.`;
	return {
		what,
		cause: describeSender(response),
		advice: joinSentences(advice, ownProxy),
		isAboutRun: status === 401 || kind === 'mayRefuse',
		// It is a page, or part of the headline.
		serverMessage: undefined,
	};
}

const explanations: Record<
	Intermediary,
	(response: HttpResponse) => { what: string; advice: string }
> = {
	refuses: ({ status }) => ({
		what: `A firewall or proxy between n8n and the service refused this request (${status}).`,
		advice: `The access token isn't the reason. Ask whoever manages the firewall to ${LET_THROUGH}`,
	}),
	mayRefuse: (response) => {
		const { status } = response;
		const advice =
			status === 401
				? 'Copy a valid token into the credential.'
				: "Use a token with more rights, or check what the workspace's plan includes.";
		const problem = `The service, or a firewall or proxy in front of it, refused this request (${status})`;
		return {
			what: withWords(problem, response, ' without a reason.'),
			advice: `${advice} If that doesn't help, ask whoever manages the firewall to ${LET_THROUGH}`,
		};
	},
	asksForPassword: ({ status }) => ({
		what: `A proxy or web server in front of the service asks for a user and a password (${status}).`,
		advice:
			'n8n sends only the access token. Ask whoever manages the server to ask for no password on paths under /api/v1.',
	}),
	unavailable: ({ status }) => ({
		what: `The service isn't available: a proxy or web server in front of it answered in its place (${status}).`,
		advice: CHECK_SERVICE,
	}),
	mayBeUnavailable: (response) => ({
		what: withWords(
			`The service, or a proxy or web server in front of it, isn't available (${response.status})`,
			response,
		),
		advice: CHECK_SERVICE,
	}),
};

/** Ends a sentence about an answer with what that says. */
function withWords(problem: string, response: HttpResponse, ifNothing = '.') {
	const said = readServerMessage(response);
	return problem + (said ? `: ${endSentence(said)}` : ifNothing);
}

const LONGEST_NAME = 80;

/**
 * Says who sent an answer, by its own headers and title: `The answer came from "cloudflare" (cf-ray
 * 8a1b), with the title "Just a moment...".` Undefined if it does not say.
 */
export function describeSender({ headers, body }: HttpResponse): string | undefined {
	const server = toName(headers.server ?? headers.via);
	const title = toName(isObject(body) ? body.title : findTitle(body));
	// By this number, those who manage the firewall find the request.
	const [id] = ['cf-ray', 'x-amz-cf-id'].filter((name) => headers[name] !== undefined);
	const number = id ? ` (${id} ${toName(headers[id])})` : '';
	const from = server && ` from "${server}"${number}`;
	const withTitle = title && ` with the title "${title}"`;
	if (!from && !withTitle) return undefined;
	return `The answer came${from ?? ''}${withTitle ?? ''}.`;
}

/** A page has its title near its beginning. */
const findTitle = (body: unknown) => /<title[^>]*>([^<]*)</i.exec(String(body).slice(0, 5000))?.[1];

/** Returns a text of an answer in one short line without markup. */
function toName(value: unknown) {
	if (typeof value !== 'string') return undefined;
	const line = value.replace(/[\s\p{Cc}<>"]+/gu, ' ').trim();
	return line === '' ? undefined : line.slice(0, LONGEST_NAME);
}
