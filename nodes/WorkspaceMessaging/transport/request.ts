import type { IDataObject } from 'n8n-workflow';
import { pathSubjects } from '../contract';
import type { Endpoint } from '../contract';
import { encodeForm } from './multipart';
import type { Form, FormFile } from './multipart';
import type { Service } from './service';

/** The values of one request, where its endpoint takes them. */
export interface RequestParts {
	/** Values of the path's parameters. */
	params?: IDataObject;
	query?: IDataObject;
	body?: unknown;
	/** Files that are uploaded with the fields of the body. */
	files?: FormFile[];
	/** By what the service is to recognise it, where that is not this item of this execution: a number of the user's. */
	dedupeKey?: string;
}

/** One request of the API, ready to be sent. */
export interface ApiRequest extends Omit<RequestParts, 'files'> {
	endpoint: Endpoint;
	/** The body with its files, in the form in which it is sent. */
	form?: Form;
	/** The endpoint's path with its parameters filled in. */
	path: string;
	/** A text by which the service recognises a repetition of this very request. */
	idempotencyKey?: string;
	/** What the request is about, for error messages: "contact email:a@b.c". */
	subject?: string;
}

/** Whatever sends requests of the API: an item of a run, a picker, a poll. */
export interface Requester {
	/**
	 * Sends one request within the rate of the workspace, repeats it where that is safe, and returns the answer's body.
	 * Throws an `ApiError` that says what happened, whether anything was changed and what to do.
	 */
	request(endpoint: Endpoint, parts?: RequestParts): Promise<unknown>;
	/** What has been found out about the service of this workspace. */
	readonly service: Service;
	/** Tells the user something at the output, where there is one; complete sentences. */
	hint?(text: string): void;
}

/** A request with its path filled in; every path parameter becomes exactly one segment (part 4). */
export function apiRequest(endpoint: Endpoint, { files, ...parts }: RequestParts = {}): ApiRequest {
	const { params = {}, body = {} } = parts;
	const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String(params[name])),
	);
	const form = files && { form: encodeForm(body as object, files) };
	return { endpoint, path, subject: subjectOf(params), ...parts, ...form };
}

/** What a request with these path parameters is about: `contact with the email a@b.c`, `tag with the ID 12`. */
export function subjectOf(params: IDataObject): string | undefined {
	const [entry] = Object.entries(params);
	if (entry === undefined) return undefined;
	const [name, value] = entry;
	const subject = pathSubjects[name];
	if (name !== 'identifier') return `${subject} ${String(value)}`;
	const [, kind = 'identifier', own = value] = /^(id|email|phone):(.*)$/s.exec(String(value)) ?? [];
	return `${subject} with the ${identifierKinds[kind] ?? kind} ${String(own)}`;
}

const identifierKinds: Record<string, string> = { id: 'ID', email: 'email', phone: 'phone number' };
