import {
	compareFingerprints,
	makeFingerprint,
} from '../../../../nodes/WorkspaceMessaging/trigger/changes/fingerprints';

const contact = {
	id: '1',
	createdAt: '2026-01-01T00:00:00.000Z',
	updatedAt: '2026-01-01T00:00:00.000Z',
	firstName: 'Ann',
	lastName: null,
	fullName: 'Ann',
	emailOptIn: false,
	tags: [
		{ id: '1', name: 'VIP' },
		{ id: '2', name: 'News' },
	],
	contactCustomFields: [],
	conversation: { id: '7', open: true },
};

const changed = (changes: object) =>
	compareFingerprints(makeFingerprint(contact), makeFingerprint({ ...contact, ...changes }));

describe('The changed fields', () => {
	test.each([
		['leave out a contact without changes', {}, []],
		[
			'leave out fields that change with others',
			{ updatedAt: '2026-02-01T00:00:00.000Z', fullName: 'Ann B' },
			[],
		],
		['name a changed text', { firstName: 'Anna' }, ['firstName']],
		['name a text that was empty', { lastName: 'Bell' }, ['lastName']],
		['name a text that is now empty', { firstName: null }, ['firstName']],
		['name a changed yes or no', { emailOptIn: true }, ['emailOptIn']],
		['leave out another form of empty', { lastName: '', contactCustomFields: undefined }, []],
		['name a changed list', { tags: [{ id: '1', name: 'VIP' }] }, ['tags']],
		['leave out another order of a list', { tags: [...contact.tags].reverse() }, []],
		['leave out another order of keys', { conversation: { open: true, id: '7' } }, []],
		[
			'name an object with a change inside',
			{ conversation: { id: '7', open: false } },
			['conversation'],
		],
		[
			'name all of several fields',
			{ city: 'Rome', gender: 'male', firstName: 'Bob' },
			['firstName', 'gender', 'city'],
		],
	])('%s', (_, changes, fields) => {
		expect(changed(changes)).toEqual(fields);
	});
});
