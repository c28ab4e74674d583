import { DEFAULT_N8N_VERSION } from '../../scripts/n8n/install';
import { testTrigger } from '../support/n8n/trigger';

// n8n 1 has no scheduler.
if (DEFAULT_N8N_VERSION.startsWith('1.'))
	test.skip('The trigger on an n8n that polls by its scheduler', () => {});
else
	testTrigger(
		'polls by its scheduler, with durable cursors',
		{
			N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
			N8N_SCHEDULER_ENABLED: 'true',
			N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
			N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
		},
		true,
	);
