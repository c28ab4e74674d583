import type { IDataObject } from 'n8n-workflow';
import { formatQuestionNote } from '../../../../nodes/WorkspaceMessaging/contacts/customFields/questionNote';
import { QUESTION_FIELD } from '../../../../nodes/WorkspaceMessaging/contract/customField';
import { Service } from '../../../../nodes/WorkspaceMessaging/transport/request';
import { ReadyMessages } from '../../../../nodes/WorkspaceMessaging/trigger/messages/readyMessages';
import { messageReceivedParameters } from '../../../../nodes/WorkspaceMessaging/trigger/messages/settings';

/* Answered By: Bot, on services whose contacts do not all show when a pause of the bot ends. */

const now = Date.UTC(2026, 10, 1);
const resumesAt = new Date(now + 86_400_000).toISOString();
const field = { id: '5', name: QUESTION_FIELD, type: 'longText' };
const note = formatQuestionNote({
	pause: {
		begunAt: now - 500,
		resumesAt: Date.parse(resumesAt),
		since: now - 1000,
		assignee: 'unassigned',
	},
	others: [],
	answers: {},
});

/** Chooses messages while n8n has noted a pause; returns how many groups start the workflow. */
async function countStarted(listed: IDataObject, shown: IDataObject): Promise<number> {
	const record = {
		id: '7',
		contactCustomFields: [{ customFieldId: field.id, value: note }],
		conversation: { botEnabled: false, ...shown },
	};
	const client = { service: new Service(), request: async () => await Promise.resolve(record) };
	const definitions = { byId: new Map([[field.id, field]]) };
	const ready = new ReadyMessages(
		messageReceivedParameters.parse({ inCharge: 'bot', options: {} }),
		async () => await Promise.resolve(definitions as never),
	);
	const messages = [{ id: '1', text: 'Hi', createdAt: new Date(now).toISOString() }];
	const known = { mark: { from: 0, ids: [] }, now, personWrote: [] };
	const conversation = { contactId: '7', assignedUser: null, assignedInboxTeam: null, ...listed };
	return (await ready.choose(client, conversation, messages, known)).found.length;
}

test.each<[string, number, IDataObject, IDataObject?]>([
	['nothing starts after a person has taken over by the button', 0, { botResumeAt: null }],
	['a message starts if it is still the noted pause', 1, { botResumeAt: resumesAt }],
	[
		'a message starts if the list was read before the pause',
		1,
		{ botEnabled: true, botResumeAt: null },
	],
	['a message starts if nobody knows whose pause it is', 1, {}],
	[
		'nothing starts if a person has taken over since the list was read',
		0,
		{ botResumeAt: resumesAt },
		{ botResumeAt: null },
	],
])('With Answered By: Bot, %s', async (_, count, listed, shown = {}) => {
	expect(await countStarted({ botEnabled: false, ...listed }, shown)).toBe(count);
});
