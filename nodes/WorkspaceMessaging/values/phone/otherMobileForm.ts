/*
 * In three countries, a mobile number has two forms: with a digit that only callers from abroad or
 * only newer numbers have, and without it. WhatsApp has people in either form.
 */

/** Each form, with the digit that the other one has between the two groups. */
const mobileForms: Array<[form: RegExp, addedDigit: string]> = [
	// Mexico: 1 before the number.
	[/^(52)1(\d{10})$/, ''],
	[/^(52)([2-9]\d{9})$/, '1'],
	// Brazil: 9 behind the two digits of the area. Mobiles began with 6 to 9 before.
	[/^(55[1-9]\d)9([6-9]\d{7})$/, ''],
	[/^(55[1-9]\d)([6-9]\d{7})$/, '9'],
	// Argentina: 9 before the number.
	[/^(54)9(\d{10})$/, ''],
	[/^(54)([1-3]\d{9})$/, '9'],
];

/**
 * Returns the other form of a mobile number; undefined if it has none.
 *
 * @param digits with the country code, without a +
 */
export function otherMobileForm(digits: string): string | undefined {
	for (const [form, addedDigit] of mobileForms) {
		const match = form.exec(digits);
		if (match) return match[1] + addedDigit + match[2];
	}
	return undefined;
}
