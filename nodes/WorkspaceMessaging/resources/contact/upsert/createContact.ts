import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';
import { anyChanges, contactApi } from '../../../contract/contact';
import type { undocumentedApi } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { oncePerRun } from '../../../execution/run';
import { isNotFound, recover, rejected, unsupportedError } from '../../../transport/errors/ApiError';
import { noneSuch } from '../../../transport/errors/reasons';
import { readRecord } from '../../../transport/pagination';
import { apiRequest, subjectOf } from '../../../transport/request';
import { missingContact } from '../../shared/undocumented';
import { contactRef } from '../shared/contactOutput';

/** The fields of a contact; those of a channel only count for a new one. */
export type ContactInput = Partial<
	z.output<typeof undocumentedApi.createContactOnChannel.body> & z.output<typeof anyChanges>
>;

/** Returns the fields that can be updated, without those of a channel. */
export function updatable(fields: ContactInput): Record<string, string> {
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => name in anyChanges.shape && value !== undefined),
	);
}

/** Returns the fields of a new contact, the identifier included. Throws an error if they do not suffice or are not valid. */
export function newContact(item: Item, identifier: string, fields: ContactInput): ContactInput {
	if (isId(identifier)) throw noContactError(identifier);
	const input: ContactInput = { gender: 'unknown', ...contactRef(identifier), ...fields };
	const { email, phoneNumber, inboxId, channel } = input;
	// With a channel, the service says what it requires.
	const isEnough = email !== undefined && phoneNumber !== undefined;
	if (!isEnough && inboxId === undefined && channel === undefined) {
		const other = email === undefined ? 'an email' : 'a phone number';
		throw rejected(`${noContact(identifier)}.`, `To create one, also enter ${other}.`);
	}
	try {
		// So far, the identifier was not checked as a field.
		item.validate({ body: anyChanges }, { body: updatable(input) });
	} catch (error) {
		throw rejected(`${noContact(identifier)}, and none can be created: ${(error as Error).message}.`);
	}
	// With a channel, a contact needs no email, but services require the key.
	return { email: '', ...input };
}

/** Whether the service of a run only creates contacts on a channel; known after its first refusal. */
const channelRule = oncePerRun<Item, [], { isRequired: boolean }>(() => ({ isRequired: false }));

/** The fields that a service complains about if it requires a channel. */
const CHANNEL_FIELDS = ['inboxId', 'channel'];

/** Creates a contact. If the service requires a channel and the item has none, the service's own upsert puts it on web chat. */
export async function createOnService(
	item: Item,
	identifier: string,
	fields: ContactInput,
): Promise<IDataObject> {
	const body = { ...fields };
	delete body.avatar;
	const rule = channelRule(item);
	const hasChannel = (body.inboxId ?? body.channel) !== undefined;
	if (hasChannel || !rule.isRequired) {
		const created = await readRecord(item, contactApi.createContact, { body }).catch(
			recover(
				({ details }) => !hasChannel && CHANNEL_FIELDS.some((field) => details.fields?.includes(field)),
				() => undefined,
			),
		);
		if (created) return created;
		rule.isRequired = true;
	}
	const created = await upsertOnService(item, identifier, fields);
	item.hint(
		'No channel was set, so new contacts were created on web chat. To change this, add Channel under Additional Fields.',
	);
	return created;
}

/** Lets the service create or update a contact. It does not say which of the two it did (API §4.6). */
export async function upsertOnService(
	item: Item,
	identifier: string,
	fields: ContactInput,
): Promise<IDataObject> {
	const parts = { params: { identifier }, body: updatable(fields) };
	return await readRecord(item, contactApi.upsertContact, parts).catch(
		recover(isNotFound, async (error) => {
			// The service creates a contact that it does not find, unless the identifier is an ID.
			const isMissing = isId(identifier) && (await missingContact(item, identifier)) !== undefined;
			throw isMissing
				? noContactError(identifier)
				: unsupportedError(apiRequest(contactApi.upsertContact, parts), error);
		}),
	);
}

const isId = (identifier: string) => identifier.startsWith('id:');

const noContact = (identifier: string) => noneSuch(subjectOf({ identifier })!);

const noContactError = (identifier: string) =>
	rejected(`${noContact(identifier)}.`, 'Leave Contact empty to find the contact by Email or Phone Number.');
