/**
 * The fields of the API that a service complains about in the body of a refusal, by their names (part 7: not documented):
 * from `issues` with paths, also in `data`.
 */
export function refusedFields(body: unknown): string[] {
	if (typeof body !== 'object' || body === null) return [];
	const { data, issues } = body as { data?: unknown; issues?: unknown };
	const own = Array.isArray(issues) ? (issues as Array<{ path?: unknown } | null>) : [];
	const names = own.flatMap((issue) => (Array.isArray(issue?.path) ? [String(issue.path.at(-1))] : []));
	return [...names, ...refusedFields(data)];
}
