import type { IDataObject } from 'n8n-workflow';
import { pathSubjects, type Endpoint } from '../contract/endpoint';
import { patterns } from '../contract/limits';
import type { Form } from './multipart';

/** The values of a request; an endpoint takes some of them. */
export interface RequestParts {
	/** Values of the path's parameters. */
	params?: IDataObject;
	query?: IDataObject;
	body?: unknown;
	/** The body with files, encoded. */
	form?: Form;
	/**
	 * A number of the user's own that the service deduplicates by, in place of this item of this
	 * execution.
	 */
	dedupeKey?: string;
	/**
	 * Whether not to look for a contact whose email or phone number the service has in another form.
	 */
	isExact?: boolean;
	/**
	 * Whether the caller looks for what a request has done before it sends it again, so that the
	 * sender does not do so by its key alone.
	 */
	isLookedFor?: boolean;
	/** Whether not to look for a contact with the other form of a mobile number. */
	needsExactNumber?: boolean;
}

/** A request of the API, ready to send. */
export interface ApiRequest extends RequestParts {
	endpoint: Endpoint;
	/** The endpoint's path with its parameters filled in. */
	path: string;
	/** A text by which the service recognizes that it gets the same request again. */
	idempotencyKey?: string;
	/** What the request is about, for errors: `contact with the email a@b.c`. */
	subject?: string;
}

/**
 * A service for as long as n8n remembers it. What is known about it hangs on this object: see
 * `memoryPerService`.
 */
export class Service {
	/** In milliseconds since 1970. */
	readonly createdAt = Date.now();
}

/** Whatever sends requests of the API: an item of a run, a picker, a poll. */
export interface Requester {
	/**
	 * Sends one request within the workspace's rate limit, retries it if that is safe, and returns
	 * the answer's body. Throws an `ApiError`.
	 */
	request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown>;
	/** The service of this workspace. */
	readonly service: Service;
	/** Shows the user a note at the output, if there is one; complete sentences. */
	hint?(text: string): void;
}

/**
 * Makes a request: fills in its path, where every parameter becomes exactly one segment (part 4).
 */
export function apiRequest(endpoint: Endpoint, parts: RequestParts = {}): ApiRequest {
	const { params = {} } = parts;
	const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String(params[name])),
	);
	const [subject] = nameRequestSubjects(params);
	return { endpoint, path, subject, ...parts };
}

/**
 * Says what the path parameters of a request name: `contact with the email a@b.c`, `tag with the ID
 * 12`.
 */
export function nameRequestSubjects(params: IDataObject = {}): string[] {
	return Object.entries(params).map(([name, value]) => {
		const subject = pathSubjects[name];
		const text = String(value);
		if (name !== 'identifier') return `${subject} ${text}`;
		const [, kind = 'identifier', own = text] = patterns.identifier.exec(text) ?? [];
		const kindName = kindNames[kind] ?? kind;
		return `${subject} with the ${kindName} ${own}`;
	});
}

const kindNames: Record<string, string> = { id: 'ID', email: 'email', phone: 'phone number' };
