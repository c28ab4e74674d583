import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ServiceName } from '../../../sandbox/services/names';
import { pairs } from '../../support/cases';
import { by, fromItem, received, resourceOf } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';
import { everyOperation } from '../../support/operations';

/** The operations that change a contact and return no record of it. */
const changes = [
	'addTags',
	'removeTags',
	'setTags',
	'setCustomFields',
	'clearCustomField',
	'update',
	'send',
	'triggerFlow',
	'delete',
];

const who = ({ contactId, email, phoneNumber, fullName }: IDataObject) => ({
	contactId,
	email,
	phoneNumber,
	fullName,
});

/** A workspace with Ann, and who the output should say she is. */
async function withAnn(options: Parameters<typeof testWorkspace>[0] = {}) {
	const { workspace, run } = await testWorkspace({ contacts: 2, ...options });
	const [{ id }] = await workspace.addContacts([
		{ email: 'ann@example.com', phoneNumber: '+4915100000001', firstName: 'Ann', lastName: 'Lind' },
	]);
	const ann = {
		contactId: id,
		email: 'ann@example.com',
		phoneNumber: '+4915100000001',
		fullName: 'Ann Lind',
	};
	const parameters = everyOperation(await workspace.state());
	const contact = (operation: string, more: INodeParameters): INodeParameters => ({
		...parameters[`${resourceOf(operation)}.${operation}`],
		...(operation === 'update' && { updateFields: { gender: 'female' } }),
		...more,
	});
	return { workspace, run, ann, contact };
}

const services: ServiceName[] = ['reference', 'newer'];

const calls = [
	...changes.map((operation) => ({ operation, simplify: true })),
	// The other one has deleted the contact.
	...changes.slice(0, -1).map((operation) => ({ operation, simplify: false })),
];

test.each(['addTags', 'setTags', 'send'])(
	'The output of %s begins with the contact to drag and the name, before the ID',
	async (operation) => {
		const { run, ann, contact } = await withAnn();
		const identifier = by('email', ann.email);
		const item = { id: ann.contactId, ...ann, firstName: 'Ann', lastName: 'Lind', updatedAt: '' };
		const { json } = await run(contact(operation, { identifier }), [item]);
		const keys = Object.keys(json[0]).filter((key) => key in ann || key === 'contact');
		expect(keys).toEqual(['contact', 'fullName', 'contactId', 'email', 'phoneNumber']);
	},
);

describe('On a service', () => {
	test.each(pairs(services, calls))(
		'(%s) an operation on a contact that a list returned names the person in full: %j',
		async (service, { operation, simplify }) => {
			const { run, ann, contact } = await withAnn({ service });
			const get = { resource: 'contact', operation: 'get', identifier: by('id', ann.contactId) };
			const read = await run({ ...get, simplify });
			const { json, error } = await run(
				contact(operation, { identifier: by('id', fromItem('id')) }),
				read.json,
			);
			expect(error?.message).toBeUndefined();
			expect(json.map(who)).toEqual([ann]);
		},
	);

	const withoutReading = changes.filter((operation) => operation !== 'setTags');

	test.each(pairs(services, withoutReading))(
		'(%s) %s of a contact by its email returns what the identifier says, without a request more',
		async (service, operation) => {
			const { workspace, run, contact } = await withAnn({ service });
			await workspace.clearJournal();
			const { json } = await run(
				contact(operation, { identifier: by('email', 'ann@example.com') }),
			);
			expect(json.map(who)).toEqual([{ email: 'ann@example.com' }]);
			const reads = (await received(workspace)).filter(({ path }) =>
				/\/contacts\/[^/]+$/.test(path),
			);
			expect(reads.filter(({ method }) => method === 'GET')).toEqual([]);
		},
	);

	test.each(services)('(%s) Set Tags names the contact that it has read', async (service) => {
		const { run, ann, contact } = await withAnn({ service });
		const { json } = await run(contact('setTags', { identifier: by('email', 'ann@example.com') }));
		expect(json.map(who)).toEqual([ann]);
	});

	test.each(services)('(%s) the next nodes know the person, too', async (service) => {
		const { run, ann, contact } = await withAnn({ service });
		const first = await run(contact('addTags', { identifier: by('id', ann.contactId) }), [
			{ id: ann.contactId, ...ann },
		]);
		const second = await run(contact('send', { identifier: fromItem('contact') }), first.json);
		const third = await run(
			contact('triggerFlow', { identifier: by('id', fromItem('contactId')) }),
			second.json,
		);
		expect([first, second, third].map(({ json }) => json.map(who))).toEqual([[ann], [ann], [ann]]);
	});
});

test('A row of another app lends the contact neither its ID nor its phone number', async () => {
	const { run, contact } = await withAnn();
	const row = { id: '17', contactId: '18', email: 'ann@example.com', phoneNumber: '+10000000000' };
	const { json } = await run(contact('addTags', { identifier: by('email', fromItem('email')) }), [
		row,
	]);
	expect(json.map(who)).toEqual([{ email: 'ann@example.com' }]);
});

test('The input says nothing about a contact that it is not about', async () => {
	const { workspace, run, ann, contact } = await withAnn();
	const [{ id, email, fullName }] = (await workspace.state()).contacts;
	const { json } = await run(contact('addTags', { identifier: by('id', ann.contactId) }), [
		{ id, email, fullName },
	]);
	expect(json.map(who)).toEqual([{ contactId: ann.contactId }]);
});

test('Items that name contacts in several ways return their IDs, because n8n has looked them up', async () => {
	const { run, ann, contact } = await withAnn();
	const { json } = await run(contact('addTags', { identifier: fromItem() }), [
		{ value: 'email:ann@example.com' },
		{ value: `id:${ann.contactId}` },
	]);
	expect(json.map(who)).toEqual([ann, { contactId: ann.contactId }]);
});

test('Update returns the new email and number, and no full name of which a part has changed', async () => {
	const { run, ann, contact } = await withAnn();
	const identifier = by('id', fromItem('contactId'));
	const updateFields = { email: 'anna@example.com', phoneNumber: '+4915100000009' };
	const reach = await run(contact('update', { identifier, updateFields }), [ann]);
	expect(reach.json.map(who)).toEqual([{ ...ann, ...updateFields }]);
	const named = await run(contact('update', { identifier, updateFields: { firstName: 'Anna' } }), [
		ann,
	]);
	expect(named.json.map(who)).toEqual([{ ...ann, fullName: undefined }]);
});

describe('Names of tags that are chosen from the list', () => {
	test.each(['addTags', 'removeTags'])(
		'%s returns them, and reads the list once for all items',
		async (operation) => {
			const { workspace, run, contact } = await withAnn();
			const { tags } = await workspace.state();
			await workspace.clearJournal();
			const tagIds = tags.slice(0, 2).map(({ id }) => id);
			const { json } = await run(
				contact(operation, { identifier: by('email', 'ann@example.com'), tagIds }),
				[{}, {}, {}],
			);
			const word = operation === 'addTags' ? 'added' : 'removed';
			const names = tags.slice(0, 2).map(({ name }) => name);
			expect(json.map((item) => item[`${word}TagNames`])).toEqual([names, names, names]);
			const lists = (await received(workspace)).filter(({ path }) =>
				path.startsWith('/api/v1/tags?page=1&'),
			);
			expect(lists).toHaveLength(1);
		},
	);

	test('A list that the service does not return fails nothing; the IDs take the place of the names', async () => {
		const { workspace, run, contact } = await withAnn();
		const [{ id }] = (await workspace.state()).tags;
		await workspace.faults({ fail: [{ status: 404, match: { operation: 'listTags' } }] });
		const { json, error } = await run(
			contact('addTags', { identifier: by('email', 'ann@example.com'), tagIds: [id] }),
		);
		expect(error?.message).toBeUndefined();
		expect(json).toMatchObject([{ addedTagIds: [id], addedTagNames: [id] }]);
	});
});
