import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../contract/endpoint';
import type { Item } from '../../run/item';
import { onApiError } from '../../transport/errors/ApiError';

/**
 * Deletes the record that the path of a request names.
 *
 * @param params of the path, if they are not those of the item
 * @returns whether it existed; only the option Ignore Not Found allows that it did not. That needs
 * a service that says what it did not find: another 404 can mean that it lacks the operation. Newer
 * and older services both say it.
 */
export async function deleteIfExists(
	item: Item,
	endpoint: Endpoint,
	params: IDataObject = item.params,
): Promise<boolean> {
	return await item.request(endpoint, { params }).then(
		() => true,
		onApiError(
			// After a lost answer, the 404 may be the result of the first try.
			({ details: { reason, outcome } }) =>
				reason === 'objectMissing' && outcome !== 'unknown' && item.isOn('options.ignoreMissing'),
			() => false,
		),
	);
}
