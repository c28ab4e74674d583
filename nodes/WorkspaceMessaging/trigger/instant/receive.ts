import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isObject } from '../../transport/guards';
import { readContact } from './contact';
import { hasKey, keyOf, savedSecret } from './key';
import { webhooksOf } from './registration';
import { readSettings } from './settings';
import type { InstantSettings } from './settings';

/**
 * Receives a call of the service and starts the workflow with it. Nothing in a call proves who sent it, so this checks the
 * key, the form and the contact, and refuses what does not fit with an answer of its own, which starts nothing.
 *
 * n8n saves all that this would write to the node's data over what it holds by then, so this writes nothing there.
 */
export async function webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const refuse = (status: number, message: string): IWebhookResponseData => {
		this.getResponseObject().status(status).json({ message });
		return { noWebhookResponse: true };
	};
	const settings = readSettings(this);
	if (!(await isKnown(this, settings))) return refuse(401, 'The key in the address is missing or wrong.');

	const call = readCall(settings, this.getBodyData());
	if (!call) return refuse(400, `This is no call for the event ${settings.event.name}.`);
	const contactId = String(isObject(call.contact) ? call.contact.id : call.contact_id);

	const read =
		this.getNodeParameter('readContact', true) === true ? await readContact(this, contactId) : undefined;
	if (read === 'missing') return refuse(404, 'There is no such contact.');
	const item = {
		event: settings.event.value,
		contact: read ?? settings.event.toContact(call),
		contactRead: read !== undefined,
		...settings.event.toFields(call, settings.parameters),
		receivedAt: new Date().toISOString(),
	};
	const json = withoutPrototypes(item);
	if (!json) return refuse(400, 'The call is nested too deeply.');
	return { workflowData: [this.helpers.returnJsonArray([json])] };
}

/** Whether a call has the key that the service knows. */
async function isKnown(context: IWebhookFunctions, settings: InstantSettings): Promise<boolean> {
	const matches = (secret?: string) =>
		secret !== undefined && hasKey(context.getQueryData(), keyOf(secret, settings.subject));
	const secret = savedSecret(context);
	if (secret !== undefined || context.getMode() === 'manual') return matches(secret);
	// Another trigger of the workflow can have saved an older copy of the data of all nodes, without the secret.
	try {
		const webhooks = await webhooksOf(context);
		return (await webhooks.read()).some((each) => matches(webhooks.secretOf(each)));
	} catch {
		return false;
	}
}

/** Returns a call in the form of its schema; undefined if it has another form, or is for another event. */
function readCall({ event, parameters }: InstantSettings, body: unknown): IDataObject | undefined {
	if (!isObject(body)) return undefined;
	const { success, data } = event.call.safeParse(body);
	if (!success || (event.condition === undefined && data.event !== parameters.eventName)) return undefined;
	return data as IDataObject;
}

/** Drops the keys that change an object's prototype when somebody copies it. Returns undefined if the item is too deep. */
function withoutPrototypes(item: IDataObject): IDataObject | undefined {
	const reviver = (key: string, value: unknown) => (key === '__proto__' ? undefined : value);
	try {
		return JSON.parse(JSON.stringify(item), reviver) as IDataObject;
	} catch {
		return undefined;
	}
}
