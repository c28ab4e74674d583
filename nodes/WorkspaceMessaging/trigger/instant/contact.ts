import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { readCustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { simplifyWith } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { ApiClient } from '../../transport/client';
import { recover } from '../../transport/errors/ApiError';
import type { ApiError } from '../../transport/errors/ApiError';
import { readRecord } from '../../transport/pagination';

/** The most time to read a contact: the service waits 15 seconds for the answer to the call. */
const READ_MS = 5000;

/**
 * Reads the contact that a call is about.
 *
 * @returns `missing` if there is none with this ID; undefined if it can't be read in time
 */
export async function readContact(
	context: IWebhookFunctions,
	id: string,
): Promise<IDataObject | 'missing' | undefined> {
	const signal = AbortSignal.timeout(READ_MS);
	const inTime = Object.assign<IWebhookFunctions, object>(Object.create(context), {
		getExecutionCancelSignal: () => signal,
	});
	try {
		return await read(inTime, id, signal);
	} catch (error) {
		context.logger.warn(
			`${context.getNode().name}: the contact could not be read. ${(error as Error).message}`,
		);
		return undefined;
	}
}

async function read(
	context: IWebhookFunctions,
	id: string,
	signal: AbortSignal,
): Promise<IDataObject | 'missing'> {
	const retry = { maxRetries: 2, giveUpAfterMs: READ_MS, waitAtMostMs: READ_MS };
	const client = (
		await ApiClient.open(context, { retry, transport: { timeout: READ_MS }, signal })
	).requester(context);
	const params = { identifier: `id:${id}` };
	const contact = await readRecord(client, contactApi.getContact, { params }).catch(
		recover(isMissing, () => 'missing' as const),
	);
	if (contact === 'missing' || context.getNodeParameter('simplify', true) === false) return contact;
	const [simple] = await simplifyWith([contact], async () => await readCustomFieldDefinitions(client));
	return simple;
}

/** A 404 of a proxy, or of a service without this operation, says nothing about the contact. */
const isMissing = ({ details }: ApiError) => details.reason === 'objectMissing';
