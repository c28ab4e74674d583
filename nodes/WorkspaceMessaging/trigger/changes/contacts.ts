import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { contactApi } from '../../contract/contact';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import { changedFields, makeFingerprint } from './records';
import { NewestPoll } from './newest';
import type { NewestMemory, TimedList } from './newest';
import type { Settings, TriggerEvent, Watcher } from '../types';

const contactCreated: TriggerEvent = {
	value: 'contactCreated',
	parameters: z.object({}),
	ifNoSample: 'Create a contact that meets the conditions and filters, or remove some of them.',
	watch: (client, settings) => watchContacts(client, settings, false),
};

const contactUpdated: TriggerEvent = {
	value: 'contactUpdated',
	parameters: z.object({}),
	ifNoSample: 'Change a contact so that it meets the conditions and filters, or remove some of them.',
	watch: (client, settings) => watchContacts(client, settings, true),
};

export const contactEvents = [contactCreated, contactUpdated];

/** Watches for contacts that are new or changed (part 2.1). */
function watchContacts(client: Requester, settings: Settings, isUpdated: boolean): Watcher {
	const contacts = new ContactItems(client, settings);
	const field = isUpdated ? 'updatedAt' : 'createdAt';
	const list: TimedList = { endpoint: contactApi.listContacts, filters: settings.filters, field };
	if (isUpdated) list.makeFingerprint = makeFingerprint;
	const getExtra = (record: IDataObject, before?: string) => {
		if (!isUpdated) return {};
		return { changedFields: before === undefined ? [] : changedFields(before, makeFingerprint(record)) };
	};
	return {
		async poll(last: NewestMemory | undefined) {
			const { found, memory } = await new NewestPoll(client, list, last).run();
			const result = await contacts.make(found, ({ record, fingerprint }, contact) => [
				{ ...contact, ...getExtra(record, fingerprint) },
			]);
			return { ...result, memory };
		},
		sample: async () => await contacts.sample(field, (record) => getExtra(record)),
	};
}
