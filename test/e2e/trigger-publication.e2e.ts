import { testPublication } from '../support/n8n/publication';

jest.setTimeout(600_000);

describe('A workflow with two triggers in an n8n that polls as by default', () => {
	testPublication({});
});
