import { isBlank } from './blankText';

/* A text that is too long for one message or note becomes several. */

/**
 * Where to cut text, the best place first: after a paragraph, a line, a sentence, a word. Not at a
 * space with a combining accent.
 */
const cuts = [/\n\s*\n/g, /\n/g, /[.!?…]\s(?![\p{M}\u200d])|[。！？]/gu, /\s(?![\p{M}\u200d])/gu];

/** Finds what a reader takes for one character, such as a flag or a letter with its accent. */
const graphemes = new Intl.Segmenter();

/**
 * Splits text into parts of at most `max` characters (UTF-16 units, as the service counts), in
 * order. Cuts where a reader would pause, as late as possible in the second half of a part; a word
 * that is too long is cut between what a reader takes for characters. White space at the cuts is
 * dropped.
 */
export function splitText(text: string, max: number): string[] {
	if (text.length <= max) return [text];
	const parts: string[] = [];
	let rest = text.trim();
	while (rest.length > max) {
		const at = cutPosition(rest, max);
		parts.push(rest.slice(0, at).trimEnd());
		rest = rest.slice(at).trimStart();
	}
	if (rest !== '') parts.push(rest);
	// Between many invisible characters, a part can have nothing to see.
	return parts.filter((part) => !isBlank(part));
}

function cutPosition(text: string, max: number) {
	// Whether a character ends at `max` depends on the next code point, which can be of two units.
	const window = text.slice(0, max + 2);
	const segments = graphemes.segment(window);
	const startOf = (at: number) => segments.containing(at)?.index;
	for (const cut of cuts) {
		const ends: number[] = [];
		for (const { index, 0: found } of window.matchAll(cut)) {
			const end = index + found.trimEnd().length;
			const isInSecondHalf = end > max / 2 && end <= max;
			if (isInSecondHalf) ends.push(end);
		}
		const last = ends.findLast((end) => startOf(end) === end);
		if (last !== undefined) return last;
	}
	const start = startOf(max);
	if (start) return start;
	// One that is itself too long: at least not between the two halves of a code point.
	const code = text.charCodeAt(max - 1);
	const isFirstHalf = code >= 0xd800 && code <= 0xdbff;
	return isFirstHalf ? max - 1 : max;
}
