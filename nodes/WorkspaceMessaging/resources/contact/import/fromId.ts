import type { IDataObject } from 'n8n-workflow';
import { isUnsupported } from '../../../transport/errors/errors';
import { anyChannel } from '../../../contract';
import { listInboxes } from '../../../contract/undocumented';
import type { Item } from '../../../execution/item';
import { runImport } from './runImport';
import { requireIdentity } from './columns';
import type { Columns } from './columns';
import { countryCodeOf, destinationOf } from './destination';

/** Imports a file that is in the workspace already. The files of a run are imported one after the other. */
export async function importById(item: Item): Promise<IDataObject> {
	return await item.run.runExclusive(['import'], async () => await runImport(item, await bodyOf(item)));
}

/**
 * What is sent for it: what the user has given, with the type that the channel has and the country code of the credential.
 * Services that do not list inboxes are those of the reference, which get what the user has given as it is.
 */
async function bodyOf(item: Item): Promise<IDataObject> {
	const body = item.body as IDataObject & Columns;
	const isComplete = body.channel !== anyChannel && countryCodeOf(item) === body.countryCode;
	// Where nothing is missing, nothing is asked.
	if (isComplete) return body;
	if (!(await listsInboxes(item))) return body;
	const target = await destinationOf(item);
	requireIdentity(target.channel, body);
	return { ...body, ...target };
}

/**
 * Whether the service has a list of inboxes, be it one that the token may not read.
 * Asked in each run: what was found out before can be of an older release, and the import would fail for it.
 */
const listsInboxes = async (item: Item) =>
	await item.run.once('whether inboxes are listed', async () => {
		const asking = item.request(listInboxes, { query: { perPage: 1 } });
		return await asking.then(
			() => true,
			(error: unknown) => !isUnsupported(error),
		);
	});
