import type { IDataObject } from 'n8n-workflow';
import { getFullName, joinNameParts } from '../../../contacts/fullName';
import type { AnyItem } from '../../../run/item';
import { oncePerRun } from '../../../run/run';
import { ApiError } from '../../../transport/errors/ApiError';
import { endSentence, joinSentences } from '../../../transport/errors/sentences';
import { isEmptyCell } from '../../../values/blankText';
import { counted } from '../../../values/labels';
import type { UpsertPlan } from './plan';

/* The output of Create or Update with Preview. */

/** The outcomes that only a preview has. */
export const previewOutcomes = ['wouldCreate', 'wouldUpdate', 'invalid'] as const;

const plannedOutcomes = { created: 'wouldCreate', updated: 'wouldUpdate', unchanged: 'unchanged' };

/** Whether the user turned on Preview; false if its expression fails. */
export function isPreview(item: AnyItem): boolean {
	try {
		return item.isOn('options.preview');
	} catch {
		return false;
	}
}

/** Returns what Create or Update would do with a row, for its preview. */
export function describePlan(
	item: AnyItem,
	{ contact, outcome, changes }: UpsertPlan,
): IDataObject {
	const { email = null, phoneNumber = null } = contact;
	return previewOutput(item, {
		outcome: plannedOutcomes[outcome],
		reason: null,
		contactId: outcome === 'created' ? null : contact.id,
		email,
		phoneNumber,
		fullName: describeName(contact, changes),
		changedFields: Object.keys(changes),
		changes,
	});
}

/**
 * Returns why the run would refuse a row; undefined if the error says nothing about the row, such
 * as a lost connection.
 */
export function planInvalidRow(item: AnyItem, error: Error): IDataObject | undefined {
	const reason = describeRefusal(item, error);
	if (reason === undefined) return undefined;
	return previewOutput(item, {
		outcome: 'invalid',
		reason,
		contactId: null,
		email: readFieldOrNull(item, 'email'),
		phoneNumber: readFieldOrNull(item, 'phoneNumber'),
		fullName: null,
		changedFields: [],
		changes: {},
	});
}

/**
 * Returns the output of a row of a preview. All rows have the same fields, so that a table shows
 * them in this order.
 */
function previewOutput(item: AnyItem, row: IDataObject): IDataObject {
	outcomesOfPreview(item).set(item.index, String(row.outcome));
	return { ...row, preview: true };
}

/** The outcomes of the rows of a preview, by the numbers of their items; a hint counts them. */
const outcomesOfPreview = oncePerRun((item: AnyItem) => {
	const outcomes = new Map<number, string>();
	item.hint(() => `Preview: nothing was saved. ${countOutcomes([...outcomes.values()])}`);
	return outcomes;
});

const outcomeWords = [
	['wouldCreate', 'would be created'],
	['wouldUpdate', 'would be updated'],
	['unchanged', 'unchanged'],
	['invalid', 'invalid'],
] as const;

/** Counts the outcomes of rows: `30 rows: 12 would be created, 18 unchanged.` */
function countOutcomes(outcomes: string[]) {
	const parts: string[] = [];
	for (const [outcome, words] of outcomeWords) {
		const { length } = outcomes.filter((each) => each === outcome);
		if (length === 0) continue;
		const count = length.toLocaleString('en-US');
		parts.push(`${count} ${words}`);
	}
	const rows = counted(outcomes.length, 'row');
	return `${rows}: ${parts.join(', ')}.`;
}

/** The name after the change. */
function describeName(contact: IDataObject, changes: object) {
	const hasChanged = 'firstName' in changes || 'lastName' in changes;
	const name = hasChanged ? joinNameParts(contact) : getFullName(contact);
	return name || null;
}

function describeRefusal({ problem }: AnyItem, error: Error) {
	if (!(error instanceof ApiError)) return problem && endSentence(error.message);
	const { what, details } = error;
	const { nothingWas, outcome, cause, advice } = details;
	// A preview only reads, so what would write was refused by the node itself.
	const isOfNode = nothingWas === 'changed' && outcome === 'refused';
	return isOfNode ? joinSentences(what, cause, advice) : undefined;
}

/** The value of a field as the user entered it; null if there is none. */
function readFieldOrNull(item: AnyItem, name: string) {
	try {
		const value = item.parameter(name, '') as string;
		return isEmptyCell(value) ? null : value;
	} catch {
		return null;
	}
}
