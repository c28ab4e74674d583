import type { IDataObject } from 'n8n-workflow';
import { isNotFound, isUnsupported, partiallyDone, rejected } from '../../../transport/errors/ApiError';
import type { ApiError } from '../../../transport/errors/ApiError';
import { rethrow } from '../../../transport/rethrow';
import { limits, setContactCustomFields } from '../../../contract';
import { replaceContactCustomFields } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { optionsOf } from '../../shared/fields';
import { missingContact, MissingError, requestUndocumented } from '../../shared/undocumented';
import { customFieldDefinitions, noSuchCustomField } from '../../../contacts/customFields/definitions';
import type { CustomFieldDefinition } from '../../../contacts/customFields/definitions';
import { customFieldsById, isStored, storedForm } from '../../../contacts/customFields/value';
import { matchColumns } from './matchColumns';

/** A value that is ready to be written: in the form in which the API stores it. */
export interface CheckedValue {
	field: CustomFieldDefinition;
	value: string;
}

interface GivenValue {
	field: CustomFieldDefinition;
	value: unknown;
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
 * Empty when there are none. Throws an `ApiError` that names the field; nothing has been changed then.
 *
 * @param operation how they are to be written (part 4.6)
 */
export async function checkedValues(item: Item, operation = 'set'): Promise<CheckedValue[]> {
	const { values, isAutomatic } = mappedValues(item);
	if (Object.keys(values).length === 0) return [];
	const given = isAutomatic ? await matchColumns(item, values) : await namedFields(item, values);
	const checked: CheckedValue[] = [];
	for (const { field, value } of given) {
		const types = typesFor[operation];
		if (types && !types.includes(field.type)) {
			const [{ name: way }] = optionsOf([operation]);
			throw rejected(
				`Custom field ${field.name} is of type ${field.type}, but ${way} works only with the type ${types.join(' or ')}.`,
			);
		}
		checked.push({ field, value: storedForm(item, field, value) });
	}
	return checked;
}

/** The fields that the user has mapped values to, by ID or name. */
async function namedFields(item: Item, values: IDataObject): Promise<GivenValue[]> {
	const definitions = await customFieldDefinitions(item);
	return Object.entries(values).map(([key, value]) => {
		const field = definitions.get(key);
		if (!field) throw noSuchCustomField(item, key, definitions);
		return { field, value };
	});
}

/** The values that the user wants set beside another operation; undefined when that is turned off. */
export async function valuesBeside(item: Item): Promise<CheckedValue[] | undefined> {
	const isWanted = item.parameter('withCustomFields', false) === true;
	return isWanted ? await checkedValues(item) : undefined;
}

/** Whether the user has mapped anything for this item. */
export function hasValues(item: Item): boolean {
	return Object.keys(mappedValues(item).values).length > 0;
}

/** What the values of the mapper are for this item; the empty ones left out. */
function mappedValues(item: Item): { values: IDataObject; isAutomatic: boolean } {
	const mapper = item.parameter('customFields', {}) as {
		mappingMode?: string;
		value?: IDataObject | null;
	};
	const isAutomatic = mapper.mappingMode === 'autoMapInputData';
	const all = isAutomatic ? item.input.json : (mapper.value ?? {});
	const given = Object.entries(all).filter(
		([, value]) => value !== undefined && value !== null && value !== '',
	);
	return { values: Object.fromEntries(given), isAutomatic };
}

/** Checked values by the names of their fields, for the output. */
export function valuesByName(values: CheckedValue[]): IDataObject {
	return Object.fromEntries(values.map(({ field, value }) => [field.name, value]));
}

/**
 * Writes checked values to a contact (part 4.6), in steps of 20, which is what services take. The error for a 404 says
 * whether there is no such contact, or the service lacks the operation.
 */
export async function writeValues(
	item: Item,
	identifier: string,
	values: CheckedValue[],
	operation = 'set',
): Promise<void> {
	const findMissing = async () => await missingContact(item, identifier);
	await inSteps(values, async (step) => {
		const parts = { params: { identifier }, body: { operations: operationsOf(step, operation) } };
		try {
			await requestUndocumented(item, setContactCustomFields, parts, findMissing);
		} catch (error) {
			const isMissing =
				error instanceof MissingError || (isNotFound(error) && error.details.reason === 'objectMissing');
			if (operation !== 'set' || !isNotFound(error) || isMissing) return await rethrow(error);
			await replaceValues(item, identifier, step, error);
		}
	});
}

/** Writes values as services do that have no PATCH for them; the error for one that cannot do that either is the given one. */
async function replaceValues(item: Item, identifier: string, values: CheckedValue[], notOffered: ApiError) {
	const fields = values.map(({ field, value }) => ({ customFieldId: field.id, value }));
	await item
		.request(replaceContactCustomFields, { params: { identifier }, body: { fields } })
		.catch(async (error: unknown) => await rethrow(isUnsupported(error) ? notOffered : error));
}

/**
 * Writes checked values to a contact that has just been created or updated. The error says that the first half was done.
 *
 * @param done what that was: "created"
 */
export async function writeValuesAfter(
	item: Item,
	identifier: string,
	values: CheckedValue[],
	done: string,
): Promise<void> {
	await writeValues(item, identifier, values).catch((error: ApiError) => {
		// The error itself says so when some were set, or nobody knows.
		const { isPartlyDone, outcome } = error.details;
		const rest = isPartlyDone || outcome === 'unknown' ? '' : ', but its custom fields were not set';
		throw partiallyDone(error, `The contact ${identifier} was ${done}${rest}.`);
	});
}

const operationsOf = (values: CheckedValue[], operation: string) =>
	values.map(({ field, value }) => ({ customFieldId: field.id, operation, value }));

/** Writes as many values at a time as services take. The error for a later step says what was written before. */
async function inSteps(values: CheckedValue[], write: (step: CheckedValue[]) => Promise<void>) {
	const { max } = limits.customFieldValues;
	for (let from = 0; from < values.length; from += max) {
		await write(values.slice(from, from + max)).catch((error: ApiError) => {
			throw from === 0
				? error
				: partiallyDone(error, `The first ${from} custom fields were set; the rest was not.`);
		});
	}
}

/** The values that a contact does not hold yet, as far as it shows what it holds. */
export function newValuesOf(contact: IDataObject, values: CheckedValue[]): CheckedValue[] {
	const held = customFieldsById(contact);
	// Of two values for one field the last one counts.
	const wanted = [...new Map(values.map((value) => [value.field.id, value])).values()];
	return wanted.filter(({ field, value }) => !isStored(field, held?.get(field.id)?.value, value));
}

/**
 * A contact with values that have been written to it, as it shows them (part 2.2) without what only the service knows: when
 * a value was changed, and the ID of a new one. A contact that does not show its values stays without them.
 */
export function mergeValues(contact: IDataObject, written: CheckedValue[]): IDataObject {
	const held = customFieldsById(contact);
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
