import { ORPCError } from '@orpc/server';

/** One field that the server refuses. */
export interface Issue {
	path: ReadonlyArray<string | number>;
	message: string;
}

export const notFound = (what: string) => new ORPCError('NOT_FOUND', { message: `${what} not found` });

export const conflict = (message: string) => new ORPCError('CONFLICT', { message });

export const malformed = (message: string, issues: Issue[] = []) =>
	new ORPCError('BAD_REQUEST', { message, data: { issues } });

/** What is well formed, but cannot be done. */
export const invalid = (...issues: Issue[]) =>
	new ORPCError('UNPROCESSABLE_CONTENT', { message: 'Input validation failed', data: { issues } });
