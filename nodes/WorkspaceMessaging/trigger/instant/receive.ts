import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readCustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { simplifyContactsWith } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { readConnection } from '../../run/connection';
import { openClient } from '../../service/client';
import { onApiError } from '../../transport/errors/ApiError';
import type { ApiError } from '../../transport/errors/ApiError';
import { isObject } from '../../transport/guards';
import { readRecord } from '../../service/lists/records';
import { hasAddressKey, makeKey, getSavedSecret } from './addressKey';
import { openWebhooks } from './webhooks';
import { readInstantSettings } from './settings';
import type { InstantSettings } from './settings';

/** The most time to read a contact: the service waits 15 seconds for the answer to the call. */
const READ_MS = 5000;

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
	const refuse = (status: number, message: string): IWebhookResponseData => {
		this.getResponseObject().status(status).json({ message });
		return { noWebhookResponse: true };
	};
	const settings = readInstantSettings(this);
	const hasRightKey = await isKnown(this, settings);
	if (!hasRightKey) return refuse(401, 'The key in the address is missing or wrong.');

	const call = readCall(settings, this.getBodyData());
	const { event, parameters } = settings;
	if (!call) return refuse(400, `This call is not for the event ${event.name}.`);
	const calledId = isObject(call.contact) ? call.contact.id : call.contact_id;
	const contactId = String(calledId);

	const wantsContact = this.getNodeParameter('readContact', true) === true;
	const read = wantsContact ? await readCalledContact(this, contactId) : undefined;
	if (read === 'missing') return refuse(404, 'There is no such contact.');
	const item = {
		event: event.value,
		contact: read ?? { ...emptyContact, ...event.toContact(call) },
		contactRead: read !== undefined,
		...event.toFields(call, parameters),
		receivedAt: new Date().toISOString(),
	};
	const json = dropPrototypes(item);
	if (!json) return refuse(400, 'The call is nested too deeply.');
	return { workflowData: [this.helpers.returnJsonArray([json])] };
}

/** Whether a call has the key that the service knows. */
async function isKnown(context: IWebhookFunctions, settings: InstantSettings): Promise<boolean> {
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

/**
 * Reads the contact that a call is about.
 *
 * @returns `missing` if there is none with this ID; undefined if it can't be read in time
 */
async function readCalledContact(
	context: IWebhookFunctions,
	id: string,
): Promise<IDataObject | 'missing' | undefined> {
	const signal = AbortSignal.timeout(READ_MS);
	const inTime = Object.assign<IWebhookFunctions, object>(Object.create(context), {
		getExecutionCancelSignal: () => signal,
	});
	return await readSimplified(inTime, id, signal).catch(({ message }: Error) => {
		context.logger.warn(`${context.getNode().name}: n8n could not read the contact. ${message}`);
		return undefined;
	});
}

async function readSimplified(
	context: IWebhookFunctions,
	id: string,
	signal: AbortSignal,
): Promise<IDataObject | 'missing'> {
	const retry = { maxRetries: 2, giveUpAfterMs: READ_MS, waitAtMostMs: READ_MS };
	const requestOptions = context.getNodeParameter('requestOptions', {});
	const transport = readConnection(requestOptions, READ_MS);
	const api = await openClient(context, { retry, transport, signal });
	const client = api.createRequester(context);
	const params = { identifier: `id:${id}` };
	const ifMissing = onApiError(isMissing, () => 'missing' as const);
	const contact = await readRecord(client, contactApi.getContact, { params }).catch(ifMissing);
	if (contact === 'missing') return contact;
	if (context.getNodeParameter('simplify', true) === false) return contact;
	const [simple] = await simplifyContactsWith([contact], async () => {
		const { byId } = await readCustomFieldDefinitions(client);
		return byId;
	});
	return simple;
}

/** A 404 of a proxy, or of a service without this operation, says nothing about the contact. */
const isMissing = ({ details }: ApiError) => details.reason === 'objectMissing';
