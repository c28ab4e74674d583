import type {
	IDataObject,
	IExecuteSingleFunctions,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { getContact } from '../../contract';
import type { Endpoint } from '../../contract';
import { callOf } from '../../routing/call';
import type { Caller } from '../../routing/client';
import { CallError } from '../../routing/errors';
import { route } from '../../routing/operation';
import { readList } from '../../routing/pages';
import { optional } from './fields';

/** Said of every operation that the reference names without its shape (part 4.6). */
export const NOT_DOCUMENTED = 'The API does not document this; the service has to support it.';

const ignoreMissing: INodeProperties = {
	displayName: 'Ignore If Already Gone',
	name: 'ignoreMissing',
	type: 'boolean',
	default: false,
	description:
		'Whether to treat it as done when there is nothing to delete any more; otherwise that is an error',
};

export const deleteOptions: INodeProperties = optional('options', [ignoreMissing]);

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
			const deleted = await tryUndocumented(
				context,
				endpoint,
				async () => (await readList(caller, callOf(list))).some((record) => String(record.id) === id),
				async () => void (await caller.send(callOf(endpoint, { params }))),
			);
			return [{ success: true, deleted, [name]: id }];
		},
	});
}

/**
 * Runs an operation that not every service has. A 404 can mean that the service lacks it, or that what it is about does
 * not exist: with `exists`, a documented look-up, the error says which.
 *
 * @returns whether there was something to work on; false only when the user wants what is gone to count as done
 */
export async function tryUndocumented(
	context: IExecuteSingleFunctions,
	endpoint: Endpoint,
	exists: () => Promise<boolean>,
	work: () => Promise<void>,
): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		if (!(error instanceof CallError) || error.details.status !== 404) return await Promise.reject(error);
		const isThere = await exists().catch(() => undefined);
		if (isThere === undefined) return await Promise.reject(error);
		if (isThere) return await Promise.reject(notOffered(endpoint));
		if (context.getNodeParameter('options.ignoreMissing', false) === true) return false;
		return await Promise.reject(error);
	}
}

function notOffered({ undocumented }: Endpoint): CallError {
	const instead = undocumented?.instead ? ` Instead, ${undocumented.instead}.` : '';
	return new CallError(
		`This service does not offer the operation (404), which is not part of the documented API.${instead} Nothing was changed.`,
		{ outcome: 'refused', status: 404 },
	);
}

/** Whether there is a contact with this identifier. */
export async function contactExists(caller: Caller, params: IDataObject): Promise<boolean> {
	try {
		await caller.send(callOf(getContact, { params: { identifier: params.identifier } }));
		return true;
	} catch (error) {
		if (error instanceof CallError && error.details.status === 404) return false;
		return await Promise.reject(error);
	}
}
