import type { INodeParameters } from 'n8n-workflow';
import { compiledResources } from './engine/engine';
import { by, resourceOf } from './engine/helpers';
import { referenceEndpoints } from '../../sandbox/endpoints';
import type { WorkspaceState } from '../../sandbox/records';
import { routeOf, serviceOperations } from '../../sandbox/services/newer/operations';

/** A resource and one of its operations, such as `tag` and `getAll`. */
export interface Operation {
	resource: string;
	operation: string;
}

/** Returns how tests call an operation: `tag.getAll`. */
export function nameOf({ resource, operation }: Operation): string {
	return `${resource}.${operation}`;
}

type Records = WorkspaceState;

const id = (records: Array<{ id: string }>, nth = 0) => by('id', records[nth].id);
const contact = ({ contacts }: Records) => ({ identifier: id(contacts) });
const fieldOf = ({ customFields }: Records, type: string) =>
	customFields.find((field) => field.type === type)!.id;
const inStatus = ({ broadcasts }: Records, status: string, nth = 0) =>
	by('id', broadcasts.filter((each) => each.status === status)[nth]?.id ?? '4711');
const mapped = (value: INodeParameters): INodeParameters => ({ mappingMode: 'defineBelow', value });

/**
 * Parameters with which each operation of the node succeeds in a workspace with two contacts or
 * more. They can run one after the other: no operation uses what another one deletes.
 */
const parameters: Record<string, (records: Records) => INodeParameters> = {
	'contact.create': () => ({
		phoneNumber: '+4915112345678',
		email: 'new@example.com',
		gender: 'unknown',
	}),
	'contact.upsert': () => ({
		email: 'newer@example.com',
		phoneNumber: '+4915112345679',
		additionalFields: { gender: 'male' },
	}),
	'contact.get': contact,
	'contact.update': (all) => ({ ...contact(all), updateFields: { firstName: 'Ana' } }),
	'contact.delete': ({ contacts }) => ({ identifier: id(contacts, 1) }),
	'contact.import': ({ files, channels }) => ({
		source: 'id',
		fileId: files[0].id,
		channel: 'webchat',
		inboxId: id(channels),
	}),
	// A service knows only the imports that it has started.
	'contact.getImportStatus': () => ({ importId: '4711' }),
	'message.sendAndWait': (all) => ({ ...contact(all), message: 'May we ship on Friday?' }),
	'message.send': (all) => ({ ...contact(all), text: 'Hello' }),
	'contact.triggerFlow': (all) => ({ ...contact(all), flowId: id(all.flows) }),
	'contact.addTags': (all) => ({ ...contact(all), tagIds: [all.tags[0].id] }),
	'contact.removeTags': (all) => ({ ...contact(all), tagIds: [all.tags[0].id] }),
	'contact.setTags': (all) => ({ ...contact(all), tagIds: [all.tags[0].id] }),
	'contact.getCustomFields': contact,
	'contact.setCustomFields': (all) => ({
		...contact(all),
		customFields: mapped({ [fieldOf(all, 'shortText')]: 'Blue' }),
	}),
	'contact.clearCustomField': (all) => ({
		...contact(all),
		customFieldId: by('id', fieldOf(all, 'shortText')),
	}),
	'contact.addNote': (all) => ({ ...contact(all), text: 'Wants a call' }),
	'contact.getNotes': contact,
	'contact.addToSequences': (all) => ({ ...contact(all), sequenceIds: [all.sequences[0].id] }),
	'contact.removeFromSequences': (all) => ({ ...contact(all), sequenceIds: [all.sequences[0].id] }),
	'contact.block': contact,
	'contact.unblock': contact,
	// Only the newest services have it, for contacts on WhatsApp.
	'message.cancelQuestion': contact,
	'message.sendTemplate': (all) => ({
		...contact(all),
		templateId: id(all.templates),
		templateParams: mapped({ body_1: 'Ann', body_2: 'A-100' }),
	}),
	'conversation.assign': (all) => ({
		...contact(all),
		assignTo: 'member',
		memberId: id(all.members),
	}),
	'conversation.changeState': (all) => ({ ...contact(all), change: 'follow' }),
	'conversation.get': contact,
	'conversation.getMessages': (all) => ({ ...contact(all), messageFormat: 'transcript' }),
	'conversation.handOver': (all) => ({ ...contact(all), inCharge: 'person' }),
	'tag.create': () => ({ name: 'New' }),
	'tag.update': ({ tags }) => ({ tagId: id(tags), name: 'Newer' }),
	'tag.delete': ({ tags }) => ({ tagId: id(tags, 1) }),
	'customField.create': () => ({ name: 'New', type: 'number' }),
	'customField.update': ({ customFields }) => ({ customFieldId: id(customFields), name: 'Newer' }),
	'customField.delete': ({ customFields }) => ({ customFieldId: id(customFields, 1) }),
	'member.get': ({ members }) => ({ memberId: id(members) }),
	'sequence.get': ({ sequences }) => ({ sequenceId: id(sequences) }),
	'broadcast.get': ({ broadcasts }) => ({ broadcastId: id(broadcasts) }),
	'broadcast.create': ({ flows }) => ({
		name: 'Spring',
		channel: 'telegram',
		flowId: id(flows),
		audience: 'all',
	}),
	// Only a test that adds drafts, and sends a broadcast, has them.
	'broadcast.delete': (all) => ({ broadcastId: inStatus(all, 'draft', 1) }),
	'broadcast.getRecipients': ({ broadcasts }) => ({ broadcastId: by('id', broadcasts.at(-1)!.id) }),
	'broadcast.schedule': (all) => ({
		broadcastId: inStatus(all, 'draft'),
		schedulesType: 'now',
		maxRecipients: 1000,
	}),
	'broadcast.stop': (all) => ({ broadcastId: inStatus(all, 'sending') }),
};

const registered = compiledResources.flatMap(({ value: resource, operations }) =>
	operations.map(({ value, endpoint }) => ({ resource, operation: value, endpoint })),
);

/**
 * Names of the operations that have no line in `parameters`, although they write or their path has
 * a parameter.
 */
export const withoutParameters = registered
	.filter(({ endpoint }) => endpoint.method !== 'GET' || endpoint.path.includes('{'))
	.map(nameOf)
	.filter((name) => !(name in parameters));

const withParameters = registered.filter(
	(operation) => !withoutParameters.includes(nameOf(operation)),
);

type Registered = (typeof registered)[number];
const withoutEndpoint = ({ resource, operation }: Registered) => ({ resource, operation });

const requestOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const referenceRequests = Object.values(referenceEndpoints).map(requestOf);
const newestRequests = serviceOperations
	.map(routeOf)
	.filter(({ newest }) => newest)
	.map(requestOf);

/**
 * It succeeds only after an import. The tests of newer operations start none, so it stands with the
 * operations of the reference.
 */
const READS_IMPORT = 'getImportStatus';

const beyondReference = withParameters.filter(
	({ operation, endpoint }) =>
		operation !== READS_IMPORT && !referenceRequests.includes(requestOf(endpoint)),
);
const isNewest = ({ endpoint }: Registered) => newestRequests.includes(requestOf(endpoint));

/** The operations that only newer services have; some of them older ones have, too. */
export const newerOperations: Operation[] = beyondReference
	.filter((one) => !isNewest(one))
	.map(withoutEndpoint);

/** The operations that only the newest services have. */
export const newestOperations: Operation[] = beyondReference.filter(isNewest).map(withoutEndpoint);

/**
 * All other operations that the node offers. A test reports those without parameters; the other
 * tests leave them out.
 */
export const operations: Operation[] = withParameters
	.filter((one) => !beyondReference.includes(one))
	.map(withoutEndpoint);

/** Returns parameters with which each operation succeeds in this workspace, by its name. */
export function everyOperation(
	state: WorkspaceState,
	these = operations,
): Record<string, Operation & INodeParameters> {
	return Object.fromEntries(
		these.map((one) => [
			nameOf(one),
			{ ...one, returnAll: true, ...parameters[nameOf(one)]?.(state) },
		]),
	);
}

/** Returns other ways to call some of the operations, with other or more fields in the output. */
export function otherWays(state: WorkspaceState): Array<Operation & INodeParameters> {
	const { contacts, channels, flows, tags } = state;
	const { identifier } = contact(state);
	const inboxId = id(channels);
	const customFields = mapped({ [fieldOf(state, 'number')]: 1 });
	const byNames = { identifier, tagsBy: 'names', tagNames: tags[0].name };
	const longMessage = {
		identifier,
		text: 'word '.repeat(300),
		inboxId,
		options: {
			splitLongText: true,
			files: '[{"url":"https://example.com/a.png"}]',
			flowId: id(flows),
			nodeId: '4711',
		},
	};
	const identifiers = [by('email', contacts[1].email), by('phone', contacts[1].phoneNumber)];
	const calls: Array<[operation: string, parameters: INodeParameters]> = [
		['addTags', byNames],
		['removeTags', byNames],
		['setTags', byNames],
		['send', longMessage],
		['triggerFlow', { identifier, flowId: id(flows), options: { inboxId } }],
		['update', { identifier, withCustomFields: true, customFields }],
		...['send', 'update'].flatMap((operation) =>
			identifiers.map((by): [string, INodeParameters] => [
				operation,
				{ identifier: by, text: 'Hello', updateFields: { firstName: 'Ana' } },
			]),
		),
		['upsert', { email: contacts[0].email, phoneNumber: '' }],
	];
	return calls.map(([operation, parameters]) => ({
		resource: resourceOf(operation),
		operation,
		...parameters,
	}));
}
