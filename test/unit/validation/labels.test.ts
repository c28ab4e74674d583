import type { INodeProperties } from 'n8n-workflow';
import { labelAt, labelsOf } from '../../../nodes/WorkspaceMessaging/validation/labels';

const field = (displayName: string, name: string, more = {}): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	...more,
});

test('labels are collected from fields, collections and repeating fields, not from options to choose', () => {
	const fields = [
		field('Text', 'text'),
		field('Gender', 'gender', { type: 'options', options: [{ name: 'Male', value: 'male' }] }),
		field('Options', 'options', {
			type: 'collection',
			options: [
				field('Channel', 'inboxId'),
				field('Columns', 'fieldMapping', {
					type: 'fixedCollection',
					options: [{ displayName: 'Entries', name: 'entries', values: [field('Column', 'column')] }],
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
])('%p is called "%s"', (path, label) => {
	expect(labelAt(path, labels)).toBe(label);
});
