import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem, once, received } from '../engine/helpers';
import { testWorkspace } from '../engine/workspace';

/** The two fields in which any JSON can be entered. */
const fields: Array<[string, string, (value: string) => INodeParameters]> = [
	[
		'Contact Filter',
		'{"a":$}',
		(contactFilter) => ({ operation: 'getAll', limit: 1, filters: { contactFilter } }),
	],
	['Files', '[$]', (files) => ({ operation: 'sendMessage', identifier: by('id', '1'), options: { files } })],
];

describe.each(fields)('the JSON field %s', (label, frame, parametersOf) => {
	const given = async (json: string, parameters = parametersOf(json), value: unknown = json) => {
		const { workspace, run } = await testWorkspace({ contacts: 0 });
		const { error } = await run({ resource: 'contact', ...parameters, ...once }, [{ value } as never]);
		return { error, requests: await received(workspace) };
	};

	test.each([
		['__proto__', '{"__proto__":{"polluted":true}}'],
		['__proto__', '[[{"x":{"__proto__":1}}]]'],
		['constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
		['prototype', '{"x":[{"prototype":1}]}'],
	])('refuses the key "%s": %s', async (key, json) => {
		const text = frame.replace('$', json);
		for (const { error, requests } of [
			await given(text),
			await given(text, parametersOf(fromItem())),
			await given(text, parametersOf(fromItem()), JSON.parse(text)),
		]) {
			expect(error?.message).toBe(`${label} must not hold the key "${key}" [item 0]`);
			expect(requests).toEqual([]);
		}
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	test.each([101, 5000, 200_000])('refuses what is nested %d levels deep', async (depth) => {
		for (const [open, close] of [
			['[', ']'],
			['{"a":', '}'],
		]) {
			const json = frame.replace('$', `${open.repeat(depth)}1${close.repeat(depth)}`);
			const { error, requests } = await given(json);
			expect(error?.message).toBe(`${label} must not be nested more than 100 levels deep [item 0]`);
			expect(requests).toEqual([]);
		}
	});

	test.each(['{', '[1', '{"a":1', "{'a':1}", '{"a":NaN}'])(
		'refuses what is no JSON of its kind: %j',
		async (json) => {
			const { error, requests } = await given(json);
			expect(error?.message).toMatch(new RegExp(`^${label} must `));
			expect(requests).toEqual([]);
		},
	);

	test('answers plainly when 20 MB are entered', async () => {
		const { error } = await given(frame.replace('$', `"${'x'.repeat(20_000_000)}"`));
		expect(error?.message ?? '[item 0]').toMatch(/^.{0,300}\[item 0\]$/);
	});
});
