import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { SandboxWorkspace } from '../../../sandbox/client';
import type { operationNames } from '../../../sandbox/routes';
import type { RunResult } from './engine';

/** The value of a resource locator. */
export const by = (mode: string, value: unknown): INodeParameters =>
	({ __rl: true, mode, value }) as INodeParameters;

/**
 * Returns a function that builds the parameters of an operation of a resource. All of them have
 * the shared ones.
 */
export const parametersFor =
	(resource: string, shared: INodeParameters = {}) =>
	(operation: string, more: INodeParameters = {}): INodeParameters => ({
		resource,
		operation,
		...shared,
		...more,
	});

/** The resource that has an operation on a contact. */
export const resourceOf = (operation: string) =>
	['send', 'sendAndWait'].includes(operation) ? 'message' : 'contact';

/** A value that each item brings along. */
export const fromItem = (field = 'value') => `={{ $json.${field} }}`;

/** So many characters. */
export const text = (length: number) => 'x'.repeat(length);

/** One try for every request, for tests that are not about retries. */
export const once: INodeParameters = { requestOptions: { maxRetries: 0, giveUpAfter: 0 } };

/** A request as the service received it; path and query as they came over the wire. */
export interface Received {
	method: string;
	path: string;
	body?: unknown;
}

/** All requests that the service received. */
export async function received(workspace: SandboxWorkspace): Promise<Received[]> {
	const { requests } = await workspace.journal();
	return requests.map(({ method, path, body }) => ({
		method,
		path,
		...(body !== undefined && { body }),
	}));
}

/** The requests that change something, without those by which the node looks first. */
export async function writesOf(workspace: SandboxWorkspace): Promise<Received[]> {
	return (await received(workspace)).filter(({ method }) => method !== 'GET');
}

/** Returns the parameters of a request's query by name; their order makes no difference. */
export const queryOf = ({ path }: Received) =>
	[...new URL(path, 'http://localhost').searchParams].sort();

/** A request's path without the query. */
export const pathOf = ({ path }: Received) => path.split('?')[0];

/** The ids of output items. */
export const idsOf = (records: Array<{ id?: unknown }> | IDataObject[]) =>
	records.map(({ id }) => id);

/** The faults of a service that lacks operations. After a 404, it says so as known services do. */
export const lacking = (
	status: 404 | 405,
	...operations: Array<(typeof operationNames)[number]>
) => ({
	fail: operations.map((operation) => ({
		match: { operation },
		status,
		body: 'text' as const,
		message: status === 404 ? 'Not found' : 'Method Not Allowed',
	})),
});

/**
 * Returns what the user sees of an error. It must be plain text, even if the service answered with
 * HTML.
 */
export function shownOf({ error }: RunResult): string {
	const shown = error?.message ?? '';
	expect(shown).not.toBe('');
	expect(shown).not.toContain('\n');
	expect(shown).not.toMatch(/\[object|undefined|NaN|<\/?[a-z!]/i);
	return shown;
}
