import { SmartCoercionPlugin } from '@orpc/json-schema';
import { StandardOpenAPIHandler, StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import { onError, ORPCError, os, ValidationError, type AnyRouter } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod/v4';
import type { Endpoint } from '../../../nodes/WorkspaceMessaging/contract/endpoint';
import { endpointNames, endpoints, type EndpointName } from '../../endpoints';
import { catalogueHandlers } from './catalogue';
import { contactHandlers } from './contactHandlers';
import { customFieldHandlers, tagHandlers } from './tagsAndCustomFields';
import { invalid, malformed } from '../../http/problems';
import type { Workspace } from '../../workspace';

/** What an endpoint does: the contract has already checked its input. */
type Handler = (workspace: Workspace, input: never) => unknown;

const handlers: Record<EndpointName, Handler> = {
	...catalogueHandlers,
	...contactHandlers,
	...customFieldHandlers,
	...tagHandlers,
};

const nothing = z.strictObject({});

/** All that a request may hold: what the contract does not name is refused. */
const inputOf = ({ params, query, body }: Endpoint) =>
	z.object({
		...(params && { params }),
		query: query ?? nothing,
		body: body ?? nothing.optional(),
	});

/** The document's description of an operation that a service may lack or have in another form. */
const remarkOn = ({ undocumented }: Endpoint) =>
	undocumented && {
		description: [
			'The reference does not show this operation: a service may not have it, or may have it in another form.',
			...(undocumented.instead ? [`In that case, ${undocumented.instead}.`] : []),
		].join(' '),
	};

function procedureOf(name: EndpointName) {
	const endpoint = endpoints[name];
	const { status = endpoint.response ? 200 : 204 } = endpoint;
	return (
		os
			.$context<{ workspace: Workspace }>()
			// The contract's response is there for the document: checking what the sandbox itself made
			// would only cost time.
			.$config({ initialOutputValidationIndex: Number.NaN })
			.route({
				method: endpoint.method,
				path: endpoint.path,
				inputStructure: 'detailed',
				successStatus: status,
				// The document does not describe missing bodies.
				spec: ({ requestBody, responses, ...operation }) => ({
					...operation,
					...remarkOn(endpoint),
					...(endpoint.body && { requestBody }),
					responses: endpoint.response ? responses : { [status]: { description: 'Done' } },
				}),
			})
			.input(inputOf(endpoint))
			.output(endpoint.response ?? z.unknown())
			.handler(({ context, input }) => handlers[name](context.workspace, input as never))
	);
}

/** The API as oRPC knows it. */
export const router: AnyRouter = Object.fromEntries(
	endpointNames.map((name) => [name, procedureOf(name)]),
);

/**
 * Removes the part of a request (params, query, body) that oRPC puts before a path: the caller did
 * not send it.
 */
const issuesOf = (error: ValidationError) =>
	error.issues.map(({ path = [], message }) => ({
		part: String(path[0]),
		path: path
			.slice(1)
			.map((step) => (typeof step === 'object' ? String(step.key) : (step as string | number))),
		message,
	}));

/** Answers requests of the API; `{ matched: false }` if it has no such path and method. */
export const api = new StandardOpenAPIHandler<{ workspace: Workspace }>(router, {
	plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })],
	customErrorResponseBodyEncoder: ({ code, status, message, data }) => ({
		code,
		status,
		message,
		data,
	}),
	clientInterceptors: [
		onError((error) => {
			if (!(error instanceof ORPCError) || !(error.cause instanceof ValidationError)) return;
			const issues = issuesOf(error.cause);
			const shown = issues.map(({ path, message }) => ({ path, message }));
			throw issues.some(({ part }) => part === 'params')
				? malformed('The path is malformed', shown)
				: invalid(...shown);
		}),
	],
});

const matcher = new StandardOpenAPIMatcher();
matcher.init(router);

/** The endpoint that a request goes to. */
export async function operationOf(method: string, path: string): Promise<EndpointName | undefined> {
	const pathname = path.split('?', 1)[0].replace(/\/$/, '') as `/${string}`;
	return (await matcher.match(method, pathname))?.path[0] as EndpointName | undefined;
}

/** The methods that a path knows. */
export async function methodsOf(path: string): Promise<string[]> {
	const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
	const known = await Promise.all(methods.map((method) => operationOf(method, path)));
	return methods.filter((_, index) => known[index] !== undefined);
}
