import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { customFieldOperations, setContactCustomFields } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError, halfDone } from '../../routing/errors';
import { optionsOf } from '../shared/fields';
import {
	isNotFound,
	missingContact,
	NOT_DOCUMENTED,
	notOffered,
	tryUndocumented,
} from '../shared/undocumented';
import { definitionsOf } from './customFieldBook';
import type { Definition } from './customFieldBook';
import { isStored, toStored } from './customFieldValue';

/** Shows the workspace's custom fields by name, with an input for their type. */
export const customFieldMapper: INodeProperties = {
	displayName: 'Custom Fields',
	name: 'customFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	required: true,
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getCustomFieldColumns',
			mode: 'add',
			fieldWords: { singular: 'custom field', plural: 'custom fields' },
			addAllFields: false,
			multiKeyMatch: false,
			supportAutoMap: true,
			allowEmptyValues: true,
			// n8n shows this, with a link to retry, also when the fields could not be read.
			noFieldsError:
				'There are no custom fields to show. Choose a credential, or create a custom field in the workspace first.',
		},
	},
	description: 'Values to write. Empty ones are skipped, so that the contact keeps what it has.',
};

const writeModes: Record<string, string> = {
	set: 'Replace what is there',
	append: 'Put text behind what is there',
	prepend: 'Put text in front of what is there',
	increase: 'Add to the number that is there',
	decrease: 'Take from the number that is there',
};

export const customFieldOperation: INodeProperties = {
	displayName: 'How to Write',
	name: 'writeMode',
	type: 'options',
	options: optionsOf(customFieldOperations).map((option) => ({
		...option,
		description: writeModes[option.value],
	})),
	default: 'set',
	description: 'What to do with the value that the contact already has',
};

/** Custom fields beside another operation of a contact, hidden until they are wanted. */
export const withCustomFields: INodeProperties[] = [
	{
		displayName: 'Set Custom Fields',
		name: 'withCustomFields',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description: `Whether to set custom fields of the contact in the same step. ${NOT_DOCUMENTED}.`,
	},
	{ ...customFieldMapper, displayOptions: { show: { withCustomFields: [true] } } },
];

/** A value that is ready to be written: in the form in which the API stores it. */
export interface CheckedValue {
	field: Definition;
	value: string;
}

const textTypes = ['shortText', 'longText'];
/** The types of fields that can be written in a way that depends on what is there. */
const typesFor: Record<string, string[]> = {
	append: textTypes,
	prepend: textTypes,
	increase: ['number'],
	decrease: ['number'],
};

/**
 * The custom field values that the user mapped for this item, checked against the types of the workspace's fields.
 * Empty when there are none. Throws a `CallError` that names the field; nothing has been changed then.
 */
export async function checkedValues(
	caller: Caller,
	context: IExecuteSingleFunctions,
	operation = 'set',
): Promise<CheckedValue[]> {
	const { values, isAutomatic } = mappedValues(context);
	if (Object.keys(values).length === 0) return [];
	const definitions = await definitionsOf(caller, context);
	const checked: CheckedValue[] = [];
	for (const [key, value] of Object.entries(values)) {
		const field = definitions.get(key);
		// With automatic mapping an item has other fields, too.
		if (!field && isAutomatic) continue;
		if (!field) throw refused(`The workspace has no custom field with the ID or name "${key}".`);
		const types = typesFor[operation];
		if (types && !types.includes(field.type)) {
			const [{ name: way }] = optionsOf([operation]);
			throw refused(
				`Custom field ${field.name} is of type ${field.type}, but ${way} works only with the type ${types.join(' or ')}.`,
			);
		}
		checked.push({ field, value: orRefuse(() => toStored(field, value, context.getTimezone())) });
	}
	return checked;
}

/** The values that the user wants set beside another operation; undefined when that is turned off. */
export async function valuesBeside(
	caller: Caller,
	context: IExecuteSingleFunctions,
): Promise<CheckedValue[] | undefined> {
	const isWanted = context.getNodeParameter('withCustomFields', false) === true;
	return isWanted ? await checkedValues(caller, context) : undefined;
}

/** Whether the user has mapped anything for this item. */
export function hasValues(context: IExecuteSingleFunctions): boolean {
	return Object.keys(mappedValues(context).values).length > 0;
}

/** What the values of the mapper are for this item; the empty ones left out. */
function mappedValues(context: IExecuteSingleFunctions): { values: IDataObject; isAutomatic: boolean } {
	const mapper = context.getNodeParameter('customFields', {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const all = isAutomatic ? (context.getInputData() as INodeExecutionData).json : (mapper.value ?? {});
	const given = Object.entries(all).filter(
		([, value]) => value !== undefined && value !== null && value !== '',
	);
	return { values: Object.fromEntries(given), isAutomatic };
}

/** Checked values by the names of their fields, for the output. */
export function byName(values: CheckedValue[]): IDataObject {
	return Object.fromEntries(values.map(({ field, value }) => [field.name, value]));
}

/**
 * Writes checked values to a contact in one request (part 4.6). The error for a 404 says whether there is no
 * such contact, or the service lacks the operation.
 */
export async function writeValues(
	caller: Caller,
	identifier: string,
	values: CheckedValue[],
	operation = 'set',
): Promise<void> {
	await tryUndocumented(
		setContactCustomFields,
		async () => await missingContact(caller, identifier),
		async () => await sendValues(caller, identifier, values, operation),
	);
}

/**
 * Sets checked values of a contact that has just been created or updated, so that a 404 can only mean that the service
 * lacks the operation. The error says that the first half was done.
 *
 * @param done what that was: "created"
 */
export async function setAfter(
	caller: Caller,
	identifier: string,
	values: CheckedValue[],
	done: string,
): Promise<void> {
	if (values.length === 0) return;
	try {
		await sendValues(caller, identifier, values, 'set');
	} catch (caught) {
		const error = isNotFound(caught) ? notOffered(setContactCustomFields, caught) : (caught as CallError);
		throw halfDone(error, `The contact ${identifier} was ${done}, but its custom fields were not set.`);
	}
}

async function sendValues(caller: Caller, identifier: string, values: CheckedValue[], operation: string) {
	const operations = values.map(({ field, value }) => ({ customFieldId: field.id, operation, value }));
	await caller.send(callOf(setContactCustomFields, { params: { identifier }, body: { operations } }));
}

/** The values that a contact does not hold yet, as far as it shows what it holds. */
export function newValuesOf(contact: IDataObject, values: CheckedValue[]): CheckedValue[] {
	const held = heldBy(contact);
	// Of two values for one field the last one counts.
	const wanted = [...new Map(values.map((value) => [value.field.id, value])).values()];
	return wanted.filter(({ field, value }) => !isStored(field, held?.get(field.id)?.value, value));
}

/**
 * A contact with values that have been written to it, as it shows them (part 2.2) without what only the service knows: when
 * a value was changed, and the ID of a new one. A contact that does not show its values stays without them.
 */
export function withWritten(contact: IDataObject, written: CheckedValue[]): IDataObject {
	const held = heldBy(contact);
	if (!held) return contact;
	for (const { field, value } of written) {
		const entry: IDataObject = {
			...held.get(field.id),
			value,
			contactId: contact.id,
			customFieldId: field.id,
		};
		delete entry.updatedAt;
		held.set(field.id, entry);
	}
	return { ...contact, contactCustomFields: [...held.values()] };
}

/** What a contact shows of its custom field values, by the fields' IDs; undefined when it does not. */
function heldBy({ contactCustomFields }: IDataObject): Map<string, IDataObject> | undefined {
	if (!Array.isArray(contactCustomFields)) return undefined;
	return new Map((contactCustomFields as IDataObject[]).map((entry) => [String(entry.customFieldId), entry]));
}

function orRefuse<T>(make: () => T): T {
	try {
		return make();
	} catch (error) {
		const { message } = error as Error;
		return reject(message);
	}
}

function reject(message: string): never {
	throw refused(`${message}.`);
}

/**
 * The error for what is not sent, because it cannot be meant.
 *
 * @param advice what to do about it
 */
export function refused(message: string, advice = ''): CallError {
	return new CallError(`${message} Nothing was changed. ${advice}`.trim(), { outcome: 'refused' });
}
