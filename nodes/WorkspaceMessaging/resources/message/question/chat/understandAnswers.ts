import type { IDataObject } from 'n8n-workflow';
import { getMessageText } from '../../../../conversations/messages';
import { getMessageAttachments } from '../../../../conversations/attachments';
import { foldAccents, withSingleSpaces } from '../../../../values/names';
import type { EnteredQuestion } from '../questionFields';
import type { ChatForm } from './chatQuestion';
import { unique } from '../../../../transport/guards';

/* What contacts type, read as the answer to a question. */

/** An answer that n8n understood. */
export interface TypedAnswer {
	/** The answer by its type, as `data` of the output has it. */
	values: IDataObject;
	/** The message that has the answer; of several, the last one. */
	message: IDataObject;
}

/**
 * Returns a text as the API stores it for a type of custom field; undefined if it breaks the rule
 * of the type.
 */
export type ReadStoredForm = (type: string, text: string) => string | undefined;

const TYPED_YES = ['yes', 'ok', '👍'];
const TYPED_NO = ['no', '👎'];

/** What people add to a choice to be polite; longer ones first. */
const POLITE_WORDS = [
	...['good morning', 'good evening', 'thank you', 'hello', 'hey', 'hi', 'please', 'pls', 'plz'],
	...['thanks', 'thx', 'guten tag', 'hallo', 'bitte', 'danke', 'por favor', 'hola', 'gracias'],
	...['buenos dias', "s'il vous plait", "s'il te plait", 'svp', 'bonjour', 'merci'],
];

/** A JavaScript number holds so many digits. */
const MAX_EXACT_DIGITS = 15;

/**
 * Finds answers in the messages of a contact, oldest first. For free text, all of them are one
 * answer, one a line. For other types, it is each message that is understood by itself. A message
 * with a file is one; its file is not read here.
 *
 * @param messages oldest first
 */
export function findTypedAnswers(
	form: ChatForm,
	messages: IDataObject[],
	readStoredForm: ReadStoredForm,
): TypedAnswer[] {
	if (form.type === 'text') {
		const message = messages.at(-1);
		if (!message) return [];
		return [{ values: { text: joinTexts(messages) }, message }];
	}
	const answers: TypedAnswer[] = [];
	for (const message of messages) {
		const values = readMessage(form, message, readStoredForm);
		if (values) answers.push({ values, message });
	}
	return answers;
}

/** Returns what the contact typed in several messages, one a line. */
export const joinTexts = (messages: IDataObject[]) => messages.map(getMessageText).join('\n');

function readMessage(
	form: Exclude<ChatForm, { type: 'text' }>,
	message: IDataObject,
	readStoredForm: ReadStoredForm,
): IDataObject | undefined {
	if (form.type === 'file') return getMessageAttachments(message).length > 0 ? {} : undefined;
	const text = typeof message.text === 'string' ? message.text.trim() : '';
	if (text === '') return undefined;
	switch (form.type) {
		case 'approval': {
			const approved = readApproval(form, text);
			return approved === undefined ? undefined : { approved };
		}
		case 'choices': {
			const choice = findChoice(form.choices, text);
			return choice === undefined ? undefined : { choice };
		}
		default: {
			const stored = readStoredForm(form.type, text);
			if (stored === undefined) return undefined;
			if (form.type !== 'number') return { [form.type]: stored };
			return hasExactDigits(stored) ? { number: Number(stored) } : undefined;
		}
	}
}

/** Whether a JavaScript number holds all digits of a number, and it is not too large for one. */
function hasExactDigits(text: string) {
	const [digits] = text.split(/e/i);
	const count = digits.replace(/\D/g, '').replace(/^0+/, '').length;
	return count <= MAX_EXACT_DIGITS && Number.isFinite(Number(text));
}

/** Whether a text says yes or no; undefined for anything else. The user's own words come first. */
function readApproval({ yes, no }: { yes: string[]; no: string[] }, text: string) {
	const isIn = (list: string[]) => list.some((word) => saysTheSame(word, text));
	if (isIn(yes)) return true;
	if (isIn(no)) return false;
	if (isIn(TYPED_YES)) return true;
	return isIn(TYPED_NO) ? false : undefined;
}

/**
 * Finds the choice that a text means: the whole text is a choice, or its number in the list, or the
 * beginning of exactly one choice, up to the end of a word. Polite words around that do not matter.
 */
function findChoice(choices: string[], text: string) {
	const choice = findPlainChoice(choices, text);
	if (choice !== undefined) return choice;
	const plain = leaveOutPoliteWords(fold(text));
	return plain === fold(text) ? undefined : findPlainChoice(choices, plain);
}

function findPlainChoice(choices: string[], text: string) {
	// "Da" and "Đa", "C" and "C++" differ only in accents or signs, so these count if a choice is
	// typed with them.
	for (const toForm of [asTyped, lowerCase, foldLetters, toWord]) {
		const typed = toForm(text);
		const same = choices.filter((choice) => toForm(choice) === typed);
		// Nobody knows which of several the contact means.
		if (same.length > 0) return same.length === 1 ? same[0] : undefined;
	}
	const folded = fold(text);
	const isNumber = /^\d{1,3}$/.test(folded);
	if (isNumber && areNumbered(choices)) {
		const position = Number(folded);
		return choices[position - 1];
	}
	const begun = choices.filter((choice) => beginsWith(fold(choice), folded));
	return begun.length === 1 ? begun[0] : undefined;
}

/** Returns a folded text without polite words at its beginning and its end. */
function leaveOutPoliteWords(text: string) {
	for (const word of POLITE_WORDS) {
		if (beginsWith(text, word)) return leaveOutPoliteWords(fold(text.slice(word.length)));
		if (endsWith(text, word)) return leaveOutPoliteWords(fold(text.slice(0, -word.length)));
	}
	return text;
}

const endsWith = (text: string, end: string) =>
	text.endsWith(end) && !/[\p{L}\p{N}\p{M}]$/u.test(text.slice(0, -end.length));

/** Whether a text begins with another one that ends where a word ends: "no" is not "November". */
const beginsWith = (text: string, start: string) =>
	start !== '' && text.startsWith(start) && !/^[\p{L}\p{N}\p{M}]/u.test(text.slice(start.length));

/** Whether choices are numbered; a number beside "10:00" or "2 pieces" could mean either. */
export const areNumbered = (choices: string[]) =>
	!choices.some((choice) => /^\p{N}/u.test(fold(choice)));

/** Returns the list of choices as the contact sees it below the question. */
export const listTypedChoices = (choices: string[]) =>
	choices
		.map((choice, index) => (areNumbered(choices) ? `${index + 1}. ${choice}` : choice))
		.join('\n');

/**
 * Whether two texts are the same word. Case, accents, and punctuation and emoji around them make no
 * difference; an emoji alone is a word, too, however often it is repeated.
 */
export function saysTheSame(a: string, b: string): boolean {
	const word = toWord(a);
	return word !== '' && word === toWord(b);
}

/** Returns a folded text, or its emoji if it has nothing else. */
const toWord = (text: string) => fold(text) || foldEmoji(text);

/** Emoji can be drawn in colour, in a skin tone, or around a digit. */
const EMOJI_VARIANTS = /[\uFE0E\uFE0F]|\u20E3|[\u{1F3FB}-\u{1F3FF}]/gu;

/** Letters with a stroke and the like, which Unicode does not take for accents. */
const PLAIN_LETTERS: Record<string, string> = {
	...{ đ: 'd', ł: 'l', ø: 'o', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' },
	// Phones type these apostrophes.
	...{ '’': "'", '‘': "'", ʼ: "'" },
};

const asTyped = (text: string) => text;

const lowerCase = (text: string) => withSingleSpaces(text.toLowerCase()).trim();

/** Returns a text without case, accents, and variants of letters and emoji. */
const foldLetters = (text: string) =>
	foldAccents(text.replace(EMOJI_VARIANTS, '')).replace(
		/[đłøßæœı’‘ʼ]/g,
		(letter) => PLAIN_LETTERS[letter],
	);

const FROM_LETTER_TO_LETTER = /[\p{L}\p{N}\p{M}](?:[^]*[\p{L}\p{N}\p{M}])?/u;

/** Returns a text without case, accents, and what stands around its letters and digits. */
function fold(text: string) {
	const [folded = ''] = FROM_LETTER_TO_LETTER.exec(foldLetters(text)) ?? [];
	return folded;
}

const foldEmoji = (text: string) => unique(foldLetters(text).replaceAll(' ', '')).join('');

/** Returns the message that the contact gets, with the choices below it. */
export const makeText = ({ message, responseType, choices = [] }: EnteredQuestion): string =>
	responseType === 'choices' ? `${message}\n\n${listTypedChoices(choices)}` : message;

/** Returns what the contact can answer. */
export function makeForm(body: EnteredQuestion): ChatForm {
	const { responseType, expectedAnswer, choices = [], yesWords = [], noWords = [] } = body;
	if (responseType === 'choices') return { type: 'choices', choices };
	if (responseType === 'freeText') return { type: expectedAnswer };
	const { approveLabel, declineLabel } = body.approvalOptions.values;
	return { type: 'approval', yes: [approveLabel, ...yesWords], no: [declineLabel, ...noWords] };
}
