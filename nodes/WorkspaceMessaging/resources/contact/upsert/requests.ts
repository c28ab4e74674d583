import type { IDataObject } from 'n8n-workflow';
import { contactApi } from '../../../contract/contact';
import type { Item } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import {
	isNotFound,
	onApiError,
	unsupportedError,
	type ApiError,
} from '../../../transport/errors/ApiError';
import { readRecord } from '../../../service/lists/records';
import { apiRequest } from '../../../transport/request';
import { formatIdentifier, type Identifier } from '../../../values/identifier';
import { pickUpdatable, planUpdateError, type ContactInput } from './plan';

/* The requests that create a contact. */

/**
 * Whether the service of a run only creates contacts on a channel; known after its first refusal.
 */
const channelRule = oncePerRun<Item, [], { isRequired: boolean }>(() => ({ isRequired: false }));

/** The fields that a service complains about if it requires a channel. */
const CHANNEL_FIELDS = ['inboxId', 'channel'];

/**
 * Creates a contact. If the service requires a channel and the item has none, the service's own
 * upsert puts it on web chat.
 */
export async function createOnService(
	item: Item,
	identifier: Identifier,
	{ avatar, ...body }: ContactInput,
): Promise<IDataObject> {
	const rule = channelRule(item);
	const hasChannel = (body.inboxId ?? body.channel) !== undefined;
	if (hasChannel || !rule.isRequired) {
		const lacksChannel = ({ details }: ApiError) => {
			if (hasChannel) return false;
			const { fields = [] } = details;
			return CHANNEL_FIELDS.some((field) => fields.includes(field));
		};
		const tryUpsert = onApiError(lacksChannel, () => undefined);
		const parts = { body, isLookedFor: true };
		const created = await readRecord(item, contactApi.createContact, parts).catch(tryUpsert);
		if (created) return created;
		rule.isRequired = true;
	}
	const created = await requestUpsert(item, identifier, { avatar, ...body });
	item.hint(
		'No channel was set, so new contacts were created on web chat. To change this, add Channel under Additional Fields.',
	);
	return created;
}

/**
 * Lets the service create or update a contact. It creates one that it does not find, unless the
 * identifier is an ID.
 */
export async function requestUpsert(
	item: Item,
	identifier: Identifier,
	fields: ContactInput,
): Promise<IDataObject> {
	const parts = {
		params: { identifier: formatIdentifier(identifier) },
		body: pickUpdatable(fields),
		isLookedFor: true,
	};
	return await readRecord(item, contactApi.upsertContact, parts).catch(
		onApiError(isNotFound, (error) => {
			if (error.details.reason === 'objectMissing') {
				const missing = planUpdateError(identifier);
				throw error.what === missing.what ? missing : error;
			}
			throw identifier.kind === 'id'
				? error
				: unsupportedError(apiRequest(contactApi.upsertContact, parts), error);
		}),
	);
}
