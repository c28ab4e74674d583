import { z } from 'zod/v4';
import type { ErrorLogEntry } from '../../records';
import type { Workspace } from '../../workspace';
import type { StoredContact } from '../reference/contacts';
import { holds, paged, strictPaging } from './inputs';
import { operation, type Operations } from './router';

/** What a channel or a program refused. */
export const refusedCall = z.strictObject({
	action: z.string(),
	detail: z.string().max(8192).default('An unknown error occurred'),
	httpCode: z.string().nullable().default(null),
});

/** Writes an entry; the newest comes first. */
export function logError(
	workspace: Workspace,
	contact: StoredContact | undefined,
	refused: z.output<typeof refusedCall>,
): ErrorLogEntry {
	const createdAt = workspace.messages.nextTime();
	const entry = {
		id: workspace.nextId(),
		workspaceId: workspace.record.id,
		contactId: contact?.id ?? null,
		...refused,
		createdAt,
		updatedAt: createdAt,
	};
	workspace.errorLog.unshift(entry);
	return entry;
}

const query = z.object({ ...strictPaging, keyword: z.string().optional() });

/** The error log: newer services only. */
export const errorLogOperations = {
	listErrorLogs: operation(query, ({ workspace: { errorLog } }, { keyword = '', ...paging }) => {
		const matches = ({ action, detail }: ErrorLogEntry) =>
			holds(action, keyword) || holds(detail, keyword);
		return paged(errorLog.filter(matches), paging);
	}),
} satisfies Operations;
