import type { INodeParameters } from 'n8n-workflow';
import { contactsIn, fileOf, newerWorkspace } from './helpers';

/** Imports files, one for each item, with the country code +49. */
async function importFiles(files: string[], parameters: INodeParameters = {}) {
	const test = await newerWorkspace();
	const options = { countryCode: '+49' };
	const result = await test.run(
		test.into('whatsapp', 'input', { options, ...parameters }),
		files.map(() => ({})),
		{ files: files.map((csv) => fileOf(csv)) },
	);
	expect(result.error?.message).toBeUndefined();
	return { ...test, ...result };
}

describe('An imported file with national phone numbers', () => {
	test('gets a hint for those that are none of the country, with their rows', async () => {
		const file =
			'Vorname;Phone\r\nAnn;0151 555 01234\r\n"Ben;\nLee";01515557\r\nCem;4915155501235\r\nDan;+491515558\r\n';
		const test = await importFiles([file]);
		expect(test.hints).toEqual([
			'The service puts +49 before 2 phone numbers of the file, which may be wrong then (rows 3–4). Check them.',
		]);
		const numbers = (await contactsIn(test)).map(({ phoneNumber }) => phoneNumber);
		expect(numbers).toContain('+491515557');
	});

	test.each([
		['numbers of the country', 'phone\n0151 555 01234\n15155501235\n030 123456\n'],
		['numbers with a country code', 'phone\n+4915155501234\n0049 151 555 01235\n'],
		['other columns of digits', 'phone,contact id\n+4915155501234,01515557\n'],
		['no numbers', 'phone\nn/a\n'],
	])('gets none for %s', async (_, file) => {
		const { hints } = await importFiles([file]);
		expect(hints.join()).not.toContain('puts +49');
	});

	test('gets none without a country code', async () => {
		const { hints } = await importFiles(['phone\n01515557\n'], { options: {} });
		expect(hints.join()).not.toContain('puts');
	});
});

describe('An imported file with columns that are not imported', () => {
	const file = 'phone,Ort,,Größe\n+4915155501234,Bonn,x,XL\n';

	test('gets a hint that names them', async () => {
		const { hints, json } = await importFiles([file]);
		expect(hints).toEqual(['Not imported: columns Ort, Größe.']);
		expect(json).toMatchObject([{ unusedColumns: ['Ort', '', 'Größe'] }]);
		const one = await importFiles(['phone,Ort\n+4915155501234,Bonn\n']);
		expect(one.hints).toEqual(['Not imported: column Ort.']);
	});

	test('gets none if the user chose the columns, or if all are used', async () => {
		const options = { countryCode: '+49', phoneNumber: 'phone' };
		const manual = await importFiles([file], { mapping: 'manual', options });
		expect(manual.hints).toEqual([]);
		const all = await importFiles(['phone,email\n+4915155501234,ann@example.com\n']);
		expect(all.hints).toEqual([]);
	});
});

test('The output of an import begins with what people look for: the counts, then the IDs', async () => {
	const { json } = await importFiles(['phone,Ort\n+4915155501234,Bonn\n+4915155501234,Bonn\n']);
	expect(Object.keys(json[0]).slice(0, 5)).toEqual([
		'success',
		'status',
		'totalCount',
		'successCount',
		'existingCount',
	]);
	const keys = Object.keys(json[0]);
	expect(keys.indexOf('failedCount')).toBeLessThan(keys.indexOf('fileId'));
	expect(keys.indexOf('importId')).toBeLessThan(keys.indexOf('errorSample'));
});
