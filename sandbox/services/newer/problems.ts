import { ORPCError } from '@orpc/server';
import type { WorkspaceOptions } from '../../options';
import type { ServiceName } from '../names';

/*
 * Errors of the newer and the older services. They go out in the form of the library that these
 * services are built on: `{ defined, code, status, message, data }`.
 */

/** What the form of a refusal depends on. */
interface Build {
	service: ServiceName;
	options: WorkspaceOptions;
}

/** An error with a code of the service's own. */
export const problem = (status: number, code: string, message: string, data?: unknown) =>
	new ORPCError(code, { status, message, data });

/** The object does not exist (404, as JSON; a missing operation is plain text). */
export const notFound = (what: string) => problem(404, 'notFound', `${what} not found`);

/** A generic refusal (400). */
export const systemError = (message: string) => problem(400, 'systemError', message);

/** What an input must fulfil beyond its form: refused as the validation of each version does. */
export function invalidInput({ service }: Build, path: string, message: string) {
	const data = { issues: [{ code: 'custom', path: [path], message }] };
	return service === 'older'
		? problem(400, 'BAD_REQUEST', 'Input validation failed', data)
		: problem(422, 'invalidRequestData', 'Input validation failed', data);
}

/**
 * A refusal by a business rule, such as a duplicate: how it arrives differs by version, and is up
 * to the workspace.
 */
export function businessRefusal(
	{ service, options }: Build,
	field: string,
	message: string,
): Error {
	switch (options.businessErrors ?? (service === 'older' ? 'hidden' : 'validation422')) {
		case 'hidden':
			// Not mapped there: the library makes "Internal server error" of it.
			return new Error(message);
		case 'underscoreErrors':
			return problem(422, 'invalidRequestData', 'Validation Exception', {
				_errors: ['Validation Exception'],
				[field]: { _errors: [message] },
			});
		case 'validation400':
			return problem(400, 'validation', message);
		case 'validation422':
			return problem(422, 'validation', message);
	}
}
