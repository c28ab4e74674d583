import {
	findNewValues,
	mergeValues,
	writeValues,
} from '../../../../nodes/WorkspaceMessaging/contacts/customFields/contactValues';
import { Service, type RequestParts } from '../../../../nodes/WorkspaceMessaging/transport/request';

const value = (id: string, text: string) => ({
	field: { id, name: `Field ${id}`, type: 'shortText' },
	value: text,
});
const at = '2026-01-31T09:00:00.000Z';
const held = (id: string, text: string) => ({
	id: `value ${id}`,
	createdAt: at,
	updatedAt: at,
	contactId: '7',
	customFieldId: id,
	value: text,
});
const contact = { id: '7', contactCustomFields: [held('1', 'Blue'), held('2', 'M')] };

test('findNewValues returns only values that the contact does not have', () => {
	const values = [value('1', 'Blue'), value('2', 'L'), value('3', 'x')];
	expect(findNewValues(contact, values)).toEqual(values.slice(1));
	expect(findNewValues(contact, [value('1', 'Red'), value('1', 'Blue')])).toEqual([]);
	expect(findNewValues(contact, [value('1', 'Blue'), value('1', 'Red')])).toEqual([
		value('1', 'Red'),
	]);
});

test('findNewValues returns all values for a contact that does not show its values, and mergeValues adds none', () => {
	const values = [value('1', 'Blue')];
	expect(findNewValues({ id: '7' }, values)).toEqual(values);
	expect(mergeValues({ id: '7' }, values)).toEqual({ id: '7' });
});

test('mergeValues replaces the earlier values and leaves out what only the service knows', () => {
	const shown = mergeValues(contact, [value('1', 'Red'), value('3', 'x')]);
	expect(shown.contactCustomFields).toEqual([
		{ id: 'value 1', createdAt: at, contactId: '7', customFieldId: '1', value: 'Red' },
		held('2', 'M'),
		{ contactId: '7', customFieldId: '3', value: 'x' },
	]);
});

test('writeValues writes 20 values at a time, and each of them once', async () => {
	const ids = Array.from({ length: 45 }, (_, index) => String(index));
	const written: unknown[][] = [];
	const request = async (_: unknown, { body }: RequestParts = {}) => {
		const { operations } = body as { operations: Array<{ customFieldId: string }> };
		written.push(operations.map(({ customFieldId }) => customFieldId));
	};
	const values = ids.map((id) => value(id, 'x'));
	await writeValues({ service: new Service(), request }, 'id:7', values);
	expect(written).toEqual([ids.slice(0, 20), ids.slice(20, 40), ids.slice(40)]);
});
