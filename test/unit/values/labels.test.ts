import type { INodeProperties } from 'n8n-workflow';
import {
	counted,
	explainItemNumber,
	labelAt,
	labelsOf,
	quoted,
} from '../../../nodes/WorkspaceMessaging/values/labels';

const field = (displayName: string, name: string, more = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

describe('labelsOf', () => {
	test('collects the labels of fields, collections and fixed collections, but not of the choices of a list', () => {
		const fields = [
			field('Text', 'text'),
			field('Gender', 'gender', { type: 'options', options: [{ name: 'Male', value: 'male' }] }),
			field('Options', 'options', {
				type: 'collection',
				options: [
					field('Channel', 'inboxId'),
					field('Columns', 'fieldMapping', {
						type: 'fixedCollection',
						options: [
							{ displayName: 'Entries', name: 'entries', values: [field('Column', 'column')] },
						],
					}),
				],
			}),
		];
		expect(labelsOf(fields)).toEqual({
			text: 'Text',
			gender: 'Gender',
			options: 'Options',
			inboxId: 'Channel',
			fieldMapping: 'Columns',
			column: 'Column',
		});
	});
});

describe('labelAt', () => {
	const labels = { phoneNumber: 'Phone Number', fieldMapping: 'Field Mapping', column: 'Column' };

	test.each([
		[['phoneNumber'], 'Phone Number'],
		[['fieldMapping', 2], 'Field Mapping 3'],
		[['fieldMapping', 2, 'column'], 'Column of Field Mapping 3'],
		[['fieldMapping', 'column'], 'Column of Field Mapping'],
		[['other'], 'other'],
		[['other', 0, 'column'], 'Column of other 1'],
		[[], 'The request'],
		[[0], 'The request'],
	])('calls the field at %p "%s"', (path, label) => {
		expect(labelAt(path, labels)).toBe(label);
	});
});

test('counted writes a number with its noun', () => {
	expect([counted(0, 'item'), counted(1, 'item'), counted(1200, 'entry', 'entries')]).toEqual([
		'0 items',
		'1 item',
		'1,200 entries',
	]);
});

test('quoted cuts a text after 60 characters', () => {
	expect([quoted('a'), quoted('a'.repeat(61))]).toEqual(['"a"', `"${'a'.repeat(60)}…"`]);
});

test.each([
	[0, '1st'],
	[1, '2nd'],
	[2, '3rd'],
	[10, '11th'],
	[11, '12th'],
	[12, '13th'],
	[20, '21st'],
	[111, '112th'],
	[9_999, '10000th'],
])('Item %i is the %s row', (index, place) => {
	expect(explainItemNumber(index)).toBe(`n8n counts from 0: item ${index} is the ${place}.`);
});
