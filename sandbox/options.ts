import { z } from 'zod/v4';
import { contact } from '../nodes/WorkspaceMessaging/contract/contact';
import { collectionNames } from './records';
import { operationNames } from './routes';
import { serviceNames } from './services/names';
import { serviceOperations } from './services/newer/operations';

/*
 * What a test can ask of the sandbox. All of it is strict, so that a misspelled fault fails the
 * test that sets it instead of testing nothing.
 */

const positive = z.number().int().min(1);
const rate = z.number().min(0).max(1);

const pattern = z.string().refine((source) => {
	try {
		return Boolean(new RegExp(source));
	} catch {
		return false;
	}
}, 'must be a regular expression');

/** When a fault applies: to which requests, and how often; without a limit, to each of them. */
const occasion = {
	/** Only these requests. */
	match: z
		.strictObject({
			method: z.string().optional(),
			/** Regular expression tried on the path as it came over the wire, with the query. */
			pathPattern: pattern.optional(),
			/** Name of the operation, as in the contract: for example `createContact`. */
			operation: z.enum(operationNames).optional(),
		})
		.optional(),
	/**
	 * Share of the requests, drawn from seed, method, path and how often that pair was sent before.
	 */
	rate: rate.optional(),
	/** Only the first so many. */
	times: positive.optional(),
	/**
	 * What `times` counts: requests that match (`rule`), or repetitions of one and the same request
	 * (`request`).
	 */
	per: z.enum(['rule', 'request']).optional(),
};

/** The shapes of error bodies that services use. */
export const errorBodies = [
	'json',
	'message',
	'error',
	'errorObject',
	'errors',
	'text',
	'html',
	'empty',
] as const;

const fail = z.strictObject({
	...occasion,
	status: z.number().int().min(400).max(599),
	/** Shape of the body; `json` when left out. */
	body: z.enum(errorBodies).optional(),
	message: z.string().optional(),
	/** The code of a `json` body, such as `notFound`. */
	code: z.string().optional(),
	/** Issues named in a `json` body. */
	issues: z
		.array(
			z.strictObject({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }),
		)
		.optional(),
	headers: z.record(z.string(), z.string()).optional(),
	/** Names the caller's token in the message. */
	echoToken: z.boolean().optional(),
	/** Fails after the request took effect. */
	after: z.boolean().optional(),
});

const hostileModes = [
	/** Some of the answer comes, the rest never. */
	'slow',
	/** The answer has no end. */
	'endless',
	/** Valid JSON of `megabytes`. */
	'huge',
	/** A small compressed body that unpacks to `megabytes`. */
	'gzipBomb',
	/** A page of HTML with status 200. */
	'notJson',
	/** JSON that breaks off. */
	'brokenJson',
	/** The connection ends in the middle of the true answer. */
	'cut',
	/** JSON of another `shape`. */
	'wrongShape',
] as const;

export const wrongShapes = [
	'string',
	'number',
	'null',
	'dataNull',
	'dataString',
	'nested',
	'listOfNulls',
	'emptyObject',
] as const;

/** One way of answering that no client should be hurt by. */
const hostile = z.strictObject({
	...occasion,
	mode: z.enum(hostileModes),
	megabytes: positive.optional(),
	shape: z.enum(wrongShapes).optional(),
});

/** A limit on the requests of a workspace. */
const rateLimit = z.strictObject({
	requests: positive,
	windowMs: positive,
	/**
	 * `fixed` counts in windows that start with the first request; `sliding` looks back from every
	 * request.
	 */
	kind: z.enum(['fixed', 'sliding']).default('fixed'),
	/** How a 429 states the wait: `words` in its text only, the others in a header. */
	tell: z.enum(['none', 'words', 'seconds', 'date']).default('none'),
	body: z.enum(errorBodies).default('json'),
});

/** All faults; a key that is null or absent is off. */
export const faults = z.strictObject({
	/** Feeds every chance below. */
	seed: z.number().int().nullish(),
	/** Time before a request is handled; of two numbers, one in between, by chance. */
	latencyMs: z
		.union([z.number().min(0), z.tuple([z.number().min(0), z.number().min(0)])])
		.nullish(),
	rateLimit: rateLimit.nullish(),
	fail: z.array(fail).nullish(),
	/** Closes the connection before the request is handled. */
	dropBefore: z.strictObject(occasion).nullish(),
	/** Closes it after: the effect happened, the answer is lost. */
	dropAfter: z.strictObject(occasion).nullish(),
	/**
	 * Closes it as soon as the work has begun: the effect happens (after `workMs`), and the client
	 * gets no answer.
	 */
	dropDuring: z.strictObject(occasion).nullish(),
	/**
	 * Time that a write takes on newer and older services, while its `Idempotency-Key` is claimed.
	 */
	workMs: z.number().min(0).nullish(),
	redirect: z
		.strictObject({
			...occasion,
			status: z.union([
				z.literal(301),
				z.literal(302),
				z.literal(303),
				z.literal(307),
				z.literal(308),
			]),
			to: z.enum(['same', 'other']),
		})
		.nullish(),
	hostile: z.array(hostile).nullish(),
	/**
	 * Operations that this server does not have, and what it says instead; newer and older services
	 * always say 404, in plain text.
	 */
	missing: z
		.partialRecord(z.enum(operationNames), z.union([z.literal(404), z.literal(405)]))
		.nullish(),
	/**
	 * Status that the storage answers to downloads of attachments, for example 403 for an address
	 * that has run out.
	 */
	failDownloads: z.number().int().min(400).max(599).nullish(),
	/** Status that the storage answers to uploads, for example 503 while it restarts. */
	failUploads: z.number().int().min(400).max(599).nullish(),
	/** How long a webhook may take to answer, instead of the 30 or 15 seconds of services. */
	webhookTimeoutMs: positive.nullish(),
	/** Silent cap of every page. */
	maxPerPage: positive.nullish(),
	/**
	 * Where lists count their pages: nowhere, wrongly from the `perPage` asked for, or also where
	 * they need not.
	 */
	pageCount: z.enum(['nowhere', 'fromAsked', 'everywhere']).nullish(),
	/** The service returns lists as arrays instead of `{ data }`. */
	bareArrays: z.boolean().nullish(),
	/** The service returns the workspace as an object instead of a list. */
	workspaceObject: z.boolean().nullish(),
	/** The service ignores `sort` for lists of contacts. */
	ignoreSort: z.boolean().nullish(),
	/** The service sorts lists of contacts by the first of several fields only. */
	sortByFirstField: z.boolean().nullish(),
	/**
	 * Sorted lists begin with the contacts that have no value, as databases do in descending order.
	 */
	emptyFirst: z.boolean().nullish(),
	/** The service ignores `keyword` for lists of tags. */
	ignoreKeyword: z.boolean().nullish(),
	/** The service returns the first page for every page number. */
	ignorePaging: z.boolean().nullish(),
	/**
	 * Before every page but the first, a new contact comes to the front of the list, so that rows
	 * move down.
	 */
	growWhilePaging: z.boolean().nullish(),
	/**
	 * Before each request for contacts, a new contact comes to the front of the list, or some contact
	 * is deleted, each with this probability.
	 */
	changeWhilePaging: z
		.strictObject({
			seed: z.number(),
			creates: z.number(),
			deletes: z.number(),
			/** The newest contact is deleted each time. */
			deletesNewest: z.boolean().optional(),
			/** Before so many requests at most. */
			times: positive.optional(),
		})
		.nullish(),
	/** Filters of the list of conversations that the service accepts and does not apply. */
	ignoredConversationFilters: z
		.array(z.enum(['tags', 'botEnabled', 'assignedId', 'channel', 'keyword']))
		.nullish(),
	/** The service assigns conversations to anybody, and unassigns them if it cannot read to whom. */
	checksNoAssignee: z.boolean().nullish(),
	/**
	 * The service shows for each channel when it was last used, and when the contact last wrote
	 * there, as only the newest do.
	 */
	showsChannelTimes: z.boolean().nullish(),
	/**
	 * A build before the newest: it drops `templateParams`, takes the contact's latest inbox for a
	 * template whatever its channel, and has no endpoints that read WhatsApp templates but the old
	 * list.
	 */
	templateParamsDropped: z.boolean().nullish(),
	/**
	 * An earlier newer build: it lists the custom fields that it filters contacts by without the kind
	 * of their values.
	 */
	untypedFilterFields: z.boolean().nullish(),
	/**
	 * What the provider reports for a contact, by its ID, a moment after it took the message of a
	 * broadcast: the contact does not get it.
	 */
	broadcastRefusals: z.record(z.string(), z.string()).nullish(),
	/** The service lists the recipients of broadcasts without the names of these contacts. */
	bareRecipients: z.boolean().nullish(),
	/** IDs of contacts that requests for many contacts skip, although these contacts exist. */
	skippedInBulk: z.array(z.string()).nullish(),
	/**
	 * How newer and older services treat `contactFilter`. `strict`: they reject an invalid filter
	 * (default of newer services). `lenient`: they ignore an invalid filter and list all contacts.
	 * `ignored`: they ignore every filter (default of older services).
	 */
	contactFilter: z.enum(['strict', 'lenient', 'ignored']).nullish(),
});
export type Faults = z.input<typeof faults>;

/**
 * The limit of newer services: 120 requests in ten seconds, stated in words only. Tests turn it on
 * where they need it.
 */
export const newerRateLimit = {
	requests: 120,
	windowMs: 10_000,
	kind: 'fixed',
	tell: 'words',
} as const satisfies z.input<typeof rateLimit>;

const count = z.number().int().min(0);

/** The options of a new workspace. */
export const workspaceOptions = z.strictObject({
	/** The number of contacts, up to 100,000; 50 by default. */
	contacts: count.max(100_000).optional(),
	/** The seed of the random names and values of the records. */
	seed: z.number().int().optional(),
	/** Whether the workspace only has the records of `contacts` and `counts`. */
	empty: z.boolean().optional(),
	/** The number of records of other kinds, in place of the usual few. */
	counts: z.partialRecord(z.enum(collectionNames), count.max(100_000)).optional(),
	/** How long an import runs, in milliseconds; 100 by default. */
	importMs: count.optional(),
	/** The reason why imports of newer services fail, if they do. */
	importFailure: z.string().optional(),
	faults: faults.optional(),

	/**
	 * The kind of service that answers. By default, the one that the sandbox was started with, or
	 * else `reference`.
	 */
	service: z.enum(serviceNames).optional(),

	// The rest is for newer and older services only.

	/** What the token may do; of older services, only `refused` has a meaning. */
	token: z
		.strictObject({
			/**
			 * The service refuses the token as a wrong one, while the sandbox still writes its journal.
			 */
			refused: z.boolean().optional(),
			/** Scopes that it has; null, or left out, for all. */
			scopes: z.array(z.string()).nullish(),
			readOnly: z.boolean().optional(),
		})
		.optional(),
	/** Why the service forbids what the token could do. */
	plan: z
		.enum(['trialExpired', 'macLimitReached', 'deletionScheduled', 'broadcastPlanLimit'])
		.optional(),
	/** Operations that only some builds have, and this one too. */
	additionalOperations: z.array(z.enum(serviceOperations)).optional(),
	/** Whether it is one of the newest builds: with all operations that only those have. */
	newest: z.boolean().optional(),
	/**
	 * How refusals by business rules, such as duplicates, arrive: `hidden` by older services,
	 * `validation422` by newer.
	 */
	businessErrors: z
		.enum(['hidden', 'underscoreErrors', 'validation400', 'validation422'])
		.optional(),
	/** Whether webhooks may have private addresses, such as those of this machine. */
	allowPrivateUrls: z.boolean().optional(),
	/** Up to how many contacts a newer service counts a list; 10,000 when left out. */
	countCap: positive.optional(),
	/** `+` and digits, put before national phone numbers; without it such numbers are refused. */
	defaultCountryCode: z
		.string()
		.regex(/^\+\d{1,4}$/)
		.optional(),
});
export type WorkspaceOptions = z.input<typeof workspaceOptions>;

/** What another user sets in a contact; unlike the API, that may be any field. */
export const contactChange = z.strictObject({
	...contact
		.omit({ id: true, fullName: true, location: true, workspaceId: true })
		.omit({ contactCustomFields: true, tags: true, contactInboxes: true })
		.partial().shape,
	tagIds: z.array(z.string()).optional(),
	inboxIds: z.array(z.string()).optional(),
	sequenceIds: z.array(z.string()).optional(),
	whatsappUser: z
		.object({ sourceUserId: z.string(), sourceUsername: z.string().nullable() })
		.optional(),
});
export type ContactChange = z.input<typeof contactChange>;
