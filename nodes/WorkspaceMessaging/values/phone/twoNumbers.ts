import { getCertainty, IN_USE, splitNumber } from './numberingPlans';
import { trimText } from '../blankText';
import { internationalForm } from './writtenNumber';

/** The most digits of an international number; services take more. */
const MAX_DIGITS = 15;
/** So many digits without a country code are a whole number, at least as people write them. */
const WHOLE_DIGITS = 7;
/** The least digits that stand for a second number, such as `+49 30 12345 / 12346`. */
const SECOND_DIGITS = 4;

/** What can stand between two numbers. */
const GAPS = /(?:[^\S\n\r\t]+|(?=[/\n\r\t]))(?:[\n\r\t]\s*(?:\/\s*)?|\/\s*|[\p{Pd}\u2212]\s+)?/gu;
const WIDE_GAP = /[/\n\r\t]|\s{2}/;
const SLASH_OR_LINE = /[/\n\r]/;

/**
 * Whether a text has two phone numbers: `030 1234567 / 030 765432`, `+49 30 12345 / 12346`. A slash
 * can also stand behind the area code: `0711 / 12345`.
 *
 * @param readOne reads one phone number, with the default country code
 */
export function hasTwoNumbers(text: string, readOne: (text: string) => string): boolean {
	const trimmed = trimText(text);
	const { length } = trimmed.replace(/\D/g, '');
	if (length < WHOLE_DIGITS + SECOND_DIGITS) return false;
	const isTooLong = length > MAX_DIGITS && !isInUse(readOne(trimmed));
	return cutAtGaps(trimmed).some(
		(cut) => hasTwoWhole(cut, isTooLong) || hasShortSecond(cut, readOne),
	);
}

/** A text with digits on both sides of a gap. */
interface Cut {
	gap: string;
	/** What stands before the gap. */
	left: string;
	/** The digits on both sides. */
	first: string;
	second: string;
}

function cutAtGaps(text: string) {
	const cuts: Cut[] = [];
	for (const { 0: gap, index } of text.matchAll(GAPS)) {
		const left = text.slice(0, index);
		const right = text.slice(index + gap.length);
		const first = internationalForm(left);
		const second = internationalForm(right);
		if (areDigits(first) && areDigits(second)) cuts.push({ gap, left, first, second });
	}
	return cuts;
}

function hasTwoWhole({ gap, first, second }: Cut, isTooLong: boolean) {
	const areWhole = isWhole(first) && isWhole(second);
	if (!areWhole) return false;
	return isTooLong || WIDE_GAP.test(gap) || second.startsWith('+');
}

/** Whether the second number leaves out what is the same as in the first. */
function hasShortSecond({ gap, left, first, second }: Cut, readOne: (text: string) => string) {
	const isApart = SLASH_OR_LINE.test(gap) && second.length >= SECOND_DIGITS;
	if (!isApart) return false;
	const ending = left.split(/\D/).at(-1);
	const hasSameLength = ending?.length === second.length;
	if (hasSameLength && isWhole(first)) return true;
	const canBeSecond = hasSameLength || /\s/.test(gap);
	return canBeSecond && isInUse(readOne(left));
}

const areDigits = (text: string) => /^\+?\d+$/.test(text);

/** Whether there are enough digits for a number, without the country code. */
function isWhole(number: string): boolean {
	const national = number.startsWith('+') ? splitNumber(number.slice(1))?.rest : number;
	return (national ?? number).length >= WHOLE_DIGITS;
}

const isInUse = (number: string) =>
	number.startsWith('+') && getCertainty(number.slice(1)) >= IN_USE;
