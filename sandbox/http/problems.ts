import { ORPCError } from '@orpc/server';

/** One field that the server refuses. */
interface Issue {
	path: ReadonlyArray<string | number>;
	message: string;
}

/** There is none of this kind with this identifier (404). */
export const notFound = (what: string) =>
	new ORPCError('NOT_FOUND', { message: `${what} not found` });

/** It contradicts what the workspace holds already (409). */
export const conflict = (message: string) => new ORPCError('CONFLICT', { message });

/** What is not even well formed (400). */
export const malformed = (message: string, issues: Issue[] = []) =>
	new ORPCError('BAD_REQUEST', { message, data: { issues } });

/** What is well formed, but cannot be done (422). */
export const invalid = (...issues: Issue[]) =>
	new ORPCError('UNPROCESSABLE_CONTENT', { message: 'Input validation failed', data: { issues } });
