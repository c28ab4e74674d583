import { z } from 'zod/v4';
import { fieldByIdOrName, fitsField, showValue, withValues } from '../reference/customFieldValues';
import type { StoredContact } from '../reference/contacts';
import type { CustomField } from '../../records';
import type { Workspace } from '../../workspace';
import { contactOf, showValues } from './contactRecord';
import { operation, type Operations } from './router';
import { ofContact } from './inputs';
import { notFound, problem } from './problems';

const ofField = ofContact.extend({ customFieldId: z.string() });
const ofValue = ofField.extend({ value: z.string(), clientTimezone: z.string().optional() });

function fieldOf(workspace: Workspace, idOrName: string): CustomField {
	const field = fieldByIdOrName(workspace, idOrName);
	if (!field) throw notFound('Custom field');
	return field;
}

function store(
	workspace: Workspace,
	contact: StoredContact,
	entries: ReadonlyArray<{ field: CustomField; value: string }>,
): void {
	const wrong = entries.find(({ field, value }) => !fitsField(field, value));
	if (wrong) {
		throw problem(
			400,
			'invalidCustomFieldValue',
			`Invalid value for custom field ${wrong.field.name}`,
		);
	}
	workspace.changeContact(contact, { values: withValues(workspace, contact, entries) });
}

const setOne = operation(ofValue, ({ workspace }, { identifier, customFieldId, value }) => {
	store(workspace, contactOf(workspace, identifier), [
		{ field: fieldOf(workspace, customFieldId), value },
	]);
});

const operations = ['set', 'append', 'prepend', 'increase', 'decrease'] as const;

/** What a field holds after an operation; on an empty field, each of them sets the value. */
function operate(
	kind: (typeof operations)[number],
	before: string | undefined,
	value: string,
): string {
	if (before === undefined || before === '') return value;
	if (kind === 'set') return value;
	if (kind === 'append') return before + value;
	if (kind === 'prepend') return value + before;
	const sum = kind === 'increase' ? Number(before) + Number(value) : Number(before) - Number(value);
	// A value that is not a number changes nothing and causes no error.
	return Number.isNaN(sum) ? before : String(sum);
}

/** The custom field values of a contact, as in newer and older services alike. */
export const contactCustomFieldOperations = {
	getContactCustomFields: operation(ofContact, ({ workspace }, { identifier }) => ({
		data: showValues(workspace, contactOf(workspace, identifier)),
	})),
	getContactCustomField: operation(ofField, ({ workspace }, { identifier, customFieldId }) => {
		const { values } = contactOf(workspace, identifier);
		const { id } = fieldOf(workspace, customFieldId);
		const stored = values.get(id);
		if (!stored) throw notFound('Custom field value');
		return showValue(workspace, [id, stored])[0];
	}),
	// Declared without a status and a result: 200 with an empty body.
	postContactCustomField: setOne,
	clearContactCustomField: operation(ofField, ({ workspace }, { identifier, customFieldId }) => {
		const contact = contactOf(workspace, identifier);
		const { id } = fieldOf(workspace, customFieldId);
		workspace.changeContact(contact, {
			values: new Map([...contact.values].filter(([key]) => key !== id)),
		});
	}),
} satisfies Operations;

/** Several values by setting them: older services, and newer ones that kept it. */
export const putContactCustomFields = operation(
	ofContact.extend({
		fields: z
			.array(z.object({ customFieldId: z.string(), value: z.string() }))
			.min(1)
			.max(20),
	}),
	({ workspace }, { identifier, fields }) => {
		const contact = contactOf(workspace, identifier);
		const entries = fields.map(({ customFieldId, value }) => ({
			field: fieldOf(workspace, customFieldId),
			value,
		}));
		store(workspace, contact, entries);
	},
);

/** One value, and several by operations: newer services only. */
export const newerCustomFieldOperations = {
	setContactCustomField: setOne,
	setContactCustomFields: operation(
		ofContact.extend({
			operations: z
				.array(
					z.object({
						customFieldId: z.string(),
						operation: z.enum(operations),
						value: z.string(),
					}),
				)
				.min(1)
				.max(20),
			clientTimezone: z.string().optional(),
		}),
		({ workspace }, { identifier, operations: asked }) => {
			const contact = contactOf(workspace, identifier);
			const held = new Map([...contact.values].map(([id, { value }]) => [id, String(value)]));
			const entries = asked.map(({ customFieldId, operation: kind, value }) => {
				const field = fieldOf(workspace, customFieldId);
				const next = operate(kind, held.get(field.id), value);
				held.set(field.id, next);
				return { field, value: next };
			});
			store(workspace, contact, entries);
		},
	),
} satisfies Operations;
