import { z } from 'zod/v4';
import { validationError } from '../../../nodes/WorkspaceMessaging/values/validate';

describe('validationError', () => {
	const labels = { name: 'Name', id: 'Tag', list: 'Tags' };
	const messageFor = (schema: z.ZodType, value: unknown) =>
		validationError(schema.safeParse(value).error!.issues[0], value, labels).message;

	const name = z.strictObject({
		name: z.string('must be text').min(2, 'must be longer').max(80, 'must be shorter'),
	});
	const id = z.strictObject({ id: z.string('must be an ID').regex(/^\d+$/, 'must be an ID') });
	const list = z.strictObject({
		list: z.array(z.string('must be text'), 'must be a list').max(2, 'must be short'),
	});
	const count = z.strictObject({ name: z.number('must be a number').int('must be whole') });

	test.each([
		[name, { name: '' }, 'Name must be longer, but is empty'],
		[name, { name: null }, 'Name must be text, but is empty'],
		[name, {}, 'Name must be text, but is empty'],
		[name, { name: 'x' }, 'Name must be longer, but has 1 character'],
		[name, { name: 'x'.repeat(81) }, 'Name must be shorter, but has 81 characters'],
		[name, { name: { a: 1 } }, 'Name must be text, but is an object'],
		[
			name,
			{ name: { a: 1, title: 'x', text: 'y' } },
			'Name must be text, but is an object. Drag one of its fields, such as text.',
		],
		[
			name,
			{ name: { a: 1, title: 'x' } },
			'Name must be text, but is an object. Drag one of its fields, such as title.',
		],
		[name, { name: ['x'] }, 'Name must be text, but has 1 entry'],
		[name, { name: [1] }, 'Name must be text, but has 1 entry'],
		[name, { name: [1, 2] }, 'Name must be text, but has 2 entries'],
		[
			id,
			{ id: false },
			'Tag must be text, but is false. To choose a text by a condition, use {{ condition ? "one" : "other" }}.',
		],
		[
			name,
			{ name: NaN },
			'Name must be text, but is NaN. Its expression calculates with what is not a number.',
		],
		[id, { id: '12a' }, 'Tag must be an ID, but is "12a"'],
		[id, { id: 1.5 }, 'Tag must be an ID, but is "1.5"'],
		[
			id,
			{ id: 2 ** 53 },
			'Tag must be an ID, but is the number 9007199254740992, whose digits are not exact; enter it as text',
		],
		[id, { id: 'y'.repeat(100) }, `Tag must be an ID, but is "${'y'.repeat(60)}…"`],
		[list, { list: ['a', 'b', 'c'] }, 'Tags must be short, but has 3 entries'],
		[list, { list: ['a', 5] }, 'Tags 2 must be text, but is "5"'],
		[list, { list: 'a' }, 'Tags must be a list, but is "a"'],
		[count, { name: 1.5 }, 'Name must be whole, but is "1.5"'],
		[name, { name: 'fine', other: 1 }, 'The API has no field "other" here'],
	])('names the label, the rule and the value (case %#) of %p', (schema, value, sentence) => {
		expect(messageFor(schema, value)).toBe(sentence);
	});

	test('leaves the value out for a rule of our own', () => {
		const schema = z.strictObject({ name: z.string().refine(() => false, 'must not be "."') });

		expect(messageFor(schema, { name: '.' })).toBe('Name must not be "."');
	});

	test('leaves the label out for a rule about the whole request', () => {
		const schema = z
			.strictObject({ name: z.string().optional() })
			.refine(() => false, 'Fill in a field');

		expect(messageFor(schema, {})).toBe('Fill in a field');
	});
});
