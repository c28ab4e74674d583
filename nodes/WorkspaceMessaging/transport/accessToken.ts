/** The credential's access token as requests carry it: without white space and without a pasted "Bearer " (part 5). */
export function normalizeAccessToken(value: unknown): string {
	return String(value ?? '')
		.trim()
		.replace(/^bearer\s+/i, '');
}
