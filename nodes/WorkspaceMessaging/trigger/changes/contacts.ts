import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { createFilter, withServerFilter } from '../../contacts/conditions/filterContacts';
import { readCustomFieldDefinitions } from '../../contacts/customFields/definitions';
import { channelConditions } from '../../contacts/channels';
import { getSortForms } from '../../contacts/serviceSupport';
import { simplifyWith } from '../../contacts/simplify';
import { contactApi } from '../../contract/contact';
import { isRefusal, recover } from '../../transport/errors/ApiError';
import { readPages } from '../../transport/lists/pages';
import type { Requester } from '../../transport/request';
import { changedFields, makeFingerprint } from './records';
import { WHOLE } from './wholeLists';
import { NewestPoll } from './newest';
import type { NewestMemory, TimedList } from './newest';
import type { Settings, TriggerEvent, Watcher } from '../types';

/** The pages to search for a sample. */
const SAMPLE_PAGES = 5;

/** Makes items of the contacts that match the filters and conditions. */
export class ContactItems {
	constructor(
		private readonly client: Requester,
		private readonly settings: Settings,
	) {}

	/**
	 * Makes items of the contacts with events.
	 *
	 * @param makeItems returns the items of one event; it gets the contact in the form of the output
	 */
	async make<Found extends { record: IDataObject }>(
		found: Found[],
		makeItems: (found: Found, contact: IDataObject) => IDataObject[],
	) {
		const matching = new Set(await this.keepMatching(found.map(({ record }) => record)));
		const events = found.filter(({ record }) => matching.has(record));
		const outputs = await this.toOutputs(events.map(({ record }) => record));
		const items = events.flatMap((event, index) => makeItems(event, outputs[index]));
		// Otherwise a skipped event would come after a restart if its contact meets the conditions later.
		return { items, mustSave: events.length < found.length };
	}

	/**
	 * Makes an item of one of the contacts that changed last if the service sorts, else of one of the first of the list.
	 *
	 * @param getExtra returns what the event adds to a contact; undefined if the contact cannot be the sample
	 * @param afterEvent returns the contact as it is after the event
	 */
	async sample(
		field: string,
		getExtra: (contact: IDataObject) => IDataObject | undefined,
		afterEvent = (contact: IDataObject) => contact,
	) {
		const { filters, conditionSet } = this.settings;
		const filtered = conditionSet ? await withServerFilter(this.client, conditionSet, filters) : filters;
		const find = async (sort: IDataObject) => {
			const query = { ...filtered, ...sort };
			for await (const { number, rows } of readPages(
				this.client,
				contactApi.listContacts,
				{ query },
				WHOLE,
			)) {
				const found = (await this.keepMatching(rows)).find(getExtra);
				if (found || number === SAMPLE_PAGES) return found;
			}
			return undefined;
		};
		const [form] = getSortForms(this.client);
		const unsorted = recover(isRefusal, async () => await find({}));
		const contact = await find(form([{ field, order: 'desc' }])).catch(unsorted);
		if (!contact) return undefined;
		const [output] = await this.toOutputs([afterEvent(contact)]);
		return { ...output, ...getExtra(contact) };
	}

	/** Applies the filters again, as some services ignore them (difference 14), and then the conditions. */
	private async keepMatching(contacts: IDataObject[]): Promise<IDataObject[]> {
		const { filters, conditionSet } = this.settings;
		let kept = contacts;
		for (const conditions of [channelConditions(filters), conditionSet]) {
			if (!conditions || kept.length === 0) continue;
			const filter = await createFilter(this.client, conditions);
			kept = await filter(kept);
		}
		return kept;
	}

	private async toOutputs(contacts: IDataObject[]): Promise<IDataObject[]> {
		if (!this.settings.simplify) return contacts;
		return await simplifyWith(contacts, async () => await readCustomFieldDefinitions(this.client));
	}
}

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
