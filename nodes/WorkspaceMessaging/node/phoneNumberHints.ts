import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { counted, itemRanges } from '../values/labels';
import type { PhoneNumberDoubt } from '../values/phone/phoneNumber';

/** What a hint says about numbers; `items` are those that have them. */
const sentences: Record<PhoneNumberDoubt, (count: number, items: string) => string> = {
	noCountryCode: (count, items) =>
		`${counted(count, 'phone number has', 'phone numbers have')} no country code (${items}): n8n sends ${them(count)} unchanged. To complete such numbers, set Default Country Code in the credential.`,
	notCompletable: (count, items) =>
		`${counted(count, 'phone number has', 'phone numbers have')} no country code and may not be of Default Country Code (${items}): n8n sends ${them(count)} unchanged. Enter ${them(count)} with + and the country code.`,
	impossibleLength: (count, items) =>
		`${counted(count, 'phone number has', 'phone numbers have')} too many or too few digits for the country (${items}): n8n sends ${them(count)} unchanged. Check ${them(count)}.`,
};

const them = (count: number) => (count === 1 ? 'it' : 'them');

/** Hints at the phone numbers of a run that may not reach anybody, and names their items. */
export function hintAtPhoneNumbers(run: Run, items: Item[]) {
	for (const [doubt, describe] of Object.entries(sentences)) {
		let count = 0;
		const numbers: number[] = [];
		for (const { outcome, index, doubtfulNumbers } of items) {
			if (outcome === 'notSent') continue;
			const { length } = [...doubtfulNumbers.values()].filter((each) => each === doubt);
			if (length === 0) continue;
			count += length;
			numbers.push(index);
		}
		if (count === 0) continue;
		const noun = numbers.length === 1 ? 'item' : 'items';
		run.hint(describe(count, `${noun} ${itemRanges(numbers)}`));
	}
}
