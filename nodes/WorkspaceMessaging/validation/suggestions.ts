import { quoted } from './messages';

/** Names that an error shows at most. */
const MOST_SHOWN = 5;
/** Characters of a name that are compared. */
const MOST_COMPARED = 60;
/** Words that are shorter say little about what is meant. */
const SHORTEST_WORD = 3;

/** Something that people and agents name: a tag, a flow. */
export interface Named {
	name: string;
	/** Shown behind the name, where it is chosen by that. */
	id?: string;
}

/**
 * Says what exists, for an error about something that does not: up to five names near the one that was asked for, or else
 * the first five and how many there are.
 *
 * @param asked the name or ID that was not found
 * @param all everything that there is, as far as the service shows it
 * @param things what these are, such as `tags`
 * @param cutAt how many the service shows at most, where it has reached that
 */
export function suggest(asked: string, all: readonly Named[], things: string, cutAt?: number): string {
	if (all.length === 0) return `The workspace has no ${things} yet.`;
	const cut = cutAt === undefined ? '' : `The service shows only its first ${cutAt} ${things}. `;
	const near = nearest(asked, all);
	if (near.length > 0) return `${cut}Near it: ${near.map(shown).join(', ')}.`;
	const first = all.filter(isPlain).slice(0, MOST_SHOWN).map(shown).join(', ');
	if (first === '') return cut.trim();
	if (all.length <= MOST_SHOWN) return `The workspace has: ${first}.`;
	return cut === ''
		? `The workspace has ${all.length.toLocaleString('en-US')} ${things}, such as ${first}.`
		: `${cut}Among them: ${first}.`;
}

/** Up to five whose name or ID is like a text, the most similar first. */
export function nearest(asked: string, all: readonly Named[]): Named[] {
	const wanted = fold(asked);
	if (wanted === '') return [];
	return all
		.filter(isPlain)
		.map((entry) => ({ entry, distance: distanceOf(wanted, entry) }))
		.filter(({ distance }) => distance < Infinity)
		.sort((a, b) => a.distance - b.distance)
		.slice(0, MOST_SHOWN)
		.map(({ entry }) => entry);
}

/** A name that looks like a page of HTML is not shown; it says nothing to anybody. */
const isPlain = ({ name }: Named) => !/<[a-z!/]/i.test(name);

function shown({ name, id }: Named): string {
	const label = quoted(name.replace(/\s+/g, ' ').trim());
	return id === undefined ? label : `${label} (${id})`;
}

const fold = (text: string) =>
	text
		.slice(0, MOST_COMPARED)
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.replace(/[\s_-]+/g, ' ')
		.trim();

const wordsOf = (text: string) =>
	text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= SHORTEST_WORD);

/** How far something is from a folded text; infinite where it is not like it. */
function distanceOf(wanted: string, { name, id }: Named): number {
	const folded = fold(name);
	if (folded === wanted || id === wanted) return 0;
	const [shorter, longer] = [wanted, folded].sort((a, b) => a.length - b.length);
	// A letter in three may be wrong.
	const edits = editsBetween(shorter, longer, Math.floor(longer.length / 3));
	if (edits < Infinity) return edits;
	const more = longer.length - shorter.length;
	if (shorter.length > 1 && longer.includes(shorter)) return MOST_COMPARED + more;
	const words = new Set(wordsOf(folded));
	return wordsOf(wanted).some((word) => words.has(word)) ? 2 * MOST_COMPARED + more : Infinity;
}

/**
 * How many letters to add, leave out, change, or swap with the next one make one text of another; infinite where these are
 * more than `most`.
 */
function editsBetween(from: string, to: string, most: number): number {
	if (Math.abs(to.length - from.length) > most) return Infinity;
	let before: number[] = [];
	let last = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		let fewest = row;
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			let edits = last[column - 1] + (isSame ? 0 : 1);
			if (last[column] < edits) edits = last[column] + 1;
			if (current[column - 1] < edits) edits = current[column - 1] + 1;
			const isSwapped =
				row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			if (isSwapped && before[column - 2] < edits) edits = before[column - 2] + 1;
			current.push(edits);
			if (edits < fewest) fewest = edits;
		}
		if (fewest > most) return Infinity;
		[before, last] = [last, current];
	}
	return last[to.length] <= most ? last[to.length] : Infinity;
}
