import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../contract';
import type { Call } from './client';
import type { Labels } from './labels';

const subjects: Record<string, string> = {
	tagId: 'tag with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	identifier: 'contact',
};

interface Given {
	params?: IDataObject;
	query?: IDataObject;
	body?: unknown;
	labels?: Labels;
}

/** A call of an endpoint with its path filled in; every path parameter becomes exactly one segment (part 4). */
export function callOf(endpoint: Endpoint, { params = {}, ...given }: Given = {}): Call {
	const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(String(params[name])),
	);
	return { endpoint, path, subject: subjectOf(params), ...given };
}

/** What a request is about, in words: `contact email:a@b.c`, `tag with the ID 12`. */
function subjectOf(params: IDataObject): string | undefined {
	const [name, value] = Object.entries(params)[0] ?? [];
	return name === undefined ? undefined : `${subjects[name]} ${String(value)}`;
}
