import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { customFieldOperations, setContactCustomFields } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError, halfDone } from '../../routing/errors';
import { optionsOf } from '../shared/fields';
import { definitionsOf } from './customFieldBook';
import { toStored } from './customFieldValue';

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

export const customFieldOperation: INodeProperties = {
	displayName: 'Way of Writing',
	name: 'writeMode',
	type: 'options',
	options: optionsOf(customFieldOperations),
	default: 'set',
	description:
		'Whether to set the values, to put text behind or in front of what is there, or to add to or take from a number',
};

/** Custom fields beside another operation of a contact, hidden until they are wanted. */
export const withCustomFields: INodeProperties[] = [
	{
		displayName: 'Set Custom Fields',
		name: 'withCustomFields',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether to set custom fields of the contact in the same step. The API does not document this; the service has to support it.',
	},
	{ ...customFieldMapper, displayOptions: { show: { withCustomFields: [true] } } },
];

interface Write {
	customFieldId: string;
	operation: string;
	value: string;
}

/** Values of custom fields that are ready to be written, by the fields' names. */
export interface CheckedValues {
	operations: Write[];
	byName: IDataObject;
}

/**
 * The custom field values that the user mapped for this item, checked against the types of the workspace's fields.
 * Empty when there are none. Throws a `CallError` that names the field; nothing has been changed then.
 */
export async function checkedValues(
	caller: Caller,
	context: IExecuteSingleFunctions,
	operation = 'set',
): Promise<CheckedValues> {
	const checked: CheckedValues = { operations: [], byName: {} };
	const { values, isAutomatic } = mappedValues(context);
	if (Object.keys(values).length === 0) return checked;
	const definitions = await definitionsOf(caller, context);
	for (const [key, value] of Object.entries(values)) {
		const definition = definitions.get(key);
		// With automatic mapping an item has other fields, too.
		if (!definition && isAutomatic) continue;
		if (!definition) throw refused(`The workspace has no custom field with the ID or name "${key}".`);
		const stored = orRefuse(() => toStored(definition, value, context.getTimezone()));
		checked.operations.push({ customFieldId: definition.id, operation, value: stored });
		checked.byName[definition.name] = stored;
	}
	return checked;
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

/** Writes checked values to a contact in one request (wire notes on part 4.6). */
export async function writeValues(
	caller: Caller,
	identifier: string,
	{ operations }: CheckedValues,
): Promise<void> {
	if (operations.length === 0) return;
	await caller.send(callOf(setContactCustomFields, { params: { identifier }, body: { operations } }));
}

/**
 * Does something to a contact and then sets its custom fields, if the user wants that in the same step. Their values are
 * checked before; if writing them fails, the error says that the rest was done.
 *
 * @param work what comes first; returns the contact's identifier with its result
 * @param done what that was, for the error: "created"
 */
export async function andCustomFields<T>(
	caller: Caller,
	context: IExecuteSingleFunctions,
	work: () => Promise<{ identifier: string; result: T; done: string }>,
): Promise<{ result: T; customFields?: IDataObject }> {
	if (context.getNodeParameter('withCustomFields', false) !== true) return { result: (await work()).result };
	const values = await checkedValues(caller, context);
	const { identifier, result, done } = await work();
	try {
		await writeValues(caller, identifier, values);
	} catch (error) {
		const sentence = `The contact ${identifier} was ${done}, but its custom fields were not set.`;
		return await Promise.reject(halfDone(error as CallError, sentence));
	}
	return { result, customFields: values.byName };
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

function refused(message: string): CallError {
	return new CallError(`${message} Nothing was changed.`, { outcome: 'refused' });
}
