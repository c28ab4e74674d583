import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { getInboxes, getInboxId } from '../channels/channel';
import { contactApi } from '../contract/contact';
import { readRecord } from '../service/lists/records';
import type { Requester } from '../transport/request';
import { hasExpression } from '../values/expressions/expression';
import { readIdentifier } from '../values/identifier';
import { normalizePhoneNumber } from '../values/phone/phoneNumber';

/**
 * Returns the IDs of the channels that the contact of a node is on, so that a list can begin with
 * what belongs to them; none if the user has chosen no contact yet, by an expression, or if the
 * service does not find the contact.
 */
export async function readOwnChannels(
	context: ILoadOptionsFunctions,
	client: Requester,
): Promise<string[]> {
	try {
		const chosen: unknown = context.getCurrentNodeParameter('identifier');
		if (hasExpression(chosen)) return [];
		const identifier = readIdentifier(chosen, 'Contact', (number, label) =>
			normalizePhoneNumber(number, label, () => ''),
		);
		if (typeof identifier !== 'string' || identifier === '') return [];
		const contact = await readRecord(client, contactApi.getContact, { params: { identifier } });
		return getInboxes(contact).flatMap((inbox) => getInboxId(inbox) ?? []);
	} catch {
		// The list is complete without that.
		return [];
	}
}
