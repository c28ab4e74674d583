import { randomUUID } from 'node:crypto';
import type { SandboxWorkspace } from '../../sandbox/client';
import type { ServiceName } from '../../sandbox/services/names';
import type { WorkspaceOptions } from '../../sandbox/options';
import { sandbox } from '../support/sandbox';

interface Reply {
	status: number;
	text: string;
	headers: Headers;
	/** The answer as JSON; undefined where it is none. */
	json: any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

/** What a request has besides its usual parts. */
export interface Extra {
	headers?: Record<string, string>;
	token?: string;
}

/** Sends requests of our own making to a service of the sandbox. */
export class Client {
	constructor(readonly workspace: SandboxWorkspace) {}

	async send(
		method: string,
		path: string,
		body?: unknown,
		{ headers, token }: Extra = {},
	): Promise<Reply> {
		const isForm = body instanceof FormData;
		const response = await fetch(`${this.workspace.url}/api/v1/${path}`, {
			method,
			headers: {
				authorization: `Bearer ${token ?? this.workspace.token}`,
				...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
				...headers,
			},
			body: body === undefined || isForm ? body : JSON.stringify(body),
		});
		const text = await response.text();
		let json: unknown;
		try {
			json = JSON.parse(text);
		} catch {
			// Not everything is JSON.
		}
		return { status: response.status, text, headers: response.headers, json };
	}

	get(path: string): Promise<Reply> {
		return this.send('GET', path);
	}
}

/** Makes a workspace of a service, and a client for it. */
export async function service(name: ServiceName, options: WorkspaceOptions = {}) {
	const workspace = await sandbox.workspace(randomUUID(), {
		service: name,
		contacts: 3,
		...options,
	});
	const state = await workspace.state();
	const inbox = (channel: string) =>
		state.channels.find((each) => each.channel === channel)?.id ?? '';
	return { client: new Client(workspace), workspace, state, inbox, contact: state.contacts[0] };
}

/** The services that resemble real ones. */
export const both = ['newer', 'older'] as const;
/** Writes a value as JSON into a query. */
export const inQuery = (value: unknown) => encodeURIComponent(JSON.stringify(value));
