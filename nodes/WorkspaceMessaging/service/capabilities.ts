import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Endpoint } from '../contract/endpoint';
import { undocumentedApi } from '../contract/undocumented';
import { workspaceApi } from '../contract/workspace';
import {
	isUnsupported,
	isUnsupportedOrRefused,
	onApiError,
	refusedError,
	type ApiError,
} from '../transport/errors/ApiError';
import type { Requester } from '../transport/request';
import type { RetryRecognition } from '../transport/retry/settings';
import { probeContacts, searchByCustomField } from './contacts';
import { memoryPerService, oncePerService, type HasService } from './memory';
import type { SortField } from './contactOrder';
import { string, strings } from '../contract/values';

/*
 * What a service can do. No setting says what a service is like: its answers show it, or n8n asks it
 * when it first needs to know, once an hour at most.
 */

/** The kinds of services, for what no answer shows. The reference describes services of one kind. */
type Age = 'newer' | 'older' | 'reference';

/** What some kinds of services can do. */
const supportedBy = {
	/** Lists inboxes beside channels; messages and contacts take the IDs of inboxes (difference 8). */
	inboxes: ['newer'],
	/** Has conversations, and shows them to access tokens. */
	conversations: ['newer'],
	/** Refuses a flow that does not exist; others accept it and do nothing (difference 12). */
	flowChecks: ['newer', 'reference'],
	/** Recognizes a request that it gets again by its `Idempotency-Key` (difference 10). */
	idempotencyKeys: ['newer'],
	/** Changes the tags or sequences of many contacts in one request. */
	bulkChanges: ['newer'],
} satisfies Record<string, Age[]>;

/** Something that only some services can do. */
export type Feature = keyof typeof supportedBy;

/** Writes a filter of contacts into a query. */
export type FilterForm = (filter: IDataObject) => IDataObject | string;

/** Writes an order of contacts into a query. */
export type SortForm = (sort: readonly SortField[]) => IDataObject;

/** What a list of a service is like, as its answers have shown. */
interface ListTraits {
	/** The largest page that it returns without an error (difference 4). */
	largestPage?: number;
	/** What it leaves out of its records unless `include` asks for it (difference 7). */
	include?: string[];
	/** How many records it returns, if it is known to be cut (difference 5). */
	cutAt?: number;
}

/** What the answers of a service have shown. */
interface Shown {
	age?: Age;
	/** Whether it has shown that it recognizes a request that it gets again (difference 10). */
	recognizesRetries: boolean;
	/** By the path of the list. */
	lists: Map<string, ListTraits>;
	/** The form in which it has applied a filter of contacts (difference 14). */
	filterForm?: FilterForm;
	/** The form in which it has kept an order of contacts, by field (difference 15). */
	sortForms: Map<string, SortForm>;
}

/** Returns what the answers of a service have shown. */
export const shownBy = memoryPerService(
	(): Shown => ({ recognizesRetries: false, lists: new Map(), sortForms: new Map() }),
);

/** Returns what a list of a service is like, to read it and to note more. */
export function listTraits(client: HasService, { path }: Endpoint): ListTraits {
	const { lists } = shownBy(client);
	const traits = lists.get(path) ?? {};
	lists.set(path, traits);
	return traits;
}

/** A value that no custom field has. */
const UNUSED_VALUE = 'Nothing 8d1f6b0e-52c7-4f0a-9b53-0c7a2e4d9f16';

const customFilterField = z.object({
	id: string,
	type: string.optional(),
	valueType: string.optional(),
});

type CustomFilterField = z.infer<typeof customFilterField>;

const filterFieldsSchema = z.object({
	staticFields: z.array(z.object({ field: string, operators: strings })).optional(),
	customFields: z.array(customFilterField.transform(withValueType)).optional(),
});

/** The kinds of values by which services compare custom fields, by the type of the field. */
const valueTypes: Record<string, string | undefined> = {
	shortText: 'text',
	longText: 'text',
	email: 'text',
	phoneNumber: 'text',
	number: 'number',
	date: 'datetime',
	datetime: 'datetime',
	boolean: 'boolean',
};

/** Adds the kind of its values to a custom field, if the service does not say it (difference 32). */
function withValueType(field: CustomFilterField): CustomFilterField {
	return { ...field, valueType: field.valueType ?? valueTypes[field.type ?? ''] };
}

/** The fields that a service can filter contacts by, as it lists them. */
export type FilterFields = z.infer<typeof filterFieldsSchema>;

/**
 * Whether a service supports a feature. Costs one request an hour. Throws an `ApiError` if the
 * answer is about something else.
 */
export async function supports(client: Requester, feature: Feature): Promise<boolean> {
	const ages: Age[] = supportedBy[feature];
	const age = shownBy(client).age ?? (await askAgeOnce(client));
	return ages.includes(age);
}

/**
 * Returns the error for something that a service lacks.
 *
 * @param what what it doesn't do, such as `list teams`
 * @param advice how the user can do without it
 * @param failed which request failed, and the status of its answer; one that writes if empty
 */
export const lacksError = (
	what: string,
	advice: string,
	failed: { endpoint?: Endpoint; status?: number } = {},
): ApiError => refusedError(`This service doesn't ${what}.`, advice, failed);

/** Returns a handler for `catch()` that throws `lacksError` after a 404 or 405. */
export const explainLack = (what: string, advice: string) =>
	onApiError(isUnsupported, (): never => {
		throw lacksError(what, advice);
	});

/**
 * Returns the endpoint by which this service shows a list. Only channels have two: messages and
 * contacts take the IDs of inboxes on a service that lists inboxes besides channels (difference 8).
 */
export async function findChannelListEndpoint(
	client: Requester,
	endpoint: Endpoint,
): Promise<Endpoint> {
	if (endpoint !== workspaceApi.listChannels) return endpoint;
	const hasInboxes = await supports(client, 'inboxes');
	return hasInboxes ? undocumentedApi.listInboxes : endpoint;
}

/**
 * Asks which kind of service this is: newer ones list inboxes, and older ones say in plain text that
 * they have no such path.
 */
async function askAge(client: Requester): Promise<Age> {
	const age = await client
		.request(undocumentedApi.listInboxes, { query: { perPage: 1 } })
		.then(() => 'newer' as const, onApiError(saysAge, ageByError));
	shownBy(client).age = age;
	return age;
}

const askAgeOnce = oncePerService(askAge);

const saysAge = (error: ApiError) => error.details.reason === 'scope' || isUnsupported(error);

function ageByError({ details: { reason } }: ApiError): Age {
	if (reason === 'scope') return 'newer';
	return reason === 'operationMissing' ? 'older' : 'reference';
}

/** Reads the fields that a service filters contacts by; none if it does not list them. */
export const readFilterFields = oncePerService(async (client): Promise<FilterFields> => {
	const body = await client
		.request(undocumentedApi.listFilterFields)
		.catch(onApiError(isUnsupportedOrRefused, () => ({})));
	return filterFieldsSchema.safeParse(body).data ?? {};
});

/** Whether a service refuses a filter of contacts, whatever the values in it. */
export const refusesFilter = oncePerService(
	async (client, filter: IDataObject) => {
		const contacts = await probeContacts(client, { contactFilter: JSON.stringify(filter) });
		return contacts === undefined;
	},
	(filter) => JSON.stringify(filter, (key, value) => (key === 'value' ? undefined : value)),
);

/**
 * Whether a service finds contacts by a custom field. One that does not may take this for another
 * request and return anyone.
 */
export const findsByCustomField = oncePerService((client, fieldId: string) =>
	searchByCustomField(client, fieldId, UNUSED_VALUE)
		.then((contacts) => contacts.length === 0)
		.catch(onApiError(isUnsupportedOrRefused, () => false)),
);

const isKnownToRecognize = (client: HasService) => {
	const { recognizesRetries, age } = shownBy(client);
	return recognizesRetries || age === 'newer';
};

/** Whether a service recognizes a request that it gets again (difference 10). */
export const retryRecognition: RetryRecognition = {
	isKnown: isKnownToRecognize,
	note: (client) => {
		shownBy(client).recognizesRetries = true;
	},
	find: async (client) =>
		isKnownToRecognize(client) || (await supports(client, 'idempotencyKeys').catch(() => false)),
	askAgain: askAge,
};
