import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import type { Requester } from '../../transport/request';
import { contactApi } from '../../contract/contact';
import { simpleContact } from '../../contacts/simplify';
import { contactFields, ContactItems } from '../contacts';
import { changedFields, fingerprintOf } from '../fingerprint';
import { NewestPoll } from '../newest';
import type { NewestMemory, TimedList } from '../newest';
import type { Settings, TriggerEvent, Watcher } from '../types';

const common = { fields: contactFields, parameters: z.object({}) };

const contactCreated: TriggerEvent = {
	name: 'Contact Created',
	value: 'contactCreated',
	description: 'When a contact is new in the workspace',
	...common,
	output: simpleContact,
	watch: (client, settings) => watchContacts(client, settings, false),
};

const contactUpdated: TriggerEvent = {
	name: 'Contact Updated',
	value: 'contactUpdated',
	description: 'When a contact changes, with the names of the changed fields if they are known',
	...common,
	output: simpleContact.extend({ changedFields: z.array(z.string()) }),
	watch: (client, settings) => watchContacts(client, settings, true),
};

export const contactEvents = [contactCreated, contactUpdated];

/** Watches for contacts that are new or changed (part 2.1). */
function watchContacts(client: Requester, settings: Settings, isUpdated: boolean): Watcher {
	const contacts = new ContactItems(client, settings);
	const field = isUpdated ? 'updatedAt' : 'createdAt';
	const list: TimedList = { endpoint: contactApi.listContacts, filters: settings.filters, field };
	if (isUpdated) list.fingerprintOf = fingerprintOf;
	const extraOf = (record: IDataObject, before?: string) => {
		if (!isUpdated) return {};
		return { changedFields: before === undefined ? [] : changedFields(before, fingerprintOf(record)) };
	};
	return {
		async poll(last: NewestMemory | undefined) {
			const { found, memory } = await new NewestPoll(client, list, last).run();
			const result = await contacts.make(found, ({ record, fingerprint }) => [extraOf(record, fingerprint)]);
			return { ...result, memory };
		},
		sample: async () => await contacts.sample(field, (record) => extraOf(record)),
	};
}
