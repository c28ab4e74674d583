import type { IDataObject } from 'n8n-workflow';

/** A body in which names of tags are a list. */
export function withNames(body: IDataObject): IDataObject {
	if (!('tagNames' in body)) return body;
	return { ...body, tagNames: toNames(body.tagNames) as IDataObject[string] };
}

/**
 * Names of tags as a list: text is taken for JSON, or else for names separated by commas or semicolons (a name can begin with a
 * bracket, too). White space around a name and empty entries mean nothing. What is no list stays as it is, for the check
 * to name.
 */
function toNames(given: unknown): unknown {
	const list = typeof given === 'string' ? listOf(given) : typeof given === 'number' ? [given] : given;
	if (!Array.isArray(list)) return list;
	return list
		.map((entry: unknown) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => entry !== '' && entry !== null && entry !== undefined);
}

function listOf(text: string): unknown[] {
	try {
		const parsed: unknown = JSON.parse(text);
		if (Array.isArray(parsed)) return parsed;
	} catch {
		// No JSON, then.
	}
	return text.split(/[,;]/);
}
