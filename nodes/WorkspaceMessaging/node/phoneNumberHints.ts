import { isPreview } from '../resources/contact/upsert/preview';
import type { Item } from '../run/item';
import type { Run } from '../run/run';
import { toObject, unique } from '../transport/guards';
import { counted, nameItems } from '../values/labels';
import type { PhoneNumberDoubt } from '../values/phone/phoneNumber';

const doubts: PhoneNumberDoubt[] = ['noCountryCode', 'notCompletable', 'unusualDigits'];

/** What is wrong with one or several numbers. */
const problems: Record<PhoneNumberDoubt, [one: string, several: string]> = {
	noCountryCode: ['phone number has no country code', 'phone numbers have no country code'],
	notCompletable: [
		'phone number has no country code and may not be of Default Country Code',
		'phone numbers have no country code and may not be of Default Country Code',
	],
	unusualDigits: [
		'phone number has too many, too few or unusual digits for its country',
		'phone numbers have too many, too few or unusual digits for their countries',
	],
};

/** Says what to do about numbers. */
function advise(doubt: PhoneNumberDoubt, run: Run, count: number) {
	const them = count === 1 ? 'it' : 'them';
	const { defaultCountryCode, countryCode } = run.labels;
	const option = defaultCountryCode ?? countryCode;
	const places = option ? `add ${option} under Options, or set it` : 'set Default Country Code';
	return {
		noCountryCode: `To complete such numbers, ${places} in the credential.`,
		notCompletable: `Enter ${them} with + and the country code.`,
		unusualDigits: `Check ${them}.`,
	}[doubt];
}

/** Returns the hints at phone numbers of a run that may not reach anybody; some may be empty. */
export function describePhoneNumbers(run: Run, items: Item[]): string[] {
	const sent = items.filter(({ outcome }) => outcome !== 'notSent' && outcome !== 'refused');
	return doubts.map((doubt) => describeDoubt(run, sent, doubt));
}

/** Returns the hint at the numbers with a doubt; an empty text if there are none. */
function describeDoubt(run: Run, items: Item[], doubt: PhoneNumberDoubt) {
	const indexes = findDoubtful(items, doubt);
	const count = indexes.length;
	if (count === 0) return '';
	const what = counted(count, ...problems[doubt]);
	const where = nameItems(unique(indexes));
	// Other numbers may have been completed.
	const use = doubt === 'unusualDigits' ? '' : describeUse(items, count);
	return `${what} (${where})${use}. ${advise(doubt, run, count)}`;
}

/** The item of each number with a doubt. */
const findDoubtful = (items: Item[], doubt: PhoneNumberDoubt) =>
	items.flatMap(({ index, doubtfulNumbers }) => {
		const own = [...doubtfulNumbers.values()];
		return own.filter((each) => each === doubt).map(() => index);
	});

/** Says what the run has done with numbers: it has saved them, or used them to find a contact. */
function describeUse(items: Item[], count: number) {
	const isSaved = items.some(({ body, doubtfulNumbers }) => {
		const { phoneNumber } = toObject(body);
		return doubtfulNumbers.has(String(phoneNumber));
	});
	if (isSaved && isPreview(items[0])) return ', and would be saved as typed';
	return `, and ${count === 1 ? 'was' : 'were'} ${isSaved ? 'saved' : 'used'} as typed`;
}
