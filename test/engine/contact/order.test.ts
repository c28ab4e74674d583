import type { INodeParameters } from 'n8n-workflow';
import { by, fromItem } from '../../support/engine/helpers';
import { testWorkspace } from '../../support/engine/workspace';

const services = ['reference', 'newer'] as const;

/** A workspace with one contact, ann@mail.example, +491510039595. */
async function ann(service: (typeof services)[number]) {
	const made = await testWorkspace({ contacts: 0, service });
	await made.workspace.addContacts([{ email: 'ann@mail.example', phoneNumber: '+491510039595' }]);
	const [contact] = (await made.workspace.state()).contacts;
	return { ...made, id: contact.id };
}

describe.each(services)('Items about one contact on the %s service', (service) => {
	test.each([[{}], [{ latencyMs: 20 }], [{ latencyMs: [0, 40] as [number, number] }]])(
		'leave it as the last row of Create or Update says, however they name it (%p)',
		async (faults) => {
			const { run, workspace } = await ann(service);
			await workspace.faults(faults);
			const rows = [
				{ phone: '+491510039595', email: '', first: '', last: 'Lee' },
				{ phone: '491510039595', email: '', first: 'Ann', last: '' },
				{ chosen: 'ann@mail.example', first: 'Anna', last: '' },
				{ chosen: 'ANN@mail.example', first: 'Anne', last: '' },
				{ phone: '', email: 'ANN@mail.example', first: 'Bob', last: '' },
			];
			const { error } = await run(
				{
					resource: 'contact',
					operation: 'upsert',
					email: '={{ $json.email ?? "" }}',
					phoneNumber: '={{ $json.phone ?? "" }}',
					additionalFields: { firstName: fromItem('first'), lastName: fromItem('last') },
					options: { identifier: by('id', '={{ $json.chosen ?? "" }}') },
				},
				rows,
			);
			expect(error).toBeUndefined();
			await workspace.faults({ latencyMs: null });
			expect((await workspace.state()).contacts).toMatchObject([
				{ firstName: 'Bob', lastName: 'Lee' },
			]);
		},
	);

	test.each([
		['Update', { operation: 'update', updateFields: { firstName: fromItem('text') } }],
		[
			'Set Tags',
			{ operation: 'setTags', tagsBy: 'names', tagNames: fromItem('text'), createMissing: true },
		],
	])('leave it as the last item of %s says, however they name it', async (_, parameters) => {
		const { run, workspace, id } = await ann(service);
		await workspace.faults({ fail: [{ status: 503, times: 1, match: { method: 'GET' } }] });
		const items = [
			{ contact: 'ann@mail.example', text: 'One' },
			{ contact: `id:${id}`, text: 'Two' },
			{ contact: 'phone:491510039595', text: 'Three' },
		];
		const { error } = await run(
			{ resource: 'contact', ...parameters, identifier: by('id', fromItem('contact')) },
			items,
		);
		expect(error).toBeUndefined();
		const contact = await workspace.contact(`id:${id}`);
		if (parameters.operation === 'update') expect(contact.firstName).toBe('Three');
		else expect(contact.tags?.map(({ name }) => name)).toEqual(['Three']);
	});

	test('receive their messages in the order of the items, also if the node retries the first one', async () => {
		const { run, workspace, id } = await ann(service);
		await workspace.faults({
			fail: [{ status: 503, times: 1, match: { operation: 'sendMessage' } }],
		});
		const items = ['ann@mail.example', `id:${id}`, 'phone:+491510039595', 'ann@mail.example'].map(
			(contact, number) => ({ contact, text: `Message ${number}` }),
		);
		const { error } = await run(
			{
				resource: 'message',
				operation: 'send',
				identifier: by('id', fromItem('contact')),
				text: fromItem('text'),
			},
			items,
		);
		expect(error).toBeUndefined();
		const { messages } = await workspace.journal();
		expect(messages.map(({ text }) => text)).toEqual(items.map(({ text }) => text));
		expect(new Set(messages.map(({ contactId }) => contactId))).toEqual(new Set([id]));
	});

	test.each<[string, (id: string) => INodeParameters]>([
		['one contact for all', (id) => by('id', id)],
		['the contact of each item', () => by('id', fromItem('contact'))],
	])(
		'after a refusal, no further message is sent if the node stops (%s)',
		async (_, identifierOf) => {
			const { run, workspace, id } = await ann(service);
			await workspace.faults({
				fail: [{ status: 422, times: 1, match: { operation: 'sendMessage' }, message: 'No' }],
				latencyMs: 5,
			});
			const items = Array.from({ length: 5 }, (_, number) => ({
				contact: number % 2 === 0 ? 'ann@mail.example' : `id:${id}`,
				text: `Message ${number}`,
			}));
			const { error } = await run(
				{
					resource: 'message',
					operation: 'send',
					identifier: identifierOf(id),
					text: fromItem('text'),
				},
				items,
			);
			expect(error?.message).toContain('5 items: 1 failed (item 0), 4 not attempted (items 1–4)');
			expect((await workspace.journal()).messages).toEqual([]);
		},
	);
});

test('Ignore Not Found holds in a run that names contacts in different ways', async () => {
	const { run, workspace, id } = await ann('reference');
	const [field] = (await workspace.state()).customFields.filter(({ type }) => type === 'shortText');
	const { json, error } = await run(
		{
			resource: 'contact',
			operation: 'delete',
			identifier: by('id', fromItem('contact')),
			options: { ignoreMissing: true },
		},
		[`customField:${field.name}=nobody`, 'nobody@mail.example', `id:${id}`].map((contact) => ({
			contact,
		})),
	);
	expect(error).toBeUndefined();
	expect(json).toMatchObject([{ deleted: false }, { deleted: false }, { deleted: true }]);
	expect((await workspace.counts()).contacts).toBe(0);
	const reads = (await workspace.journal()).requests.filter(
		({ operation }) => operation === 'getContact',
	);
	expect(
		reads.every(({ contact }) => contact !== `id:${id}` && !contact?.startsWith('customField:')),
	).toBe(true);
});
