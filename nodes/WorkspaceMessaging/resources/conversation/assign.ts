import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { findConversationByContact } from '../../conversations/find';
import { findAssignee } from '../../conversations/people';
import { conversationApi } from '../../contract/conversation';
import { oneOf, stringOrNull } from '../../contract/values';
import { inBody, toNamedOptions } from '../../panel/fields';
import { contactLocator } from '../../panel/contactLocator';
import { subjectLocator, withNameMode } from '../../panel/lookups/locators';
import { lookups } from '../../panel/lookups';
import type { Lookup } from '../../panel/lookups/lookup';
import type { AnyItem } from '../../run/item';
import { defineOperation, type Field } from '../../run/operation';
import { isObject, isObjectOrList } from '../../transport/guards';
import { FieldError } from '../../values/fieldError';
import { describeInvalidValue } from '../../values/validate';
import { changeConversation, changeOutput } from '../../conversations/changeConversation';

/** A field that chooses a member or a team from the list, by ID or by name. */
const assigneeLocator = (
	assignTo: string,
	lookup: Lookup,
	name: string,
	texts: { ids: string; example: string },
): Field => ({
	...subjectLocator(lookup, name, {
		anyId: true,
		...withNameMode(texts.example),
		description: `Choose from the list, or enter ${texts.ids} or the exact name`,
	}),
	displayOptions: { show: { assignTo: [assignTo] } },
});

const locators = {
	member: assigneeLocator('member', lookups.members, 'memberId', {
		ids: 'the ID of the member or its user',
		example: 'Nathan Smith',
	}),
	team: assigneeLocator('team', lookups.teams, 'teamId', {
		ids: 'the ID of the team',
		example: 'Support',
	}),
};

export const assign = defineOperation({
	name: 'Assign',
	value: 'assign',
	action: 'Assign conversation',
	description: 'Assign a conversation to the member or team who should answer, or to nobody',
	endpoint: findConversationByContact(conversationApi.assignConversation),
	fields: [
		contactLocator,
		inBody({
			displayName: 'Assign To',
			name: 'assignTo',
			type: 'options',
			options: toNamedOptions({ member: 'Member', nobody: 'Nobody', team: 'Team' }),
			default: 'member',
		}),
		locators.member,
		locators.team,
	],
	schema: { body: z.strictObject({ assignTo: oneOf(['member', 'nobody', 'team']) }) },
	output: changeOutput.extend({
		assignedId: stringOrNull,
		assignedTo: stringOrNull,
	}),

	validate(item) {
		const { assignTo } = item.body;
		if (assignTo === 'nobody') return;
		const { value } = readAssigneeChoice(item, assignTo);
		if (value !== '') return;
		const { displayName } = locators[assignTo];
		throw new FieldError(displayName, `${displayName} must not be empty`);
	},

	async run(item) {
		const { assignTo } = item.body;
		let outcome: IDataObject = { assignedId: null, assignedTo: null };
		if (assignTo !== 'nobody') {
			const choice = readAssigneeChoice(item, assignTo);
			const { assignedId, name } = await findAssignee(item, assignTo, choice);
			outcome = { assignedId, assignedTo: name };
		}
		const { assignedId } = outcome;
		const endpoint = conversationApi.assignConversation;
		return await changeConversation(item, endpoint, outcome, { assignedId });
	},
});

/**
 * Returns the member or team that the user chose, and how. Throws an error if it is neither a name
 * nor an ID.
 */
function readAssigneeChoice(item: AnyItem, noun: keyof typeof locators) {
	const { name, displayName } = locators[noun];
	const chosen = item.parameter(name, '');
	const isLocator = isObject(chosen);
	const { mode, value } = isLocator ? chosen : { mode: 'id', value: chosen };
	if (isObjectOrList(value)) {
		const problem = describeInvalidValue(value);
		throw new Error(`${displayName} must be the name or ID of a ${noun}, but ${problem}`);
	}
	const isFromList = mode === 'list';
	const text = String(value ?? '').trim();
	return { isFromList, value: text };
}
