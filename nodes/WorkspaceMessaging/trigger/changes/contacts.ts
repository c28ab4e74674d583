import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { simpleContact } from '../../contacts/simplify';
import { isQuestionUpdate, readQuestionFieldId } from '../../contacts/customFields/questionField';
import { contactApi } from '../../contract/contact';
import type { Requester } from '../../transport/request';
import { ContactItems } from '../contactItems';
import { contactEventFields } from '../eventFields';
import { compareFingerprints, makeFingerprint } from './fingerprints';
import { pollNewest, type NewestMemory, type TimedList } from './newest';
import type { PollingEvent, Settings, Watcher } from '../types';
import { strings } from '../../contract/values';
import { notice } from '../../panel/fields';

export const contactCreated: PollingEvent = {
	name: 'Contact Created',
	value: 'contactCreated',
	description: 'When a contact is new in the workspace, whoever created it',
	fields: contactEventFields,
	parameters: z.object({}),
	output: simpleContact,
	ifNoSample: 'Create a contact that meets the conditions and filters, or remove some of them.',
	watch: watchCreated,
};

const ownWritesNotice = notice(
	'ownWritesNotice',
	'This also starts for updates by a workflow, even if no value changes. So a workflow that updates its contact starts itself again with each poll. To end that, add a condition that the contact then no longer meets, use Tag Added to Contact, or use Create or Update, which saves only differences.',
);

export const contactUpdated: PollingEvent = {
	name: 'Contact Updated',
	value: 'contactUpdated',
	description:
		'When a contact changes, whoever changed it, with the names of the changed fields if they are known',
	fields: [ownWritesNotice, ...contactEventFields],
	parameters: z.object({}),
	output: simpleContact.extend({ changedFields: strings }),
	ifNoSample:
		'Change a contact so that it meets the conditions and filters, or remove some of them.',
	watch: watchUpdated,
};

/** Watches for contacts that are new (part 2.1). */
function watchCreated(client: Requester, settings: Settings): Watcher {
	const contacts = new ContactItems(client, settings);
	const field = 'createdAt';
	const { filters } = settings;
	const list: TimedList = { endpoint: contactApi.listContacts, filters, field };
	return {
		async poll(last: NewestMemory | undefined) {
			const { found, memory } = await pollNewest(client, list, last);
			const result = await contacts.make(found, (_, contact) => [contact]);
			return { ...result, memory };
		},
		sample: () => contacts.sample(field, () => ({})),
	};
}

/** A contact that changed, with its fingerprint before; see `pollNewest`. */
interface Changed {
	record: IDataObject;
	fingerprint?: string;
}

/** A contact that changed, with the names of its changed fields if they are known. */
interface WithChanges {
	record: IDataObject;
	changes?: string[];
}

/** Whether nothing but n8n's own note of a question has changed. */
function isOwnNote({ record, changes }: WithChanges, questionFieldId?: string) {
	if (!changes) return false;
	// Every message changes these, and so do a question and its answer.
	const mayBeNote = changes.every((field) => ['contactInboxes', 'conversation'].includes(field));
	return mayBeNote && isQuestionUpdate(record, questionFieldId);
}

/** Watches for contacts that changed (part 2.1), but not for n8n's own notes. */
function watchUpdated(client: Requester, settings: Settings): Watcher {
	const contacts = new ContactItems(client, settings);
	const field = 'updatedAt';
	let questionFieldId: string | undefined;
	const fingerprintOf = (record: IDataObject) => makeFingerprint(record, questionFieldId);
	const list: TimedList = {
		endpoint: contactApi.listContacts,
		filters: settings.filters,
		field,
		async prepare(records) {
			questionFieldId = await readQuestionFieldId(client, records, contacts.readDefinitions);
		},
		makeFingerprint: fingerprintOf,
	};
	const addChanges = ({ record, fingerprint: before }: Changed): WithChanges => {
		if (before === undefined) return { record };
		const changes = compareFingerprints(before, fingerprintOf(record));
		return { record, changes };
	};
	return {
		async poll(last: NewestMemory | undefined) {
			const { found, memory } = await pollNewest(client, list, last);
			const changed = found.map(addChanges);
			const events = changed.filter((each) => !isOwnNote(each, questionFieldId));
			const result = await contacts.make(events, ({ changes = [] }, contact) => [
				{ ...contact, changedFields: changes },
			]);
			return { ...result, memory };
		},
		sample: () => contacts.sample(field, () => ({ changedFields: [] })),
	};
}
