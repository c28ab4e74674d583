import { randomInt } from 'node:crypto';
import fc from 'fast-check';

/** How many values every property is tried with. */
export const CASES = 1000;

/**
 * Any text: every code unit there is, halves of characters (lone surrogates), control characters,
 * both directions of writing, and what means something in addresses, headers, JSON, HTML and n8n's
 * expressions.
 */
export const anyText = (maxLength = 60) =>
	fc
		.array(
			fc.oneof(
				{ weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
				{ weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
				{ weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) },
				fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
				fc.integer({ min: 0, max: 0x9f }).map((unit) => String.fromCharCode(unit)),
				fc.constantFrom(
					...'.. . / //evil.example \\ ? # & = % %2e%2e %2F %00 : ; @ + id: email: phone: {{'.split(
						' ',
					),
					...'" \' ` <script> [0] __proto__ $& שלום'.split(' '),
					...[' ', '\r\nX-Injected: 1\r\n\r\n', '\u0000', '\u200f', '\u202e', '\ufeff', '\u2028'],
					'{{ $json }}',
				),
			),
			{ maxLength: 8 },
		)
		.map((parts) => parts.join('').slice(0, maxLength));

/** Any text, and now and then a very long one. */
export const longText = (maxLength: number) =>
	fc.oneof(
		{ weight: 9, arbitrary: anyText() },
		fc
			.tuple(anyText(), fc.integer({ min: 1, max: maxLength }))
			.map(([piece, length]) => (piece === '' ? 'x' : piece).repeat(length).slice(0, length)),
	);

/** Determines the values. It differs in every run unless FAST_CHECK_SEED sets it. */
const seed = Number(process.env.FAST_CHECK_SEED ?? randomInt(2 ** 31));

afterAll(() => process.stdout.write(`To get the same values again, set FAST_CHECK_SEED=${seed}\n`));

/** So many different values. */
export const samples = <T>(arbitrary: fc.Arbitrary<T>, count = CASES): T[] =>
	fc.sample(arbitrary, { numRuns: count, seed });

/** Whether a text consists of whole characters. */
export const isWhole = (text: string) => !/\p{Surrogate}/u.test(text);
