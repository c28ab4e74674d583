import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { z } from 'zod/v4';
import { runCommand } from '../../scripts/n8n/command';
import { ROOT } from '../support/package/packed';

/*
 * GitHub runs the workflows and nobody else can, so these tests check what can be wrong with their
 * text.
 */

const text = z.union([z.string(), z.number(), z.boolean()]);
const values = z.record(z.string(), text);

const step = z
	.strictObject({
		name: z.string().optional(),
		if: z.string().optional(),
		env: values.optional(),
		uses: z.string().optional(),
		with: values.optional(),
		run: z.string().optional(),
		shell: z.literal('bash').optional(),
	})
	.refine(
		({ uses, run }) => (uses === undefined) !== (run === undefined),
		'has either "uses" or "run"',
	)
	.refine((one) => one.with === undefined || one.uses !== undefined, 'has "with" but no "uses"');

const job = z.strictObject({
	'runs-on': z.literal('ubuntu-latest'),
	'timeout-minutes': z.int().min(1).max(120),
	needs: z.string().optional(),
	environment: z.string().optional(),
	permissions: values.optional(),
	strategy: z
		.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(text)) })
		.optional(),
	env: values.optional(),
	steps: z.array(step).min(1),
});

const cron = z.string().regex(/^[0-5]?\d ([01]?\d|2[0-3]) [\d*]+ [\d*]+ [0-6*]$/);

const workflow = z.strictObject({
	name: z.string(),
	on: z.strictObject({
		push: z
			.strictObject({ branches: z.array(z.string()), tags: z.array(z.string()) })
			.partial()
			.optional(),
		pull_request: z.null().optional(),
		schedule: z.array(z.strictObject({ cron })).optional(),
		workflow_dispatch: z.null().optional(),
	}),
	permissions: z.strictObject({ contents: z.literal('read') }),
	concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }).optional(),
	jobs: z.record(z.string(), job),
});

const action = z.strictObject({
	name: z.string(),
	description: z.string(),
	inputs: z.record(
		z.string(),
		z.strictObject({
			description: z.string(),
			default: z.string().optional(),
			required: z.boolean().optional(),
		}),
	),
	runs: z.strictObject({
		using: z.literal('composite'),
		steps: z.array(step.refine(({ run, shell }) => !run || shell, 'has "run" but no "shell"')),
	}),
});

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/**
 * Parses a file. A key that comes twice, or any other thing that YAML does not allow, is an error.
 */
function parse<T>(file: string, schema: z.ZodType<T>): T {
	const document = parseDocument(read(file));
	expect([...document.errors, ...document.warnings]).toEqual([]);
	const parsed = schema.safeParse(document.toJS());
	if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
	return parsed.data;
}

const filesIn = (folder: string) =>
	readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const workflows = filesIn('.github/workflows');
const actions = filesIn('.github/actions').map((folder) => `${folder}/action.yml`);
const inputsOf = (file: string) => parse(file, action).inputs;

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

/**
 * Checks what steps run and use: scripts of package.json, tests, actions of this repository, and
 * the names in expressions.
 */
async function check(steps: Array<z.output<typeof step>>, names: string[]): Promise<void> {
	for (const { run = '', uses = '', with: given = {} } of steps) {
		await runCommand('bash', ['-n', '-c', run.replaceAll(/\$\{\{.*?\}\}/g, 'value')]);
		for (const [, script] of run.matchAll(/npm run ([\w:-]+)/g)) expect(scripts).toContain(script);
		for (const [path] of run.matchAll(/test\/[\w/.-]+/g)) {
			const found = ['', '.e2e.ts', '.test.ts'].map((ending) =>
				existsSync(join(ROOT, path + ending)),
			);
			expect({ path, exists: found.includes(true) }).toEqual({ path, exists: true });
		}
		if (uses.startsWith('./')) {
			const inputs = inputsOf(`${uses.slice(2)}/action.yml`);
			const required = Object.keys(inputs).filter((name) => inputs[name].required);
			expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
			expect(Object.keys(given)).toEqual(expect.arrayContaining(required));
		} else if (uses !== '') {
			expect(uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
		}
	}
	const expressions = [...JSON.stringify(steps).matchAll(/\$\{\{ (.*?) \}\}/g)].map(
		([, name]) => name,
	);
	for (const name of expressions.filter((one) => /^(matrix|inputs)\./.test(one)))
		expect(names).toContain(name);
}

test.each(workflows)('%s is a workflow, and what its steps run and use exists', async (file) => {
	for (const { steps, strategy, env = {} } of Object.values(parse(file, workflow).jobs)) {
		const names = Object.keys(strategy?.matrix ?? {}).map((name) => `matrix.${name}`);
		await check([...steps, { env, run: '' }], names);
	}
});

test.each(actions)('%s is an action, and what its steps run and use exists', async (file) => {
	const { inputs, runs } = parse(file, action);
	await check(
		runs.steps,
		Object.keys(inputs).map((name) => `inputs.${name}`),
	);
});

test('Only the workflow that publishes has secrets and may do more than read', () => {
	const others = workflows.filter((file) => !file.endsWith('/publish.yml'));
	for (const file of [...others, ...actions])
		expect(read(file)).not.toMatch(/secrets|github\.token|GITHUB_TOKEN/);
	for (const file of others) {
		for (const { permissions } of Object.values(parse(file, workflow).jobs))
			expect(permissions).toBeUndefined();
	}
});

test('A version is published only after all tests were green', () => {
	const { jobs } = parse('.github/workflows/publish.yml', workflow);
	expect(jobs.publish.needs).toBe('all');
	expect(jobs.all.steps.map(({ run }) => run)).toContain('ALL=true .ci/run');
});

test('A workflow without secrets tries the newest scanner, linter and stable n8n once a week', () => {
	const { on, jobs } = parse('.github/workflows/newest.yml', workflow);
	expect(Object.keys(on).sort()).toEqual(['schedule', 'workflow_dispatch']);
	const lines = (name: string) =>
		jobs[name].steps.flatMap(({ run = '' }) => run.trim().split('\n'));
	const newest = ['@n8n/scan-community-package@latest', '@n8n/node-cli@latest'];
	for (const name of newest) expect(lines('checks').join('\n')).toContain(name);
	expect(lines('checks').slice(-3)).toEqual([
		'npm run build',
		'npm run lint:n8n',
		'npx jest --selectProjects package test/package/gate',
	]);
	expect(JSON.stringify(jobs.stable)).toContain('docker.n8n.io/n8nio/n8n:latest');
	expect(
		lines('stable')
			.join('\n')
			.match(/test\/e2e\/[\w-]+/g),
	).toHaveLength(2);
});
