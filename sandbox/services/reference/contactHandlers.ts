import { contactApi } from '../../../nodes/WorkspaceMessaging/contract/contact';
import type { choices } from '../../../nodes/WorkspaceMessaging/contract/limits';
import { isSortField, splitIdentifier, type StoredContact } from './contacts';
import { fieldByIdOrName, fitsField, showValue, withValues } from './customFieldValues';
import { changeMeanwhile, page, whole, type PageQuery } from './lists';
import { invalid, notFound } from '../../http/problems';
import { contactFilter, matcherOf } from '../newer/contactFilter';
import type { Contact, CustomField } from '../../records';
import type { ImportRequest, Workspace } from '../../workspace';

interface OfContact {
	params: { identifier: string };
}

interface OfContactField {
	params: { identifier: string; customFieldId: string };
}

type Changes = Partial<
	Pick<StoredContact, 'firstName' | 'lastName' | 'email' | 'phoneNumber' | 'avatar' | 'gender'>
>;

interface ContactListQuery extends PageQuery {
	sort?: Array<{ field: string; order: 'asc' | 'desc' }>;
	keyword?: string;
	channels?: string[];
	inboxIds?: string[];
	contactFilter?: unknown;
}

interface Message {
	text?: string;
	files?: unknown[];
	flowId?: string;
	nodeId?: string;
	inboxId?: string;
	clientId?: string;
}

/** Filters name the mail channel by its protocol. */
const platformOf = (channel: string) => (channel === 'smtp' ? 'email' : channel);

/** The inboxes that a list of contacts is narrowed to; undefined for all. */
function inboxesOf(
	workspace: Workspace,
	{ channels, inboxIds }: ContactListQuery,
): Set<string> | undefined {
	const platforms = channels?.includes('omnichannel') ? undefined : channels?.map(platformOf);
	if (!platforms?.length && !inboxIds?.length) return undefined;
	const inboxes = [...workspace.tables.channels.values()].filter(
		({ id, channel }) =>
			(!platforms?.length || platforms.includes(channel)) &&
			(!inboxIds?.length || inboxIds.includes(id)),
	);
	return new Set(inboxes.map(({ id }) => id));
}

/**
 * Returns a function that checks a contact against a filter. The reference does not show what is
 * inside a filter, so this applies the form that known services take. No contact matches any other
 * filter.
 */
function matchesFilter(workspace: Workspace, filter: unknown): (contact: StoredContact) => boolean {
	const parsed = contactFilter.safeParse(filter);
	return parsed.success ? matcherOf(workspace, parsed.data) : () => false;
}

function fieldOf(workspace: Workspace, idOrName: string): CustomField {
	const field = fieldByIdOrName(workspace, idOrName);
	if (!field) throw notFound('Custom field');
	return field;
}

/**
 * Stores values by custom field; a value that does not fit its field's type is refused, and then
 * none is stored.
 */
function storeValues(
	workspace: Workspace,
	contact: StoredContact,
	entries: Array<{ field: CustomField; value: string; path: Array<string | number> }>,
): void {
	const wrong = entries.filter(({ field, value }) => !fitsField(field, value));
	if (wrong.length > 0) {
		throw invalid(
			...wrong.map(({ field, path }) => ({
				path,
				message: `is no value for a field of type ${field.type}`,
			})),
		);
	}
	workspace.changeContact(contact, { values: withValues(workspace, contact, entries) });
}

/** Returns the new value of a field after an operation on its old value. */
function operate(
	operation: (typeof choices.customFieldOperations)[number],
	before: string,
	value: string,
): string {
	switch (operation) {
		case 'set':
			return value;
		case 'append':
			return before + value;
		case 'prepend':
			return value + before;
		case 'increase':
			return String(Number(before) + Number(value));
		case 'decrease':
			return String(Number(before) - Number(value));
	}
}

export const contactHandlers = {
	listContacts(workspace: Workspace, { query }: { query: ContactListQuery }): unknown {
		const { ignoreSort, sortByFirstField, emptyFirst } = workspace.faults.settings;
		const unknown = (query.sort ?? []).flatMap(({ field }, index) =>
			isSortField(field)
				? []
				: [{ path: ['sort', index, 'field'], message: 'is no field to sort by' }],
		);
		if (unknown.length > 0) throw invalid(...unknown);
		changeMeanwhile(workspace, query.page ?? 1);
		const listed = workspace.contacts.list({
			sort: ignoreSort ? undefined : query.sort?.slice(0, sortByFirstField ? 1 : undefined),
			emptyFirst: emptyFirst ?? false,
			keyword: query.keyword,
			inboxIds: inboxesOf(workspace, query),
		});
		const contacts =
			query.contactFilter === undefined
				? listed
				: listed.filter(matchesFilter(workspace, query.contactFilter));
		return page(workspace, contactApi.listContacts, contacts, query, (contact) =>
			workspace.show(contact),
		);
	},

	createContact(workspace: Workspace, { body }: { body: Changes }): Contact {
		return workspace.show(workspace.addContact(body));
	},

	getContact(workspace: Workspace, { params }: OfContact): Contact {
		return workspace.show(workspace.contactOf(params.identifier));
	},

	updateContact(workspace: Workspace, { params, body }: OfContact & { body: Changes }): void {
		workspace.changeContact(workspace.contactOf(params.identifier), body);
	},

	deleteContact(workspace: Workspace, { params }: OfContact): void {
		workspace.contacts.remove(workspace.contactOf(params.identifier));
	},

	upsertContact(workspace: Workspace, { params, body }: OfContact & { body: Changes }): Contact {
		const known = workspace.contacts.find(params.identifier);
		if (known) {
			workspace.changeContact(known, body);
			return workspace.show(known);
		}
		const [kind, value] = splitIdentifier(params.identifier);
		if (kind === 'id') throw notFound('Contact');
		const reach = kind === 'email' ? { email: value } : { phoneNumber: value };
		return workspace.show(workspace.addContact({ ...reach, ...body }));
	},

	importContacts(workspace: Workspace, { body }: { body: ImportRequest }): void {
		workspace.startImport(body);
	},

	sendMessage(workspace: Workspace, { params, body }: OfContact & { body: Message }): void {
		const contact = workspace.contactOf(params.identifier);
		const { clientId, flowId, inboxId, nodeId } = body;
		if (clientId !== undefined && BigInt(clientId) >= 2n ** 63n) {
			throw invalid({ path: ['clientId'], message: 'is too large' });
		}
		workspace.refuseUnknown('flows', { flowId });
		workspace.refuseUnknown('channels', { inboxId });
		if (!workspace.isNewMessage(clientId)) return;
		const at = Date.now();
		workspace.journal.messages.push({ at, contactId: contact.id, ...body });
		if (flowId !== undefined) {
			workspace.journal.flowRuns.push({ at, contactId: contact.id, flowId, inboxId, nodeId });
		}
	},

	triggerFlow(
		workspace: Workspace,
		{ params, body }: OfContact & { body: { flowId: string; inboxId?: string } },
	): void {
		const contact = workspace.contactOf(params.identifier);
		workspace.refuseUnknown('flows', { flowId: body.flowId });
		workspace.refuseUnknown('channels', { inboxId: body.inboxId });
		workspace.journal.flowRuns.push({ at: Date.now(), contactId: contact.id, ...body });
	},

	addContactTags(
		workspace: Workspace,
		{ params, body }: OfContact & { body: { tagIds: string[] } },
	): void {
		const contact = workspace.contactOf(params.identifier);
		const unknown = body.tagIds.flatMap((id, index) =>
			workspace.tables.tags.has(id) ? [] : [{ path: ['tagIds', index], message: 'does not exist' }],
		);
		if (unknown.length > 0) throw invalid(...unknown);
		workspace.changeContact(contact, { tagIds: [...new Set([...contact.tagIds, ...body.tagIds])] });
	},

	removeContactTags(
		workspace: Workspace,
		{ params, body }: OfContact & { body: { tagIds: string[] } },
	): void {
		const contact = workspace.contactOf(params.identifier);
		const tagIds = contact.tagIds.filter((id) => !body.tagIds.includes(id));
		workspace.changeContact(contact, { tagIds });
	},

	getContactCustomFields(workspace: Workspace, { params }: OfContact): unknown {
		const { values } = workspace.contactOf(params.identifier);
		return whole(
			workspace,
			[...values].flatMap((entry) => showValue(workspace, entry)),
		);
	},

	getContactCustomField(workspace: Workspace, { params }: OfContactField): unknown {
		const { values } = workspace.contactOf(params.identifier);
		const { id, name, type } = fieldOf(workspace, params.customFieldId);
		const stored = values.get(id);
		return stored
			? showValue(workspace, [id, stored])[0]
			: { customFieldId: id, name, type, value: null };
	},

	setContactCustomField(
		workspace: Workspace,
		{ params, body }: OfContactField & { body: { value: string } },
	): void {
		const contact = workspace.contactOf(params.identifier);
		const field = fieldOf(workspace, params.customFieldId);
		storeValues(workspace, contact, [{ field, value: body.value, path: ['value'] }]);
	},

	setContactCustomFields(
		workspace: Workspace,
		{
			params,
			body,
		}: OfContact & {
			body: {
				operations: Array<{
					customFieldId: string;
					operation: (typeof choices.customFieldOperations)[number];
					value: string;
				}>;
			};
		},
	): void {
		const contact = workspace.contactOf(params.identifier);
		const held = new Map([...contact.values].map(([id, { value }]) => [id, String(value)]));
		const entries = body.operations.map(({ customFieldId, operation, value }, index) => {
			const field = workspace.tables.customFields.get(customFieldId);
			if (!field)
				throw invalid({ path: ['operations', index, 'customFieldId'], message: 'does not exist' });
			const next = operate(operation, held.get(customFieldId) ?? '', value);
			held.set(customFieldId, next);
			return { field, value: next, path: ['operations', index, 'value'] };
		});
		storeValues(workspace, contact, entries);
	},

	clearContactCustomField(workspace: Workspace, { params }: OfContactField): void {
		const contact = workspace.contactOf(params.identifier);
		const { id } = fieldOf(workspace, params.customFieldId);
		workspace.changeContact(contact, {
			values: new Map([...contact.values].filter(([key]) => key !== id)),
		});
	},
};
