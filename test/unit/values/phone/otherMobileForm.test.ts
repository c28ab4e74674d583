import { otherMobileForm } from '../../../../nodes/WorkspaceMessaging/values/phone/otherMobileForm';

describe('otherMobileForm', () => {
	test.each([
		['of Mexico', '5215512345678', '525512345678'],
		['of Brazil', '5511987654321', '551187654321'],
		['of Brazil whose area ends with 9', '5519987654321', '551987654321'],
		['of Brazil that began with 6', '5511961234567', '551161234567'],
		['of Argentina', '5491112345678', '541112345678'],
	])('finds each form of a mobile %s from the other', (_, long, short) => {
		expect(otherMobileForm(long)).toBe(short);
		expect(otherMobileForm(short)).toBe(long);
	});

	test.each([
		['a landline of Brazil', '551132123456'],
		['a mobile of Brazil that never had eight digits', '5511951234567'],
		['a number of Germany', '4915155501234'],
		['a number of Mexico with too many digits', '52155123456789'],
		['no number', ''],
	])('finds none for %s', (_, digits) => {
		expect(otherMobileForm(digits)).toBeUndefined();
	});
});
