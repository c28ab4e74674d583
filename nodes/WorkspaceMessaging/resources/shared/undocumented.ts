import type { IExecuteSingleFunctions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { getContact } from '../../contract';
import type { Endpoint } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError } from '../../routing/errors';
import { route } from '../../routing/operation';
import { readList } from '../../routing/pages';
import { optional } from './fields';

/** Said of every operation that the reference names without its shape (part 4.6). */
export const NOT_DOCUMENTED = 'The API does not document this; the service has to support it';

const ignoreMissing: INodeProperties = {
	displayName: 'Ignore If Already Gone',
	name: 'ignoreMissing',
	type: 'boolean',
	default: false,
	description: 'Whether to treat it as done when there is nothing left to remove; otherwise that is an error',
};

/** The options of everything that deletes. */
export const deleteOptions: INodeProperties = optional('options', [ignoreMissing]);

/** Whether the user wants what is already gone to count as deleted. */
export function ignoresMissing(context: IExecuteSingleFunctions): boolean {
	return context.getNodeParameter('options.ignoreMissing', false) === true;
}

/**
 * The routing of deleting a tag or a custom field.
 *
 * @param list the list in which what exists can be looked up
 */
export function routeDelete(
	endpoint: Endpoint,
	list: Endpoint,
	fields: INodeProperties[],
): INodePropertyRouting {
	return route(endpoint, fields, {
		run: async (caller, { params }, context) => {
			const [[name, id]] = Object.entries(params);
			const call = callOf(endpoint, { params });
			const deleted = await tryUndocumented(
				endpoint,
				async () => {
					const exists = (await readList(caller, callOf(list))).some((record) => String(record.id) === id);
					return exists ? undefined : call.subject;
				},
				async () => void (await caller.send(call)),
				ignoresMissing(context),
			);
			return [{ success: true, deleted, [name]: id }];
		},
	});
}

/**
 * Runs an operation that not every service has (part 4.6). A 404 can mean that the service lacks it, or that what it is
 * about does not exist: a look-up by documented calls shows which, and the error says it. Where the look-up fails, the
 * error names both.
 *
 * @param findMissing looks up what the operation is about; returns what of it does not exist, in words, if anything
 * @param ignore whether what does not exist counts as done
 * @returns whether there was something to work on
 */
export async function tryUndocumented(
	endpoint: Endpoint,
	findMissing: () => Promise<string | undefined>,
	work: () => Promise<void>,
	ignore = false,
): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		// After a lost answer, a 404 may come of what the first try has done.
		if (!isNotFound(error) || error.details.outcome === 'unknown') return await Promise.reject(error);
		const missing = await findMissing().catch(async () => await Promise.reject(error));
		if (missing === undefined) return await Promise.reject(notOffered(endpoint, error));
		if (ignore) return false;
		const { said } = error.details;
		const message = `There is no ${missing} (404).${unchanged(endpoint)}`;
		return await Promise.reject(new CallError(message, { outcome: 'refused', status: 404, said }));
	}
}

/** Whether a call failed because the service does not know what was asked for, or how. */
export function isNotFound(error: unknown): error is CallError {
	return error instanceof CallError && error.details.status === 404;
}

/** The error for a 404 that can only mean that the service lacks the operation; names the documented way round. */
export function notOffered(endpoint: Endpoint, { details: { said } }: CallError): CallError {
	const { undocumented } = endpoint;
	const instead = undocumented?.instead ? ` Instead, ${undocumented.instead}.` : '';
	return new CallError(
		`This service does not offer the operation (404), which is not part of the documented API.${instead}${unchanged(endpoint)}`,
		{ outcome: 'refused', status: 404, said },
	);
}

function unchanged({ method }: Endpoint): string {
	return method === 'GET' ? '' : ' Nothing was changed.';
}

/** Looks a contact up: `contact email:a@b.c` when there is none with this identifier (part 4.1). */
export async function missingContact(caller: Caller, identifier: unknown): Promise<string | undefined> {
	const call = callOf(getContact, { params: { identifier: String(identifier) } });
	try {
		await caller.send(call);
		return undefined;
	} catch (error) {
		return isNotFound(error) ? call.subject : await Promise.reject(error);
	}
}
