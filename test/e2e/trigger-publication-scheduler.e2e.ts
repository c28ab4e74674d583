import { describeForN8n2, scheduler, testPublication } from '../support/n8n/publication';

jest.setTimeout(600_000);

describeForN8n2('A workflow with two triggers in an n8n that polls by its scheduler', () => {
	testPublication(scheduler);
});
