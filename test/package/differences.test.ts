import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../support/package/packed';

/*
 * `docs/compatibility.md` says by number where services differ from the reference and from each
 * other. This table says which function makes up for it, so that what calls the function need not
 * know.
 */

/** The name of the function that serves a difference, by the number of the difference. */
const differences = {
	1: 'tellMissing',
	2: 'isListMissing',
	3: 'readWorkspace',
	4: 'withPageSize',
	5: 'noteCutList',
	6: 'readPages',
	7: 'readPage',
	8: 'findChannelListEndpoint',
	9: 'withChannelType',
	10: 'retryRecognition',
	11: 'requireExisting',
	12: 'refuseGoneFlow',
	13: 'writePart',
	14: 'checkedContactFilter',
	15: 'sortsBy',
	16: 'searchContactPages',
	17: 'channelConditions',
	18: 'findContactsWith',
	19: 'withOtherForms',
	20: 'explainTaken',
	21: 'getInputFileName',
	22: 'completeImport',
	23: 'keepOne',
	24: 'readRetryAfter',
	25: 'getContactRepliedAt',
	26: 'readIssues',
	27: 'readFilteredConversations',
	28: 'findAssignee',
	29: 'findTemplate',
	30: 'toTemplateData',
	31: 'calledTag',
	32: 'withValueType',
};

/** The text of all TypeScript files of a folder. */
const readSources = (folder: string, ending: string) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith(ending))
		.map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));

/** The differences that texts name, such as "(difference 7)", each once and in their order. */
const differencesIn = (texts: string[]) =>
	[
		...new Set(
			texts.flatMap((text) =>
				// A comment can break between the word and the number.
				[...text.matchAll(/difference(?:\s|\*)+(\d+)/g)].map(([, number]) => Number(number)),
			),
		),
	].sort((a, b) => a - b);

const listed = [
	...readFileSync(join(ROOT, 'docs/compatibility.md'), 'utf8').matchAll(/^\| (\d+) +\|/gm),
].map(([, number]) => Number(number));

const sources = readSources('nodes', '.ts');

/** What a file declares by a name: functions, methods and top-level constants, each with its comments. */
function declarationsOf(name: string): string[] {
	const found: string[] = [];
	for (const text of sources.filter((each) => each.includes(name))) {
		const file = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true);
		const visit = (node: ts.Node) => {
			const isNamed =
				(ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
				node.body !== undefined &&
				node.name?.getText(file) === name;
			const isConstant =
				ts.isVariableStatement(node) &&
				ts.isSourceFile(node.parent) &&
				node.declarationList.declarations.some((each) => each.name.getText(file) === name);
			if (isNamed || isConstant) found.push(node.getFullText(file));
			ts.forEachChild(node, visit);
		};
		visit(file);
	}
	return found;
}

test('The differences between services are numbered from 1 without a gap, on the page and in the table', () => {
	expect(listed.length).toBeGreaterThan(20);
	expect(listed).toEqual(listed.map((_, index) => index + 1));
	expect(Object.keys(differences).map(Number)).toEqual(listed);
});

test.each(Object.entries(differences))(
	'Difference %s is served by %s, which exists once and names it',
	(number, mechanism) => {
		const declarations = declarationsOf(mechanism);
		expect(declarations).toHaveLength(1);
		expect(differencesIn(declarations)).toContain(Number(number));
	},
);

test('The source names no difference that the page does not list', () => {
	expect(differencesIn(sources)).toEqual(listed);
});

test('Each difference between services has a test with a service that behaves so', () => {
	const tests = [
		...readSources('test/engine', '.test.ts'),
		...readSources('test/unit', '.test.ts'),
	];
	expect(differencesIn(tests)).toEqual(listed);
});
