import { setTimeout as sleep } from 'node:timers/promises';
import { SmartCoercionPlugin } from '@orpc/json-schema';
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard';
import {
	StandardBracketNotationSerializer,
	StandardOpenAPIJsonSerializer,
	StandardOpenAPISerializer,
} from '@orpc/openapi-client/standard';
import { onError, ORPCError, os, ValidationError, type AnyRouter } from '@orpc/server';
import { FetchHandler } from '@orpc/server/fetch';
import { StandardHandler, type StandardHandlerOptions } from '@orpc/server/standard';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { z } from 'zod/v4';
import type { Answer } from '../../http/answers';
import { host } from '../../http/http';
import type { Workspace } from '../../workspace';
import { idempotencyKeyOf } from './idempotency';
import { routeOf, type ServiceOperation } from './operations';
import { problem } from './problems';
import type { ApiRequest, Service, ServiceContext } from '../service';

interface RequestContext extends ServiceContext {
	idempotencyKey?: string;
	/** Set if the answer repeats the answer to an earlier request. */
	replayed?: boolean;
}

/** One operation: what its input must be, and what it does. */
export interface Operation {
	input: z.ZodType;
	run(context: ServiceContext, input: never): unknown;
}

export type Operations = Partial<Record<ServiceOperation, Operation>>;

/**
 * An operation whose input has the type of its schema. Path parameters, query and body form one
 * object.
 */
export const operation = <Input extends z.ZodType>(
	input: Input,
	run: (context: ServiceContext, input: z.output<Input>) => unknown,
): Operation => ({ input, run });

/**
 * Puts the path's parameters, and the query or the body, into one object; what the caller wrote
 * there wins.
 */
class MergingCodec extends StandardOpenAPICodec {
	async decode(
		...[request, params, procedure]: Parameters<StandardOpenAPICodec['decode']>
	): Promise<unknown> {
		const sent = await super.decode(request, undefined, procedure);
		const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
		return isObject ? { ...params, ...sent } : params;
	}
}

function procedureOf(name: ServiceOperation, { input: schema, run }: Operation) {
	const { method, path, status } = routeOf(name);
	return os
		.$context<RequestContext>()
		.route({ method, path, inputStructure: 'compact', successStatus: status })
		.input(schema)
		.handler(async ({ context, input }) => {
			const work = async () => {
				const { workMs } = context.workspace.faults.settings;
				if (method !== 'GET' && workMs) await sleep(workMs, undefined, { ref: false });
				return await run(context, input as never);
			};
			if (context.idempotencyKey === undefined) return await work();
			const { value, replayed } = await context.workspace.idempotencyKeys.once(
				name,
				context.idempotencyKey,
				input,
				work,
			);
			context.replayed = replayed;
			return value;
		});
}

/**
 * What a path or method gets that the service does not have: plain text, unlike a missing object.
 */
const notFoundText: Answer = {
	status: 404,
	text: 'Not found',
	headers: { 'content-type': 'text/plain' },
};

const answerOf = (error: ORPCError<string, unknown>): Answer => ({
	status: error.status,
	json: error.toJSON(),
});

/** The scope that an operation needs. The newest builds have another name for that of webhooks. */
function scopeOf({ options }: Workspace, name: ServiceOperation): string {
	const { scope } = routeOf(name);
	return options.newest && scope === 'integrations' ? 'connections' : scope;
}

/** Why a token that is known may not do this; undefined when it may. */
function refusalOf(
	workspace: Workspace,
	method: string,
	name: ServiceOperation,
): Answer | undefined {
	const { options, service } = workspace;
	const { token, plan } = options;
	const forbidden = (message: string, code = 'FORBIDDEN') => answerOf(problem(403, code, message));
	const writes = ['POST', 'PUT', 'PATCH'].includes(method);
	if (plan === 'deletionScheduled') return forbidden('Workspace deletion scheduled');
	if (writes && plan === 'trialExpired') return forbidden('Trial expired', 'trialExpired');
	if (writes && plan === 'macLimitReached') {
		return forbidden('Monthly active contact limit reached', 'macLimitReached');
	}
	// Older tokens have neither scopes nor a read-only form.
	if (service === 'older') return undefined;
	const scope = scopeOf(workspace, name);
	if (token?.scopes && !token.scopes.includes(scope)) {
		return forbidden(`Token is not authorized for the '${scope}' scope`);
	}
	if (token?.readOnly && method !== 'GET')
		return forbidden('Read-only token cannot perform this operation');
	return undefined;
}

/** Whether a workspace's build has an operation that not every build has. */
function isInBuild({ options, faults }: Workspace, name: ServiceOperation): boolean {
	const isReading = name === 'listWhatsappTemplates' || name === 'getWhatsappTemplate';
	if (isReading && faults.settings.templateParamsDropped) return false;
	if (options.additionalOperations?.includes(name)) return true;
	return Boolean(options.newest && routeOf(name).newest);
}

/** A path without the access token that it may carry, in the old form of access. */
function withoutToken(path: string): string {
	if (!/[?&]token=/.test(path)) return path;
	const url = new URL(path, `http://${host}`);
	url.searchParams.delete('token');
	return url.pathname + url.search;
}

/**
 * A service made of operations.
 *
 * @param name which of the two kinds it is
 * @param own the operations that every service of this kind has
 * @param rare the operations that only some builds have: those that a workspace asks for
 */
export function router(name: 'newer' | 'older', own: Operations, rare: Operations): Service {
	const operations = Object.entries({ ...own, ...rare }) as Array<[ServiceOperation, Operation]>;
	const router: AnyRouter = Object.fromEntries(
		operations.map(([operationName, each]) => [operationName, procedureOf(operationName, each)]),
	);
	const serializer = new StandardOpenAPISerializer(
		new StandardOpenAPIJsonSerializer(),
		new StandardBracketNotationSerializer(),
	);
	const options: StandardHandlerOptions<RequestContext> = {
		plugins: [
			new SmartCoercionPlugin<RequestContext>({
				schemaConverters: [new ZodToJsonSchemaConverter()],
			}),
		],
		clientInterceptors: [
			onError((error) => {
				// The library's own answer to bad input is what older services give.
				if (
					name === 'older' ||
					!(error instanceof ORPCError) ||
					!(error.cause instanceof ValidationError)
				) {
					return;
				}
				throw problem(422, 'invalidRequestData', 'Input validation failed', error.data);
			}),
		],
	};
	const handler = new FetchHandler<RequestContext>(
		new StandardHandler(
			router,
			new StandardOpenAPIMatcher(),
			new MergingCodec(serializer),
			options,
		),
		options,
	);
	const matcher = new StandardOpenAPIMatcher();
	matcher.init(router);

	async function operationOf(workspace: Workspace | undefined, method: string, path: string) {
		const pathname = path.split('?', 1)[0] as `/${string}`;
		const found = (await matcher.match(method, pathname))?.path[0] as ServiceOperation | undefined;
		if (found === undefined || found in own) return found;
		return workspace && isInBuild(workspace, found) ? found : undefined;
	}

	const tokenRefused = () =>
		name === 'older'
			? // No status was set for it, so the library takes 500, and the code as the message.
				answerOf(new ORPCError('INVALID_CHATBOT_TOKEN'))
			: answerOf(problem(401, 'INVALID_CHATBOT_TOKEN', 'Invalid or missing workspace API token'));

	async function handle(
		context: ServiceContext,
		{ method, path, headers, body }: ApiRequest,
	): Promise<Answer> {
		const { workspace } = context;
		const operationName = await operationOf(workspace, method, path);
		if (operationName === undefined) return notFoundText;
		if (workspace.options.token?.refused) return tokenRefused();
		const refusal = refusalOf(workspace, method, operationName);
		if (refusal) return refusal;

		const requestContext: RequestContext = { ...context };
		if (name === 'newer' && method !== 'GET' && !routeOf(operationName).keyless) {
			try {
				requestContext.idempotencyKey = idempotencyKeyOf(headers['idempotency-key']?.toString());
			} catch (error) {
				return answerOf(error as ORPCError<string, unknown>);
			}
		}
		const request = new Request(`http://${host}${withoutToken(path)}`, {
			method,
			headers: Object.entries(headers).map(
				([key, value]) => [key, String(value)] as [string, string],
			),
			body: method === 'GET' ? undefined : body && new Uint8Array(body),
		});
		const { response } = await handler.handle(request, { context: requestContext });
		if (!response) return notFoundText;
		return {
			status: response.status,
			text: (await response.text()) || undefined,
			headers: {
				...Object.fromEntries(response.headers),
				...(requestContext.replayed && { 'Idempotent-Replayed': 'true' }),
			},
		};
	}

	return {
		operationOf,
		handle,
		refuseToken: async (method, path) =>
			(await operationOf(undefined, method, path)) === undefined ? notFoundText : tokenRefused(),
		missing: () => notFoundText,
	};
}
