import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../support/engine/engine';
import { by, fromItem, once, received } from '../support/engine/helpers';
import { testWorkspace } from '../support/engine/workspace';
import { ownServer } from '../support/engine/record';

/** The two fields in which any JSON can be entered. */
const fields: Array<[string, string, (value: string) => INodeParameters]> = [
	[
		'Contact Filter (JSON)',
		'{"a":$}',
		(contactFilter) => ({ operation: 'getAll', limit: 1, filters: { contactFilter } }),
	],
	[
		'Files (JSON)',
		'[$]',
		(files) => ({
			resource: 'message',
			operation: 'send',
			identifier: by('id', '1'),
			options: { files },
		}),
	],
];

describe.each(fields)('The JSON field %s', (label, frame, parametersOf) => {
	const given = async (json: string, parameters = parametersOf(json), value: unknown = json) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run({ resource: 'contact', ...parameters, ...once }, [
			{ value } as never,
		]);
		return { error, requests: await received(workspace) };
	};

	describe.each([
		['__proto__', '{"__proto__":{"polluted":true}}'],
		['__proto__', '[[{"x":{"__proto__":1}}]]'],
		['constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
		['prototype', '{"x":[{"prototype":1}]}'],
	])('refuses the key "%s" in %s', (key, json) => {
		const text = frame.replace('$', json);

		test.each<[string, () => ReturnType<typeof given>]>([
			['if it stands in the field', async () => await given(text)],
			[
				'if an expression returns it as text',
				async () => await given(text, parametersOf(fromItem())),
			],
			[
				'if an expression returns it as an object',
				async () => await given(text, parametersOf(fromItem()), JSON.parse(text)),
			],
		])('%s', async (_, runIt) => {
			const { error, requests } = await runIt();
			expect(error?.message).toBe(`${label} must not contain the key "${key}" [item 0]`);
			expect(requests).toEqual([]);
			expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
		});
	});

	test.each([
		[101, '[', ']'],
		[101, '{"a":', '}'],
		[5000, '[', ']'],
		[5000, '{"a":', '}'],
		[200_000, '[', ']'],
		[200_000, '{"a":', '}'],
	])('refuses JSON that nests %d levels deep with %s and %s', async (depth, open, close) => {
		const json = frame.replace('$', `${open.repeat(depth)}1${close.repeat(depth)}`);
		const { error, requests } = await given(json);
		expect(error?.message).toBe(`${label} must not be nested more than 100 levels deep [item 0]`);
		expect(requests).toEqual([]);
	});

	test.each(['{', '[1', '{"a":1', "{'a':1}", '{"a":NaN}'])(
		'refuses invalid JSON: %j',
		async (json) => {
			const { error, requests } = await given(json);
			expect(error?.message.slice(0, label.length + 6)).toBe(`${label} must `);
			expect(requests).toEqual([]);
		},
	);
});

describe('A JSON field with 20 MB', () => {
	const huge = 'x'.repeat(20_000_000);
	const send = async (parameters: INodeParameters) => {
		const own = await ownServer((response) => response.writeHead(204).end());
		const credential = {
			baseUrl: `http://127.0.0.1:${own.port}`,
			accessToken: 'token-of-these-tests',
		};
		const { error } = await runNode({
			parameters: { resource: 'contact', ...parameters, ...once },
			items: [{ huge }],
			credential,
		});
		return { error, arrived: own.arrived };
	};

	test('is refused in a query before n8n sends anything', async () => {
		const filters = { contactFilter: '={{ { a: $json.huge } }}' };
		const { error, arrived } = await send({ operation: 'getAll', limit: 1, filters });
		expect(error?.message).toBe(
			'Contact Filter (JSON) must be shorter: it does not fit into a URL [item 0]',
		);
		expect(arrived).toEqual([]);
	});

	test('arrives in a body', async () => {
		const options = { files: '={{ [$json.huge] }}' };
		const { error, arrived } = await send({
			resource: 'message',
			operation: 'send',
			identifier: by('id', '1'),
			options,
		});
		expect(error).toBeUndefined();
		expect(arrived).toHaveLength(1);
		expect((JSON.parse(arrived[0].body) as { files: string[] }).files[0] === huge).toBe(true);
	});
});

describe('A long query', () => {
	const list = async (filters: INodeParameters) => {
		const { workspace, run } = await testWorkspace({ empty: true });
		const { error } = await run({
			resource: 'contact',
			operation: 'getAll',
			limit: 1,
			filters,
			...once,
		});
		return { error, requests: await received(workspace) };
	};
	/** A filter by so many tags, as long as their IDs get. */
	const byTags = (count: number) =>
		JSON.stringify({ tagIds: Array.from({ length: count }, (_, nth) => `${nth + 100_000}`) });

	test('is sent if it filters by a hundred tags', async () => {
		const { error, requests } = await list({ contactFilter: byTags(100) });
		expect(error).toBeUndefined();
		// First it is found out whether the service applies filters at all.
		expect(requests).toHaveLength(2);
		expect(requests[1].path.length).toBeGreaterThan(4000);
	});

	test.each<[string, INodeParameters, string]>([
		['of one filter', { contactFilter: byTags(300) }, 'Contact Filter \\(JSON\\)'],
		[
			'of two that would fit alone',
			{ keyword: 'ö'.repeat(1500), contactFilter: byTags(130) },
			'(Keyword|Contact Filter \\(JSON\\))',
		],
		['of short characters that become long', { keyword: '😀'.repeat(1200) }, 'Keyword'],
	])('%s that no server reads is refused', async (_, filters, label) => {
		const { error, requests } = await list(filters);
		expect(error?.message).toMatch(
			new RegExp(`^${label} must be shorter: it does not fit into a URL \\[item 0\\]$`),
		);
		expect(requests).toEqual([]);
	});
});
