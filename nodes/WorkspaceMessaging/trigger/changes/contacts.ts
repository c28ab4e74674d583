import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import { isQuestionUpdate, readQuestionFieldId } from '../../contacts/customFields/questionField';
import { contactApi } from '../../contract/contact';
import { isAnswer, onApiError } from '../../transport/errors/ApiError';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import { contactEventFields } from '../eventFields';
import { compareFingerprints, makeFingerprint } from './fingerprints';
import { NewestPoll } from './newest';
import type { NewestMemory, TimedList } from './newest';
import type { PollingEvent, Settings, Watcher } from '../types';

export const contactCreated: PollingEvent = {
	name: 'Contact Created',
	value: 'contactCreated',
	description: 'When a contact is new in the workspace, whoever created it',
	fields: contactEventFields,
	parameters: z.object({}),
	output: simpleContact,
	ifNoSample: 'Create a contact that meets the conditions and filters, or remove some of them.',
	watch: (client, settings) => watchContacts(client, settings, false),
};

export const contactUpdated: PollingEvent = {
	name: 'Contact Updated',
	value: 'contactUpdated',
	description:
		'When a contact changes, whoever changed it, with the names of the changed fields if they are known',
	fields: contactEventFields,
	parameters: z.object({}),
	output: simpleContact.extend({ changedFields: z.array(z.string()) }),
	ifNoSample:
		'Change a contact so that it meets the conditions and filters, or remove some of them.',
	watch: (client, settings) => watchContacts(client, settings, true),
};

/** What a question and its answer change of a contact, as every message does. */
const CHANGED_BY_MESSAGES = ['contactInboxes', 'conversation'];

/** Watches for contacts that are new or changed (part 2.1). */
function watchContacts(client: Requester, settings: Settings, isUpdated: boolean): Watcher {
	const contacts = new ContactItems(client, settings);
	const field = isUpdated ? 'updatedAt' : 'createdAt';
	const list: TimedList = { endpoint: contactApi.listContacts, filters: settings.filters, field };
	let questionFieldId: string | undefined;
	const fingerprintOf = (record: IDataObject) => makeFingerprint(record, questionFieldId);
	if (isUpdated) {
		list.prepare = async (records) => {
			questionFieldId = await readQuestionFieldId(client, records).catch(
				onApiError(isAnswer, () => undefined),
			);
		};
		list.makeFingerprint = fingerprintOf;
		list.isOwnNote = (record, before) => {
			const changed = compareFingerprints(before, fingerprintOf(record));
			const isOther = (name: string) => !CHANGED_BY_MESSAGES.includes(name);
			return isQuestionUpdate(record, questionFieldId) && !changed.some(isOther);
		};
	}
	const getExtra = (record: IDataObject, before?: string) => {
		if (!isUpdated) return {};
		if (before === undefined) return { changedFields: [] };
		return { changedFields: compareFingerprints(before, fingerprintOf(record)) };
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
