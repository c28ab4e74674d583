import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/package/packed';

/** All TypeScript of a folder, as one text. */
const sourceOf = (folder: string, ending: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
		.join('\n');

/** The differences that a text names, such as "(difference 7)", each once and in their order. */
const differencesIn = (text: string) =>
	[...new Set([...text.matchAll(/difference (\d+)/g)].map(([, number]) => Number(number)))].sort(
		(a, b) => a - b,
	);

const listed = [
	...readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8').matchAll(/^\| (\d+) +\|/gm),
].map(([, number]) => Number(number));

test('The differences between services are numbered from 1 without a gap', () => {
	expect(listed.length).toBeGreaterThan(20);
	expect(listed).toEqual(listed.map((_, index) => index + 1));
});

test('Each difference between services has a fallback in the source that names it, and no fallback names another', () => {
	expect(differencesIn(sourceOf('nodes', '.ts'))).toEqual(listed);
});

test('Each difference between services has a test with a service that behaves so', () => {
	const tests = sourceOf('test/engine', '.test.ts') + sourceOf('test/unit', '.test.ts');
	expect(differencesIn(tests)).toEqual(listed);
});
