import type { IDataObject, IHookFunctions, IPollFunctions, IWebhookFunctions } from 'n8n-workflow';
import { parseConditions } from '../contacts/conditions/parse';
import { channelConditions } from '../contacts/conditions/channelFilters';
import type { ConditionSet } from '../contacts/conditions/condition';
import { createContactFilter, withServerFilter } from '../contacts/conditions/filterContacts';
import { readDefinitionsOnce } from '../contacts/customFields/definitions';
import { getSortForms } from '../service/sortForm';
import { simplifyContactsWith } from '../contacts/simplify';
import { contactApi } from '../contract/contact';
import { isRefusal, onApiError } from '../transport/errors/ApiError';
import { readPages } from '../service/lists/pages';
import type { Requester } from '../transport/request';
import { WHOLE } from './changes/wholeLists';
import type { Settings } from './types';

/** The pages to search for a sample. */
const SAMPLE_PAGES = 5;

/** Reads the conditions that contacts must meet; undefined if the user entered none. */
export async function readConditions(
	context: IHookFunctions | IPollFunctions | IWebhookFunctions,
	client: Requester,
): Promise<ConditionSet | undefined> {
	return await parseConditions(
		(name, fallback) => context.getNodeParameter(name, fallback),
		{ timezone: context.getTimezone(), now: Date.now() },
		async () => await readDefinitionsOnce(client),
		client,
	);
}

/** Makes items of the contacts that match the filters and conditions. */
export class ContactItems {
	/** What contacts must meet. */
	private readonly conditionSets: ConditionSet[];

	private readonly contactFilters = new Map<ConditionSet, ReturnType<typeof createContactFilter>>();

	constructor(
		private readonly client: Requester,
		private readonly settings: Settings,
	) {
		const { filters, conditionSet } = settings;
		const sets = [channelConditions(filters), conditionSet];
		this.conditionSets = sets.filter((conditions) => conditions !== undefined);
	}

	/** Whether there is anything that contacts must meet. */
	get hasConditions(): boolean {
		return this.conditionSets.length > 0;
	}

	/** Reads the custom fields of the workspace, once in a poll. */
	readDefinitions = async () => await readDefinitionsOnce(this.client);

	/**
	 * Makes items of the contacts with events that match.
	 *
	 * @param makeItems returns the items of one event; it gets the contact in the form of the output
	 */
	async make<Found extends { record: IDataObject }>(
		found: Found[],
		makeItems: (found: Found, contact: IDataObject) => IDataObject[],
	) {
		const events = await this.match(found);
		const items = await this.makeOf(events, makeItems);
		// Otherwise a skipped event would come after a restart if its contact meets the conditions
		// later.
		const mustSave = events.length < found.length;
		return { items, mustSave };
	}

	/** Returns the events whose contacts match. */
	async match<Found extends { record: IDataObject }>(found: Found[]): Promise<Found[]> {
		const records = found.map(({ record }) => record);
		const matching = await this.keepMatching(records);
		const kept = new Set(matching);
		return found.filter(({ record }) => kept.has(record));
	}

	/** Makes items of events whose contacts match; see `make`. */
	async makeOf<Found extends { record: IDataObject }>(
		events: Found[],
		makeItems: (found: Found, contact: IDataObject) => IDataObject[],
	): Promise<IDataObject[]> {
		const contacts = events.map(({ record }) => record);
		const outputs = await this.toOutputs(contacts);
		return events.flatMap((event, index) => {
			const output = outputs[index];
			return makeItems(event, output);
		});
	}

	/**
	 * Makes an item of one of the contacts that changed last if the service sorts, else of one of the
	 * first of the list.
	 *
	 * @param getExtra returns what the event adds to a contact; undefined if the contact cannot be
	 * the sample
	 * @param afterEvent returns the contact as it is after the event
	 */
	async sample(
		field: string,
		getExtra: (contact: IDataObject) => IDataObject | undefined,
		afterEvent = (contact: IDataObject) => contact,
	) {
		const { filters, conditionSet } = this.settings;
		const filtered = conditionSet
			? await withServerFilter(this.client, conditionSet, filters)
			: filters;
		const find = async (sort: IDataObject) => {
			const query = { ...filtered, ...sort };
			const pages = readPages(this.client, contactApi.listContacts, { query }, WHOLE);
			for await (const { number, rows } of pages) {
				const matching = await this.keepMatching(rows);
				const found = matching.find(getExtra);
				if (found || number === SAMPLE_PAGES) return found;
			}
			return undefined;
		};
		const [form] = getSortForms(this.client);
		const unsorted = onApiError(isRefusal, () => find({}));
		const newestFirst = form([{ field, order: 'desc' }]);
		const contact = await find(newestFirst).catch(unsorted);
		if (!contact) return undefined;
		const changed = afterEvent(contact);
		const [output] = await this.toOutputs([changed]);
		const extra = getExtra(contact);
		return { ...output, ...extra };
	}

	/**
	 * Applies the filters again, as some services ignore them (difference 14), and then the
	 * conditions.
	 */
	private async keepMatching(contacts: IDataObject[]): Promise<IDataObject[]> {
		let kept = contacts;
		for (const conditions of this.conditionSets) {
			if (kept.length === 0) break;
			const filter = await this.getFilter(conditions);
			kept = await filter(kept);
		}
		return kept;
	}

	/** Asks the service what only it can compare, once in a poll. */
	private async getFilter(conditions: ConditionSet) {
		let filter = this.contactFilters.get(conditions);
		filter ??= createContactFilter(this.client, conditions);
		this.contactFilters.set(conditions, filter);
		return await filter;
	}

	private async toOutputs(contacts: IDataObject[]): Promise<IDataObject[]> {
		if (!this.settings.simplify) return contacts;
		return await simplifyContactsWith(contacts, this.readDefinitions);
	}
}
