import type { Item } from '../../../run/item';
import { readCountryCode } from '../../../values/phone/phoneNumber';

/**
 * Returns the country code of the national phone numbers of an import: from its options, or else from
 * the credential.
 */
export function getImportCountryCode(item: Item): string | undefined {
	const { countryCode } = item.body as { countryCode?: string };
	if (countryCode !== undefined) return countryCode;
	const { defaultCountryCode } = item.run;
	return (
		readCountryCode(defaultCountryCode, 'The Default Country Code in the credential') || undefined
	);
}
