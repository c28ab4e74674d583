import type { Answer } from '../http/answers';
import type { FileStorage } from '../files/storage';
import type { Workspace } from '../workspace';

/** A request of the API, whole. */
export interface ApiRequest {
	method: string;
	/** Path and query as they came over the wire. */
	path: string;
	headers: NodeJS.Dict<string | string[]>;
	body: Buffer | undefined;
}

/** The context of a running operation. */
export interface ServiceContext {
	workspace: Workspace;
	storage: FileStorage;
}

/** How one kind of service answers. */
export interface Service {
	/**
	 * Name of the operation that a request goes to; undefined where the service has no such path and
	 * method.
	 */
	operationOf(
		workspace: Workspace | undefined,
		method: string,
		path: string,
	): Promise<string | undefined>;
	/** The true answer to a request with a token that the sandbox knows. */
	handle(context: ServiceContext, request: ApiRequest): Promise<Answer>;
	/** The answer to a request with a token that it does not know, or with none. */
	refuseToken(method: string, path: string): Promise<Answer>;
	/** The answer of a service that lacks an operation. */
	missing(status: 404 | 405): Answer;
}
