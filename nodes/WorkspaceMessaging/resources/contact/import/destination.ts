import type { IDataObject } from 'n8n-workflow';
import { anyChannel } from '../../../contract';
import type { Item } from '../../../execution/item';
import { readCountryCode } from '../../../validation/phoneNumber';
import { typeOfChannel } from '../upsert/contactChannel';

/** The country code of an item's phone numbers that have none: from the options, or else from the credential. */
export function countryCodeOf(item: Item): string | undefined {
	const { countryCode } = item.body as { countryCode?: string };
	const ofCredential = () =>
		readCountryCode(item.run.defaultCountryCode, 'The Default Country Code in the credential');
	return countryCode ?? (ofCredential() || undefined);
}

/** Where the contacts of an import go, as its body has it; the type of the channel is looked up unless it was chosen. */
export async function destinationOf(item: Item): Promise<IDataObject & { channel: string }> {
	const { inboxId, channel, tagId } = item.body as { inboxId: string; channel: string; tagId?: string };
	const countryCode = countryCodeOf(item);
	return {
		channel:
			channel === anyChannel ? await typeOfChannel(item, inboxId, 'Choose Channel Type yourself.') : channel,
		inboxId,
		...(countryCode !== undefined && { countryCode }),
		...(tagId !== undefined && { tagId }),
	};
}
