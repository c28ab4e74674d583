import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The categories of n8n's rule `valid-node-categories`. */
const CATEGORIES = [
	'Data & Storage',
	'Finance & Accounting',
	'Marketing & Content',
	'Productivity',
	'Miscellaneous',
	'Sales',
	'Development',
	'Analytics',
	'Communication',
	'Utility',
	'AI',
];

const FOLDER = join(__dirname, '../../nodes');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.node.json'),
);

test('Each node has a file with its place in the list of nodes', () => {
	const nodes = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.node.ts'),
	);
	expect(nodes.length).toBeGreaterThanOrEqual(3);
	expect([...files].sort()).toEqual(nodes.map((file) => file.replace(/ts$/, 'json')).sort());
});

test.each(files)(
	'The categories in %s are some that n8n allows, and only AI has subcategories',
	(file) => {
		const { categories, subcategories } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as {
			categories: string[];
			subcategories?: Record<string, string[]>;
		};
		expect(categories).not.toEqual([]);
		expect(categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
		expect(Object.keys(subcategories ?? {}).filter((category) => category !== 'AI')).toEqual([]);
	},
);
