import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { readCustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { simplifyContactsWith } from '../../contacts/simplify';
import { createFileSaver } from '../../conversations/attachments';
import { readConnection } from '../../run/connection';
import { openClient } from '../../service/client';
import type { ApiClient } from '../../transport/client';
import { ApiError, hasReason } from '../../transport/errors/ApiError';
import { isObject, toObject } from '../../transport/guards';
import type { Requester } from '../../transport/request';
import { beginBurst, endBurst, joinBurst, waitForBurst } from './bursts';
import {
	LOOK_AGAIN_FOR_MS,
	readCalledContact,
	type Items,
	type MessageCall,
} from './messageAtOnce';
import { holdBack, isRemembered } from './returnedMessages';
import { hasAddressKey, makeKey, getSavedSecret } from './addressKey';
import { openWebhooks } from './webhooks';
import { readInstantSettings, type InstantSettings } from './settings';

/** The most time to read a contact: the service waits 15 seconds for the answer to the call. */
const READ_MS = 5000;

/** After so much time, files are no longer downloaded. */
const FILES_MS = 10_000;

/** The fields by which the node knows a contact; most calls have its ID only. */
const emptyContact = { fullName: null, email: null, phoneNumber: null };

/**
 * Receives a call of the service and starts the workflow with it. Nothing in a call proves who sent
 * it, so this checks the key, the form and the contact. It refuses anything else, which starts no
 * execution.
 *
 * Writes no static data: n8n would overwrite newer data with it.
 */
export async function receiveCall(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = readInstantSettings(this);
	const hasRightKey = await isKnown(this, settings);
	if (!hasRightKey) return refuse(this, 401, 'The key in the address is missing or wrong.');

	const call = readCall(settings, this.getBodyData());
	const { event } = settings;
	if (!call) return refuse(this, 400, `This call is not for the event ${event.name}.`);

	const common = { event: event.value, receivedAt: new Date().toISOString() };
	const makeStart = event.readItems ? startWithMessages : startWithContact;
	const start = await makeStart(this, settings, call);
	if (start === 'missing') return refuse(this, 404, 'There is no such contact.');
	return answer(this, { ...common, ...start.common }, start.items);
}

/** Answers a call with an error, unless it has its answer, and starts nothing. */
function refuse(context: IWebhookFunctions, status: number, message: string): IWebhookResponseData {
	const response = context.getResponseObject();
	if (!response.headersSent) response.status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Whether a call has the key that the service knows. */
async function isKnown(context: IWebhookFunctions, settings: InstantSettings) {
	const matches = (secret?: string) => {
		if (secret === undefined) return false;
		const key = makeKey(secret, settings.subject);
		return hasAddressKey(context.getQueryData(), key);
	};
	const secret = getSavedSecret(context);
	if (secret !== undefined || context.getMode() === 'manual') return matches(secret);
	// Another trigger of the workflow can have saved an older copy of the data of all nodes, without
	// the secret.
	try {
		const webhooks = await openWebhooks(context);
		const registered = await webhooks.read();
		return registered.some((each) => matches(webhooks.findSecret(each)));
	} catch {
		return false;
	}
}

/**
 * Returns a call in the form of its schema; undefined if it has another form, or is for another
 * event.
 */
function readCall({ event, parameters }: InstantSettings, body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	const { success, data } = event.call.safeParse(body);
	if (!success) return undefined;
	const isByFlow = event.condition === undefined;
	if (isByFlow && data.event !== parameters.eventName) return undefined;
	return data as IDataObject;
}

/** What a call starts the workflow with. */
interface Start {
	items: Items;
	/** What all of its items have. */
	common?: IDataObject;
}

/**
 * Reads the messages of a call, with those that the contact writes soon after it if the user wants
 * that. What cannot be read starts the workflow with the call alone.
 */
async function startWithMessages(
	context: IWebhookFunctions,
	settings: InstantSettings,
	call: IDataObject,
): Promise<Start | 'missing'> {
	const contactId = getContactId(call);
	const key = [context.getMode(), context.getWorkflow().id, context.getNode().id, contactId].join();
	if (joinBurst(key)) return { items: [] };
	const { groupMessages } = toObject(settings.parameters.options);
	const burst = beginBurst(key, Number(groupMessages));
	const about = { contactId, key, burst };
	const read = await readBurst(context, settings, about).finally(() => endBurst(key, burst));
	if (read === 'missing') return read;
	if (read) return { items: read, common: { contactRead: true, messageRead: true } };
	holdBack(key, burst.calls);
	// Without the contact, nobody knows whether it is one that the user wants.
	if (choosesContacts(context, settings)) return { items: [] };
	return { items: [makeCallItem(settings, call)] };
}

/** Reads the contact of a call, if the user wants its record. */
async function startWithContact(
	context: IWebhookFunctions,
	settings: InstantSettings,
	call: IDataObject,
): Promise<Start | 'missing'> {
	const wantsContact = context.getNodeParameter('readContact', true) === true;
	const read = wantsContact ? await readContactForItem(context, getContactId(call)) : undefined;
	if (read === 'missing') return read;
	return { items: [makeCallItem(settings, call, read)] };
}

/** Returns the ID of the contact that a call is about. */
const getContactId = ({ contact, contact_id: id }: IDataObject) =>
	String(isObject(contact) ? contact.id : id);

/** Makes the item of a call, with what the call says about the contact if it was not read. */
const makeCallItem = (
	{ event, parameters }: InstantSettings,
	call: IDataObject,
	contact?: IDataObject,
): IDataObject => ({
	contact: contact ?? { ...emptyContact, ...event.toContact(call) },
	...event.toFields(call, parameters),
	contactRead: contact !== undefined,
});

/** Starts the workflow with items, or answers the call and starts nothing if there are none. */
function answer(
	context: IWebhookFunctions,
	common: IDataObject,
	items: Items,
): IWebhookResponseData {
	const response = context.getResponseObject();
	if (items.length === 0) {
		response.status(200).end();
		return { noWebhookResponse: true };
	}
	const data: INodeExecutionData[] = [];
	for (const { json, ...rest } of context.helpers.returnJsonArray(items)) {
		// What an item has itself counts, and comes first: people drag the contact and the text.
		const safe = dropPrototypes({ ...json, ...common, ...json });
		if (!safe) return refuse(context, 400, 'The call is nested too deeply.');
		data.push({ ...rest, json: safe });
	}
	return { workflowData: [data], noWebhookResponse: response.headersSent };
}

/**
 * Drops the keys that change an object's prototype when somebody copies it. Returns undefined if
 * the item is too deep.
 */
function dropPrototypes(item: IDataObject): IDataObject | undefined {
	const reviver = (key: string, value: unknown) => (key === '__proto__' ? undefined : value);
	try {
		const copy: IDataObject = JSON.parse(JSON.stringify(item), reviver);
		return copy;
	} catch {
		return undefined;
	}
}

/** Whether the settings leave contacts or channels out. */
function choosesContacts(context: IWebhookFunctions, { parameters }: InstantSettings) {
	const { inboxIds } = parameters;
	const conditions = Object.keys(toObject(context.getNodeParameter('conditions', {})));
	return conditions.length > 0 || (Array.isArray(inboxIds) && inboxIds.length > 0);
}

/** Which call the messages are for. */
type AboutCall = Pick<MessageCall, 'contactId' | 'key' | 'burst'>;

/**
 * Reads the messages of a burst as soon as it is over. If the call waits for that, it has its answer
 * before: a flow waits 15 seconds at most.
 */
async function readBurst(
	context: IWebhookFunctions,
	settings: InstantSettings,
	about: AboutCall,
): Promise<Items | 'missing' | undefined> {
	const { contactId, key, burst } = about;
	if (burst.quietMs > 0) {
		const readContact = (_: ApiClient, client: Requester) => readCalledContact(client, contactId);
		const known = isRemembered(key) || (await readInTime(context, READ_MS, readContact));
		if (known === 'missing') return known;
		context.getResponseObject().status(200).end();
	}
	for (;;) {
		await waitForBurst(burst);
		const read = await readNewMessages(context, settings, about);
		if (read !== 'stillWriting') return read;
	}
}

/**
 * Reads the messages that a call is about, within the time that a flow waits for its answer.
 *
 * @returns `missing` if there is no such contact; undefined if they can't be read in time
 */
async function readNewMessages(
	context: IWebhookFunctions,
	{ event, parameters }: InstantSettings,
	about: AboutCall,
) {
	return await readInTime(context, READ_MS + LOOK_AGAIN_FOR_MS, async (api, client, signal) => {
		const saver = createFileSaver(context, api, AbortSignal.timeout(FILES_MS));
		return await event.readItems!({ ...about, context, client, parameters, saver, signal });
	});
}

/**
 * Reads the contact that a call is about, in the form of the output.
 *
 * @returns `missing` if there is none with this ID; undefined if it can't be read in time
 */
async function readContactForItem(
	context: IWebhookFunctions,
	id: string,
): Promise<IDataObject | 'missing' | undefined> {
	return await readInTime(context, READ_MS, async (_, client) => {
		const contact = await readCalledContact(client, id);
		if (context.getNodeParameter('simplify', true) === false) return contact;
		const readDefinitions = () => readCustomFieldDefinitions(client);
		const [simple] = await simplifyContactsWith([contact], readDefinitions);
		return simple;
	});
}

/**
 * Reads something about the contact of a call.
 *
 * @param ms the most time for all requests together, in milliseconds
 * @returns `missing` if there is no such contact; undefined if it can't be read in time
 */
async function readInTime<Result>(
	context: IWebhookFunctions,
	ms: number,
	read: (api: ApiClient, client: Requester, signal: AbortSignal) => Promise<Result>,
): Promise<Result | 'missing' | undefined> {
	const signal = AbortSignal.timeout(ms);
	const inTime = Object.assign<IWebhookFunctions, object>(Object.create(context), {
		getExecutionCancelSignal: () => signal,
	});
	const retry = { maxRetries: 2, giveUpAfterMs: READ_MS, waitAtMostMs: READ_MS };
	const requestOptions = context.getNodeParameter('requestOptions', {});
	const transport = readConnection(requestOptions, READ_MS);
	try {
		const api = await openClient(inTime, { retry, transport, signal });
		return await read(api, api.createRequester(inTime), signal);
	} catch (error) {
		if (error instanceof ApiError && isMissing(error)) return 'missing';
		const { message } = error as Error;
		context.logger.warn(`${context.getNode().name}: n8n could not read the contact. ${message}`);
		return undefined;
	}
}

/** A 404 of a proxy, or of a service without this operation, says nothing about the contact. */
const isMissing = hasReason('objectMissing');
