import { quoted } from './labels';
import { foldAccents, withSingleSpaces } from './names';

/** Names in an error. */
const MOST_SHOWN = 5;
/** Characters of a name that are compared. */
const MOST_COMPARED = 60;
/** So many characters at the beginning must be the same. */
const SAME_BEGINNING = 3;

/** Something with a name: a tag, a flow. */
interface Named {
	name: string;
	/** Shown after the name if people choose it by its ID. */
	id?: string;
}

/**
 * Returns a sentence about what exists, for an error about something that does not: up to five
 * names that begin alike, or else the first five.
 *
 * @param asked the name or ID that does not exist
 * @param all everything that the service returns
 * @param nouns what it is, such as `tags`
 * @param cutAt how many the service returns at most, if it returned that many
 */
export function suggest(
	asked: string,
	all: readonly Named[],
	nouns: string,
	cutAt?: number,
): string {
	if (all.length === 0) return `The workspace has no ${nouns} yet.`;
	const cut = cutAt === undefined ? '' : `The service only lists its first ${cutAt} ${nouns}. `;
	const near = nearest(asked, all);
	if (near.length > 0) {
		const names = near.map(shown).join(', ');
		return `${cut}Similar: ${names}.`;
	}
	const plain = all.filter(isPlain);
	const first = plain.slice(0, MOST_SHOWN).map(shown).join(', ');
	if (first === '') return cut.trim();
	if (all.length <= MOST_SHOWN) return `The workspace has: ${first}.`;
	if (cut !== '') return `${cut}Among them: ${first}.`;
	const count = all.length.toLocaleString('en-US');
	return `The workspace has ${count} ${nouns}, such as ${first}.`;
}

/**
 * Says which records a name fits, so that the user can choose one of them.
 *
 * @param nouns what they are, such as `tags`
 * @param words what the user entered: a name, or a name or ID
 */
export function describeSeveral(
	nouns: string,
	name: string,
	fitting: readonly Named[],
	words = 'name',
): string {
	const shownNames = fitting.map(shown).join(', ');
	return `${fitting.length} ${nouns} fit the ${words} ${quoted(name)}: ${shownNames}.`;
}

/**
 * Returns up to five whose name begins like the text or has the same letters in another order, or
 * whose ID is the text; those that share most of it come first.
 */
export function nearest(asked: string, all: readonly Named[]): Named[] {
	const text = foldForLikeness(asked);
	if (text === '') return [];
	const least = Math.min(SAME_BEGINNING, text.length);
	return all
		.filter(isPlain)
		.map((entry) => ({
			entry,
			same: entry.id === asked ? Infinity : countSame(text, foldForLikeness(entry.name)),
		}))
		.filter(({ same }) => same >= least)
		.sort((a, b) => b.same - a.same)
		.slice(0, MOST_SHOWN)
		.map(({ entry }) => entry);
}

/** Whether a name can be shown; one that looks like HTML is no name. */
const isPlain = ({ name }: Named) => !/<[a-z!/]/i.test(name);

function shown({ name, id }: Named) {
	const label = quoted(withSingleSpaces(name).trim());
	return id === undefined ? label : `${label} (${id})`;
}

const sortLetters = (text: string) => [...text].sort().join('');

const foldForLikeness = (text: string) =>
	foldAccents(text.slice(0, MOST_COMPARED))
		.replace(/[\s_-]+/g, ' ')
		.trim();

/**
 * How many characters two texts share: those at the beginning, or all if they only stand in another
 * order.
 */
function countSame(one: string, other: string) {
	if (sortLetters(one) === sortLetters(other)) return one.length;
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return length;
}
