import { describeForN8n2, scheduler, testPublication } from '../support/n8n/publication';

jest.setTimeout(600_000);

describeForN8n2('A workflow with two triggers in an n8n that has durable cursors', () => {
	testPublication({ ...scheduler, N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }, true);
});
