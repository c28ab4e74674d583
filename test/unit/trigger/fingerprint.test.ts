import { changedFields, fingerprintOf } from '../../../nodes/WorkspaceMessaging/trigger/fingerprint';

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
	changedFields(fingerprintOf(contact), fingerprintOf({ ...contact, ...changes }));

test.each([
	['nothing', {}, []],
	['what changes anyway', { updatedAt: '2026-02-01T00:00:00.000Z', fullName: 'Ann B' }, []],
	['a text', { firstName: 'Anna' }, ['firstName']],
	['a text where there was none', { lastName: 'Bell' }, ['lastName']],
	['a text that goes', { firstName: null }, ['firstName']],
	['a switch', { emailOptIn: true }, ['emailOptIn']],
	['nothing in another form', { lastName: '', contactCustomFields: undefined }, []],
	['a list', { tags: [{ id: '1', name: 'VIP' }] }, ['tags']],
	['the order of a list', { tags: [...contact.tags].reverse() }, []],
	['the order of keys', { conversation: { open: true, id: '7' } }, []],
	['something inside', { conversation: { id: '7', open: false } }, ['conversation']],
	['several', { city: 'Rome', gender: 'male', firstName: 'Bob' }, ['firstName', 'gender', 'city']],
])('%s', (_, changes, fields) => {
	expect(changed(changes)).toEqual(fields);
});
