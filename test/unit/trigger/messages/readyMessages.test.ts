import { ReadyMessages } from '../../../../nodes/WorkspaceMessaging/trigger/messages/readyMessages';
import type { Mark } from '../../../../nodes/WorkspaceMessaging/trigger/messages/mark';
import type { MessageSettings } from '../../../../nodes/WorkspaceMessaging/trigger/messages/settings';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const parameters = {
	inCharge: 'anyone',
	options: { groupMessages: 30, answersToQuestions: 'leaveOut' },
} as MessageSettings['parameters'];

test('a possible answer keeps the time when n8n first saw it while the contact goes on writing', async () => {
	const noDefinitions = async () => await Promise.reject(new Error('Nothing may be read'));
	const noClient = noDefinitions as never;
	const seen = { answer: NOW - 15 * 60_000 };
	const heldSince = NOW - 20_000;
	const mark: Mark = { is: 'held', from: NOW - 60_000, ids: [], at: NOW, heldSince, seen };
	const fresh = [{ id: '1', createdAt: new Date(NOW - 1000).toISOString() }];
	const known = { mark, at: NOW, now: NOW, personWrote: [] };
	const ready = await new ReadyMessages(parameters, noDefinitions).choose(
		noClient,
		{},
		fresh,
		known,
	);
	expect(ready).toMatchObject({ groups: [], waiting: fresh, seen });
});
