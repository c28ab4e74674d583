import type { IDataObject } from 'n8n-workflow';
import type { Item } from '../../execution/item';
import type { ConditionSet } from '../conditions/condition';
import { parseItemConditions } from '../conditions/parse';
import { withServerFilter } from '../conditions/filterContacts';
import { checkedContactFilter } from './contactFilter';

/**
 * Which contacts an item asks for, ready to be read: the query of the list, with a filter that the service is known to
 * apply, and the conditions that are compared here. What a run has to find out for it is found out once for all items.
 */
export async function buildQuery(item: Item): Promise<{ query: IDataObject; segment?: ConditionSet }> {
	const segment = await parseItemConditions(item);
	const { contactFilter } = await item.run.once(
		`contact filter ${JSON.stringify(item.query.contactFilter)}`,
		async () => await checkedContactFilter(item, item.query),
	);
	const query = { ...item.query, contactFilter };
	return { query: segment ? await withServerFilter(item, segment, query) : query, segment };
}
