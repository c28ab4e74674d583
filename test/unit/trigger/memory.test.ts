import type { IPollFunctions } from 'n8n-workflow';
import { makeMemorySubject } from '../../../nodes/WorkspaceMessaging/trigger/memory';
import type { Settings } from '../../../nodes/WorkspaceMessaging/trigger/types';

/** What a trigger watches, unless a test says otherwise. */
const usual = {
	event: 'contactCreated',
	parameters: { inCharge: 'anyone', options: { groupMessages: 0 } } as object,
	filters: { keyword: 'a' } as object,
	baseUrl: 'https://one.example.com',
	credentialId: '1',
};

const subjectOf = (other: Partial<typeof usual>) => {
	const { event, parameters, filters, baseUrl, credentialId } = { ...usual, ...other };
	const credentials = { workspaceMessagingApi: { id: credentialId, name: 'Workspace' } };
	const context = { getNode: () => ({ credentials }) } as unknown as IPollFunctions;
	return makeMemorySubject(context, event, { parameters, filters } as Settings, baseUrl);
};

test.each<[string, Partial<typeof usual>]>([
	['another event', { event: 'contactUpdated' }],
	['another parameter', { parameters: { inCharge: 'bot', options: { groupMessages: 0 } } }],
	['another filter', { filters: { keyword: 'b' } }],
	['another workspace', { baseUrl: 'https://two.example.com' }],
	['another credential', { credentialId: '2' }],
])('What a trigger remembers is useless with %s', (_, other) => {
	expect(subjectOf(other)).not.toBe(subjectOf({}));
});

test('What a trigger remembers is also useful with another option, or its parameters in another order', () => {
	const parameters = { options: { groupMessages: 60 }, inCharge: 'anyone' };
	expect(subjectOf({ parameters })).toBe(subjectOf({}));
});
